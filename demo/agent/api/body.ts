import type { IncomingMessage } from 'node:http';
import { ByteBuffer } from '../../../server/byte-buffer.js';
import { ApiError, invalidRequest } from './api-error.js';

/** Maximum size of a JSON body, in bytes. */
export const MAX_JSON_BYTES = 2 * 1024 * 1024;

/** Reads a whole body. Throws an `ApiError` (413) as soon as it exceeds `limit` bytes. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declaredLength = Number(request.headers['content-length'] ?? 0);
  if (declaredLength > limit) throw tooLarge(limit);
  const collected = new ByteBuffer();
  // Do not destroy the request when reading stops early: the 413 must still be sent.
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
 * @param fallback Value for an empty body. Without it, an empty body is rejected.
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
