import { clusterStart } from '../dom/truncate.js';
import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import type { Json } from '../model/json.js';
import { createButton } from './buttons.js';
import { setLang } from './content-lang.js';
import { parseJson } from './parse-json.js';

/** Number of entries of one level that are rendered at a time. */
const ENTRIES_PER_PAGE = 100;
/**
 * Number of UTF-16 units of a text that are rendered at a time. Laying out twice as many without a break opportunity blocks the page for
 * 200 ms.
 */
export const TEXT_PAGE_LENGTH = 128_000;
/** A list of records with more columns is rendered as a tree. */
const MAX_COLUMNS = 12;
/** A list of records with a longer text (in UTF-16 units) is rendered as a tree, in which paragraphs are easier to read. */
const MAX_CELL_LENGTH = 160;
/** Longest text that is rendered on the line of its key, in UTF-16 units. */
const MAX_INLINE_LENGTH = 80;
/** A nested object or list of the first level with at most this many entries is open by default. */
const MAX_OPEN_ENTRIES = 8;

type Scalar = string | number | boolean | null;
type Collection = Exclude<Json, Scalar>;

/** Whether a field of a record is not shown. */
type IsHidden = (name: string) => boolean;

const hideNothing: IsHidden = () => false;

/** Renders raw input or output: JSON as a table or tree without hidden fields, anything else as text. */
export function createPayloadView(raw: string, locale: Locale, isHidden?: IsHidden): HTMLElement {
  const value = parseJson(raw);
  return isCollection(value) || typeof value === 'string'
    ? createJsonView(value, locale, isHidden)
    : createPagedText(raw, locale);
}

/** Renders a value as a table, a tree or text, without hidden fields. */
export function createJsonView(
  value: Json,
  locale: Locale,
  isHidden: IsHidden = hideNothing,
): HTMLElement {
  return isCollection(value)
    ? createCollection(value, { locale, isHidden, open: true })
    : createPagedText(String(value), locale);
}

/** Renders data in a disclosure, without hidden fields. Its content is created when it is opened. */
export function createDataDisclosure(data: Json, locale: Locale, isHidden?: IsHidden): HTMLElement {
  const summary = element('summary', '', locale.text('reportData'));
  setLang(summary, locale.uiLang);
  return createLazyDetails('report', summary, () => createJsonView(data, locale, isHidden));
}

/**
 * Creates a scrollable box for a preformatted text, which browsers do not translate. It is focusable, because it must be scrollable with
 * the keyboard.
 */
export function createTextBox(text: Text): HTMLElement {
  const box = element('pre', 'raw', text);
  box.tabIndex = 0;
  box.translate = false;
  return box;
}

function createPagedText(text: string, locale: Locale): HTMLElement {
  const node = document.createTextNode('');
  let at = 0;
  return createPagedBox(createTextBox(node), locale, () => {
    node.appendData(text.slice(at, (at = clusterStart(text, at + TEXT_PAGE_LENGTH))));
    return at < text.length ? locale.text('moreText', { size: locale.size(text.length - at) }) : '';
  });
}

/** Options of rendering a table or a tree. */
interface CollectionOptions {
  readonly locale: Locale;
  readonly isHidden: IsHidden;
  /** Whether small nested objects and lists are open by default. */
  readonly open: boolean;
}

/** Renders a table or a tree. */
function createCollection(value: Collection, options: CollectionOptions): HTMLElement {
  const { locale, isHidden } = options;
  const columns = findColumns(value, isHidden);
  if (columns) return createTable(Object.values(value), columns, locale);
  const names = listNames(value, isHidden);
  const tree = element('ul', 'tree');
  let at = 0;
  return createPagedBox(tree, locale, () => {
    for (const name of names.slice(at, (at += ENTRIES_PER_PAGE))) {
      tree.append(createRow(name, (value as Record<string, Json>)[name] ?? null, options));
    }
    return at < names.length ? locale.text('moreEntries', { count: names.length - at }) : '';
  });
}

/** The names of the fields that are shown, or the indices of a list. `Object.entries` of a large object takes five times as long. */
function listNames(value: Collection, isHidden: IsHidden): string[] {
  const names = Object.keys(value);
  return Array.isArray(value) ? names : names.filter((name) => !isHidden(name));
}

/** Removes a button for more of the content of a box. If it has the focus, the box gets it. */
export function removeButton(button: HTMLElement, box: HTMLElement): void {
  const hadFocus = button.matches(':focus');
  button.remove();
  if (!hadFocus) return;
  if (!box.hasAttribute('tabindex')) box.tabIndex = -1;
  box.focus({ preventScroll: true });
}

/** Adds a button for the next page to a box. `appendPage` returns the label of the button, which is removed when the label is empty. */
function createPagedBox(box: HTMLElement, locale: Locale, appendPage: () => string): HTMLElement {
  const showNext = (): void => {
    button.textContent = appendPage();
    if (!button.textContent) removeButton(button, box);
  };
  const button = createButton('', showNext);
  setLang(box, locale.contentLang);
  setLang(button, locale.uiLang);
  const paged = element('div', 'long', box, button);
  showNext();
  return paged;
}

/** Returns the columns of a list of flat records that fits a table; null for anything else. */
function findColumns(value: Collection, isHidden: IsHidden): string[] | null {
  if (!Array.isArray(value) || value.length > ENTRIES_PER_PAGE) return null;
  const records: readonly Json[] = value;
  const columns = new Set<string>();
  const isFlat = records.every(
    (record) =>
      isCollection(record) &&
      !Array.isArray(record) &&
      Object.entries(record).every(
        ([name, cell]) =>
          isHidden(name) ||
          (columns.add(name) && !isCollection(cell) && String(cell).length <= MAX_CELL_LENGTH),
      ),
  );
  return isFlat && columns.size > 0 && columns.size <= MAX_COLUMNS ? [...columns] : null;
}

function createTable(
  records: readonly Json[],
  columns: readonly string[],
  locale: Locale,
): HTMLElement {
  const head = columns.map((name) => element('th', '', element('bdi', '', name)));
  const rows = records.map((record) => {
    const cells = new Map<string, Json>(Object.entries(record as Collection));
    return columns.map((name) => {
      const cell = cells.get(name);
      const isEmpty = cell === undefined || isCollection(cell);
      return element('td', '', isEmpty ? '' : createScalar(cell, locale));
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
  // A box that may scroll sideways must be focusable and have a name.
  box.tabIndex = 0;
  box.role = 'group';
  box.ariaLabel = locale.text('table', { count: columns.length });
  return box;
}

function createRow(key: string, value: Json, options: CollectionOptions): HTMLElement {
  const { locale, isHidden, open } = options;
  // The direction of the key must not affect the value after it.
  const name = element('span', 'key', element('bdi', '', key));
  if (!isCollection(value)) return element('li', '', name, ' ', createScalar(value, locale));
  const count = listNames(value, isHidden).length;
  const size = element('bdi', 'meta', locale.text('entries', { count }));
  setLang(size, locale.uiLang);
  if (count === 0) return element('li', '', name, ' ', size);
  const title = findTitle(value);
  const summary = element('summary', '', name, ' ', ...(title ? [title, ' '] : []), size);
  const details = createLazyDetails('', summary, () =>
    createCollection(value, { ...options, open: false }),
  );
  details.open = open && count <= MAX_OPEN_ENTRIES;
  return element('li', '', details);
}

/** Fields that name a record, in order of preference. */
const TITLE_FIELDS = ['title', 'name', 'label'];

/** Returns the name by which the user recognizes a closed record in a list; null without a name, or if the name does not fit on a line. */
function findTitle(value: Collection): HTMLElement | null {
  // Object.entries of a large object is slow.
  const texts = TITLE_FIELDS.map((name) =>
    Object.hasOwn(value, name) ? (value as Record<string, Json>)[name] : null,
  );
  const title = texts.find((text) => typeof text === 'string' && text.trim() !== '');
  const isShort = typeof title === 'string' && title.length <= MAX_INLINE_LENGTH;
  return isShort ? element('bdi', '', title) : null;
}

/** Creates a `<details>` whose content is created when it is first opened, because a result may have thousands of levels and entries. */
export function createLazyDetails(
  className: string,
  summary: HTMLElement,
  createContent: () => HTMLElement,
): HTMLDetailsElement {
  const details = element('details', className, summary);
  const fill = (): void => {
    details.append(createContent());
  };
  details.addEventListener('toggle', fill, { once: true });
  return details;
}

function createScalar(value: Scalar, locale: Locale): HTMLElement {
  const text = String(value);
  if (text.length > MAX_INLINE_LENGTH || text.includes('\n')) return createPagedText(text, locale);
  return element('bdi', `value ${value === null ? 'null' : typeof value}`, text);
}

function isCollection(value: Json | undefined): value is Collection {
  return typeof value === 'object' && value !== null;
}
