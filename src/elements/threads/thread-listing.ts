import { element } from '../../dom/element.js';
import type { Json, Key } from '../../model/json.js';
import {
  DateGroups,
  foldText,
  sortThreads,
  timeOf,
  titleOf,
  type DateGroup,
} from './thread-order.js';
import { ThreadRow, type ThreadRowActions } from './thread-row.js';
import { ThreadSection } from './thread-section.js';
import { ThreadWindow } from './thread-window.js';

/** Keys that lead through the list. */
const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The rows of the list under their dates: those around what the person sees, however many there are. */
export class ThreadListing {
  readonly #place = element('div');
  readonly #window: ThreadWindow;
  readonly node: HTMLElement;
  readonly #acts: ThreadRowActions;
  readonly #now: () => number;
  readonly #sections = new Map<string, ThreadSection>();
  /** Those that are drawn, in their order. */
  #rows = new Map<Key, ThreadRow>();
  /** Those with something unfinished, wherever they are. */
  readonly #engaged = new Map<Key, ThreadRow>();
  readonly #dirty = new Set<Key>();
  #order: readonly Key[] = [];
  #stale = true;
  #query = '';

  constructor(acts: ThreadRowActions, now: () => number, scroller: HTMLElement) {
    this.#acts = acts;
    this.#now = now;
    this.#window = new ThreadWindow(scroller, this.#place);
    this.node = element('div', 'thread-listing', this.#window.above, this.#place);
    this.node.addEventListener('keydown', this.#handleKey);
    this.node.addEventListener('focusin', ({ target }) => {
      const row = this.#rowOf(target);
      if (row) this.#activate(row.id);
    });
  }

  /** How many fit the search. */
  get found(): number {
    return this.#order.length;
  }

  /** What the person searches for; empty: nothing. */
  get query(): string {
    return this.#query;
  }

  set query(query: string) {
    this.#query = query;
    this.#window.reset();
    this.#stale = true;
  }

  /** Other threads, or other titles and times. */
  reorder(): void {
    this.#stale = true;
  }

  /** A row has to be drawn again; by default all. */
  invalidate(...ids: readonly Key[]): void {
    for (const id of ids.length > 0 ? ids : this.#rows.keys()) this.#dirty.add(id);
  }

  /** Shows in its row that an act has failed. */
  fail(id: Key, code: string): void {
    const row = this.#rows.get(id);
    if (row) row.failure = code;
    this.invalidate(id);
  }

  /** Stands above all rows that are drawn. */
  get above(): Element {
    return this.#window.above;
  }

  /** Draws what follows; false when all that follows is drawn. */
  down(): boolean {
    return this.#window.down(this.#order.length);
  }

  /** Draws what comes before; false when all of it is drawn. */
  up(): boolean {
    return this.#window.up();
  }

  /** Brings the rows in line with the list. `hidden` are left out. */
  draw(threads: ReadonlyMap<Key, Json>, hidden: ReadonlySet<Key>): void {
    if (this.#stale) this.#order = this.#find(threads, hidden);
    this.#stale = false;
    const shown = this.#window.cut(this.#order);
    const focused = this.#focused();
    const before = [...this.#rows.keys()];
    const anchor = before.find((id) => id === shown[0]) ?? shown.find((id) => this.#rows.has(id));
    this.#window.hold(this.#rows.get(anchor ?? '')?.node, () => {
      this.#drawRows(shown, threads);
      return shown.length;
    });
    if (focused) this.#refocus(focused, before);
  }

  #drawRows(shown: readonly Key[], threads: ReadonlyMap<Key, Json>): void {
    const old = this.#rows;
    for (const [id, row] of old) {
      if (row.isEngaged) this.#engaged.set(id, row);
      else this.#engaged.delete(id);
    }
    const find = (id: Key): ThreadRow =>
      old.get(id) ?? this.#engaged.get(id) ?? new ThreadRow(id, this.#acts);
    this.#rows = new Map(shown.map((id) => [id, find(id)]));
    this.#chooseActive();
    this.#arrange(threads);
    for (const [id, row] of this.#rows) if (!old.has(id) || this.#dirty.has(id)) row.update();
    this.#dirty.clear();
  }

  #find(threads: ReadonlyMap<Key, Json>, hidden: ReadonlySet<Key>): readonly Key[] {
    const { locale } = this.#acts;
    const all = sortThreads(threads);
    const wanted = foldText(this.#query.trim(), locale);
    if (!wanted && hidden.size === 0) return all;
    return all.filter(
      (id) => !hidden.has(id) && foldText(titleOf(threads.get(id)), locale).includes(wanted),
    );
  }

  #arrange(threads: ReadonlyMap<Key, Json>): void {
    const groups = new DateGroups(this.#acts.locale, this.#now());
    const used = new Set<string>();
    let section: ThreadSection | undefined;
    let last: string | undefined;
    for (const [id, row] of this.#rows) {
      const group = groups.of(timeOf(threads.get(id)));
      if (group.key !== last) {
        section?.end();
        section = this.#section(group, used.size);
        used.add((last = group.key));
      }
      section?.put(row.node);
    }
    section?.end();
    for (const [key, { node }] of this.#sections) {
      if (used.has(key)) continue;
      node.remove();
      this.#sections.delete(key);
    }
  }

  /** The section of a group, at its place. */
  #section(group: DateGroup, at: number): ThreadSection {
    const section = this.#sections.get(group.key) ?? new ThreadSection();
    this.#sections.set(group.key, section);
    const there = this.#place.children[at] ?? null;
    if (there !== section.node) this.#place.insertBefore(section.node, there);
    section.begin(group);
    return section;
  }

  /** One row can be reached by Tab: the one that had the focus last, else the thread that is shown, else the first. */
  #chooseActive(): void {
    if (this.#rows.has(this.#acts.active ?? '')) return;
    const ids = [...this.#rows.keys()];
    this.#activate(ids.find((id) => this.#acts.state(id).current) ?? ids[0]);
  }

  #activate(id: Key | undefined): void {
    if (id === this.#acts.active) return;
    const old = this.#rows.get(this.#acts.active ?? '');
    this.#acts.active = id;
    for (const row of [old, this.#rows.get(id ?? '')]) row?.update();
  }

  #focused(): HTMLElement | null {
    const root = this.node.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    return focused instanceof HTMLElement && this.node.contains(focused) ? focused : null;
  }

  /** A row that was moved has lost the focus; one that is gone hands it to its neighbour. */
  #refocus(focused: HTMLElement, before: readonly Key[]): void {
    if (this.#focused()) return;
    if (this.node.contains(focused)) {
      focused.focus({ preventScroll: true });
      return;
    }
    const at = before.findIndex((id) => !this.#rows.has(id));
    // Scrolled away: it would only be pulled back.
    if (this.#order.includes(before[at] ?? '')) return;
    const rows = [...this.#rows.values()];
    rows[Math.min(Math.max(at, 0), rows.length - 1)]?.focus();
  }

  #rowOf(target: EventTarget | null): ThreadRow | undefined {
    const node = target instanceof Element ? target.closest('.thread') : null;
    return node ? [...this.#rows.values()].find((row) => row.node === node) : undefined;
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    const row = this.#rowOf(target);
    if (!row || altKey || ctrlKey || metaKey || event.isComposing) return;
    const writes = target instanceof HTMLInputElement;
    const done = key === 'Escape' ? row.leave() : !writes && this.#press(key, row);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** What a key does at a row; false when nothing. */
  #press(key: string, row: ThreadRow): boolean {
    const step = STEPS.get(key);
    const { canRename, canDelete, deleted } = this.#acts.state(row.id);
    if (step !== undefined) this.#move(row, step);
    else if (key === 'F2' && canRename && !deleted) row.askName();
    else if (key === 'Delete' && canDelete && !deleted) row.remove();
    else return false;
    return true;
  }

  #move(from: ThreadRow, step: number): void {
    const rows = [...this.#rows.values()];
    const to = Math.min(Math.max(rows.indexOf(from) + step, 0), rows.length - 1);
    rows[to]?.focus();
  }
}
