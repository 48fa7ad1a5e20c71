import type { Frame } from '../../dom/frames.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { lazyRunSummary, type MessageView } from '../../message/message-view.js';
import type { ViewContext } from '../../message/part-view.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import { isRunning, workIn } from '../../message/thread-selectors.js';
import { ContainmentBoxes } from './containment-boxes.js';
import { MessageGroup, type Entry } from './message-group.js';
import { replaceStaticContent } from './static-content.js';
import type { Virtualizer } from './virtualizer.js';

/** Options of a message list. */
export interface MessageListOptions {
  readonly context: ViewContext;
  /** Parent of the groups. */
  readonly column: HTMLElement;
  /** The scroll container. */
  readonly scroller: HTMLElement;
  /** The current record of a message. */
  findMessage(key: Key): Message | undefined;
}

/** Number of messages in one group. */
const GROUP_SIZE = 25;
/** Number of newest messages that are rendered initially. */
const INITIALLY_RENDERED = 100;

/** Renders long threads with placeholders. Loaded only for them. */
const lazyVirtualizer = createLazyModule(() => import('./virtualizer.js'));

/**
 * Messages in groups, oldest first. The newest ones and those near the viewport are rendered; the others are placeholders with their plain
 * text, which can be read, found and printed.
 */
export class MessageList {
  readonly #options: MessageListOptions;
  /** Undefined until the list needs placeholders. */
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
    if (entry) this.#render(entry).apply(change, message);
  }

  /**
   * Updates the list to a path: removes messages that are not on it, keeps the others, and adds the missing ones. Returns the number of
   * messages added at the end; null if code must be loaded first, after which `retry` is called.
   */
  sync(path: readonly Message[], retry: () => void): number | null {
    const shown = [...this.#entries.keys()];
    let sharedStart = 0;
    while (sharedStart < path.length && path[sharedStart]?.key === shown[sharedStart])
      sharedStart += 1;
    // Earlier messages may be inserted before those already shown.
    const sharedEnd = sharedStart === 0 ? countSharedEnd(path, shown) : 0;
    const needsVirtualizer = path.length - sharedStart > INITIALLY_RENDERED || sharedEnd > 0;
    const loads = [];
    if (needsVirtualizer && !this.#virtualizer && !this.#virtualizerFailed) {
      loads.push(this.#loadVirtualizer());
    }
    if (this.#needsSummary(path.slice(sharedStart))) loads.push(this.#loadSummary());
    if (loads.length > 0) {
      void Promise.all(loads).then(retry);
      return null;
    }
    const keptEnd = this.#virtualizer ? sharedEnd : 0;
    // Without shared messages, whole groups are removed.
    if (sharedStart + keptEnd === 0) this.dispose();
    else {
      const entries = [...this.#entries.values()];
      for (const entry of entries.slice(sharedStart, entries.length - keptEnd)) this.#remove(entry);
    }
    if (keptEnd > 0) this.#prepend(path.slice(0, -keptEnd));
    const added = keptEnd > 0 ? [] : path.slice(sharedStart);
    for (const [at, message] of added.entries()) {
      this.#append(message, this.#assistive || added.length - at <= INITIALLY_RENDERED);
    }
    if (this.#groupsChanged) this.#updateBoxes();
    // After the views of the messages, which render in the same frame.
    if (added.length > 0) this.#options.context.frames.schedule(this.#replaceStaticContent);
    return added.length;
  }

  /** Redraws what depends on the run when it has started, is being stopped, or has ended: the available actions and the progress. */
  updateRun(thread: Thread | null | undefined): void {
    const isStopping = thread?.run.state === 'stopping';
    const phase = isStopping ? 'stopping' : isRunning(thread) ? 'running' : 'idle';
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#outdatedViews = this.#views;
    this.#options.context.frames.schedule(this.#redrawOutdated);
  }

  /** Renders all strings again, for example in another language. */
  redraw(): void {
    for (const view of this.#views) view.redraw();
    for (const group of this.#groups) this.#virtualizer?.redraw(group);
  }

  /** Renders as many messages as the limit allows, synchronously, because printing does not wait. */
  renderForPrint(): void {
    this.#virtualizer?.renderNow([...this.#entries.values()]);
  }

  /** Removes all messages and disposes their views. */
  dispose(): void {
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

  readonly #replaceStaticContent = (): void => {
    void replaceStaticContent(this.#options.scroller);
  };

  async #loadVirtualizer(): Promise<void> {
    try {
      const { Virtualizer } = await lazyVirtualizer.load();
      this.#virtualizer ??= new Virtualizer(this.#options, () => this.#findAnchor());
      for (const group of this.#groups) this.#virtualizer.observe(group);
      this.#virtualizer.setRenderAll(this.#groups, this.#assistive);
    } catch {
      // Without the virtualizer all messages are rendered, which is slower but complete.
      this.#virtualizerFailed = true;
    }
  }

  /** Whether messages would be rendered with their work in full, which the summary would then hide before the eyes of the user. */
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
    if (!first || first.node.getBoundingClientRect().top >= top) return first;
    return next && next.node.getBoundingClientRect().top < bottom ? next : first;
  }

  /** Returns the first two messages from the upper edge of the viewport. */
  #firstVisibleEntries(): Entry[] {
    const { column, scroller } = this.#options;
    const { top } = scroller.getBoundingClientRect();
    // Descends through boxes and groups, because measuring every message would be slow.
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

  #append(message: Message, isRendered: boolean): void {
    let group = this.#groups.at(-1);
    if (!group || group.entries.size >= GROUP_SIZE) {
      group = new MessageGroup(this.#options.context);
      this.#boxes.append(group.node);
      this.#groups.push(group);
      this.#groupsChanged = true;
    }
    const entry =
      (!isRendered && this.#virtualizer?.addPlaceholder(group, message)) || group.add(message);
    this.#entries.set(message.key, entry);
    this.#virtualizer?.observe(group);
  }

  #prepend(messages: readonly Message[]): void {
    const virtualizer = this.#virtualizer;
    virtualizer?.preserveScroll(() => {
      const { groups, entries, nodes } = virtualizer.createGroups(messages, GROUP_SIZE);
      this.#options.column.prepend(...nodes);
      this.#groups.unshift(...groups);
      this.#entries = new Map([...entries, ...this.#entries]);
      this.#updateBoxes();
    });
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

/** Returns the number of messages at the end of a path that are already shown; 0 unless all shown messages are. */
function countSharedEnd(path: readonly Message[], shown: readonly Key[]): number {
  const start = path.length - shown.length;
  return shown.every((key, at) => path[start + at]?.key === key) ? shown.length : 0;
}
