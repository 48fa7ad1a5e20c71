import type { IncomingMessage } from 'node:http';
import { sanitizeJson } from './clean-json.js';
import { ByteBuffer } from './byte-buffer.js';
import { parseMediaType } from './safe-response.js';
import { HttpError } from './http-error.js';
import { rewriteForm, type RewrittenForm } from './rewrite-form.js';
import type { BodyRule } from './routes.js';

/** What is sent on: nothing, clean JSON, or a form that is checked while it passes. */
export type ForwardedBody = { readonly json: string } | RewrittenForm | null;

/** What the integrator sets for all endpoints. */
export interface BodyOptions {
  /** Fields beyond those that a chat needs. */
  readonly allowSessionOptions: readonly string[];
  /** The most bytes of a form with a file. */
  readonly maxUploadBytes: number;
}

/**
 * Reads the body of a request as its endpoint wants it. Throws a `Refusal` for any other one, so that nothing passes unread under a
 * wrong name. The rest of a refused body is still to be read.
 */
export async function readRequestBody(
  request: IncomingMessage,
  rule: BodyRule,
  options: BodyOptions,
): Promise<ForwardedBody> {
  if (!hasBody(request)) return null;
  const contentType = request.headers['content-type'] ?? '';
  switch (rule.kind) {
    case 'none':
      throw new HttpError(400, 'This request takes no body');
    case 'form': {
      if (parseMediaType(contentType) !== 'multipart/form-data') {
        throw new HttpError(415, 'The body must be a form (multipart/form-data)');
      }
      const maxBytes = options.maxUploadBytes;
      assertContentLength(request, maxBytes);
      return rewriteForm(piecesOf(request), contentType, { texts: rule.texts, maxBytes });
    }
    case 'json': {
      // A form of another site can send any text, but not this type without asking first.
      if (parseMediaType(contentType) !== 'application/json') {
        throw new HttpError(415, 'The body must be JSON (application/json)');
      }
      const text = await readText(request, rule.maxBytes);
      const fields = new Set([...rule.fields, ...options.allowSessionOptions]);
      return { json: sanitizeJson(text, 'strip', fields) };
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function assertContentLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  assertContentLength(request, maxBytes);
  const collected = new ByteBuffer();
  for await (const piece of piecesOf(request)) {
    if (collected.length + piece.length > maxBytes) throw bodyTooLarge();
    collected.append(piece);
  }
  return collected.toBuffer().toString('utf8');
}

/** The body, in a way that leaves the request whole when it is refused in the middle: it is still to be answered. */
function piecesOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

function bodyTooLarge(): HttpError {
  return new HttpError(413, 'The body is too large');
}
