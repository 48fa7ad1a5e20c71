import { element } from '../../dom/element.js';
import { isEscapeKey } from '../../dom/escape-key.js';
import type { UbikError } from '../../errors.js';
import type { Json, Key } from '../../model/json.js';
import { ThreadRow, type ThreadRowHost } from './thread-row.js';
import { normalizeForSearch, sortThreads, titleOf, updatedAtOf } from './thread-summary.js';
import { VirtualWindow } from './virtual-window.js';
import type { Locale } from '../../locales/locale.js';

/** Number of rows by which a key moves the focus. */
const FOCUS_STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The list of threads under date headings, with search, roving tabindex and virtualization. */
export class ThreadListView {
  readonly #sectionsNode = element('div');
  readonly #window: VirtualWindow;
  readonly node: HTMLElement;
  readonly #actions: ThreadRowHost;
  readonly #now: () => number;
  readonly #sections = new Map<string, DateSection>();
  /** The rendered rows in display order. */
  #rows = new Map<Key, ThreadRow>();
  /** Rows with an open form or menu, a request in progress or an error. They are retained while they are scrolled or filtered out. */
  readonly #retainedRows = new Map<Key, ThreadRow>();
  readonly #dirtyIds = new Set<Key>();
  #matches: readonly Key[] = [];
  #matchesStale = true;
  /** The language for which `#matches` was searched. */
  #matchedLang = '';
  #query = '';

  constructor(actions: ThreadRowHost, now: () => number, scroller: HTMLElement) {
    this.#actions = actions;
    this.#now = now;
    this.#window = new VirtualWindow(scroller, this.#sectionsNode);
    this.node = element('div', 'thread-listing', this.#window.topSpacer, this.#sectionsNode);
    this.node.addEventListener('keydown', this.#handleKeydown);
    this.node.addEventListener('focusin', ({ target }) => {
      const row = this.#rowOf(target);
      if (row) this.#activate(row.id);
    });
  }

  /** Number of threads that match the query. */
  get matchCount(): number {
    return this.#matches.length;
  }

  /** The search query; empty matches every thread. Setting it scrolls to the top. */
  get query(): string {
    return this.#query;
  }

  set query(query: string) {
    this.#query = query;
    this.#window.reset();
    this.#matchesStale = true;
  }

  /** Filters and sorts again at the next `update`, because threads, titles or times have changed. */
  invalidateOrder(): void {
    this.#matchesStale = true;
  }

  /** Renders these rows again at the next `update`; by default all of them. */
  invalidateRows(...ids: readonly Key[]): void {
    for (const id of ids.length > 0 ? ids : this.#rows.keys()) this.#dirtyIds.add(id);
  }

  /** Shows an error in the row of a thread at the next `update`; if the row is not rendered then, as soon as it is. */
  showFailure(id: Key, error: UbikError): void {
    const row = this.#rows.get(id) ?? new ThreadRow(id, this.#actions);
    row.failure = error;
    this.#retainedRows.set(id, row);
    this.invalidateRows(id);
  }

  /** The spacer above the rendered rows. */
  get topSpacer(): Element {
    return this.#window.topSpacer;
  }

  /** Extends the rendered range downwards by a page. Returns false when it already ends with the last match. Call `update` afterwards. */
  extendDown(): boolean {
    return this.#window.extendDown(this.#matches.length);
  }

  /** Extends the rendered range upwards. Returns false when it already starts with the first match. Call `update` afterwards. */
  extendUp(): boolean {
    return this.#window.extendUp();
  }

  /** Renders the rows of `threads`, except those in `hidden`. Keeps the scroll position and the focus. */
  update(threads: ReadonlyMap<Key, Json>, hidden: ReadonlySet<Key>): void {
    const { lang } = this.#actions.locale;
    if (this.#matchesStale || lang !== this.#matchedLang) {
      this.#matches = this.#findMatches(threads, hidden);
      this.#matchesStale = false;
      this.#matchedLang = lang;
    }
    const shown = this.#window.slice(this.#matches);
    const focused = this.#focusedNode();
    const focusedRow = focused && this.#rowOf(focused);
    const before = [...this.#rows.keys()];
    // A row that has moved has another successor.
    const successors = new Map(before.map((id, at) => [id, before[at + 1]]));
    const unmoved = shown.flatMap((id, at) => {
      const row = this.#rows.get(id);
      return row && successors.get(id) === shown[at + 1] ? [row.node] : [];
    });
    this.#window.updateAnchored(unmoved, () => {
      this.#updateRows(shown, threads);
      return shown.length;
    });
    if (focusedRow) this.#restoreFocus(focused, focusedRow.id, before);
  }

  #updateRows(shown: readonly Key[], threads: ReadonlyMap<Key, Json>): void {
    const old = this.#rows;
    for (const [id, row] of old) {
      if (row.hasTransientState) this.#retainedRows.set(id, row);
      else this.#retainedRows.delete(id);
    }
    const find = (id: Key): ThreadRow =>
      old.get(id) ?? this.#retainedRows.get(id) ?? new ThreadRow(id, this.#actions);
    this.#rows = new Map(shown.map((id) => [id, find(id)]));
    this.#ensureActiveRow();
    this.#placeRows(threads);
    for (const [id, row] of this.#rows) if (!old.has(id) || this.#dirtyIds.has(id)) row.update();
    this.#dirtyIds.clear();
  }

  #findMatches(threads: ReadonlyMap<Key, Json>, hidden: ReadonlySet<Key>): readonly Key[] {
    const { locale } = this.#actions;
    const all = sortThreads(threads);
    const query = normalizeForSearch(this.#query.trim(), locale);
    if (!query && hidden.size === 0) return all;
    return all.filter(
      (id) =>
        !hidden.has(id) && normalizeForSearch(titleOf(threads.get(id)), locale).includes(query),
    );
  }

  #placeRows(threads: ReadonlyMap<Key, Json>): void {
    const groups = new DateGroups(this.#actions.locale, this.#now());
    const used = new Set<string>();
    let section: DateSection | undefined;
    let last: string | undefined;
    for (const [id, row] of this.#rows) {
      const group = groups.groupOf(updatedAtOf(threads.get(id)));
      if (group.key !== last) {
        section?.finishUpdate();
        section = this.#sectionFor(group, used.size);
        used.add((last = group.key));
      }
      section?.place(row.node);
    }
    section?.finishUpdate();
    for (const [key, { node }] of this.#sections) {
      if (used.has(key)) continue;
      node.remove();
      this.#sections.delete(key);
    }
  }

  /** Puts the section of a group at index `at`, starts its update and returns it. */
  #sectionFor(group: DateGroup, at: number): DateSection {
    const section = this.#sections.get(group.key) ?? new DateSection();
    this.#sections.set(group.key, section);
    const current = this.#sectionsNode.children[at] ?? null;
    if (current !== section.node) this.#sectionsNode.insertBefore(section.node, current);
    section.startUpdate(group);
    return section;
  }

  /** Roving tabindex: the row that had the focus last is in the tab order, else the current thread, else the first row. */
  #ensureActiveRow(): void {
    if (this.#rows.has(this.#actions.activeId ?? '')) return;
    const ids = [...this.#rows.keys()];
    this.#activate(ids.find((id) => this.#actions.stateOf(id).isCurrent) ?? ids[0]);
  }

  #activate(id: Key | undefined): void {
    if (id === this.#actions.activeId) return;
    const old = this.#rows.get(this.#actions.activeId ?? '');
    this.#actions.activeId = id;
    for (const row of [old, this.#rows.get(id ?? '')]) row?.update();
  }

  #focusedNode(): HTMLElement | null {
    const { activeElement = null } = this.node.getRootNode() as Partial<ShadowRoot>;
    return this.node.contains(activeElement) ? (activeElement as HTMLElement) : null;
  }

  /**
   * Restores the focus of a node that was blurred when its row was moved. Focuses the row when only the node was removed, else the first
   * remaining row after it in `before`, else the last row.
   */
  #restoreFocus(focused: HTMLElement, id: Key, before: readonly Key[]): void {
    if (this.node.contains(focused)) {
      focused.focus({ preventScroll: true });
      return;
    }
    // The row still matches and has only left the rendered range. Focusing another row would scroll to that row.
    if (!this.#rows.has(id) && this.#matches.includes(id)) return;
    const next = before.slice(before.indexOf(id)).find((one) => this.#rows.has(one));
    this.#rows.get(next ?? [...this.#rows.keys()].at(-1) ?? '')?.focus();
  }

  #rowOf(target: EventTarget | null): ThreadRow | undefined {
    const node = (target as Element).closest('.thread');
    return [...this.#rows.values()].find((row) => row.node === node);
  }

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    const row = this.#rowOf(target);
    if (!row || altKey || ctrlKey || metaKey || event.isComposing) return;
    const isTyping = (target as Element).closest('form') !== null;
    const isHandled = isEscapeKey(event) ? row.cancel() : !isTyping && this.#handleRowKey(key, row);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Handles a key on a row. Returns false when it has no function. */
  #handleRowKey(key: string, row: ThreadRow): boolean {
    const step = FOCUS_STEPS.get(key);
    const { canRename, canDelete, isDeletePending } = this.#actions.stateOf(row.id);
    if (step !== undefined) this.#moveFocus(row, step);
    else if (key === 'F2' && canRename && !isDeletePending) row.startRename();
    else if (key === 'Delete' && canDelete && !isDeletePending) row.delete();
    else return false;
    return true;
  }

  #moveFocus(from: ThreadRow, step: number): void {
    const rows = [...this.#rows.values()];
    const to = Math.min(Math.max(rows.indexOf(from) + step, 0), rows.length - 1);
    rows[to]?.focus();
  }
}

/** A range of dates with its heading. */
interface DateGroup {
  readonly key: string;
  readonly label: string;
}

/** Assigns times to groups: today, yesterday, the previous 7 days, then months of the calendar of the language. */
class DateGroups {
  readonly #locale: Locale;
  /** Starts of today, of yesterday, and of the day a week ago. */
  readonly #starts: readonly number[];
  readonly #months: Intl.DateTimeFormat;
  readonly #days: Intl.RelativeTimeFormat;

  /** `now` in ms since the epoch. */
  constructor(locale: Locale, now: number) {
    this.#locale = locale;
    this.#starts = [0, 1, 7].map((days) => startOfDay(now, days));
    this.#months = new Intl.DateTimeFormat(locale.lang, { month: 'long', year: 'numeric' });
    this.#days = new Intl.RelativeTimeFormat(locale.lang, { numeric: 'auto' });
  }

  /** Returns the group of a time in ms since the epoch; 0 is an unknown time. */
  groupOf(time: number): DateGroup {
    const { text } = this.#locale;
    if (time === 0) return { key: '', label: text('threadsUndated') };
    const [today = 0, yesterday = 0, week = 0] = this.#starts;
    if (time >= today) return { key: 'today', label: this.#days.format(0, 'day') };
    if (time >= yesterday) return { key: 'yesterday', label: this.#days.format(-1, 'day') };
    if (time >= week) return { key: 'week', label: text('threadsWeek') };
    const label = this.#months.format(time);
    return { key: label, label };
  }
}

/** Returns the start of the day `days` days ago, in the user's time zone. */
function startOfDay(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/**
 * The rows of one date group under its heading. An update places all rows in order: call `startUpdate`, `place` for each row,
 * `finishUpdate`.
 */
class DateSection {
  readonly node: HTMLElement;
  readonly #heading = element('h3');
  readonly #list = element('ul');
  /** During an update, the row before which the next one is placed. */
  #next: Element | null = null;

  constructor() {
    this.node = element('section', 'thread-group', this.#heading, this.#list);
  }

  /** Starts an update. */
  startUpdate({ label }: DateGroup): void {
    this.#heading.textContent = label;
    this.#list.ariaLabel = label;
    this.#next = this.#list.firstElementChild;
  }

  /** Places the next row. A row that is already in its position is not moved, so that it keeps the focus. */
  place(node: Element): void {
    if (node === this.#next) this.#next = node.nextElementSibling;
    else this.#list.insertBefore(node, this.#next);
  }

  /** Removes the rows that were not placed in this update. */
  finishUpdate(): void {
    while (this.#next) {
      const { nextElementSibling: next } = this.#next;
      this.#next.remove();
      this.#next = next;
    }
  }
}
