import { parseCsv } from './parse-csv.js';
import type { ParserProcess } from './parser-process.js';
import type { TextPage } from './split-into-passages.js';
import { UnreadableFileError } from './unreadable-file-error.mjs';

/** Longest text of a document, in UTF-16 units. */
const MAX_TEXT = 5_000_000;

/** Extracts the text of a file: text, Markdown, CSV, JSON, HTML, Word (.docx) or PDF, detected by its name and first bytes. */
export async function readDocument(
  fileName: string,
  bytes: Uint8Array,
  parser: ParserProcess,
): Promise<readonly TextPage[]> {
  if (bytes.length === 0) throw new UnreadableFileError('The file is empty.');
  const kind = detectBinaryKind(fileName, bytes);
  const pages =
    kind === null ? await readTextFile(fileName, bytes, parser) : await parser.parse(kind, bytes);
  if (pages.every((each) => each.text.trim() === '')) {
    throw new UnreadableFileError('No text was found in the file.');
  }
  return pages;
}

/** Detects a Word document by both its first bytes and its name, because its first bytes are those of any ZIP archive. */
function detectBinaryKind(fileName: string, bytes: Uint8Array): 'docx' | 'pdf' | null {
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  return startsWith(bytes, 'PK\u0003\u0004') && /\.docx$/iu.test(fileName) ? 'docx' : null;
}

async function readTextFile(
  fileName: string,
  bytes: Uint8Array,
  parser: ParserProcess,
): Promise<readonly TextPage[]> {
  const text = decodeText(bytes);
  const extension = /\.([a-z0-9]+)$/iu.exec(fileName)?.[1]?.toLowerCase() ?? '';
  switch (extension) {
    case 'html':
    case 'htm':
      return parser.parse('html', text);
    case 'json':
      return parser.parse('json', text);
    case 'csv':
    case 'tsv':
      return [{ page: null, text: readTable(bounded(text)) }];
    default:
      return [{ page: null, text: bounded(text) }];
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Rejects UTF-8 with null characters or with more than 2 % of invalid characters. */
export function decodeText(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.split('\uFFFD').length - 1;
  if (text.includes('\0') || broken > text.length / 50) {
    throw new UnreadableFileError('Files of this kind cannot be read.');
  }
  return text;
}

/** Writes each cell with the name of its column, so that a passage from the middle of a table can be understood. */
function readTable(text: string): string {
  const [head = [], ...rows] = parseCsv(text);
  const lines = [bounded(`Columns: ${head.join(', ')}`)];
  let length = lines.join('').length;
  for (const row of rows) {
    const line = row
      .map((cell, index) => `${head[index] ?? `column ${String(index + 1)}`}: ${cell}`)
      .join('; ');
    // A long column name, repeated in each row, can make the text much larger than the file.
    length += line.length;
    if (length > MAX_TEXT) throw tooLong();
    lines.push(line);
  }
  return lines.join('\n\n');
}

function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw tooLong();
  return text;
}

function tooLong(): UnreadableFileError {
  return new UnreadableFileError('The file has more text than can be read.');
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}
