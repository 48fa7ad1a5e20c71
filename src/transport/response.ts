import { UbikError } from '../errors.js';

/** The format of a response body. */
export type BodyKind = 'events' | 'json' | 'html' | 'unknown';

/** A body whose format has been detected. */
export interface SniffedBody {
  readonly kind: BodyKind;
  /** The whole body, from its first byte; empty when the response had none. */
  readonly body: ReadableStream<Uint8Array>;
}

/** A body with more leading white space than this, in bytes, has an unknown format. */
const MAX_LEADING_BLANKS = 1024;
/** How the first line of a stream of server-sent events may begin. */
const EVENT_PREFIXES = ['data:', 'event:', 'id:', 'retry:', ':'];

/**
 * Detects the format of a response body by its `Content-Type`; where that is missing or too general (`text/plain`,
 * `application/octet-stream`), by its first bytes that are not blank. It locks the body of the response: read the returned one instead.
 * An error while sniffing is passed on to the reader of the returned body.
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
    text += String.fromCharCode(...result.value.subarray(0, MAX_LEADING_BLANKS + 8 - text.length));
  }
  return { kind: kind ?? 'unknown', body: prependChunks(chunks, reader) };
}

/** Returns the format that `Content-Type` declares, as a word that a matching `Accept` header contains too; null for other types. */
export function readMediaKind(headers: Headers): 'event-stream' | 'json' | 'html' | null {
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  const [, word] = /^[^;]*(event-stream|json|html)/.exec(type) ?? [];
  return (word ?? null) as 'event-stream' | 'json' | 'html' | null;
}

/** Detects the format by the declared type, otherwise by `text`, the first bytes as characters. Null means that more bytes are needed. */
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

/** Returns a stream of the chunks that were read already and the remaining ones. Cancelling it cancels the source. */
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

/** Reads a body as text, up to `limit` bytes; the remaining bytes are not downloaded. */
export async function readText(
  response: Response,
  limit: number,
): Promise<{ text: string; isWhole: boolean }> {
  // A replacement of `fetch` may return a response without a stream.
  if (!response.body) return { text: await response.text(), isWhole: true };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; size <= limit;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, limit - size), { stream: true });
    size += value.byteLength;
  }
  // Not awaited, since a source may never settle it.
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}

/**
 * Reads the JSON of a response; null for an empty body.
 *
 * @throws {UbikError} `not-an-api` for a body that is not JSON; `too-large` over `limit` bytes.
 */
export async function readJson(response: Response, limit = 1 << 26): Promise<unknown> {
  const { text, isWhole } = await readText(response, limit);
  if (!isWhole) throw new UbikError('too-large');
  if (text.trim() === '') return null;
  const value = parseJson(text);
  // Not the error of `JSON.parse`: it quotes the text, which may be private.
  if (value === undefined) throw new UbikError('not-an-api');
  return value;
}

/** Parses JSON; returns undefined for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An invalid text is expected; the caller decides what it means.
    return undefined;
  }
}

/** Parses an HTTP date to ms since the epoch; returns null for any other text. */
export function parseHttpDate(value: string | null): number | null {
  // `Date.parse` accepts other formats too. An HTTP date begins with the name of a day (RFC 9110, 5.6.7).
  const time = /^[A-Z][a-z]{2,8},? /.test(value ?? '') ? Date.parse(value ?? '') : NaN;
  return Number.isNaN(time) ? null : time;
}

/** Returns the `Date` of a response, by the clock of the service; null where the page may not read it (`Access-Control-Expose-Headers`). */
export function readResponseDate(headers: Headers): number | null {
  return parseHttpDate(headers.get('date'));
}
