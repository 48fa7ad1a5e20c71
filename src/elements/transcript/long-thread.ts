import type { Frame } from '../../dom/frames.js';
import type { Message } from '../../model/message.js';
import { hasSelection } from '../views/follow.js';
import { boxUp } from './wrap-messages.js';
import type { ListPlace } from './list-place.js';
import { MessageGroup, type Entry } from './message-group.js';
import { MessagePlaceholders } from './message-placeholders.js';
import { ScrollAnchor } from './scroll-anchor.js';

/** Messages that stay rich; beyond that those that were near the longest time ago are outlines again. */
const RICH = 1000;

/**
 * What a list of many messages has besides: outlines, which become rich as they come near what can be seen, a screen ahead, in the
 * time that frames have for it. Those that were left long ago are outlines again, unless somebody has opened, written or selected
 * something there.
 */
export class LongThread {
  readonly #place: ListPlace;
  readonly #outlines: MessagePlaceholders;
  readonly #still: ScrollAnchor;
  readonly #observer: IntersectionObserver;
  readonly #groups = new WeakMap<Element, MessageGroup>();
  /** Those in which a person has done something: what was opened stays open. */
  readonly #touched = new WeakSet<MessageGroup>();
  readonly #near = new Set<MessageGroup>();
  /** Those with something rich in them, the one that was near last at the end. */
  readonly #rich = new Set<MessageGroup>();
  /** Nothing may be an outline. */
  #all = false;

  /** `read` finds the message that a person reads. */
  constructor(place: ListPlace, read: () => Entry | undefined) {
    this.#place = place;
    this.#outlines = new MessagePlaceholders(place);
    this.#still = new ScrollAnchor(place.scroller, place.column, read);
    const options = { root: place.scroller, rootMargin: '100% 0px' };
    this.#observer = new IntersectionObserver(this.#look, options);
  }

  /** Adds a message to a group, as an outline. */
  add(group: MessageGroup, message: Message): Entry {
    return this.#outlines.add(group, message);
  }

  /** Makes groups for messages that come before all others, as outlines; `nodes` is what they are put in. */
  createGroups(messages: readonly Message[], size: number) {
    const groups: MessageGroup[] = [];
    for (let at = 0; at < messages.length; at += size) {
      const group = new MessageGroup(this.#place.context);
      for (const message of messages.slice(at, at + size)) this.add(group, message);
      this.watch(group);
      groups.push(group);
    }
    const entries = groups.flatMap((group) =>
      [...group.entries].map((entry) => [entry.message.key, entry] as const),
    );
    return { groups, entries, nodes: boxUp(groups.map(({ node }) => node)) };
  }

  /** Changes what is above, or in sight, without moving what the person reads. */
  hold<T>(change: () => T): T {
    return this.#still.hold(change);
  }

  /** Writes the words of the outlines again. */
  redraw(group: MessageGroup): void {
    this.#outlines.redraw(group);
  }

  /** Takes a group to which something was added. */
  watch(group: MessageGroup): void {
    if (group.rich > 0) this.#rich.add(group);
    if (this.#groups.has(group.node)) return;
    this.#groups.set(group.node, group);
    const touch = (): void => {
      this.#touched.add(group);
      this.#still.release();
    };
    for (const type of ['click', 'input']) group.node.addEventListener(type, touch);
    this.#observer.observe(group.node);
    if (this.#all) this.#want(group);
  }

  forget(group: MessageGroup): void {
    this.#observer.unobserve(group.node);
    this.#near.delete(group);
    this.#rich.delete(group);
  }

  /** Makes all of some groups rich, in the time that frames have for it, and keeps all so; false: no longer. */
  want(groups: Iterable<MessageGroup>, all: boolean): void {
    this.#all = all;
    if (all) for (const group of groups) this.#want(group);
  }

  /** Makes as much rich as stays so, the newest, at once: for paper. The others can be read as they are. */
  enrichNow(entries: readonly Entry[]): void {
    for (const entry of entries.slice(-RICH)) this.#outlines.enrich(entry);
    this.#place.context.frames.flush();
  }

  readonly #look = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) {
      const group = this.#groups.get(target);
      if (!group) continue;
      if (isIntersecting) this.#want(group);
      else if (!this.#all) this.#near.delete(group);
    }
  };

  #want(group: MessageGroup): void {
    this.#near.add(group);
    this.#place.context.frames.schedule(this.#work);
  }

  readonly #work = (frame: Frame): boolean => {
    const hasTime = (): boolean => frame.hasTime();
    for (const group of this.#near) {
      this.#rich.delete(group);
      this.#rich.add(group);
      const isOutlined = group.rich < group.entries.size;
      if (isOutlined && this.hold(() => this.#outlines.enrichSome(group, hasTime))) return true;
      // What stays near is kept in mind, so that it is not let go; where nothing is let go it is done.
      if (this.#all) this.#near.delete(group);
    }
    if (!this.#all) this.#letGo();
    return false;
  };

  #letGo(): void {
    let count = 0;
    for (const group of this.#rich) count += group.rich;
    for (const group of this.#rich) {
      if (count <= RICH) return;
      if (this.#near.has(group) || this.#touched.has(group) || isHeld(group)) continue;
      count -= group.rich;
      this.#outlines.outline(group);
      this.#rich.delete(group);
    }
  }
}

/** Whether somebody is at work in it: with the keyboard, or with a selection. */
function isHeld({ node }: MessageGroup): boolean {
  return node.matches(':focus-within') || hasSelection(node);
}
