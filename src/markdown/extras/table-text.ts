/** User interface inside a table, which is not part of the content. */
const CHROME_SELECTOR = '.ubik-sort, .ubik-link-host';
/** The numbers of citations and footnotes, which would change the value of a cell. */
const REFERENCE_SELECTOR = '.cite, .ubik-footnote';
/** Characters with a meaning in Markdown. */
const MARKDOWN_SPECIAL = /[\\`*_[\]<&|~$]/g;
/** A number without a sign, with ASCII digits and the separators of any language, optionally with currency sign, percent sign or exponent. */
const NUMBER = String.raw`\s*\p{Sc}?\s?[.,]?\d+(?:[.,'’\s]\d+)*[.,]?(?:e[-+]?\d+)?\s?[%\p{Sc}]?`;
/**
 * Text that a spreadsheet would evaluate as a formula, including full-width variants, except for signed numbers. A spreadsheet may read
 * quotation marks at the beginning as those of the cell, and remove them.
 */
const FORMULA = new RegExp(`^["\\s]*(?:[=@＝＠]|[-+－＋](?!${NUMBER}["\\s]*$))`, 'iu');

/** Elements of a mathematical formula whose texts mean something else side by side, such as those of a fraction or an exponent. */
const LAYOUT_SELECTOR =
  'mfrac, msub, msup, msubsup, msqrt, mroot, munder, mover, munderover, mmultiscripts, mtable';

/**
 * Returns the displayed text of a cell. A mathematical formula with a layout, such as a fraction, is read as its TeX. The numbers of citations and
 * footnotes are omitted, unless there is no other text.
 */
export function textOf(cell: Element): string {
  const read = (excluded: string): string => readText(cell, excluded).replace(/\s+/g, ' ').trim();
  return read(`${CHROME_SELECTOR}, ${REFERENCE_SELECTOR}`) || read(CHROME_SELECTOR);
}

function readText(node: Node, excluded: string): string {
  if (!(node instanceof Element)) return node.nodeValue ?? '';
  if (node.matches(excluded)) return '';
  if (node.matches('.ubik-image')) return altOf(node);
  const tex = texOf(node);
  if (tex !== null && node.querySelector(LAYOUT_SELECTOR)) return tex;
  if (node.localName === 'br') return ' ';
  return [...node.childNodes].map((child) => readText(child, excluded)).join('');
}

/** Returns the TeX of a formula with its delimiters; null for any other element. */
const texOf = (node: Element): string | null => node.getAttribute('data-tex');

const altOf = (image: Element): string =>
  image.getAttribute('alt') ?? image.getAttribute('data-alt') ?? image.textContent;

/** Prefixes text that a spreadsheet would evaluate as a formula with an apostrophe, which makes it text. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The beginning of a cell in which a spreadsheet would read a number with a sign. */
const SIGN = /^["\s]*[-+－＋]/u;

/** Returns texts as a line of CSV (RFC 4180) in which a spreadsheet evaluates nothing as a formula. */
export function toCsvLine(texts: readonly string[]): string {
  const cells = texts.map(toCsvCell);
  const [first = '', second] = cells;
  // Where the comma is the decimal separator, a spreadsheet may read the first two cells as one, such as the formula `-1,5+A1`. With quotation
  // marks around the second cell, that is not a formula, because no formula has a number directly before quotation marks.
  if (second !== undefined && SIGN.test(first) && !second.startsWith('"')) cells[1] = `"${second}"`;
  return `${cells.join(',')}\r\n`;
}

/** Returns a text as a cell without formulas. */
function toCsvCell(text: string): string {
  // A spreadsheet may separate cells by semicolons, as in many locales, or by tabs. Quotation marks after a comma then do not begin a cell, so each
  // piece between these separators may become a cell.
  const safe = text.replace(/[^;\t\r\n]+/g, escapeFormula);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a table as CSV, rows in the displayed order. */
export function toCsv(table: HTMLTableElement): string {
  // A cell that spans columns is written to the first of them.
  const read = (cell: HTMLTableCellElement): string[] =>
    Array.from({ length: cell.colSpan }, (_, index) => (index === 0 ? textOf(cell) : ''));
  return [...table.rows].map((row) => toCsvLine([...row.cells].flatMap(read))).join('');
}

/** Returns a table as Markdown with emphasis, links and code, rows in the displayed order. */
export function toMarkdown(table: HTMLTableElement): string {
  const [head, ...rows] = [...table.rows].map((row) => [...row.cells]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const dashes = (head ?? []).map((cell) => DELIMITER_CELLS.get(cell.align) ?? '---');
  const write = (cells: readonly Element[] = []): string =>
    line(cells.map((cell) => writeChildren(cell).replace(/\s+/g, ' ').trim()));
  return write(head) + line(dashes) + rows.map(write).join('');
}

const DELIMITER_CELLS = new Map([
  ['left', ':--'],
  ['center', ':-:'],
  ['right', '--:'],
]);
const INLINE_DELIMITERS = new Map([
  ['em', '*'],
  ['strong', '**'],
  ['del', '~~'],
]);

/** Elements that Markdown writes as HTML. */
const HTML_SELECTOR = 'sub, sup, kbd, mark';

const writeChildren = (node: Element): string => [...node.childNodes].map(writeNode).join('');

function writeNode(node: Node): string {
  if (!(node instanceof Element)) return escapeMarkdown(node.nodeValue ?? '');
  if (node.matches(CHROME_SELECTOR)) return '';
  if (node.matches(REFERENCE_SELECTOR)) return escapeMarkdown(`[${node.textContent}]`);
  if (node.matches('.ubik-image[src], .ubik-image[data-source]')) {
    const source = node.getAttribute('src') ?? node.getAttribute('data-source') ?? '';
    return `![${escapeMarkdown(altOf(node))}]${writeTarget(source)}`;
  }
  const tex = texOf(node);
  if (tex !== null) return tex.replaceAll('|', '\\|');
  if (node.localName === 'code') return writeCode(node.textContent);
  if (node.localName === 'br') return '<br>';
  const inner = writeChildren(node);
  if (node.matches(HTML_SELECTOR)) return `<${node.localName}>${inner}</${node.localName}>`;
  if (node.matches('a[href]')) return `[${inner}]${writeTarget(node.getAttribute('href') ?? '')}`;
  const delimiter = INLINE_DELIMITERS.get(node.localName) ?? '';
  return delimiter + inner + delimiter;
}

const escapeMarkdown = (text: string): string => text.replace(MARKDOWN_SPECIAL, '\\$&');

const writeTarget = (href: string): string => `(<${href.replace(/[<>|]/g, encodeURIComponent)}>)`;

/** Returns a code span whose delimiters are longer than any run of backticks in its content. */
function writeCode(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return fence + space + code.replaceAll('|', '\\|') + space + fence;
}
