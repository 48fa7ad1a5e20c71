import { element } from '../../dom/element.js';
import type { Frame } from '../../dom/frames.js';
import { createContentText } from '../../message/content-lang.js';
import { messagePlainText } from '../../message/message-formats.js';
import { MessageView, createMessageElement } from '../../message/message-view.js';
import type { Message } from '../../model/message.js';
import { hasSelection } from './auto-scroll.js';
import { BOX_CHILDREN, BOX_LEVELS } from './containment-boxes.js';
import { MessageGroup, type Entry } from './message-group.js';
import type { MessageListOptions } from './message-list.js';
import { ScrollAnchor } from './scroll-anchor.js';

/** Maximum number of rendered messages. Beyond it, the least recently visible groups become placeholders again. */
const MAX_RENDERED = 1000;

/**
 * Renders the placeholders of a long list when they come within one screen of the viewport, within the frame budget. If too many messages
 * are rendered, the groups that left the viewport longest ago become placeholders again, unless the user has interacted with, focused or
 * selected something in them.
 */
export class Virtualizer {
  readonly #options: MessageListOptions;
  readonly #placeholders: MessagePlaceholders;
  readonly #scrollAnchor: ScrollAnchor;
  readonly #observer: IntersectionObserver;
  readonly #groupOfNode = new WeakMap<Element, MessageGroup>();
  /** Groups that the user has interacted with, so that what was opened stays open. */
  readonly #interacted = new WeakSet<MessageGroup>();
  readonly #nearViewport = new Set<MessageGroup>();
  /** Groups with rendered messages, most recently visible last. */
  readonly #rendered = new Set<MessageGroup>();
  /** Whether all messages are to be rendered. */
  #renderAll = false;

  /** `findAnchor` returns the message to keep in place. */
  constructor(options: MessageListOptions, findAnchor: () => Entry | undefined) {
    const { scroller, column } = options;
    this.#options = options;
    this.#placeholders = new MessagePlaceholders(options);
    this.#scrollAnchor = new ScrollAnchor(scroller, column, findAnchor);
    const margin = { root: scroller, rootMargin: '100% 0px' };
    this.#observer = new IntersectionObserver(this.#handleIntersection, margin);
  }

  /** Adds a message to a group as a placeholder. */
  addPlaceholder(group: MessageGroup, message: Message): Entry {
    return this.#placeholders.add(group, message);
  }

  /** Creates groups of placeholders for messages before all others. `nodes` are the boxes around them. */
  createGroups(messages: readonly Message[], size: number) {
    const groups: MessageGroup[] = [];
    for (let at = 0; at < messages.length; at += size) {
      const group = new MessageGroup(this.#options.context);
      for (const message of messages.slice(at, at + size)) this.addPlaceholder(group, message);
      this.observe(group);
      groups.push(group);
    }
    const entries = groups.flatMap((group) =>
      [...group.entries].map((entry) => [entry.message.key, entry] as const),
    );
    return { groups, entries, nodes: wrapInBoxes(groups.map(({ node }) => node)) };
  }

  /** Runs a change above or inside the viewport without moving what the user is reading. */
  preserveScroll<T>(change: () => T): T {
    return this.#scrollAnchor.preserve(change);
  }

  /** Renders the strings of placeholders again. */
  redraw(group: MessageGroup): void {
    this.#placeholders.redraw(group);
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
    this.#observer.unobserve(group.node);
    this.#nearViewport.delete(group);
    this.#rendered.delete(group);
  }

  /** Renders all messages of some groups within the frame budget and keeps them rendered until it is called with false. */
  setRenderAll(groups: Iterable<MessageGroup>, all: boolean): void {
    this.#renderAll = all;
    if (all) for (const group of groups) this.#scheduleRender(group);
  }

  /** Renders the newest messages up to the limit, synchronously, because printing does not wait. The others are printed as plain text. */
  renderNow(entries: readonly Entry[]): void {
    for (const entry of entries.slice(-MAX_RENDERED)) this.#placeholders.render(entry);
    this.#options.context.frames.flush();
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
    for (const group of this.#nearViewport) {
      // Moves the group to the end of the set, as the most recently visible one.
      this.#rendered.delete(group);
      this.#rendered.add(group);
      const hasPlaceholders = group.renderedCount < group.entries.size;
      if (
        hasPlaceholders &&
        this.preserveScroll(() => this.#placeholders.renderSome(group, hasTime))
      )
        return true;
      // Groups near the viewport are tracked only because they must not be evicted, and while all messages are rendered, none is evicted.
      if (this.#renderAll) this.#nearViewport.delete(group);
    }
    if (!this.#renderAll) this.#evict();
    return false;
  };

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

/** Whether a group contains the focus, a selection, or a part that the host page shows, which may have a state that would be lost. */
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

/** Estimated heights in px, used before the first layout: of a message without its text, and of a line with so many characters. */
const ESTIMATE = { around: 40, line: 23, characters: 80 };

/** Converts messages of groups to placeholders and back. */
class MessagePlaceholders {
  readonly #options: MessageListOptions;
  /** Views that replace their placeholders in the next frame. Until then they render their text off screen. */
  readonly #prepared = new Map<Entry, MessageView>();

  constructor(options: MessageListOptions) {
    this.#options = options;
  }

  /** Adds a message to a group as a placeholder. */
  add(group: MessageGroup, message: Message): Entry {
    const text = messagePlainText(message, this.#options.context.renderers);
    group.estimatedHeight +=
      ESTIMATE.around + ESTIMATE.line * Math.ceil(text.length / ESTIMATE.characters);
    return group.add(message, this.#create(message, text));
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

  /** Turns all messages of a group into placeholders. */
  replaceViews(group: MessageGroup): void {
    for (const entry of group.entries) {
      entry.view?.dispose();
      entry.view = null;
      this.#replace(entry);
    }
    group.renderedCount = 0;
  }

  /** Renders the strings of placeholders again. */
  redraw(group: MessageGroup): void {
    for (const entry of group.entries) if (!entry.view) this.#replace(entry);
  }

  #replace(entry: Entry): void {
    const { node } = entry;
    entry.node = this.#create(this.#currentMessage(entry));
    node.replaceWith(entry.node);
  }

  #create(message: Message, plainText?: string): HTMLElement {
    const { locale, renderers } = this.#options.context;
    const text = plainText ?? messagePlainText(message, renderers);
    // The label is in the UI language, while the content may be in another one.
    const node = createMessageElement(message, locale, createContentText(text, locale));
    node.classList.add('placeholder');
    node.dir = 'auto';
    return node;
  }

  /** The current record of a message. */
  #currentMessage({ message }: Entry): Message {
    return this.#options.findMessage(message.key) ?? message;
  }
}
