import type { IncomingMessage } from 'node:http';

/** A body that cannot be passed on, with the status that says why. */
export class BodyProblem extends Error {
  /** The HTTP status. */
  readonly status: number;

  /** @param message What the page is told. */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What is sent on: nothing, clean JSON, or the request's own stream (a form with a file). */
export type CleanBody = { readonly json: string } | 'stream' | null;

/** The most that a JSON body may have; a message is far smaller. Files travel as forms and are not bounded here. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

const CLAIMS = new Set(['external_user_id', 'api_key']);

/**
 * Reads a JSON body and takes out what the page claims to be. A form passes as it is: none of its fields names a person.
 * Any other kind of body is refused, so that nothing passes unread under a wrong name.
 */
export async function readCleanBody(request: IncomingMessage): Promise<CleanBody> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!hasBody(request)) return null;
  if (type === 'multipart/form-data') return 'stream';
  const text = await readText(request);
  if (text.trim() === '') return null;
  if (type !== '' && type !== 'application/json') {
    throw new BodyProblem(415, 'The body must be JSON or a form');
  }
  return { json: clean(text) };
}

function hasBody(request: IncomingMessage): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > 0
  );
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_JSON_BYTES) throw new BodyProblem(413, 'The body is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function clean(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BodyProblem(400, 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  // Written anew from what was read: a key that was sent twice cannot mean one thing here and another one there.
  const entries = Object.entries(value).filter(([name]) => !CLAIMS.has(name.toLowerCase()));
  return JSON.stringify(Object.fromEntries(entries));
}
