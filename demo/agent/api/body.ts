import type { IncomingMessage } from 'node:http';
import { ByteBuffer } from '../../../server/byte-buffer.js';
import { ApiError, invalidRequest } from './api-error.js';

/** The most that a JSON body may have. */
export const MAX_JSON_BYTES = 2 * 1024 * 1024;

/** Reads a whole body. Throws 413 as soon as it is longer than allowed. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const said = Number(request.headers['content-length'] ?? 0);
  if (said > limit) throw tooLarge(limit);
  const collected = new ByteBuffer();
  // The request stays whole when its body is refused in the middle: it is still to be answered.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (collected.length + piece.length > limit) throw tooLarge(limit);
    collected.append(piece);
  }
  return collected.toBuffer();
}

function tooLarge(limit: number): ApiError {
  return new ApiError(413, `Request body is larger than ${String(limit)} bytes`);
}

/**
 * Reads a JSON body.
 *
 * @param fallback What an empty body means; without it, an empty body is refused.
 */
export async function readJson(request: IncomingMessage, fallback?: unknown): Promise<unknown> {
  const text = (await readBytes(request, MAX_JSON_BYTES)).toString('utf8');
  if (text.trim() === '') {
    if (fallback !== undefined) return fallback;
    throw invalidRequest([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const at = /position (\d+)/u.exec(String(error))?.[1];
    throw invalidRequest([
      { loc: ['body', Number(at ?? 0)], msg: 'JSON decode error', type: 'json_invalid' },
    ]);
  }
}
