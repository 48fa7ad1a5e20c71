import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { MessageView } from '../../message/message-view.js';
import { MessageBoxes } from './message-boxes.js';
import type { ListPlace } from './list-place.js';
import { MessageGroup, type Entry } from './message-group.js';
import type { LongThread } from './long-thread.js';

/** Messages of one group. */
const GROUP = 25;
/** The newest messages, which are rich from the first. */
const NEW = 100;

/** MessagePlaceholders, and what makes them rich: a file for those who have long threads. */
const longThreads = createLazyModule(() => import('./long-thread.js'));

/**
 * Messages in groups, oldest first. The newest are rich, and those near to what can be seen; of the others there is the outline:
 * their text, which can be read, found and printed.
 */
export class MessageList {
  readonly #place: ListPlace;
  /** Once there are, or should be, outlines. */
  #long: LongThread | undefined;
  readonly #boxes: MessageBoxes;
  /** In the order in which they are shown. */
  #entries = new Map<Key, Entry>();
  #groups: MessageGroup[] = [];
  /** What long threads need could not be fetched. */
  #failed = false;
  /** Groups have come or gone. */
  #isReshaped = false;
  #assistive = false;

  constructor(place: ListPlace) {
    this.#place = place;
    this.#boxes = new MessageBoxes(place.column);
  }

  /** Whether all is rich and nothing is left to be made when it comes near. */
  set assistive(on: boolean) {
    if (on === this.#assistive) return;
    this.#assistive = on;
    this.#long?.want(this.#groups, on);
    this.#close();
  }

  /** The messages that are rich. */
  get views(): MessageView[] {
    return [...this.#entries.values()].flatMap(({ view }) => view ?? []);
  }

  /** The view of a message that is shown; it becomes rich by that. */
  viewOf(key: Key): MessageView | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#enrich(entry);
  }

  /** The message at the upper edge of what can be seen. */
  get topmost(): Message | undefined {
    const [entry] = this.#fromTop();
    return entry && this.#place.find(entry.message.key);
  }

  /** The message that stands in a box. */
  messageAt(node: Element): Message | undefined {
    const entry = [...this.#entries.values()].find((one) => one.node === node);
    return entry && this.#place.find(entry.message.key);
  }

  /** Takes a change of a message. One that is no more than an outline becomes rich. */
  apply(change: Change, message: Message): void {
    const entry = this.#entries.get(message.key);
    if (entry) this.#enrich(entry).apply(change, message);
  }

  /**
   * Brings the list in line with the way that is shown: what stands stays, the rest is taken out and put in. Tells how many came at
   * the end; null: nothing is done yet, for what it needs is being fetched, and `again` will be called.
   */
  show(path: readonly Message[], again: () => void): number | null {
    const shown = [...this.#entries.keys()];
    let kept = 0;
    while (kept < path.length && path[kept]?.key === shown[kept]) kept += 1;
    // Older ones may come before all that stands.
    const same = kept === 0 ? countSame(path, shown) : 0;
    const isLong = path.length - kept > NEW || same > 0;
    if (isLong && !this.#long && !this.#failed) {
      void this.#load(again);
      return null;
    }
    const behind = this.#long ? same : 0;
    if (kept + behind === 0) this.dispose();
    else for (const key of shown.slice(kept, shown.length - behind)) this.#remove(key);
    if (behind > 0) this.#prepend(path.slice(0, -behind));
    const added = behind > 0 ? [] : path.slice(kept);
    for (const [at, message] of added.entries()) {
      this.#append(message, this.#assistive || added.length - at <= NEW);
    }
    if (this.#isReshaped) this.#close();
    return added.length;
  }

  /** Writes all words again, such as in another language. */
  redraw(): void {
    for (const view of this.views) view.redraw();
    for (const group of this.#groups) this.#long?.redraw(group);
  }

  /** Makes as much rich as stays so, at once: for paper. */
  enrichNow(): void {
    this.#long?.enrichNow([...this.#entries.values()]);
  }

  /** Gives back what its messages hold beyond their nodes, and takes them out. */
  dispose(): void {
    for (const group of this.#groups) {
      this.#long?.forget(group);
      group.dispose();
    }
    this.#groups = [];
    this.#close();
    this.#entries.clear();
  }

  async #load(again: () => void): Promise<void> {
    try {
      const { LongThread } = await longThreads.load();
      this.#long ??= new LongThread(this.#place, () => this.#read());
      for (const group of this.#groups) this.#long.watch(group);
      this.#long.want(this.#groups, this.#assistive);
    } catch {
      // Then all of it is rich: slower, and no less.
      this.#failed = true;
    }
    again();
  }

  #close(): void {
    this.#isReshaped = false;
    this.#boxes.close(this.#assistive ? [] : this.#groups);
  }

  /** What a person reads: the first message that begins in sight, else the one that fills it. */
  #read(): Entry | undefined {
    const { top, bottom } = this.#place.scroller.getBoundingClientRect();
    const [first, next] = this.#fromTop();
    if (!first || first.node.getBoundingClientRect().top >= top) return first;
    return next && next.node.getBoundingClientRect().top < bottom ? next : first;
  }

  /** The messages from the upper edge of what can be seen. */
  #fromTop(): Entry[] {
    const { column, scroller } = this.#place;
    const { top } = scroller.getBoundingClientRect();
    let node: Element | undefined = column;
    while (node && !node.classList.contains('message')) {
      node = [...node.children].find((child) => child.getBoundingClientRect().bottom > top + 1);
    }
    const entries = [...this.#entries.values()];
    const at = entries.findIndex((entry) => entry.node === node);
    return at < 0 ? [] : entries.slice(at, at + 2);
  }

  #enrich(entry: Entry): MessageView {
    const { group, message } = entry;
    return group.enrich(entry, this.#place.find(message.key) ?? message);
  }

  #append(message: Message, isRich: boolean): void {
    let group = this.#groups.at(-1);
    if (!group || group.entries.size >= GROUP) {
      group = new MessageGroup(this.#place.context);
      this.#boxes.append(group.node);
      this.#groups.push(group);
      this.#isReshaped = true;
    }
    const entry = (!isRich && this.#long?.add(group, message)) || group.add(message);
    this.#entries.set(message.key, entry);
    this.#long?.watch(group);
  }

  #prepend(messages: readonly Message[]): void {
    const long = this.#long;
    long?.hold(() => {
      const { groups, entries, nodes } = long.createGroups(messages, GROUP);
      this.#place.column.prepend(...nodes);
      this.#groups.unshift(...groups);
      this.#entries = new Map([...entries, ...this.#entries]);
      this.#close();
    });
  }

  #remove(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const { group } = entry;
    group.remove(entry);
    this.#entries.delete(key);
    if (group.entries.size > 0) return;
    this.#long?.forget(group);
    group.dispose();
    this.#groups = this.#groups.filter((one) => one !== group);
    this.#isReshaped = true;
  }
}

/** How many at the end of a way are shown already. */
function countSame(path: readonly Message[], shown: readonly Key[]): number {
  let count = 0;
  while (count < shown.length && path.at(-1 - count)?.key === shown.at(-1 - count)) count += 1;
  return count === shown.length ? count : 0;
}
