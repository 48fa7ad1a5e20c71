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

/** Messages that stay rich; beyond that those that were near the longest time ago are outlines again. */
const MAX_RENDERED = 1000;

/**
 * What a list of many messages has besides: outlines, which become rich as they come near what can be seen, a screen ahead, in the
 * time that frames have for it. Those that were left long ago are outlines again, unless somebody has opened, written or selected
 * something there.
 */
export class Virtualizer {
  readonly #options: MessageListOptions;
  readonly #placeholders: MessagePlaceholders;
  readonly #scrollAnchor: ScrollAnchor;
  readonly #observer: IntersectionObserver;
  readonly #groupOfNode = new WeakMap<Element, MessageGroup>();
  /** Those in which a person has done something: what was opened stays open. */
  readonly #interacted = new WeakSet<MessageGroup>();
  readonly #nearViewport = new Set<MessageGroup>();
  /** Those with something rich in them, the one that was near last at the end. */
  readonly #rendered = new Set<MessageGroup>();
  /** Nothing may be an outline. */
  #renderAll = false;

  /** `read` finds the message that a person reads. */
  constructor(place: MessageListOptions, read: () => Entry | undefined) {
    this.#options = place;
    this.#placeholders = new MessagePlaceholders(place);
    this.#scrollAnchor = new ScrollAnchor(place.scroller, place.column, read);
    const options = { root: place.scroller, rootMargin: '100% 0px' };
    this.#observer = new IntersectionObserver(this.#handleIntersection, options);
  }

  /** Adds a message to a group, as an outline. */
  addPlaceholder(group: MessageGroup, message: Message): Entry {
    return this.#placeholders.add(group, message);
  }

  /** Makes groups for messages that come before all others, as outlines; `nodes` is what they are put in. */
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

  /** Changes what is above, or in sight, without moving what the person reads. */
  preserveScroll<T>(change: () => T): T {
    return this.#scrollAnchor.preserve(change);
  }

  /** Writes the words of the outlines again. */
  redraw(group: MessageGroup): void {
    this.#placeholders.redraw(group);
  }

  /** Takes a group to which something was added. */
  observe(group: MessageGroup): void {
    if (group.renderedCount > 0) this.#rendered.add(group);
    if (this.#groupOfNode.has(group.node)) return;
    this.#groupOfNode.set(group.node, group);
    const touch = (): void => {
      this.#interacted.add(group);
      this.#scrollAnchor.release();
    };
    for (const type of ['click', 'input']) group.node.addEventListener(type, touch);
    this.#observer.observe(group.node);
    if (this.#renderAll) this.#scheduleRender(group);
  }

  unobserve(group: MessageGroup): void {
    this.#observer.unobserve(group.node);
    this.#nearViewport.delete(group);
    this.#rendered.delete(group);
  }

  /** Makes all of some groups rich, in the time that frames have for it, and keeps all so; false: no longer. */
  setRenderAll(groups: Iterable<MessageGroup>, all: boolean): void {
    this.#renderAll = all;
    if (all) for (const group of groups) this.#scheduleRender(group);
  }

  /** Makes as much rich as stays so, the newest, at once: for paper. The others can be read as they are. */
  renderNow(entries: readonly Entry[]): void {
    for (const entry of entries.slice(-MAX_RENDERED)) this.#placeholders.render(entry);
    this.#options.context.frames.flush();
  }

  readonly #handleIntersection = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) {
      const group = this.#groupOfNode.get(target);
      if (!group) continue;
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
      this.#rendered.delete(group);
      this.#rendered.add(group);
      const isOutlined = group.renderedCount < group.entries.size;
      if (isOutlined && this.preserveScroll(() => this.#placeholders.renderSome(group, hasTime)))
        return true;
      // What stays near is kept in mind, so that it is not let go; where nothing is let go it is done.
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
      this.#placeholders.restore(group);
      this.#rendered.delete(group);
    }
  }
}

/** Whether somebody is at work in it: with the keyboard, or with a selection. */
function isInUse({ node }: MessageGroup): boolean {
  return node.matches(':focus-within') || hasSelection(node);
}

/** Puts groups that come before all others into boxes of their own. */
export function wrapInBoxes(groups: readonly HTMLElement[]): readonly HTMLElement[] {
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

/** Height of a message apart from its text, and of a line of it with so many characters, in px: for a place that was never drawn. */
const ESTIMATE = { around: 40, line: 23, characters: 80 };

/** Turns messages of groups into outlines, and outlines into messages. */
export class MessagePlaceholders {
  readonly #options: MessageListOptions;
  /** Views that are about to take the place of their outlines: they have a frame to draw what they say. */
  readonly #prepared = new Map<Entry, MessageView>();

  constructor(place: MessageListOptions) {
    this.#options = place;
  }

  /** Adds a message to a group. */
  add(group: MessageGroup, message: Message): Entry {
    const text = messagePlainText(message);
    group.estimatedHeight +=
      ESTIMATE.around + ESTIMATE.line * Math.ceil(text.length / ESTIMATE.characters);
    return group.add(message, this.#create(message, text));
  }

  /** Makes one rich, at once. */
  render(entry: Entry): void {
    entry.group.render(entry, this.#currentMessage(entry));
  }

  /**
   * Makes outlines of a group rich, the last ones first, as long as there is time. What is made in one call is shown by the next:
   * until then it has drawn its text. True while there is more to do.
   */
  renderSome(group: MessageGroup, hasTime: () => boolean): boolean {
    for (const [entry, view] of this.#prepared) {
      // It may have gone meanwhile, or have become rich by a change.
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

  /** Leaves of a group only the texts of its messages. */
  restore(group: MessageGroup): void {
    for (const entry of group.entries) {
      entry.view?.dispose();
      entry.view = null;
      this.#replace(entry);
    }
    group.renderedCount = 0;
  }

  /** Writes the words of outlines again. */
  redraw(group: MessageGroup): void {
    for (const entry of group.entries) if (!entry.view) this.#replace(entry);
  }

  #replace(entry: Entry): void {
    const { node } = entry;
    entry.node = this.#create(this.#currentMessage(entry));
    node.replaceWith(entry.node);
  }

  #create(message: Message, text = messagePlainText(message)): HTMLElement {
    const { locale } = this.#options.context;
    // The box is named by a word of ours; what it says may be in another language.
    const node = createMessageElement(message, locale, createContentText(text, locale));
    node.classList.add('outline');
    node.dir = 'auto';
    return node;
  }

  /** The record of a message as it is now. */
  #currentMessage({ message }: Entry): Message {
    return this.#options.findMessage(message.key) ?? message;
  }
}
