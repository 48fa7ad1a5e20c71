import { createLazyModule } from '../../message/create-lazy-module.js';
import type { MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { ContainmentBoxes } from './containment-boxes.js';
import { MessageGroup, type Entry } from './message-group.js';
import type { Virtualizer } from './virtualizer.js';

/** Where a list of messages stands. */
export interface MessageListOptions {
  readonly context: ViewContext;
  /** What its groups are put into. */
  readonly column: HTMLElement;
  /** The box that scrolls. */
  readonly scroller: HTMLElement;
  /** The record of a message as it is now. */
  findMessage(key: Key): Message | undefined;
}

/** Messages of one group. */
const GROUP_SIZE = 25;
/** The newest messages, which are rich from the first. */
const INITIALLY_RENDERED = 100;

/** MessagePlaceholders, and what makes them rich: a file for those who have long threads. */
const lazyVirtualizer = createLazyModule(() => import('./virtualizer.js'));

/**
 * Messages in groups, oldest first. The newest are rich, and those near to what can be seen; of the others there is the outline:
 * their text, which can be read, found and printed.
 */
export class MessageList {
  readonly #options: MessageListOptions;
  /** Once there are, or should be, outlines. */
  #virtualizer: Virtualizer | undefined;
  readonly #boxes: ContainmentBoxes;
  /** In the order in which they are shown. */
  #entries = new Map<Key, Entry>();
  #groups: MessageGroup[] = [];
  /** What long threads need could not be fetched. */
  #virtualizerFailed = false;
  /** Groups have come or gone. */
  #groupsChanged = false;
  #assistive = false;

  constructor(place: MessageListOptions) {
    this.#options = place;
    this.#boxes = new ContainmentBoxes(place.column);
  }

  /** Whether all is rich and nothing is left to be made when it comes near. */
  set assistive(on: boolean) {
    if (on === this.#assistive) return;
    this.#assistive = on;
    this.#virtualizer?.setRenderAll(this.#groups, on);
    this.#updateBoxes();
  }

  /** The messages that are rich. */
  get views(): MessageView[] {
    return [...this.#entries.values()].flatMap(({ view }) => view ?? []);
  }

  /** The view of a message that is shown; it becomes rich by that. */
  viewOf(key: Key): MessageView | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#render(entry);
  }

  /** The message at the upper edge of what can be seen. */
  get firstVisible(): Message | undefined {
    const [entry] = this.#firstVisibleEntries();
    return entry && this.#options.findMessage(entry.message.key);
  }

  /** The message that stands in a box. */
  messageAt(node: Element): Message | undefined {
    const entry = [...this.#entries.values()].find((one) => one.node === node);
    return entry && this.#options.findMessage(entry.message.key);
  }

  /** Takes a change of a message. One that is no more than an outline becomes rich. */
  apply(change: Change, message: Message): void {
    const entry = this.#entries.get(message.key);
    if (entry) this.#render(entry).apply(change, message);
  }

  /**
   * Brings the list in line with the way that is shown: what stands stays, the rest is taken out and put in. Tells how many came at
   * the end; null: nothing is done yet, for what it needs is being fetched, and `again` will be called.
   */
  sync(path: readonly Message[], retry: () => void): number | null {
    const shown = [...this.#entries.keys()];
    let kept = 0;
    while (kept < path.length && path[kept]?.key === shown[kept]) kept += 1;
    // Older ones may come before all that stands.
    const same = kept === 0 ? countSharedEnd(path, shown) : 0;
    const isLong = path.length - kept > INITIALLY_RENDERED || same > 0;
    if (isLong && !this.#virtualizer && !this.#virtualizerFailed) {
      void this.#loadVirtualizer(retry);
      return null;
    }
    const behind = this.#virtualizer ? same : 0;
    if (kept + behind === 0) this.dispose();
    else for (const key of shown.slice(kept, shown.length - behind)) this.#remove(key);
    if (behind > 0) this.#prepend(path.slice(0, -behind));
    const added = behind > 0 ? [] : path.slice(kept);
    for (const [at, message] of added.entries()) {
      this.#append(message, this.#assistive || added.length - at <= INITIALLY_RENDERED);
    }
    if (this.#groupsChanged) this.#updateBoxes();
    return added.length;
  }

  /** Writes all words again, such as in another language. */
  redraw(): void {
    for (const view of this.views) view.redraw();
    for (const group of this.#groups) this.#virtualizer?.redraw(group);
  }

  /** Makes as much rich as stays so, at once: for paper. */
  renderForPrint(): void {
    this.#virtualizer?.renderNow([...this.#entries.values()]);
  }

  /** Gives back what its messages hold beyond their nodes, and takes them out. */
  dispose(): void {
    for (const group of this.#groups) {
      this.#virtualizer?.unobserve(group);
      group.dispose();
    }
    this.#groups = [];
    this.#updateBoxes();
    this.#entries.clear();
  }

  async #loadVirtualizer(again: () => void): Promise<void> {
    try {
      const { Virtualizer } = await lazyVirtualizer.load();
      this.#virtualizer ??= new Virtualizer(this.#options, () => this.#findAnchor());
      for (const group of this.#groups) this.#virtualizer.observe(group);
      this.#virtualizer.setRenderAll(this.#groups, this.#assistive);
    } catch {
      // Then all of it is rich: slower, and no less.
      this.#virtualizerFailed = true;
    }
    again();
  }

  #updateBoxes(): void {
    this.#groupsChanged = false;
    this.#boxes.update(this.#assistive ? [] : this.#groups);
  }

  /** What a person reads: the first message that begins in sight, else the one that fills it. */
  #findAnchor(): Entry | undefined {
    const { top, bottom } = this.#options.scroller.getBoundingClientRect();
    const [first, next] = this.#firstVisibleEntries();
    if (!first || first.node.getBoundingClientRect().top >= top) return first;
    return next && next.node.getBoundingClientRect().top < bottom ? next : first;
  }

  /** The messages from the upper edge of what can be seen. */
  #firstVisibleEntries(): Entry[] {
    const { column, scroller } = this.#options;
    const { top } = scroller.getBoundingClientRect();
    let node: Element | undefined = column;
    while (node && !node.classList.contains('message')) {
      node = [...node.children].find((child) => child.getBoundingClientRect().bottom > top + 1);
    }
    const entries = [...this.#entries.values()];
    const at = entries.findIndex((entry) => entry.node === node);
    return at < 0 ? [] : entries.slice(at, at + 2);
  }

  #render(entry: Entry): MessageView {
    const { group, message } = entry;
    return group.render(entry, this.#options.findMessage(message.key) ?? message);
  }

  #append(message: Message, isRich: boolean): void {
    let group = this.#groups.at(-1);
    if (!group || group.entries.size >= GROUP_SIZE) {
      group = new MessageGroup(this.#options.context);
      this.#boxes.append(group.node);
      this.#groups.push(group);
      this.#groupsChanged = true;
    }
    const entry =
      (!isRich && this.#virtualizer?.addPlaceholder(group, message)) || group.add(message);
    this.#entries.set(message.key, entry);
    this.#virtualizer?.observe(group);
  }

  #prepend(messages: readonly Message[]): void {
    const long = this.#virtualizer;
    long?.preserveScroll(() => {
      const { groups, entries, nodes } = long.createGroups(messages, GROUP_SIZE);
      this.#options.column.prepend(...nodes);
      this.#groups.unshift(...groups);
      this.#entries = new Map([...entries, ...this.#entries]);
      this.#updateBoxes();
    });
  }

  #remove(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const { group } = entry;
    group.remove(entry);
    this.#entries.delete(key);
    if (group.entries.size > 0) return;
    this.#virtualizer?.unobserve(group);
    group.dispose();
    this.#groups = this.#groups.filter((one) => one !== group);
    this.#groupsChanged = true;
  }
}

/** How many at the end of a way are shown already. */
function countSharedEnd(path: readonly Message[], shown: readonly Key[]): number {
  let count = 0;
  while (count < shown.length && path.at(-1 - count)?.key === shown.at(-1 - count)) count += 1;
  return count === shown.length ? count : 0;
}
