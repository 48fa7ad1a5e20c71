import type { MarkdownStrings } from '../options.js';
import { createStyleInserter } from './insert-styles.js';
import { textOf, toCsv, toMarkdown } from './table-text.js';

/** Context of the table tools. */
export interface TablesContext {
  readonly document: Document;
  readonly strings: MarkdownStrings;
  /** Copies text to the clipboard, and shows the result on the button. */
  copy(button: Element, text: string): void;
}

/** Styles of the tools. The arrow ↕ has the variation selector of text, because some systems show an emoji for it. */
const CSS = `
.ubik-markdown, .ubik-table th { position: relative; }
/* Chromium does not support calc() here. */
.ubik-markdown { overflow-clip-margin: 3em; }
.ubik-table-tools {
  position: absolute;
  z-index: 1;
  inset-inline-end: calc(0.25 * var(--_ubik-rem, 1rem));
  /* Overlaps only the padding of the header, even with the higher buttons of a touch screen. */
  translate: 0 calc(0.25 * var(--_ubik-rem, 1rem) - 100%);
  display: flex;
  visibility: hidden;
  border: var(--_m-border);
  border-radius: var(--_m-control);
  background: var(--ubik-background, Canvas);
  font-size: max(12px, calc(0.8125 * var(--_ubik-rem, 1rem)));
}
.ubik-table:is(:hover, :focus-within) > .ubik-table-tools { visibility: visible; }
.ubik-markdown button.ubik-sort {
  position: absolute;
  inset-block: 0;
  inset-inline-end: 0;
  inline-size: calc(1.5 * var(--_ubik-rem, 1rem));
  padding: 0 calc(0.1 * var(--_ubik-rem, 1rem));
  background: none;
  text-align: end;
  opacity: 0;
}
.ubik-table:is(:hover, :focus-within) .ubik-sort, .ubik-table [aria-sort] .ubik-sort { opacity: 1; }
.ubik-sort::before { content: "↕\\fe0e" / ""; font-size: 0.75em; }
[aria-sort="ascending"] > .ubik-sort::before { content: "↑" / ""; }
[aria-sort="descending"] > .ubik-sort::before { content: "↓" / ""; }
`;

const insertStyles = createStyleInserter(CSS);

/**
 * Adds tools to a closed table: sorting by a column, and copying. The buttons overlap the edges of the table, so that its layout does
 * not change.
 */
export function enhanceTable(area: Element, context: TablesContext): void {
  const table = area.querySelector('table');
  if (!table) return;
  insertStyles(area);
  const tools = context.document.createElement('div');
  tools.className = 'ubik-table-tools';
  for (const [format, write] of FORMATS) {
    const button = makeButton(context, context.strings.copyTable(format));
    button.addEventListener('click', () => context.copy(button, write(table)));
    tools.append(button);
  }
  area.prepend(tools);
  makeSortable(table, context);
}

const FORMATS = [
  ['CSV', toCsv],
  ['Markdown', toMarkdown],
] as const;

function makeButton({ document, strings }: TablesContext, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  if (strings.lang !== undefined) button.lang = strings.lang;
  button.textContent = label;
  return button;
}

/** The sort state of a column after a click. After `descending`, which has no entry, the rows return to their original order. */
const NEXT_SORT = new Map([
  ['none', 'ascending'],
  ['ascending', 'descending'],
]);

function makeSortable(table: HTMLTableElement, context: TablesContext): void {
  const [body] = table.tBodies;
  if (!body) return;
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const original = [...body.rows];
  for (const [column, head] of heads.entries()) {
    const name = textOf(head) || `${column + 1}`;
    const button = makeButton(context, '');
    button.className = 'ubik-sort';
    button.setAttribute('aria-label', context.strings.sortBy(name));
    // Otherwise screen readers would announce the name of the button with each cell.
    head.setAttribute('aria-label', name);
    head.append(button);
    button.addEventListener('click', () => {
      const state = NEXT_SORT.get(head.ariaSort ?? 'none');
      for (const other of heads) other.removeAttribute('aria-sort');
      if (state !== undefined) head.setAttribute('aria-sort', state);
      const direction = state === 'descending' ? -1 : 1;
      body.append(...(state === undefined ? original : sortRows(original, column, direction)));
    });
  }
}

/** Sorts rows by a column: as numbers if all cells are numbers, otherwise by the collation of the language. Empty cells come last. */
function sortRows(
  rows: readonly HTMLTableRowElement[],
  column: number,
  direction: number,
): readonly HTMLTableRowElement[] {
  const lang = rows[0] && languageOf(rows[0]);
  const { compare } = new Intl.Collator(lang, { numeric: true });
  const decimal = new Intl.NumberFormat(lang).format(1.5).charAt(1);
  const texts = rows.map(({ cells }) => (cells[column] ? textOf(cells[column]) : ''));
  const numbers = readNumbers(texts, decimal);
  const all = rows.map((row, at) => ({ row, text: texts[at] ?? '', number: numbers[at] ?? NaN }));
  const areNumbers = all.every(({ text, number }) => text === '' || !Number.isNaN(number));
  const order = (a: (typeof all)[number], b: (typeof all)[number]): number => {
    if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '');
    return direction * (areNumbers ? a.number - b.number : compare(a.text, b.text));
  };
  return all.sort(order).map(({ row }) => row);
}

/**
 * Parses the numbers of a column in the format of the language or of JSON, with spaces, currency or percent signs; NaN for other text. If a
 * group separator occurs where it cannot separate groups of three digits, it is the decimal separator of the column.
 */
function readNumbers(texts: readonly string[], decimal: string): number[] {
  const all = texts.map((text) => text.replace(/[\s'’_%]|\p{Sc}/gu, '').replace('−', '-'));
  const group = decimal === ',' ? '.' : ',';
  const grouped = new RegExp(`^[-+]?[1-9]\\d{0,2}(\\${group}\\d{3})+(\\${decimal}\\d*)?$`);
  const isOtherFormat = all.some((text) => text.includes(group) && !grouped.test(text));
  return all.map((text) => {
    const whole = !isOtherFormat && grouped.test(text) ? text.replaceAll(group, '') : text;
    return whole === '' ? NaN : Number(whole.replace(',', '.'));
  });
}

/** Returns the language of an element, which may be declared outside of its shadow tree. */
function languageOf(element: Element): string | undefined {
  const lang = element.closest('[lang]')?.getAttribute('lang');
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? languageOf(root.host) : undefined;
  return [lang, host].find((tag) => tag && isLanguage(tag)) ?? undefined;
}

function isLanguage(tag: string): boolean {
  try {
    Intl.getCanonicalLocales(tag);
    return true;
  } catch {
    return false;
  }
}
