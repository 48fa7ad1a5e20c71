import { extractText, getDocumentProxy } from 'unpdf';
import { Unreadable } from './unreadable.mjs';

const MOST_PAGES = 1000;

/**
 * The text of each page of a PDF file.
 *
 * @param {Uint8Array} bytes
 * @returns {Promise<string[]>}
 */
export async function readPdf(bytes) {
  // The library takes the bytes away, and refuses a `Buffer`.
  const pdf = await getDocumentProxy(new Uint8Array(bytes)).catch(() => {
    throw new Unreadable('The PDF file is damaged or protected.');
  });
  if (pdf.numPages > MOST_PAGES) throw new Unreadable('The file has too many pages.');
  const { text } = await extractText(pdf, { mergePages: false }).catch(() => {
    throw new Unreadable('The PDF file is damaged or protected.');
  });
  return text;
}
