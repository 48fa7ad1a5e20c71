import type { Frame } from '../../dom/frames.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { lazyRunSummary, type MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import { textLength, workIn } from '../../message/part-selectors.js';
import { isRunning } from '../../message/thread-selectors.js';
import { ContainmentBoxes } from './containment-boxes.js';
import { GROUP_SIZE, MessageGroup, type Entry } from './message-group.js';
import { replaceStaticContent } from './static-content.js';
import type { InsertionOrder } from './message-insertion.js';
import type { Virtualizer } from './virtualizer.js';

/** Options of a message list. */
export interface MessageListOptions {
  readonly context: ViewContext;
  /** Parent of the groups. */
  readonly column: HTMLElement;
  /** The scroll container. */
  readonly scroller: HTMLElement;
  /** Returns a message in its current state. */
  findMessage(key: Key): Message | undefined;
}

/** More messages than this, or more text in UTF-16 units, are inserted in several frames. Rendering as much takes about ten milliseconds. */
const MANY_MESSAGES = 100;
const LONG_TEXT = 65_536;

/** Inserts long threads over several frames, with placeholders, without moving what the user is reading. Loaded when one of these is needed. */
const lazyVirtualizer = createLazyModule(() => import('./virtualizer.js'));

/**
 * Messages in groups, oldest first. The newest ones and those near the viewport are rendered; the others are placeholders with their plain
 * text, which can be read, found and printed.
 */
export class MessageList {
  readonly #options: MessageListOptions;
  /** Undefined until it is needed and loaded. */
  #virtualizer: Virtualizer | undefined;
  readonly #boxes: ContainmentBoxes;
  /** In display order. */
  #entries = new Map<Key, Entry>();
  #groups: MessageGroup[] = [];
  /** Whether the virtualizer could not be loaded. */
  #virtualizerFailed = false;
  /** Whether the code of the run summaries could not be loaded. */
  #summaryFailed = false;
  /** Whether groups were added or removed since the last update of the boxes. */
  #groupsChanged = false;
  #assistive = false;
  /** The older messages of a long path that was just opened. Preparing them would delay the newest ones, so the next frame adds them. */
  #older: readonly Message[] = [];
  /** The phase of the run at the last `updateRun`. */
  #phase: 'idle' | 'running' | 'stopping' = 'idle';
  /** Views that are still to be redrawn. */
  #outdatedViews: MessageView[] = [];

  constructor(options: MessageListOptions) {
    this.#options = options;
    this.#boxes = new ContainmentBoxes(options.column);
  }

  /** Whether all messages are rendered, wherever they are. */
  set assistive(on: boolean) {
    if (on === this.#assistive) return;
    this.#assistive = on;
    this.#virtualizer?.setRenderAll(this.#groups, on);
    this.#updateBoxes();
  }

  /** Returns the view of a shown message; renders its placeholder if necessary. */
  viewOf(key: Key): MessageView | undefined {
    if (this.#older.some((message) => message.key === key)) this.#addOlder();
    const entry = this.#entries.get(key);
    return entry && this.#render(entry);
  }

  /** The message at the upper edge of the viewport. */
  get firstVisible(): Message | undefined {
    const [entry] = this.#firstVisibleEntries();
    return entry && this.#options.findMessage(entry.message.key);
  }

  /** Returns the message of a node. */
  messageAt(node: Element): Message | undefined {
    const entry = [...this.#entries.values()].find((one) => one.node === node);
    return entry && this.#options.findMessage(entry.message.key);
  }

  /** Applies a change to a message. Renders a placeholder first. */
  apply(change: Change, message: Message): void {
    const entry = this.#entries.get(message.key);
    if (entry) (entry.view ?? this.#render(entry)).apply(change, message);
  }

  /**
   * Updates the list to a path: keeps the shown messages up to the first one that differs from the path, or all of them if they are the end
   * of the path; removes the others and adds the missing ones. Returns the number of messages added at the end; null if code must be loaded
   * first, after which `retry` is called.
   */
  sync(path: readonly Message[], retry: () => void): number | null {
    this.#addOlder();
    const shown = [...this.#entries.keys()];
    let sharedStart = 0;
    while (sharedStart < path.length && path[sharedStart]?.key === shown[sharedStart])
      sharedStart += 1;
    // Earlier messages may be inserted before those already shown.
    const sharedEnd = sharedStart === 0 ? countSharedEnd(path, shown) : 0;
    const needsVirtualizer = isLong(path, sharedStart) || sharedEnd > 0;
    const loads = [];
    if (needsVirtualizer && !this.#virtualizer && !this.#virtualizerFailed) {
      loads.push(this.#loadVirtualizer());
    }
    // The newest messages; of a long list, about as many as are rendered when it is inserted.
    const newest = path.slice(Math.max(sharedStart, path.length - MANY_MESSAGES));
    if (this.#needsSummary(newest)) loads.push(this.#loadSummary());
    if (loads.length > 0) {
      void Promise.all(loads).then(retry);
      return null;
    }
    const virtualizer = needsVirtualizer ? this.#virtualizer : undefined;
    const keptEnd = virtualizer ? sharedEnd : 0;
    // Without shared messages, whole groups are removed.
    if (sharedStart + keptEnd === 0) this.clear();
    else {
      const entries = [...this.#entries.values()];
      for (const entry of entries.slice(sharedStart, entries.length - keptEnd)) this.#remove(entry);
    }
    const added = path.slice(sharedStart, path.length - keptEnd);
    if (!virtualizer) for (const message of added) this.#append(message);
    else if (sharedStart + keptEnd === 0) this.#open(virtualizer, added);
    else this.#insertInSlices(virtualizer, added, keptEnd > 0 ? 'before' : 'after');
    if (this.#groupsChanged) this.#updateBoxes();
    // Scheduled after the views of the messages, which render in the same frame.
    if (added.length > 0) this.#options.context.frames.schedule(this.#replaceStaticContent);
    return keptEnd > 0 ? 0 : added.length;
  }

  /** Redraws what depends on the run when it has started, is being stopped, or has ended: the available actions and the progress. */
  updateRun(thread: Thread | null | undefined): void {
    const isStopping = thread?.run.state === 'stopping';
    const phase = isStopping ? 'stopping' : isRunning(thread) ? 'running' : 'idle';
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#virtualizer?.dropPrepared();
    this.#outdatedViews = this.#views;
    this.#options.context.frames.schedule(this.#redrawOutdated);
  }

  /** Renders all strings again, for example in another language. With `keepsPlace`, what the user is reading stays in place. */
  redraw(keepsPlace = false): void {
    if (this.#virtualizer) return this.#virtualizer.redraw(this.#views, this.#groups);
    if (keepsPlace && !this.#virtualizerFailed)
      return void this.#loadVirtualizer().then(() => this.redraw());
    for (const view of this.#views) view.redraw();
  }

  /** Renders as many messages as the limit allows, synchronously, because printing does not wait. */
  renderForPrint(): void {
    this.#addOlder();
    if (this.#virtualizer) this.#virtualizer.renderNow([...this.#entries.values()]);
    else this.#options.context.frames.flush();
  }

  /** Removes all messages and disposes their views. */
  clear(): void {
    this.#older = [];
    this.#options.column.classList.remove('is-opening');
    this.#virtualizer?.cancelInsertion();
    for (const group of this.#groups) {
      this.#virtualizer?.unobserve(group);
      group.dispose();
    }
    this.#groups = [];
    this.#updateBoxes();
    this.#entries.clear();
  }

  /** Views of the rendered messages. */
  get #views(): MessageView[] {
    return [...this.#entries.values()].flatMap(({ view }) => view ?? []);
  }

  /** Redraws the newest first, within the frame budget. */
  readonly #redrawOutdated = (frame: Frame): boolean => {
    do this.#outdatedViews.pop()?.updateRun();
    while (this.#outdatedViews.length > 0 && frame.hasTime());
    return this.#outdatedViews.length > 0;
  };

  /** Waits until all messages are inserted, because the scroll position is kept relative to the end. */
  readonly #replaceStaticContent = (): boolean => {
    const isInserting = this.#older.length > 0 || (this.#virtualizer?.isInserting ?? false);
    if (!isInserting) void replaceStaticContent(this.#options.scroller);
    return isInserting;
  };

  async #loadVirtualizer(): Promise<void> {
    try {
      const { Virtualizer } = await lazyVirtualizer.load();
      this.#virtualizer ??= new Virtualizer(
        this.#options,
        () => this.#findAnchor(),
        this.#assistive,
      );
      for (const group of this.#groups) this.#virtualizer.observe(group);
    } catch {
      // Without the virtualizer all messages are rendered, which is slower but complete.
      this.#virtualizerFailed = true;
    }
  }

  /** Whether steps, tools or thinking of messages would be shown in full, and then visibly collapse when the run summary is loaded. */
  #needsSummary(messages: readonly Message[]): boolean {
    if (lazyRunSummary.value || this.#summaryFailed) return false;
    return messages.some(
      ({ status, parts }) => status === 'complete' && workIn(parts, null).length > 0,
    );
  }

  async #loadSummary(): Promise<void> {
    // Without the summary, the work is shown in full.
    await lazyRunSummary.load().catch(() => (this.#summaryFailed = true));
  }

  #updateBoxes(): void {
    this.#groupsChanged = false;
    this.#boxes.update(this.#assistive ? [] : this.#groups);
  }

  /** Returns the message to keep in place: the first one that starts in the viewport, else the one that fills it. */
  #findAnchor(): Entry | undefined {
    const { top, bottom } = this.#options.scroller.getBoundingClientRect();
    const [first, next] = this.#firstVisibleEntries();
    const edgeOf = (entry: Entry | undefined) => entry?.node?.getBoundingClientRect().top;
    if ((edgeOf(first) ?? top) >= top) return first;
    return (edgeOf(next) ?? bottom) < bottom ? next : first;
  }

  /** Returns the first two messages from the upper edge of the viewport. */
  #firstVisibleEntries(): Entry[] {
    const { column, scroller } = this.#options;
    const { top } = scroller.getBoundingClientRect();
    // Descends through boxes and groups, because measuring every message would be slow.
    let node: Element | undefined = column;
    while (node && !node.classList.contains('message')) {
      node = [...node.children].find((child) => {
        const { bottom, height } = child.getBoundingClientRect();
        // The hidden greeting has no box.
        return height > 0 && bottom > top + 1;
      });
    }
    const entries = [...this.#entries.values()];
    const at = entries.findIndex((entry) => entry.node === node);
    return at < 0 ? [] : entries.slice(at, at + 2);
  }

  #render(entry: Entry): MessageView {
    const { group, message } = entry;
    if (!entry.node) this.#virtualizer?.insertAll(group);
    return group.render(entry, this.#options.findMessage(message.key) ?? message);
  }

  #append(message: Message): void {
    let group = this.#groups.at(-1);
    if (!group || group.entries.size >= GROUP_SIZE || !group.isInserted) {
      group = new MessageGroup(this.#options.context);
      this.#boxes.append(group.node);
      this.#groups.push(group);
      this.#groupsChanged = true;
    }
    const entry = group.add(message);
    group.render(entry, message);
    this.#entries.set(message.key, entry);
    this.#virtualizer?.observe(group);
  }

  /** Shows the newest messages of a long path, and then the others. */
  #open(virtualizer: Virtualizer, path: readonly Message[]): void {
    const start = path.length - virtualizer.open(path);
    // The newest messages stay at the end of the viewport when the others are added.
    this.#options.column.classList.toggle('is-opening', start > 0);
    for (const message of path.slice(start)) this.#append(message);
    this.#older = path.slice(0, start);
    this.#options.context.frames.schedule(this.#addOlder);
  }

  readonly #addOlder = (): void => {
    const older = this.#older;
    this.#older = [];
    if (this.#virtualizer && older.length > 0)
      this.#insertInSlices(this.#virtualizer, older, 'opening');
  };

  /** Adds many messages before or after the shown ones. */
  #insertInSlices(
    virtualizer: Virtualizer,
    messages: readonly Message[],
    where: InsertionOrder,
  ): void {
    const created = virtualizer.createGroups(messages);
    const { groups, entries } = created;
    const added = entries.map((entry) => [entry.message.key, entry] as const);
    if (where !== 'after') {
      virtualizer.preserveScroll(() => {
        this.#options.column.classList.remove('is-opening');
        this.#options.column.prepend(...virtualizer.createBoxes(groups));
        this.#groups.unshift(...groups);
        this.#entries = new Map([...added, ...this.#entries]);
        this.#updateBoxes();
      });
    } else {
      for (const { node } of groups) this.#boxes.append(node);
      this.#groups.push(...groups);
      for (const [key, entry] of added) this.#entries.set(key, entry);
      this.#updateBoxes();
    }
    virtualizer.insert(created, where);
  }

  #remove(entry: Entry): void {
    const { group, message } = entry;
    group.remove(entry);
    this.#entries.delete(message.key);
    if (group.entries.size > 0) return;
    this.#virtualizer?.unobserve(group);
    group.dispose();
    this.#groups = this.#groups.filter((one) => one !== group);
    this.#groupsChanged = true;
  }
}

/** Whether the messages of a path from an index on are too many, or too long, to be inserted at once. */
function isLong(path: readonly Message[], from: number): boolean {
  if (path.length - from > MANY_MESSAGES) return true;
  let length = 0;
  for (const { parts } of path.slice(from)) length += textLength(parts);
  return length > LONG_TEXT;
}

/** Returns the number of messages at the end of a path that are already shown; 0 unless all shown messages are. */
function countSharedEnd(path: readonly Message[], shown: readonly Key[]): number {
  const start = path.length - shown.length;
  return shown.every((key, at) => path[start + at]?.key === key) ? shown.length : 0;
}
