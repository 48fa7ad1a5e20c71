/** What an answer's body is. */
export type ContentKind = 'events' | 'json' | 'html' | 'unknown';

/** A body whose kind is known, none of it lost. */
export interface KnownContent {
  readonly kind: ContentKind;
  /** The whole body, from its first byte; empty when there was none. */
  readonly body: ReadableStream<Uint8Array>;
}

/** What the first bytes may be. Longer than any sign we look for. */
const SIGN_LENGTH = 8;
/** So much white space at the start is not worth waiting behind. */
const LONGEST_BLANK = 1024;
/** A line of a stream of server-sent events begins like this. */
const EVENT_SIGNS = ['data:', 'event:', 'id:', 'retry:', ':'];
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/**
 * Tells an answer's kind by its `Content-Type`, and where that is missing or says nothing of use (`text/plain`,
 * `application/octet-stream`), by its first bytes that are not blank. Takes the answer's body over: use the one that it gives.
 * A body that breaks while it is being looked at breaks for its reader.
 */
export async function readContentKind(response: Response): Promise<KnownContent> {
  const body = response.body ?? createEmptyStream();
  const declared = kindOfType(response.headers.get('content-type') ?? '');
  if (declared) return { kind: declared, body };
  const reader = body.getReader();
  const held: Uint8Array[] = [];
  const sniffer = new Sniffer();
  while (sniffer.kind === null) {
    const result = await reader.read().catch(() => null);
    if (!result || result.done) break;
    held.push(result.value);
    sniffer.look(result.value);
  }
  return { kind: sniffer.kind ?? 'unknown', body: putBack(held, reader) };
}

/** Parameters and case do not count. Null: not declared, or nothing of use. */
function kindOfType(contentType: string): ContentKind | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return 'events';
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  return null;
}

/** Looks at bytes until they tell what they are. */
class Sniffer {
  kind: ContentKind | null = null;
  #sign = '';
  #blanks = 0;

  look(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.kind === null; at++) this.#lookAt(bytes[at] ?? 0);
  }

  #lookAt(byte: number): void {
    const isMark = this.#sign === '' && (byte === 0xef || byte === 0xbb || byte === 0xbf);
    if (this.#sign === '' && (BLANKS.has(byte) || isMark)) {
      if (++this.#blanks > LONGEST_BLANK) this.kind = 'unknown';
      return;
    }
    this.#sign += String.fromCharCode(byte);
    this.kind = kindOfSign(this.#sign);
  }
}

/** Null: more is needed to tell. */
function kindOfSign(sign: string): ContentKind | null {
  if (sign.startsWith('{') || sign.startsWith('[')) return 'json';
  if (sign.startsWith('<')) return 'html';
  if (EVENT_SIGNS.some((event) => sign.startsWith(event))) return 'events';
  const mayBecome = EVENT_SIGNS.some((event) => event.startsWith(sign));
  return mayBecome && sign.length < SIGN_LENGTH ? null : 'unknown';
}

/** A stream of what was read already and what is still to come. Leaving it cancels the source. */
function putBack(
  held: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = held[next++];
      if (piece) return controller.enqueue(piece);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function createEmptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
