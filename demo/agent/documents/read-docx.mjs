import mammoth from 'mammoth';
import { readHtml } from './read-html.mjs';
import { Unreadable } from './unreadable.mjs';

/**
 * Returns the text of a Word document, with headings as Markdown.
 *
 * @param {Uint8Array} bytes
 * @param {number} mostCharacters Maximum length of the text; throws `Unreadable` beyond it.
 */
export async function readDocx(bytes, mostCharacters) {
  let html;
  try {
    ({ value: html } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      // Pictures are not text, and as data URLs they would be the largest part of it.
      { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
    ));
  } catch {
    throw new Unreadable('The Word document is damaged.');
  }
  return readHtml(html, mostCharacters);
}
