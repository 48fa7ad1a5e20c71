import { element } from '../../internal/element.js';
import type { Locale } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';

/** Entries of one level that are shown at once. */
const ENTRIES = 100;
/** Characters of a text that are shown at once. */
export const SHOWN_TEXT = 256_000;
/** Levels that can be unfolded; what is deeper is shown as it is written. */
const DEPTH = 64;
/** Columns that a table may have; what has more is a tree. */
const COLUMNS = 12;
/** Longest text in a cell: a table of paragraphs is read worse than a tree. */
const CELL = 160;
/** Longest text that stands on its key's line. */
const INLINE = 80;

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

/** Raw input or output, made readable: a tree for JSON, else its text. */
export function createPayload(raw: string, locale: Locale): HTMLElement {
  const value = parseJson(raw);
  if (typeof value === 'string') return createLongText(value, locale);
  return value === undefined ? createLongText(raw, locale) : createTree(value, locale, 0);
}

/** A text of any length: what is over the bound comes piece by piece, on request. */
export function createLongText(text: string, locale: Locale): HTMLElement {
  const shown = element('pre', 'raw');
  shown.tabIndex = 0;
  const box = element('div', 'long', shown);
  let at = 0;
  const button = createMore(() => {
    // Cut between whole characters.
    const end = /[\uD800-\uDBFF]/.test(text.charAt(at + SHOWN_TEXT - 1)) ? 1 : 0;
    shown.append(text.slice(at, at + SHOWN_TEXT + end));
    at += SHOWN_TEXT + end;
    if (at >= text.length) return null;
    return locale.text('moreText', { size: locale.size(text.length - at) });
  });
  box.append(button ?? '');
  return box;
}

function createTree(value: Json, locale: Locale, depth: number): HTMLElement {
  if (typeof value !== 'object' || value === null) return createLeaf(value, locale);
  const columns = findColumns(value);
  if (columns) return createTable(value as readonly Json[], columns, locale);
  if (depth >= DEPTH) return createLongText(print(value), locale);
  const entries: readonly (readonly [string, Json])[] = Object.entries(value);
  const list = element('ul', 'tree');
  let at = 0;
  const more = element('li');
  const button = createMore(() => {
    const rows = entries
      .slice(at, at + ENTRIES)
      .map(([key, inner]) => createRow(key, inner, locale, depth));
    at += ENTRIES;
    if (more.isConnected) more.before(...rows);
    else list.append(...rows);
    const left = entries.length - at;
    return left > 0 ? locale.text('moreEntries', { count: left }) : null;
  });
  if (button) list.append(more);
  if (button) more.append(button);
  return list;
}

/** The columns of a list whose entries are flat records alike enough for a table; null for anything else. */
function findColumns(value: Json): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > ENTRIES) return null;
  const columns = new Set<string>();
  for (const entry of value as readonly Json[]) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
    for (const [name, cell] of Object.entries(entry)) {
      if (typeof cell === 'object' && cell !== null) return null;
      if (typeof cell === 'string' && cell.length > CELL) return null;
      columns.add(name);
    }
  }
  return columns.size > 0 && columns.size <= COLUMNS ? [...columns] : null;
}

function createTable(
  entries: readonly Json[],
  columns: readonly string[],
  locale: Locale,
): HTMLElement {
  const head = element(
    'tr',
    '',
    ...columns.map((name) => element('th', '', element('bdi', '', name))),
  );
  const rows = entries.map((entry) => {
    const cells = new Map<string, Json>(Object.entries(entry ?? {}));
    return element(
      'tr',
      '',
      ...columns.map((name) => {
        const cell = cells.get(name);
        return element('td', '', cell === undefined ? '' : createLeaf(cell as string, locale));
      }),
    );
  });
  const box = element(
    'div',
    'rows',
    element('table', '', element('thead', '', head), element('tbody', '', ...rows)),
  );
  // It may scroll sideways, which the keyboard must be able to do too.
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', locale.text('table', { count: columns.length }));
  return box;
}

function createRow(key: string, value: Json, locale: Locale, depth: number): HTMLLIElement {
  const name = element('bdi', 'key', key);
  if (typeof value !== 'object' || value === null) {
    return element('li', '', name, ' ', createLeaf(value, locale));
  }
  const count = Object.keys(value).length;
  const words = element('span', 'meta', locale.text('entries', { count }));
  if (count === 0) return element('li', '', name, ' ', words);
  const fold = element('details', '', element('summary', '', name, ' ', words));
  // What is inside is made when somebody looks: a result may hold thousands of levels and entries.
  const fill = (): void => {
    if (fold.open && fold.childElementCount === 1)
      fold.append(createTree(value, locale, depth + 1));
  };
  fold.addEventListener('toggle', fill);
  if (depth < 1 && count <= 8) fold.open = true;
  return element('li', '', fold);
}

function createLeaf(value: string | number | boolean | null, locale: Locale): HTMLElement {
  if (typeof value === 'string' && (value.length > INLINE || value.includes('\n'))) {
    return createLongText(value, locale);
  }
  return element('bdi', `value ${value === null ? 'null' : typeof value}`, String(value));
}

/** A button that does `step` again until it has no more words for it; does it once at once. */
function createMore(step: () => string | null): HTMLButtonElement | null {
  const words = step();
  if (words === null) return null;
  const button = element('button', 'quiet', words);
  button.type = 'button';
  button.addEventListener('click', () => {
    const next = step();
    if (next === null) button.remove();
    else button.textContent = next;
  });
  return button;
}

function print(value: Json): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    // Nested deeper than the engine can print.
    return '…';
  }
}
