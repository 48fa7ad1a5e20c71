import { element } from '../../internal/element.js';
import type { Json, Key } from '../../model/json.js';
import {
  DateGroups,
  foldText,
  sortThreads,
  timeOf,
  titleOf,
  type DateGroup,
} from './thread-order.js';
import { PAGE } from './thread-pages.js';
import { ThreadRow, type ThreadRowActs } from './thread-row.js';

/** Keys that lead through the list. */
const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The conversations of one stretch of time. What is put in comes behind what was put in before. */
class Section {
  readonly node: HTMLElement;
  readonly #heading = element('h3');
  readonly #list = element('ul');
  #next: Element | null = null;

  constructor() {
    this.node = element('section', 'thread-group', this.#heading, this.#list);
  }

  begin({ words }: DateGroup): void {
    this.#heading.textContent = words;
    this.#list.ariaLabel = words;
    this.#next = this.#list.firstElementChild;
  }

  put(node: Element): void {
    if (node === this.#next) this.#next = node.nextElementSibling;
    else this.#list.insertBefore(node, this.#next);
  }

  /** Takes out what was not put in this time. */
  end(): void {
    while (this.#next) {
      const { nextElementSibling: next } = this.#next;
      this.#next.remove();
      this.#next = next;
    }
  }
}

/** The rows of the list under their dates: as many as the person has come to see, however many there are. */
export class ThreadListing {
  readonly node = element('div', 'thread-listing');
  readonly #acts: ThreadRowActs;
  readonly #now: () => number;
  readonly #sections = new Map<string, Section>();
  /** Those that are drawn, in their order. */
  #rows = new Map<Key, ThreadRow>();
  readonly #dirty = new Set<Key>();
  #order: readonly Key[] = [];
  #stale = true;
  #limit = PAGE;
  #query = '';

  constructor(acts: ThreadRowActs, now: () => number) {
    this.#acts = acts;
    this.#now = now;
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
    this.#limit = PAGE;
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

  /** Draws more rows; false when all are drawn. */
  grow(): boolean {
    if (this.#limit >= this.#order.length) return false;
    this.#limit += PAGE;
    return true;
  }

  /** Brings the rows in line with the list. `hidden` are left out. */
  draw(threads: ReadonlyMap<Key, Json>, hidden: ReadonlySet<Key>): void {
    if (this.#stale) this.#order = this.#find(threads, hidden);
    this.#stale = false;
    const shown = this.#order.slice(0, this.#limit);
    const focused = this.#focused();
    const before = [...this.#rows.keys()];
    const old = this.#rows;
    this.#rows = new Map(shown.map((id) => [id, old.get(id) ?? new ThreadRow(id, this.#acts)]));
    this.#chooseActive();
    this.#place(threads);
    for (const [id, row] of this.#rows) if (!old.has(id) || this.#dirty.has(id)) row.update();
    this.#dirty.clear();
    if (focused) this.#refocus(focused, before);
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

  #place(threads: ReadonlyMap<Key, Json>): void {
    const groups = new DateGroups(this.#acts.locale, this.#now());
    const used = new Set<string>();
    let section: Section | undefined;
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
  #section(group: DateGroup, at: number): Section {
    const section = this.#sections.get(group.key) ?? new Section();
    this.#sections.set(group.key, section);
    const there = this.node.children[at] ?? null;
    if (there !== section.node) this.node.insertBefore(section.node, there);
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
    const rows = [...this.#rows.values()];
    const at = before.findIndex((id) => !this.#rows.has(id));
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
