import { randomBytes } from 'node:crypto';
import { sanitizeJson } from './sanitize-json.js';
import { ByteBuffer } from './byte-buffer.js';
import { parseMediaType } from './inert-content.js';
import { HttpError } from './http-error.js';

/** The allowed content of a form. */
export interface FormRule {
  /** Names of the parts that contain JSON. One part named `file` is allowed in addition. */
  readonly jsonFields: readonly string[];
  /** Maximum size of the form in bytes. */
  readonly maxBytes: number;
}

/** A form to be sent to the service. */
export interface RewrittenForm {
  readonly contentType: string;
  /** Its bytes as they arrive. Throws an `HttpError` for content that is not allowed, which leaves the form incomplete. */
  readonly body: AsyncIterable<Buffer>;
}

const MAX_PART_HEADER_BYTES = 8 * 1024;
/** Maximum size of a part with JSON, which is buffered. */
const MAX_JSON_BYTES = 1024 * 1024;
const LINE_END = Buffer.from('\r\n');
const PART_HEADER_END = Buffer.from('\r\n\r\n');

interface Part {
  readonly name: string;
  /** Null for a JSON text. */
  readonly file: { readonly name: string; readonly type: string } | null;
}

/**
 * Parses a multipart form (RFC 7578) and writes it again with a new boundary, chunk by chunk. Two parsers may split one form into
 * different parts; after rewriting, the service sees the parts that were validated here. JSON is buffered, files are streamed.
 *
 * @param contentType The header of the request, with the boundary. Throws an `HttpError` with status 415 when there is none.
 */
export function rewriteForm(
  source: AsyncIterable<Buffer>,
  contentType: string,
  rule: FormRule,
): RewrittenForm {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))\s*(?:;|$)/iu.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (!/^[\w'()+,./:=? -]{1,70}$/u.test(boundary)) {
    throw new HttpError(415, 'The Content-Type of the form must have a boundary');
  }
  const outputBoundary = `ubik-${randomBytes(24).toString('hex')}`;
  return {
    contentType: `multipart/form-data; boundary=${outputBoundary}`,
    body: rewrite(
      new StreamCursor(source, rule.maxBytes),
      Buffer.from(`\r\n--${boundary}`),
      outputBoundary,
      rule,
    ),
  };
}

async function* rewrite(
  cursor: StreamCursor,
  delimiter: Buffer,
  outputBoundary: string,
  { jsonFields }: FormRule,
): AsyncGenerator<Buffer> {
  const seen = new Set<string>();
  try {
    // The first delimiter has no preceding line end.
    cursor.prepend(LINE_END);
    if (!(await cursor.read(delimiter.length)).equals(delimiter)) throw invalidForm();
    while (await startsPart(cursor)) {
      const part = readPartHeaders(
        (await cursor.readUntil(PART_HEADER_END, MAX_PART_HEADER_BYTES)).toString('utf8'),
      );
      const isKnown = part.file === null ? jsonFields.includes(part.name) : part.name === 'file';
      if (!isKnown || seen.has(part.name)) {
        throw new HttpError(403, `The form field "${part.name.slice(0, 100)}" is not allowed here`);
      }
      seen.add(part.name);
      yield Buffer.from(`--${outputBoundary}\r\n${writePartHeaders(part)}\r\n\r\n`);
      if (part.file === null) {
        const text = (await cursor.readUntil(delimiter, MAX_JSON_BYTES)).toString('utf8');
        yield Buffer.from(sanitizeJson(text, 'reject'));
      } else yield* cursor.chunksUntil(delimiter);
      yield LINE_END;
    }
    // Content after the last delimiter is ignored, but counts towards the size.
    await cursor.skipRest();
    yield Buffer.from(`--${outputBoundary}--\r\n`);
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

function readPartHeaders(text: string): Part {
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

function writePartHeaders({ name, file }: Part): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (file === null) return disposition;
  // A backslash is an escape character to some parsers and a path separator to others.
  const fileName = (file.name.split(/[/\\]/u).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '');
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  // A name of dots only is a folder.
  const safeName = /^\.*$/u.test(fileName) ? 'file' : fileName;
  return `${disposition}; filename="${safeName}"\r\ncontent-type: ${type}`;
}

/** A position in a stream of bytes. */
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

  /** Reads `count` bytes. */
  async read(count: number): Promise<Buffer> {
    while (this.#buffer.length < count) await this.#fill();
    return this.#consume(count);
  }

  /** Reads the bytes up to a delimiter, and skips the delimiter. */
  async readUntil(delimiter: Buffer, maxBytes: number): Promise<Buffer> {
    const buffer = new ByteBuffer();
    for await (const chunk of this.chunksUntil(delimiter)) {
      if (buffer.length + chunk.length > maxBytes) {
        throw new HttpError(413, 'A field of the form is too large');
      }
      buffer.append(chunk);
    }
    return buffer.toBuffer();
  }

  /** Iterates over the bytes up to a delimiter as they arrive, and skips the delimiter. */
  async *chunksUntil(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#buffer.indexOf(delimiter);
      if (at >= 0) {
        const chunk = this.#consume(at);
        this.#consume(delimiter.length);
        if (chunk.length > 0) yield chunk;
        return;
      }
      // The last bytes may be the beginning of the delimiter.
      const safe = this.#buffer.length - delimiter.length + 1;
      if (safe > 0) yield this.#consume(safe);
      await this.#fill();
    }
  }

  async skipRest(): Promise<void> {
    while (await this.#pull()) this.#buffer = Buffer.alloc(0);
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #consume(count: number): Buffer {
    const chunk = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return chunk;
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
