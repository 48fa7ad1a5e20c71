import type { Frame } from '../../internal/frames.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ViewContext } from '../../parts/part-view.js';
import { hasSelection } from '../views/follow.js';
import type { MessageGroup } from './message-group.js';
import type { ListPlace } from './list-place.js';

/** Messages that stay rich; beyond that those that were near the longest time ago are outlines again. */
export const RICH = 1000;

/**
 * Makes groups rich as they come near what can be seen, a screen ahead, in the time that frames have for it; and lets go of those
 * that were left long ago, unless somebody has opened, written or selected something there.
 */
export class NearGroups {
  readonly #context: ViewContext;
  readonly #find: (key: Key) => Message | undefined;
  /** Changes the messages without moving what is seen. */
  readonly #hold: <T>(change: () => T) => T;
  readonly #observer: IntersectionObserver;
  readonly #groups = new WeakMap<Element, MessageGroup>();
  readonly #near = new Set<MessageGroup>();
  /** Those with something rich in them, the one that was near last at the end. */
  readonly #rich = new Set<MessageGroup>();
  /** Nothing may be an outline. */
  #all = false;

  constructor({ scroller, context, find }: ListPlace, hold: <T>(change: () => T) => T) {
    this.#context = context;
    this.#find = find;
    this.#hold = hold;
    this.#observer = new IntersectionObserver(this.#look, {
      root: scroller,
      rootMargin: '100% 0px',
    });
  }

  /** Takes a group to which something was added. */
  watch(group: MessageGroup): void {
    if (group.rich > 0) this.#rich.add(group);
    if (this.#groups.has(group.node)) return;
    this.#groups.set(group.node, group);
    this.#observer.observe(group.node);
    if (this.#all) this.#want(group);
  }

  forget(group: MessageGroup): void {
    this.#groups.delete(group.node);
    this.#observer.unobserve(group.node);
    this.#near.delete(group);
    this.#rich.delete(group);
  }

  /** Makes all of some groups rich, in the time that frames have for it, and keeps all so; false: no longer. */
  want(groups: Iterable<MessageGroup>, all: boolean): void {
    this.#all = all;
    if (all) for (const group of groups) this.#want(group);
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
    this.#context.frames.schedule(this.#work);
  }

  readonly #work = (frame: Frame): boolean => {
    const hasTime = (): boolean => frame.hasTime();
    for (const group of this.#near) {
      this.#rich.delete(group);
      this.#rich.add(group);
      if (group.isOutlined && this.#hold(() => group.enrichSome(this.#find, hasTime))) return true;
      // What has been seen to is asked for again when it comes near again.
      if (!this.#all) continue;
      this.#near.delete(group);
    }
    this.#letGo();
    return false;
  };

  #letGo(): void {
    let count = 0;
    for (const group of this.#rich) count += group.rich;
    for (const group of this.#rich) {
      if (count <= RICH || this.#all) return;
      if (this.#near.has(group) || group.isTouched || isHeld(group)) continue;
      count -= group.rich;
      group.outline(this.#find);
      this.#rich.delete(group);
    }
  }
}

/** Whether somebody is at work in it: with the keyboard, or with a selection. */
function isHeld({ node }: MessageGroup): boolean {
  return node.matches(':focus-within') || hasSelection(node);
}
