import { extractText, getDocumentProxy } from 'unpdf';
import { UnreadableFileError } from './unreadable-file-error.mjs';

const MAX_PAGES = 1000;

/**
 * Returns the text of each page of a PDF file.
 *
 * @param {Uint8Array} bytes
 * @returns {Promise<string[]>}
 */
export async function readPdf(bytes) {
  // Copied, because the library detaches the buffer and rejects a `Buffer`.
  const pdf = await getDocumentProxy(new Uint8Array(bytes)).catch(() => {
    throw new UnreadableFileError('The PDF file is damaged or protected.');
  });
  if (pdf.numPages > MAX_PAGES) throw new UnreadableFileError('The file has too many pages.');
  const { text } = await extractText(pdf, { mergePages: false }).catch(() => {
    throw new UnreadableFileError('The PDF file is damaged or protected.');
  });
  return text;
}
