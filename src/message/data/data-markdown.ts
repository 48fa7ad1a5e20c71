import type { DataCell, Dataset } from '../../model/part.js';

/** Maximum number of rows of a table in a copied or exported message. The JSON export, and Copy and CSV of the table itself, have all rows. */
const MAX_ROWS = 1000;

/** A web address in a text, and punctuation that may follow it. */
const ADDRESS = /(https?:\/\/[^\s<>|]+)/i;
/** Punctuation that does not belong to an address before it, except for a closing parenthesis, which may belong to the address. */
const PUNCTUATION = '.,;:!?()[]\'"*_~`';

/** Serializes a text as one Markdown paragraph, with all syntax escaped. Web addresses are links. */
export function toParagraph(text: string): string {
  const pieces = text.split(ADDRESS);
  return toLine(pieces.map((piece, at) => (at % 2 === 1 ? toAutolink : escape)(piece)).join(''));
}

/** Serializes an address, and escapes the punctuation after it. A regular expression would take quadratic time for a long run of punctuation. */
function toAutolink(address: string): string {
  let unopened = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (; PUNCTUATION.includes(address.charAt(end - 1)); end -= 1) {
    const last = address.charAt(end - 1);
    if (last === ')' && unopened <= 0) break;
    if (last === ')') unopened -= 1;
    if (last === '(') unopened += 1;
  }
  // Nothing but punctuation follows `https://`.
  if (end === address.indexOf('/') + 2) return escape(address);
  // Inside `<…>`, a backslash would be part of the address, so nothing is escaped.
  return `<${address.slice(0, end)}>${escape(address.slice(end))}`;
}

const escape = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&');

/** Joins a text into one line, and escapes a bullet, dash or number that would start a list or a thematic break. */
function toLine(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^[-+](?=[\s-]|$)/, '\\$&')
    .replace(/^(\d+)(?=[.)](?:\s|$))/, '$1\\');
}

/** Serializes a link; only its title if it has no http or https URL. Without a title, the URL is shown. */
export function toLink(title: string, url: string): string {
  const text = toLine(escape(title || url));
  return /^https?:/i.test(url)
    ? `[${text}](<${url.replace(/[<>\\\s]/g, encodeURIComponent)}>)`
    : text;
}

/** Serializes Markdown texts as a list. */
export function toList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Serializes a text as a block quote, each line as a paragraph; empty for an empty text. */
export function toQuote(text: string): string {
  const paragraphs = text
    .split(/[\r\n]+/)
    .map(toParagraph)
    .filter(Boolean);
  return paragraphs.map((paragraph) => `> ${paragraph}`).join('\n>\n');
}

/**
 * Serializes tabular data as a Markdown table, with columns of numbers aligned to the right. Of more than 1,000 rows, it contains the first
 * 1,000 and a row of ellipses.
 */
export function toMarkdownTable({ columns, rows }: Dataset): string {
  if (columns.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const shown = rows.slice(0, MAX_ROWS);
  return [
    line(columns.map(({ name }) => toParagraph(name))),
    line(columns.map(({ type }) => (type === 'number' ? '--:' : '---'))),
    ...shown.map((row) =>
      line(columns.map((_, index) => toParagraph(cellText(row[index] ?? null)))),
    ),
    ...(rows.length > MAX_ROWS ? [line(columns.map(() => '…'))] : []),
  ].join('\n');
}

/** Returns the value of a cell as a program writes it; empty for null. */
export function cellText(cell: DataCell): string {
  return cell === null ? '' : String(cell);
}

/** Serializes code as a fenced code block whose fence is longer than any in the code; empty for empty code. */
export function toCodeFence(code: string, language = ''): string {
  const fence = codeFence(code);
  return code.trim() && `${fence}${toInfoString(language)}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/**
 * Returns a fence for a code block that is longer than any run of backticks in the code. For growing code: `fence` is longer than any run
 * in the first `checked` UTF-16 units, and only the rest is searched.
 */
export function codeFence(code: string, fence = '```', checked = 0): string {
  let { length } = fence;
  // A run that is too long may start within the checked units, where it is still shorter than the fence.
  const rest = code.slice(Math.max(0, checked - length));
  for (const [run] of rest.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1);
  return '`'.repeat(length);
}

/** Returns the name of a language in the form that a code fence accepts. */
export function toInfoString(language: string): string {
  return language
    .trim()
    .toLowerCase()
    .replace(/[^\w+#.-]/g, '');
}
