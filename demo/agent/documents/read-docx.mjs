import mammoth from 'mammoth';
import { readHtml } from './read-html.mjs';
import { UnreadableFileError } from './unreadable-file-error.mjs';

/**
 * Returns the text of a Word document, with headings as Markdown.
 *
 * @param {Uint8Array} bytes
 * @param {number} maxCharacters Maximum length of the text; throws `UnreadableFileError` beyond it.
 */
export async function readDocx(bytes, maxCharacters) {
  let html;
  try {
    ({ value: html } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      // Pictures are not text, and as data URLs they would be the largest part of the result.
      { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
    ));
  } catch {
    throw new UnreadableFileError('The Word document is damaged.');
  }
  return readHtml(html, maxCharacters);
}
