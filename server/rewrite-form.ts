import { randomBytes } from 'node:crypto';
import { sanitizeJson } from './clean-json.js';
import { ByteBuffer } from './byte-buffer.js';
import { parseMediaType } from './safe-response.js';
import { HttpError } from './http-error.js';

/** What a form may hold. */
export interface FormRule {
  /** Names of the parts that are texts of JSON. Beside them there is one part with the name `file`. */
  readonly texts: readonly string[];
  /** The most bytes of the whole form. */
  readonly maxBytes: number;
}

/** A form on its way to the service. */
export interface RewrittenForm {
  readonly contentType: string;
  /** Its bytes, as they arrive. Throws a `Refusal` as soon as something is not allowed; the form is incomplete then. */
  readonly body: AsyncIterable<Buffer>;
}

const MAX_HEAD_BYTES = 8 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

interface Part {
  readonly name: string;
  /** Null for a text. */
  readonly file: { readonly name: string; readonly type: string } | null;
}

/**
 * Reads a multipart form (RFC 7578) and writes it anew, piece by piece, with a boundary of our own: two readers of one form can come
 * to different parts, and the service shall see those that were checked here. A text is checked whole, a file passes as it comes.
 *
 * @param contentType The header of the request, with the boundary. Throws a `Refusal` with status 415 when there is none.
 */
export function rewriteForm(
  source: AsyncIterable<Buffer>,
  contentType: string,
  rule: FormRule,
): RewrittenForm {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))\s*(?:;|$)/iu.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (!/^[\w'()+,./:=? -]{1,70}$/u.test(boundary)) {
    throw new HttpError(415, 'The form must name its boundary');
  }
  const written = `ubik-${randomBytes(24).toString('hex')}`;
  return {
    contentType: `multipart/form-data; boundary=${written}`,
    body: rewrite(
      new StreamCursor(source, rule.maxBytes),
      Buffer.from(`\r\n--${boundary}`),
      written,
      rule,
    ),
  };
}

async function* rewrite(
  cursor: StreamCursor,
  delimiter: Buffer,
  written: string,
  { texts }: FormRule,
): AsyncGenerator<Buffer> {
  const seen = new Set<string>();
  try {
    // The first delimiter has no line before it.
    cursor.prepend(LINE_END);
    if (!(await cursor.read(delimiter.length)).equals(delimiter)) throw invalidForm();
    while (await startsPart(cursor)) {
      const part = readHead((await cursor.readUntil(HEAD_END, MAX_HEAD_BYTES)).toString('utf8'));
      const isKnown = part.file === null ? texts.includes(part.name) : part.name === 'file';
      if (!isKnown || seen.has(part.name)) {
        throw new HttpError(403, `The form field "${part.name.slice(0, 100)}" is not allowed here`);
      }
      seen.add(part.name);
      yield Buffer.from(`--${written}\r\n${writeHead(part)}\r\n\r\n`);
      if (part.file === null) {
        const text = (await cursor.readUntil(delimiter, MAX_TEXT_BYTES)).toString('utf8');
        yield Buffer.from(sanitizeJson(text, 'refuse'));
      } else yield* cursor.chunksUntil(delimiter);
      yield LINE_END;
    }
    // What follows the last delimiter means nothing, but counts as a part of the form.
    await cursor.skipRest();
    yield Buffer.from(`--${written}--\r\n`);
  } finally {
    await cursor.close();
  }
}

/** Whether a part follows a delimiter; false after the last one. */
async function startsPart(cursor: StreamCursor): Promise<boolean> {
  const mark = (await cursor.read(2)).toString('latin1');
  if (mark === '\r\n') return true;
  if (mark === '--') return false;
  throw invalidForm();
}

function readHead(text: string): Part {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const [, name = '', value = ''] = /^([a-z-]+):[ \t]*([^\r\n]*)$/iu.exec(line) ?? [];
    headers.set(name.toLowerCase(), value);
  }
  const disposition = headers.get('content-disposition') ?? '';
  const match = /^form-data; ?name="([^"]*)"(?:; ?filename="([^"]*)")?$/iu.exec(disposition);
  if (match === null || [...headers.keys()].some((name) => !ALLOWED_HEADERS.has(name))) {
    throw invalidForm();
  }
  const [, name = '', fileName] = match;
  const type = parseMediaType(headers.get('content-type'));
  return { name, file: fileName === undefined ? null : { name: fileName, type } };
}

const ALLOWED_HEADERS = new Set(['content-disposition', 'content-type']);

function writeHead({ name, file }: Part): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (file === null) return disposition;
  // Backslashes are quotes to some readers and folders to others.
  const fileName = (file.name.split(/[/\\]/u).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '');
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  // Dots alone are a folder.
  const kept = /^\.*$/u.test(fileName) ? 'file' : fileName;
  return `${disposition}; filename="${kept}"\r\ncontent-type: ${type}`;
}

/** A place in a stream of bytes. */
class StreamCursor {
  readonly #source: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  #received = 0;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>, maxBytes: number) {
    this.#source = source[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  prepend(bytes: Buffer): void {
    this.#buffer = Buffer.concat([bytes, this.#buffer]);
  }

  /** As many bytes. */
  async read(count: number): Promise<Buffer> {
    while (this.#buffer.length < count) await this.#fill();
    return this.#consume(count);
  }

  /** What stands before a mark, which is passed over. */
  async readUntil(mark: Buffer, maxBytes: number): Promise<Buffer> {
    const collected = new ByteBuffer();
    for await (const piece of this.chunksUntil(mark)) {
      if (collected.length + piece.length > maxBytes) {
        throw new HttpError(413, 'A field of the form is too large');
      }
      collected.append(piece);
    }
    return collected.toBuffer();
  }

  /** The same, as it comes. */
  async *chunksUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at >= 0) {
        const piece = this.#consume(at);
        this.#consume(mark.length);
        if (piece.length > 0) yield piece;
        return;
      }
      // The mark may have begun in the last bytes.
      const sure = this.#buffer.length - mark.length + 1;
      if (sure > 0) yield this.#consume(sure);
      await this.#fill();
    }
  }

  async skipRest(): Promise<void> {
    while (await this.#pull()) this.#buffer = Buffer.alloc(0);
  }

  /** Leaves the source to others. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #consume(count: number): Buffer {
    const piece = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return piece;
  }

  async #fill(): Promise<void> {
    if (!(await this.#pull())) throw invalidForm();
  }

  async #pull(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#received += next.value.length;
    if (this.#received > this.#maxBytes) throw new HttpError(413, 'The form is too large');
    this.#buffer =
      this.#buffer.length === 0 ? next.value : Buffer.concat([this.#buffer, next.value]);
    return true;
  }
}

function invalidForm(): HttpError {
  return new HttpError(400, 'The form is not valid');
}
