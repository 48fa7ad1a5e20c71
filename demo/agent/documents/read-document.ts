import type { TextPage } from './passages.js';
import { parseCsv } from './parse-csv.js';
import { readHtml } from './read-html.js';

/** Thrown for a file that cannot be read. The message is a sentence for the person. */
export class UnreadableDocument extends Error {}

const MAX_TEXT = 5_000_000;
const MAX_PAGES = 1000;

/** Reads the text of a file: text, Markdown, CSV, JSON, HTML or PDF, told by its name and its first bytes. */
export async function readDocument(
  fileName: string,
  bytes: Uint8Array,
): Promise<readonly TextPage[]> {
  if (bytes.length === 0) throw new UnreadableDocument('The file is empty.');
  const pages = startsWith(bytes, '%PDF-')
    ? await readPdf(bytes)
    : [{ page: null, text: readTextFile(fileName, bytes) }];
  const length = pages.reduce((sum, each) => sum + each.text.length, 0);
  if (length > MAX_TEXT) throw new UnreadableDocument('The file has more text than can be read.');
  if (pages.every((each) => each.text.trim() === '')) {
    throw new UnreadableDocument('No text was found in the file.');
  }
  return pages;
}

function readTextFile(fileName: string, bytes: Uint8Array): string {
  const text = decode(bytes);
  const extension = /\.([a-z0-9]+)$/iu.exec(fileName)?.[1]?.toLowerCase() ?? '';
  switch (extension) {
    case 'html':
    case 'htm':
      return readHtml(text);
    case 'csv':
    case 'tsv':
      return readTable(text);
    case 'json':
      return readJsonFile(text);
    default:
      return text;
  }
}

/** UTF-8, or UTF-16 by its mark. Anything that holds zero bytes or many broken characters is not a text. */
function decode(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.split('\uFFFD').length - 1;
  if (text.includes('\0') || broken > text.length / 50) {
    throw new UnreadableDocument('Files of this kind cannot be read.');
  }
  return text;
}

function readTable(text: string): string {
  const [head = [], ...rows] = parseCsv(text);
  const lines = rows.map((row) =>
    row.map((cell, index) => `${head[index] ?? `column ${String(index + 1)}`}: ${cell}`).join('; '),
  );
  return [`Columns: ${head.join(', ')}`, ...lines].join('\n\n');
}

function readJsonFile(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    throw new UnreadableDocument('The file is not valid JSON.');
  }
}

async function readPdf(bytes: Uint8Array): Promise<TextPage[]> {
  // Loaded with the first PDF file: it is large, and most conversations have none.
  const { readPdfPages } = await import('./read-pdf.mjs');
  const pages = await readPdfPages(bytes, MAX_PAGES).catch(() => {
    throw new UnreadableDocument('The PDF file is damaged or protected.');
  });
  if (pages === null) throw new UnreadableDocument('The file has too many pages.');
  return pages.map((text, index) => ({ page: index + 1, text }));
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}
