import type { IncomingMessage } from 'node:http';
import { sanitizeJson } from './sanitize-json.js';
import { ByteBuffer } from './byte-buffer.js';
import { parseMediaType } from './inert-content.js';
import { HttpError } from './http-error.js';
import { rewriteForm, type RewrittenForm } from './rewrite-form.js';
import type { BodyRule } from './routes.js';

/** The body to forward: none, sanitized JSON, or a form that is validated while it is streamed. */
export type ForwardedBody = { readonly json: string } | RewrittenForm | null;

/** Options of the integrator for all endpoints. */
export interface BodyOptions {
  /** Allowed fields in addition to those that a chat needs. */
  readonly allowSessionOptions: readonly string[];
  /** Maximum size in bytes of a form with a file. */
  readonly maxUploadBytes: number;
}

/**
 * Reads the body of a request as its endpoint requires it. Throws an `HttpError` for any other body, so that no unchecked content is
 * forwarded. The rest of a rejected body remains to be read.
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
      // Without this check, the request to the service would begin before the form turns out to be too large.
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
      return rewriteForm(chunksOf(request), contentType, { jsonFields: rule.jsonFields, maxBytes });
    }
    case 'json': {
      // Without a CORS preflight, a form on another site can send any text, but only with other types.
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

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const buffer = new ByteBuffer();
  for await (const chunk of chunksOf(request)) {
    if (buffer.length + chunk.length > maxBytes) throw bodyTooLarge();
    buffer.append(chunk);
  }
  return buffer.toBuffer().toString('utf8');
}

/** Iterates over the body without destroying the request when the loop is left, since it still needs a response. */
function chunksOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

function bodyTooLarge(): HttpError {
  return new HttpError(413, 'The body is too large');
}
