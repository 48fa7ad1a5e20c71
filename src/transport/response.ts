import { UbikError } from '../errors.js';

/** What an answer's body is. */
export type BodyKind = 'events' | 'json' | 'html' | 'unknown';

/** A body whose kind is known, none of it lost. */
export interface SniffedBody {
  readonly kind: BodyKind;
  /** The whole body, from its first byte; empty when there was none. */
  readonly body: ReadableStream<Uint8Array>;
}

/** So much white space at the start is not worth waiting behind. */
const MAX_LEADING_BLANKS = 1024;
/** A line of a stream of server-sent events begins like this. */
const EVENT_PREFIXES = ['data:', 'event:', 'id:', 'retry:', ':'];

/**
 * Tells an answer's kind by its `Content-Type`, and where that is missing or says nothing of use (`text/plain`,
 * `application/octet-stream`), by its first bytes that are not blank. Takes the answer's body over: use the one that it gives.
 * A body that breaks while it is being looked at breaks for its reader.
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

/** What a `Content-Type` says that is of use, in a word of its own: an `Accept` that asks for it holds the same word. */
export function readMediaKind(headers: Headers): 'event-stream' | 'json' | 'html' | null {
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  const [, word] = /^[^;]*(event-stream|json|html)/.exec(type) ?? [];
  return (word ?? null) as 'event-stream' | 'json' | 'html' | null;
}

/** By the declared type, else by the first bytes, each as one character. Null: more is needed to tell. */
export function sniffKind(headers: Headers, text: string): BodyKind | null {
  const declared = readMediaKind(headers);
  if (declared) return declared === 'event-stream' ? 'events' : declared;
  // Behind blanks and a byte order mark.
  const start = text.replace(/^[\xef\xbb\xbf\s]+/, '');
  if (/^[{[]/.test(start)) return 'json';
  if (start.startsWith('<')) return 'html';
  if (EVENT_PREFIXES.some((event) => start.startsWith(event))) return 'events';
  const mayBecome = EVENT_PREFIXES.some((event) => event.startsWith(start));
  return mayBecome && text.length <= MAX_LEADING_BLANKS + start.length ? null : 'unknown';
}

/** A stream of what was read already and what is still to come. Leaving it cancels the source. */
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

/** The text of a body, or its beginning when it has more than `limit` bytes; the rest is not fetched. */
export async function readText(
  response: Response,
  limit: number,
): Promise<{ text: string; isWhole: boolean }> {
  // A stand-in for `fetch` may answer without a stream.
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
  // Not awaited: a source may never answer its cancelling.
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}

/**
 * The JSON of an answer; null for an empty body.
 *
 * @throws {UbikError} `not-an-api` for anything else; `too-large` over `limit` bytes.
 */
export async function readJson(response: Response, limit = 1 << 26): Promise<unknown> {
  const { text, isWhole } = await readText(response, limit);
  if (!isWhole) throw new UbikError('too-large');
  if (text.trim() === '') return null;
  const value = parseJson(text);
  // The parser's own error quotes the text, which may be a person's.
  if (value === undefined) throw new UbikError('not-an-api');
  return value;
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Any text may come; the caller says what it means.
    return undefined;
  }
}

/** An HTTP date in ms since the epoch; null for any other text. */
export function parseHttpDate(value: string | null): number | null {
  // A date begins with the name of a day; other forms are not allowed, though `Date.parse` takes them.
  const time = /^[A-Z][a-z]{2,8},? /.test(value ?? '') ? Date.parse(value ?? '') : NaN;
  return Number.isNaN(time) ? null : time;
}

/** When an answer was made, by the clock of the service; null where the page may not read it (`Access-Control-Expose-Headers`). */
export function readResponseDate(headers: Headers): number | null {
  return parseHttpDate(headers.get('date'));
}
