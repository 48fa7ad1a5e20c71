import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import type { Json } from '../model/json.js';
import { createButton } from './buttons.js';
import { setLang } from './content-lang.js';

/** Entries of one level that are shown at once. */
const ENTRIES = 100;
/** Characters of a text that are shown at once. The layout of twice as many without a place to break holds up the page for 200 ms. */
export const TEXT_PAGE_LENGTH = 128_000;
/** Columns that a table may have; what has more is a tree. */
const COLUMNS = 12;
/** Longest text in a cell: a table of paragraphs is read worse than a tree. */
const CELL = 160;
/** Longest text that stands on its key's line. */
const INLINE = 80;
/** Entries of a branch that stands open from the start. */
const SMALL = 8;
/** Branches that are opened for paper. */
const PRINTED = 1000;

/** A value that holds no other. */
type Leaf = string | number | boolean | null;
type Nested = Exclude<Json, Leaf>;

/** What was written as JSON; undefined when it is none, or nothing but one word. */
export function parseJson(raw: string): Json | undefined {
  if (!/^\s*[[{"]/.test(raw)) return undefined;
  try {
    return JSON.parse(raw) as Json;
  } catch {
    // Results are often plain text that only looks like JSON at its start.
    return undefined;
  }
}

/** Raw input or output, made readable: a table or tree for JSON, else its text. */
export function createPayloadView(raw: string, locale: Locale): HTMLElement {
  const value = parseJson(raw);
  return isNested(value) || typeof value === 'string'
    ? createJsonView(value, locale)
    : createLongText(raw, locale);
}

/** Data, made readable: a table or tree, else its text. */
export function createJsonView(value: Json, locale: Locale): HTMLElement {
  return isNested(value)
    ? createNested(value, locale, true)
    : createLongText(String(value), locale);
}

/** A box for a text of any length, as it was written, each line in its direction; it scrolls, which the keyboard must be able to do too. */
export function createTextBox(text: Text): HTMLElement {
  const box = element('pre', 'raw', text);
  box.tabIndex = 0;
  return box;
}

function createLongText(text: string, locale: Locale): HTMLElement {
  const shown = document.createTextNode('');
  let at = 0;
  return createLong(createTextBox(shown), locale, () => {
    shown.appendData(text.slice(at, (at += TEXT_PAGE_LENGTH)));
    return at < text.length ? locale.text('moreText', { size: locale.size(text.length - at) }) : '';
  });
}

/** A table or a tree, in which small branches may stand open. */
function createNested(value: Nested, locale: Locale, open: boolean): HTMLElement {
  const columns = findColumns(value);
  if (columns) return createTable(Object.values(value), columns, locale);
  // Pairs of all entries would take five times as long as their names.
  const names = Object.keys(value);
  const tree = element('ul', 'tree');
  let at = 0;
  return createLong(tree, locale, () => {
    for (const name of names.slice(at, (at += ENTRIES))) {
      tree.append(createRow(name, (value as Record<string, Json>)[name] ?? null, locale, open));
    }
    return at < names.length ? locale.text('moreEntries', { count: names.length - at }) : '';
  });
}

/** A box that `fill` fills piece by piece: the first at once, others on request, as long as it has words for the button. */
function createLong(box: HTMLElement, locale: Locale, fill: () => string): HTMLElement {
  const step = (): void => {
    button.textContent = fill();
    if (!button.textContent) button.remove();
  };
  const button = createButton('', step);
  setLang(box, locale.contentLang);
  setLang(button, locale.uiLang);
  const long = element('div', 'long', box, button);
  step();
  return long;
}

/** The columns of a list whose entries are flat records alike enough for a table; null for anything else. */
function findColumns(value: Nested): string[] | null {
  if (!Array.isArray(value) || value.length > ENTRIES) return null;
  const records: readonly Json[] = value;
  const columns = new Set<string>();
  const isFlat = records.every(
    (record) =>
      isNested(record) &&
      !Array.isArray(record) &&
      Object.entries(record).every(
        ([name, cell]) => columns.add(name) && !isNested(cell) && String(cell).length <= CELL,
      ),
  );
  return isFlat && columns.size > 0 && columns.size <= COLUMNS ? [...columns] : null;
}

function createTable(
  records: readonly Json[],
  columns: readonly string[],
  locale: Locale,
): HTMLElement {
  const head = columns.map((name) => element('th', '', element('bdi', '', name)));
  const rows = records.map((record) => {
    const cells = new Map<string, Json>(Object.entries(record as Nested));
    return columns.map((name) => {
      const cell = cells.get(name);
      return element(
        'td',
        '',
        cell === undefined || isNested(cell) ? '' : createLeaf(cell, locale),
      );
    });
  });
  const table = element(
    'table',
    '',
    ...[head, ...rows].map((cells) => element('tr', '', ...cells)),
  );
  const box = element('div', 'rows', table);
  setLang(table, locale.contentLang);
  setLang(box, locale.uiLang);
  // It may scroll sideways.
  box.tabIndex = 0;
  box.role = 'group';
  box.ariaLabel = locale.text('table', { count: columns.length });
  return box;
}

function createRow(key: string, value: Json, locale: Locale, open: boolean): HTMLElement {
  // What stands behind the key follows the direction of the page, not that of the key.
  const name = element('span', 'key', element('bdi', '', key));
  if (!isNested(value)) return element('li', '', name, ' ', createLeaf(value, locale));
  const count = Object.keys(value).length;
  const words = element('bdi', 'meta', locale.text('entries', { count }));
  setLang(words, locale.uiLang);
  if (count === 0) return element('li', '', name, ' ', words);
  const line = element('summary', '', name, ' ', words);
  const fold = createLazyDetails('', line, () => createNested(value, locale, false));
  fold.open = open && count <= SMALL;
  return element('li', '', fold);
}

/** A line with data behind it, which is made when somebody opens it: a result may hold thousands of levels and entries. */
export function createLazyDetails(
  name: string,
  line: HTMLElement,
  createContent: () => HTMLElement,
): HTMLDetailsElement {
  const fold = element('details', name, line);
  const fill = (): void => {
    fold.append(createContent());
  };
  fold.addEventListener('toggle', fill, { once: true });
  return fold;
}

/**
 * Opens the data in an element for paper, level by level, up to 1,000 branches. Returns a function that closes again what it
 * has opened.
 */
export function expandForPrint(root: ParentNode): () => void {
  const known = new Set<HTMLDetailsElement>();
  const opened: HTMLDetailsElement[] = [];
  const listNew = (): HTMLDetailsElement[] =>
    [...root.querySelectorAll<HTMLDetailsElement>('details:not(.fold)')].filter(
      (fold) => !known.has(fold),
    );
  for (let folds = listNew(); folds.length > 0; folds = listNew()) {
    for (const fold of folds.slice(0, PRINTED - known.size)) {
      known.add(fold);
      if (!fold.open) opened.push(fold);
      fold.open = true;
      // The browser tells of it in a task of its own, for which paper does not wait.
      fold.dispatchEvent(new Event('toggle'));
    }
    if (known.size === PRINTED) break;
  }
  return () => {
    for (const fold of opened) fold.open = false;
  };
}

function createLeaf(value: Leaf, locale: Locale): HTMLElement {
  const text = String(value);
  if (text.length > INLINE || text.includes('\n')) return createLongText(text, locale);
  return element('bdi', `value ${value === null ? 'null' : typeof value}`, text);
}

function isNested(value: Json | undefined): value is Nested {
  return typeof value === 'object' && value !== null;
}

/** Free-form data of the service behind a line that opens it; what is inside is made when somebody opens it. */
export function createDataDisclosure(title: string, data: Json, locale: Locale): HTMLElement {
  const line = element('summary', '', title);
  setLang(line, locale.uiLang);
  return createLazyDetails('report', line, () => createJsonView(data, locale));
}
