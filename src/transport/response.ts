import { UbikError, type ServiceError, type UbikErrorCode } from '../errors.js';
import { encodeComponent } from './encode-component.js';
import type { SliceYield } from './slice-yield.js';

/** The format of a response body. */
export type BodyKind = 'events' | 'json' | 'html' | 'unknown';

/** A body whose format has been detected. */
export interface SniffedBody {
  readonly kind: BodyKind;
  /** The whole body, from its first byte; empty when the response had none. */
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Cancels a body that is not needed. Not awaited, because the promise may never settle, for example if the host page has cloned the response.
 */
export function cancelBody({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

/** The format of a body with more leading white space than this, in bytes, is `unknown`. */
const MAX_LEADING_BLANKS = 1024;
/** How the first line of a stream of server-sent events may begin. */
const EVENT_PREFIXES = ['data:', 'event:', 'id:', 'retry:', ':'];

/**
 * Detects the format of a response body by its `Content-Type`; if that declares none of the known formats (`text/plain`,
 * `application/octet-stream`), by its first bytes after white space. Read the returned body instead of that of the response, which may be
 * locked. An error while sniffing is passed on to the reader of the returned body.
 */
export async function sniffBody({ body, headers }: Response): Promise<SniffedBody> {
  let kind = sniffKind(headers, '');
  body ??= new Blob().stream();
  if (kind) return { kind, body };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let text = ''; !kind; kind = sniffKind(headers, text)) {
    const result = await reader.read().catch(() => null);
    if (!result?.value) break;
    chunks.push(result.value);
    // Enough bytes for the white space and, with 8 more, for the longest prefix of an event.
    text += String.fromCharCode(...result.value.subarray(0, MAX_LEADING_BLANKS + 8 - text.length));
  }
  return { kind: kind ?? 'unknown', body: prependChunks(chunks, reader) };
}

/** Returns the format that `Content-Type` declares, as a word that also occurs in a matching `Accept` header; null for other types. */
export function readMediaKind(headers: Headers): 'event-stream' | 'json' | 'html' | null {
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  const [, word] = /^[^;]*(event-stream|json|html)/.exec(type) ?? [];
  return (word ?? null) as 'event-stream' | 'json' | 'html' | null;
}

/** Detects the format by `Content-Type`, otherwise by `text`, the first bytes as characters. Null means that more bytes are needed. */
export function sniffKind(headers: Headers, text: string): BodyKind | null {
  const declared = readMediaKind(headers);
  if (declared) return declared === 'event-stream' ? 'events' : declared;
  // Skips white space and a byte order mark.
  const start = text.replace(/^[\xef\xbb\xbf\s]+/, '');
  if (/^[{[]/.test(start)) return 'json';
  if (start.startsWith('<')) return 'html';
  if (EVENT_PREFIXES.some((event) => start.startsWith(event))) return 'events';
  const mayBecome = EVENT_PREFIXES.some((event) => event.startsWith(start));
  return mayBecome && text.length <= MAX_LEADING_BLANKS + start.length ? null : 'unknown';
}

/** Returns a stream of the chunks already read, followed by the remaining ones. Cancelling it cancels the source. */
function prependChunks(
  chunks: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const value = chunks.shift() ?? (await reader.read()).value;
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * Yields a body as text as it arrives, up to `limit` bytes; the remaining bytes are not downloaded. Returns whether the body is whole.
 */
async function* readPieces(response: Response, limit: number): AsyncGenerator<string, boolean> {
  if (!response.body) {
    // A replacement of `fetch` may return a response without a stream.
    yield await response.text();
    return true;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (let size = 0; size <= limit;) {
    const { done, value } = await reader.read();
    if (done) {
      yield decoder.decode();
      return true;
    }
    yield decoder.decode(value.subarray(0, limit - size), { stream: true });
    size += value.byteLength;
  }
  // Not awaited, because the promise may never settle.
  reader.cancel().catch(() => undefined);
  return false;
}

/** Reads a body as text, up to `limit` bytes; the remaining bytes are not downloaded. */
export async function readText(
  response: Response,
  limit: number,
): Promise<{ text: string; isWhole: boolean }> {
  const pieces = readPieces(response, limit);
  let text = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { text, isWhole: value };
    text += value;
  }
}

/** Longer JSON, in UTF-16 units, is parsed in slices. Parsing a shorter one takes a few milliseconds. */
const LONG_JSON = 524_288;

/**
 * Reads the JSON of a response; null for an empty body. With `yieldSlice`, a long one is parsed in slices while it arrives.
 *
 * @throws {UbikError} `not-an-api` for a body that is not JSON; `too-large` for a body over `limit` bytes.
 */
export async function readJson(
  response: Response,
  limit = 1 << 26,
  yieldSlice?: SliceYield,
): Promise<unknown> {
  const pieces = readPieces(response, limit);
  let text = '';
  let isSliced = yieldSlice !== undefined;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done && !value) throw new UbikError('too-large');
    if (done) break;
    text += value;
    if (!yieldSlice || !isSliced || text.length < LONG_JSON) continue;
    // Loaded lazily, since few responses are long. Without it, the text is parsed at once.
    const slices = await import('./json-slices.js').catch(() => null);
    if (slices) return requireJson(await slices.readInSlices(text, pieces, yieldSlice));
    isSliced = false;
  }
  return text.trim() === '' ? null : requireJson(parseJson(text));
}

function requireJson(value: unknown): unknown {
  // The error of `JSON.parse` is not passed on, because it quotes the text, which may be private.
  if (value === undefined) throw new UbikError('not-an-api');
  return value;
}

/** Parses JSON; returns undefined for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Invalid texts are expected; the caller handles them.
    return undefined;
  }
}

/** Parses an HTTP date to ms since the epoch; returns null for any other text. */
export function parseHttpDate(value: string | null): number | null {
  // `Date.parse` accepts other formats too. An HTTP date begins with the name of a day (RFC 9110, 5.6.7).
  const time = /^[A-Z][a-z]{2,8},? /.test(value ?? '') ? Date.parse(value ?? '') : NaN;
  return Number.isNaN(time) ? null : time;
}

/**
 * Returns the `Date` header in ms since the epoch, by the service's clock; null when it is missing or not exposed
 * (`Access-Control-Expose-Headers`).
 */
export function readResponseDate(headers: Headers): number | null {
  return parseHttpDate(headers.get('date'));
}

/** Error codes by status. Other statuses from 500 on are `server`, below that `bad-request`. */
const CODES: ReadonlyMap<number, UbikErrorCode> = new Map([
  [401, 'unauthorized'],
  [402, 'rate-limited'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [408, 'server'],
  [409, 'busy'],
  [410, 'not-found'],
  [413, 'too-large'],
  [422, 'invalid'],
  [429, 'rate-limited'],
]);

/** Longer error messages are truncated. */
const MAX_MESSAGE_LENGTH = 500;
/** Maximum number of bytes read of an error body. */
const MAX_ERROR_BODY = 1 << 16;

/** Reads an error description from the parsed JSON of a response, which may be any value; returns null when it contains none. */
export type ReadServiceError = (body: unknown) => ServiceError | null;

/**
 * Creates the error for an unsuccessful response. Its message is that of the service, if the service sent one, with the token
 * redacted; `offender` lists the fields that the service rejects.
 */
export async function createResponseError(
  response: Response,
  now: number,
  token: string | null,
  readServiceError: ReadServiceError = () => null,
): Promise<UbikError> {
  const { status, headers } = response;
  // If the body cannot be read, the error is created from the status alone.
  const { text: body } = await readText(response, MAX_ERROR_BODY).catch(() => ({ text: '' }));
  const isPage = sniffKind(headers, body) === 'html';
  const fields: string[] = [];
  const json = isPage ? undefined : parseJson(body);
  const message = extractMessage(json, fields);
  // A web server without the service at this path responds with an HTML page.
  const isWebServer = isPage && (status === 404 || status === 405);
  const code = CODES.get(status) ?? (status >= 500 ? 'server' : 'bad-request');
  const text = redactToken(message, token) || `The service answered with the status ${status}.`;
  const described = readServiceError(json);
  return new UbikError(isWebServer ? 'not-an-api' : code, text, {
    status,
    retryAfter: parseRetryAfter(headers, now),
    offender: redactToken(fields.join(', '), token) || undefined,
    serviceError: described ? redactAll(described, token) : undefined,
  });
}

/**
 * Parses `Retry-After` (whole seconds or an HTTP date) to ms from now; a date in the past gives 0. A date is compared with the `Date`
 * header where the page may read it (`Access-Control-Expose-Headers`), because the clock of the page may be hours off.
 */
function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const time = parseHttpDate(value);
  return time === null ? undefined : Math.max(0, time - (readResponseDate(headers) ?? now));
}

/**
 * Extracts the message from an error body: a string, an array of errors, or an object that contains one of these as `msg`, `detail`
 * (FastAPI), `message`, `description` or `error`. Adds the names of the rejected fields to `fields`. Reads at most five levels and ten
 * elements of each array, because the body is untrusted.
 */
function extractMessage(value: unknown, fields: string[], depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 4) return '';
  const extractInner = (inner: unknown) => extractMessage(inner, fields, depth + 1);
  if (Array.isArray(value)) return value.slice(0, 10).map(extractInner).filter(Boolean).join('; ');
  const { loc, msg, detail, message, description, error } = value as Readonly<
    Record<string, unknown>
  >;
  // FastAPI locates a field as `["body", "checkpoint_id"]`; the first element only names the part of the request.
  const steps = Array.isArray(loc) ? loc.filter((step) => typeof step !== 'object') : [];
  const field = steps.join('.').replace(/^body\./, '');
  if (field) fields.push(field);
  let text = '';
  for (const inner of [msg, detail, message, description, error]) text ||= extractInner(inner);
  return field ? `${field}: ${text}` : text;
}

function redactAll(error: ServiceError, token: string | null): ServiceError {
  const texts = Object.entries({ ...error }).map(([name, text]) => [
    name,
    redactToken(text, token),
  ]);
  return Object.fromEntries(texts) as ServiceError;
}

function redactToken(text: string, token: string | null): string {
  let line = text.trim();
  for (const secret of token ? [token, encodeComponent(token)] : []) {
    line = line.replaceAll(secret, '[token]');
  }
  if (line.length <= MAX_MESSAGE_LENGTH) return line;
  // The cut may have split the last character.
  return `${line.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/\p{Surrogate}$/u, '')}…`;
}
