import { element } from '../../dom/element.js';
import type { Frame } from '../../dom/frames.js';
import { createContentText } from '../../message/content-lang.js';
import { messagePlainText } from '../../message/message-formats.js';
import { MessageView, createMessageElement } from '../../message/message-view.js';
import { textLength } from '../../message/part-selectors.js';
import type { Message } from '../../model/message.js';
import { hasSelection } from '../../dom/selection.js';
import { BOX_CHILDREN, BOX_LEVELS } from './containment-boxes.js';
import { GROUP_SIZE, MessageGroup, type Entry } from './message-group.js';
import { MessageInsertion, type InsertionOrder } from './message-insertion.js';
import type { MessageListOptions } from './message-list.js';
import { ScrollAnchor } from './scroll-anchor.js';

/** Estimated height in px after which a group is full, so that browsers skip single messages that are very long. */
const MAX_GROUP_HEIGHT = 20_000;
/** Maximum number of rendered messages. Beyond it, the least recently visible groups become placeholders again. */
const MAX_RENDERED = 1000;

/** New groups, whose messages have no nodes yet. */
export interface NewGroups {
  readonly groups: readonly MessageGroup[];
  /** The messages of all groups in their order. */
  readonly entries: readonly Entry[];
}

/**
 * Inserts the messages of a long list in slices, and renders its placeholders when they come within one screen of the viewport, both within
 * the frame budget. If too many messages are rendered, the groups that left the viewport longest ago become placeholders again, unless the
 * user has interacted with, focused or selected something in them, or they contain a part that the host page renders.
 */
export class Virtualizer {
  readonly #options: MessageListOptions;
  readonly #placeholders: MessagePlaceholders;
  readonly #scrollAnchor: ScrollAnchor;
  readonly #observer: IntersectionObserver;
  readonly #groupOfNode = new WeakMap<Element, MessageGroup>();
  /** Groups that the user has interacted with, so that what was opened stays open. */
  readonly #interacted = new WeakSet<MessageGroup>();
  /** Groups within one screen of the viewport; while all messages are to be rendered, those that are still to be rendered. */
  readonly #nearViewport = new Set<MessageGroup>();
  /** Groups with rendered messages, most recently visible last. */
  readonly #rendered = new Set<MessageGroup>();
  readonly #insertion: MessageInsertion;
  /** Whether all messages are to be rendered. */
  #renderAll: boolean;

  /** `findAnchor` returns the message to keep in place. For `renderAll`, see {@link setRenderAll}. */
  constructor(
    options: MessageListOptions,
    findAnchor: () => Entry | undefined,
    renderAll: boolean,
  ) {
    const { scroller, column } = options;
    this.#options = options;
    this.#renderAll = renderAll;
    this.#placeholders = new MessagePlaceholders(options);
    this.#scrollAnchor = new ScrollAnchor(scroller, column, findAnchor);
    const margin = { root: scroller, rootMargin: '100% 0px' };
    this.#observer = new IntersectionObserver(this.#handleIntersection, margin);
    this.#insertion = new MessageInsertion({
      frames: options.context.frames,
      insert: (entry, isRendered) => {
        this.#insertEntry(entry, isRendered || this.#renderAll);
      },
      insertInto: (group, insert) => {
        // Inserting into a group that the browser skips moves nothing.
        if (this.#nearViewport.has(group)) this.preserveScroll(insert);
        else insert();
      },
    });
  }

  /** Whether messages are still to be inserted. */
  get isInserting(): boolean {
    return this.#insertion.isActive;
  }

  /** Returns how many of the newest messages of a list are rendered before {@link insert} adds the others, as `opening`. */
  open(messages: readonly Message[]): number {
    return this.#insertion.open(messages);
  }

  /** Creates groups of messages without nodes, which {@link insert} adds. */
  createGroups(messages: readonly Message[]): NewGroups {
    const groups: MessageGroup[] = [];
    const entries: Entry[] = [];
    let group: MessageGroup | undefined;
    for (const message of messages) {
      const isFull =
        group && (group.entries.size >= GROUP_SIZE || group.estimatedHeight > MAX_GROUP_HEIGHT);
      if (!group || isFull) {
        group = new MessageGroup(this.#options.context);
        groups.push(group);
      }
      group.estimatedHeight += estimateHeight(message);
      entries.push(group.add(message));
    }
    for (const each of groups) this.observe(each);
    return { groups, entries };
  }

  /** Returns new boxes around groups that come before all others. */
  createBoxes(groups: readonly MessageGroup[]): readonly HTMLElement[] {
    return wrapInBoxes(groups.map(({ node }) => node));
  }

  /**
   * Inserts messages within the frame budget, the visible ones first. The first of them are inserted synchronously, if they come after those
   * shown.
   */
  insert({ groups, entries }: NewGroups, where: InsertionOrder): void {
    for (const group of groups) group.reserveHeight();
    this.#insertion.add(entries, where);
  }

  /** Inserts the messages of a group now. */
  insertAll(group: MessageGroup): void {
    this.preserveScroll(() => {
      for (const entry of group.entries) if (!entry.node) this.#placeholders.insert(entry);
    });
  }

  /** Inserts no more messages, because the list is cleared. */
  cancelInsertion(): void {
    this.#insertion.clear();
  }

  /** Runs a change above or inside the viewport without moving what the user is reading. */
  preserveScroll<T>(change: () => T): T {
    return this.#scrollAnchor.preserve(change);
  }

  /** Renders the strings of views and of placeholders again, without moving what the user is reading. */
  redraw(views: readonly MessageView[], groups: readonly MessageGroup[]): void {
    this.dropPrepared();
    this.preserveScroll(() => {
      for (const view of views) view.redraw();
      for (const group of groups) this.#placeholders.redraw(group);
    });
  }

  /** Drops the views that are not in the document yet, because what they show has changed. They are created again. */
  dropPrepared(): void {
    this.#placeholders.dropPrepared();
  }

  /** Observes a group. Call this again after messages were added. */
  observe(group: MessageGroup): void {
    if (group.renderedCount > 0) this.#rendered.add(group);
    if (this.#groupOfNode.has(group.node)) return;
    this.#groupOfNode.set(group.node, group);
    const handleInteraction = (): void => {
      this.#interacted.add(group);
      this.#scrollAnchor.release();
    };
    for (const type of ['click', 'input']) group.node.addEventListener(type, handleInteraction);
    this.#observer.observe(group.node);
    if (this.#renderAll) this.#scheduleRender(group);
  }

  unobserve(group: MessageGroup): void {
    this.dropPrepared();
    this.#observer.unobserve(group.node);
    this.#nearViewport.delete(group);
    this.#rendered.delete(group);
  }

  /** Renders all messages of some groups within the frame budget and keeps them rendered until it is called with false. */
  setRenderAll(groups: Iterable<MessageGroup>, all: boolean): void {
    this.#renderAll = all;
    for (const group of groups) {
      if (all) {
        this.#scheduleRender(group);
        continue;
      }
      // The observer reports again which groups are near the viewport; until then, none is evicted.
      this.#nearViewport.add(group);
      this.#observer.unobserve(group.node);
      this.#observer.observe(group.node);
    }
  }

  /** Renders the newest messages up to the limit, synchronously, because printing does not wait. The others are printed as plain text. */
  renderNow(entries: readonly Entry[]): void {
    this.#insertion.finish();
    for (const entry of entries.slice(-MAX_RENDERED)) {
      this.#placeholders.render(entry);
      this.#markVisible(entry.group);
    }
    const { frames } = this.#options.context;
    frames.flush();
    // With the messages that were rendered before, there may now be more than the limit. They are reduced after printing.
    frames.schedule(this.#renderNearby);
  }

  #insertEntry(entry: Entry, isRendered: boolean): void {
    const { group } = entry;
    if (entry.node || !group.entries.has(entry)) return;
    if (isRendered) this.#placeholders.render(entry);
    else this.#placeholders.insert(entry);
    if (isRendered) this.#rendered.add(group);
  }

  readonly #handleIntersection = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) {
      // Only nodes of groups are observed.
      const group = this.#groupOfNode.get(target) as MessageGroup;
      if (isIntersecting) this.#scheduleRender(group);
      else if (!this.#renderAll) this.#nearViewport.delete(group);
    }
  };

  #scheduleRender(group: MessageGroup): void {
    this.#nearViewport.add(group);
    this.#options.context.frames.schedule(this.#renderNearby);
  }

  readonly #renderNearby = (frame: Frame): boolean => {
    const hasTime = (): boolean => frame.hasTime();
    let isWaiting = false;
    for (const group of this.#nearViewport) {
      if (!group.isInserted && group === this.#insertion.nextGroup) {
        isWaiting = true;
        continue;
      }
      if (!group.isInserted) this.insertAll(group);
      this.#markVisible(group);
      const hasPlaceholders = group.renderedCount < group.entries.size;
      if (
        hasPlaceholders &&
        this.preserveScroll(() => this.#placeholders.renderSome(group, hasTime))
      )
        return true;
      // A rendered group stays in the set only so that it is not evicted; while all messages are rendered, none is evicted.
      if (this.#renderAll) this.#nearViewport.delete(group);
    }
    if (!this.#renderAll) this.#evict();
    return isWaiting;
  };

  /** Moves a group to the end of the set, as the most recently visible one. */
  #markVisible(group: MessageGroup): void {
    this.#rendered.delete(group);
    this.#rendered.add(group);
  }

  #evict(): void {
    let count = 0;
    for (const group of this.#rendered) count += group.renderedCount;
    for (const group of this.#rendered) {
      if (count <= MAX_RENDERED) return;
      if (this.#nearViewport.has(group) || this.#interacted.has(group) || isInUse(group)) continue;
      count -= group.renderedCount;
      this.#placeholders.replaceViews(group);
      this.#rendered.delete(group);
    }
  }
}

/** Whether a group contains the focus, a selection, or a part that the host page renders, which may have a state that would be lost. */
function isInUse({ node }: MessageGroup): boolean {
  return node.matches(':focus-within, :has(.host)') || hasSelection(node);
}

/** Wraps groups that come before all others into new boxes. */
function wrapInBoxes(groups: readonly HTMLElement[]): readonly HTMLElement[] {
  let row = groups;
  for (let level = 0; level < BOX_LEVELS; level += 1) {
    const boxes: HTMLElement[] = [];
    for (let at = 0; at < row.length; at += BOX_CHILDREN) {
      boxes.push(element('div', 'box', ...row.slice(at, at + BOX_CHILDREN)));
    }
    row = boxes;
  }
  return row;
}

/** For heights before the first layout: of a message without its text and of a line of text, in px, and the UTF-16 units in a line. */
const ESTIMATE = { around: 40, line: 23, characters: 80 };

function estimateHeight({ parts }: Message): number {
  return ESTIMATE.around + ESTIMATE.line * Math.ceil(textLength(parts) / ESTIMATE.characters);
}

/** Converts messages of groups to placeholders and back. */
class MessagePlaceholders {
  readonly #options: MessageListOptions;
  /** Views that replace their placeholders in the next frame. Until then they render their text outside the document. */
  readonly #prepared = new Map<Entry, MessageView>();

  constructor(options: MessageListOptions) {
    this.#options = options;
  }

  /** Inserts a message as a placeholder. */
  insert(entry: Entry): void {
    entry.group.place(entry, this.#create(this.#currentMessage(entry)));
  }

  /** Renders one placeholder, synchronously. */
  render(entry: Entry): void {
    entry.group.render(entry, this.#currentMessage(entry));
  }

  /**
   * Renders placeholders of a group, last one first, while `hasTime()`. Views created in one call are inserted by the next call, when they
   * have rendered their text. Returns true while there is more to do.
   */
  renderSome(group: MessageGroup, hasTime: () => boolean): boolean {
    for (const [entry, view] of this.#prepared) {
      // The message may have been removed, or rendered by a change, in the meantime.
      if (entry.view || !entry.group.entries.has(entry)) view.dispose();
      else entry.group.render(entry, view.message, view);
    }
    this.#prepared.clear();
    const left = [...group.entries].filter(({ view }) => !view);
    while (left.length > 0 && hasTime()) {
      const entry = left.pop() as Entry;
      this.#prepared.set(
        entry,
        new MessageView(this.#currentMessage(entry), this.#options.context),
      );
    }
    return left.length > 0 || this.#prepared.size > 0;
  }

  /** Disposes the views that were to replace their placeholders in the next frame. */
  dropPrepared(): void {
    for (const view of this.#prepared.values()) view.dispose();
    this.#prepared.clear();
  }

  /** Turns all messages of a group into placeholders. */
  replaceViews(group: MessageGroup): void {
    for (const entry of group.entries) {
      entry.view?.dispose();
      entry.view = null;
      this.insert(entry);
    }
    group.renderedCount = 0;
  }

  /** Renders the strings of placeholders again. */
  redraw(group: MessageGroup): void {
    for (const entry of group.entries) if (entry.node && !entry.view) this.insert(entry);
  }

  #create(message: Message): HTMLElement {
    const { locale, renderers } = this.#options.context;
    const text = messagePlainText(message, renderers);
    // The label is in the UI language, while the content may be in another one.
    const node = createMessageElement(message, locale, createContentText(text, locale));
    node.classList.add('placeholder');
    node.dir = 'auto';
    return node;
  }

  /** Returns a message in its current state. */
  #currentMessage({ message }: Entry): Message {
    return this.#options.findMessage(message.key) ?? message;
  }
}
