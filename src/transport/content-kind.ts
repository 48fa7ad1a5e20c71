/** What an answer's body is. */
export type ContentKind = 'events' | 'json' | 'html' | 'unknown';

/** A body whose kind is known, none of it lost. */
export interface KnownContent {
  readonly kind: ContentKind;
  /** The whole body, from its first byte; empty when there was none. */
  readonly body: ReadableStream<Uint8Array>;
}

/** So much white space at the start is not worth waiting behind. */
const LONGEST_BLANK = 1024;
/** A line of a stream of server-sent events begins like this. */
const EVENT_SIGNS = ['data:', 'event:', 'id:', 'retry:', ':'];

/**
 * Tells an answer's kind by its `Content-Type`, and where that is missing or says nothing of use (`text/plain`,
 * `application/octet-stream`), by its first bytes that are not blank. Takes the answer's body over: use the one that it gives.
 * A body that breaks while it is being looked at breaks for its reader.
 */
export async function readContentKind({ body, headers }: Response): Promise<KnownContent> {
  let kind = guessKind(headers, '');
  body ??= new Blob().stream();
  if (kind) return { kind, body };
  const reader = body.getReader();
  const held: Uint8Array[] = [];
  for (let text = ''; !kind; kind = guessKind(headers, text)) {
    const result = await reader.read().catch(() => null);
    if (!result?.value) break;
    held.push(result.value);
    text += String.fromCharCode(...result.value.subarray(0, LONGEST_BLANK + 8 - text.length));
  }
  return { kind: kind ?? 'unknown', body: putBack(held, reader) };
}

/** What a `Content-Type` says that is of use, in a word of its own: an `Accept` that asks for it holds the same word. */
export function readDeclared(headers: Headers): 'event-stream' | 'json' | 'html' | null {
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  const [, word] = /^[^;]*(event-stream|json|html)/.exec(type) ?? [];
  return (word ?? null) as 'event-stream' | 'json' | 'html' | null;
}

/** By the declared type, else by the first bytes, each as one character. Null: more is needed to tell. */
export function guessKind(headers: Headers, text: string): ContentKind | null {
  const declared = readDeclared(headers);
  if (declared) return declared === 'event-stream' ? 'events' : declared;
  // Behind blanks and a byte order mark.
  const sign = text.replace(/^[\xef\xbb\xbf\s]+/, '');
  if (/^[{[]/.test(sign)) return 'json';
  if (sign.startsWith('<')) return 'html';
  if (EVENT_SIGNS.some((event) => sign.startsWith(event))) return 'events';
  const mayBecome = EVENT_SIGNS.some((event) => event.startsWith(sign));
  return mayBecome && text.length <= LONGEST_BLANK + sign.length ? null : 'unknown';
}

/** A stream of what was read already and what is still to come. Leaving it cancels the source. */
function putBack(
  held: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const value = held.shift() ?? (await reader.read()).value;
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
