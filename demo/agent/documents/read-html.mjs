import { Tokenizer } from 'htmlparser2';
import { UnreadableFileError } from './unreadable-file-error.mjs';

/** Elements whose content is not text for readers. A `<noscript>` repeats content of the page. */
const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'svg']);

const BLOCKS = new Set(
  'p div section article table tr ul ol blockquote h1 h2 h3 h4 h5 h6 pre header footer main nav aside figure dl dt dd title'.split(
    ' ',
  ),
);

/**
 * Returns the text of a page, with headings as Markdown. The cost is linear in the length: only the tokenizer of the library is used,
 * since building the tree of a page costs the square of its depth.
 *
 * @param {string} html
 * @param {number} maxCharacters Maximum length of the text; throws `UnreadableFileError` beyond it.
 */
export function readHtml(html, maxCharacters) {
  const text = new PageText(maxCharacters);
  let name = '';
  // The skipped element that is open, and the number of open elements of its name.
  let skipped = '';
  let depth = 0;
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        if (skipped !== '') {
          if (name === skipped) depth += 1;
        } else if (SKIPPED.has(name)) {
          skipped = name;
          depth = 1;
        } else text.open(name);
      },
      onselfclosingtag: () => {
        // Among the skipped elements, only `<svg>` can be self-closing.
        if (skipped === 'svg' && name === 'svg') depth -= 1;
        if (depth === 0) skipped = '';
      },
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase();
        if (skipped === '') text.close(closed);
        else if (closed === skipped) {
          depth -= 1;
          if (depth === 0) skipped = '';
        }
      },
      ontext: (start, end) => {
        if (skipped === '') text.add(html.slice(start, end));
      },
      ontextentity: (codePoint) => {
        if (skipped === '') text.add(String.fromCodePoint(codePoint));
      },
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text.finish();
}

/** Collects the text of a page, with paragraphs separated and white space collapsed, up to a maximum length. */
class PageText {
  #pieces = [];
  #length = 0;
  #maxLength;

  constructor(maxLength) {
    this.#maxLength = maxLength;
  }

  open(name) {
    if (BLOCKS.has(name)) this.#write('\n\n');
    if (name === 'br') this.#write('\n');
    else if (name === 'li') this.#write('\n- ');
    else if (name === 'td' || name === 'th') this.#write(' | ');
    else if (/^h[1-6]$/.test(name)) this.#write(`${'#'.repeat(Number(name[1]))} `);
  }

  close(name) {
    if (BLOCKS.has(name)) this.#write('\n\n');
  }

  add(text) {
    this.#write(text);
  }

  finish() {
    return this.#pieces
      .join('')
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  #write(text) {
    this.#length += text.length;
    // The limit applies to the text with its white space, not to the markup, which can be several times as long.
    if (this.#length > this.#maxLength)
      throw new UnreadableFileError('The file has more text than can be read.');
    this.#pieces.push(text);
  }
}
