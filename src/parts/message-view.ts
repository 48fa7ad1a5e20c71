import { element } from '../internal/element.js';
import type { Change } from '../model/change.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { ACTIVITY, type ActivityFields, type Part, type PartOf } from '../model/part.js';
import { renderOrigin } from './origin.js';
import { MessageTail } from './message-tail.js';
import { createPartView } from './part-table.js';
import type { MessageScope, PartView, ViewContext } from './part-view.js';

/**
 * One message: owns the list of its part views, and sends each change to the one view that it is about. Views draw in the next
 * frame; nodes are put in and taken out, never moved.
 */
export class MessageView implements MessageScope {
  readonly node: HTMLElement;
  readonly context: ViewContext;
  readonly #body = element('div', 'body');
  readonly #views = new Map<Key, PartView>();
  /** Which activity tells about which part. */
  readonly #bound = new Map<Key, Key>();
  readonly #tail: MessageTail | null;
  #message: Message;

  constructor(message: Message, context: ViewContext) {
    this.#message = message;
    this.context = context;
    const { role } = message;
    this.node = element('article', `message ${role}`);
    this.node.part.add('message');
    if (role === 'user') this.node.part.add('question');
    else this.node.part.add('answer');
    this.node.setAttribute('aria-label', context.locale.text(role === 'user' ? 'you' : 'agent'));
    const { parts } = message;
    for (const key of parts.children(ACTIVITY)) this.#bind(parts.get(key));
    this.node.append(...renderOrigin(message, context), this.#body);
    this.#fill(null);
    this.#tail = role === 'assistant' ? new MessageTail(this) : null;
    if (this.#tail) this.node.append(this.#tail.node);
  }

  get message(): Message {
    return this.#message;
  }

  get live(): boolean {
    const { status } = this.#message;
    return status === 'streaming' || status === 'waiting';
  }

  activityOf<K extends ActivityFields['kind']>(part: Part, kind: K): PartOf<K> | undefined {
    const { parts } = this.#message;
    const key =
      part.kind === 'step' && part.number !== null
        ? `@step:${part.number}`
        : (this.#bound.get(part.key) ?? '');
    const activity = parts.get(key);
    return activity?.kind === kind ? (activity as PartOf<K>) : undefined;
  }

  isLast(part: Part): boolean {
    const { parts } = this.#message;
    const siblings = parts.children(part.parent);
    let last = siblings.length - 1;
    while (last >= 0 && parts.get(siblings[last] ?? '')?.kind === 'checkpoint') last -= 1;
    return siblings[last] === part.key;
  }

  /** The view of a part or of loose activity. */
  viewOf(key: Key): PartView | undefined {
    return this.#views.get(key) ?? this.#tail?.requestView(key);
  }

  /** Takes a change of this message that was applied; `message` is its record now. */
  apply(change: Change, message: Message): void {
    const wasLive = this.live;
    this.#message = message;
    switch (change.do) {
      case 'text':
        this.#update(change.part, 'text');
        return;
      case 'part':
        this.#put(change.part);
        break;
      case 'set':
        if (change.part !== null) {
          this.#bind(message.parts.get(change.part));
          this.#update(change.part, 'fields');
        }
        break;
      case 'remove':
        if (change.part !== null) this.#remove(change.part);
        break;
      default:
    }
    this.#tail?.invalidate();
    if (wasLive !== this.live) this.#updateAll();
  }

  /** Draws everything again, such as in another language. */
  redraw(): void {
    this.#updateAll();
    this.#tail?.invalidate();
  }

  dispose(): void {
    this.#tail?.dispose();
    this.#views.forEach((view) => {
      view.dispose();
    });
    this.#views.clear();
  }

  #fill(parent: Key | null): void {
    for (const key of this.#message.parts.children(parent)) this.#put(key);
  }

  /** Shows a part at its place, or tells its view that it has changed. */
  #put(key: Key): void {
    const { parts } = this.#message;
    const part = parts.get(key);
    if (!part) return;
    this.#bind(part);
    if (this.#views.has(key) || isActivity(part)) {
      this.#update(key, 'fields');
      return;
    }
    const view = createPartView(part, this);
    this.#views.set(key, view);
    const container = this.#containerOf(part);
    container.insertBefore(view.node, this.#nodeAfter(part, container));
    this.#fill(key);
    this.#touchAround(part);
  }

  #containerOf(part: Part): HTMLElement {
    const parent = part.parent === null ? undefined : this.#views.get(part.parent);
    return parent?.content ?? this.#body;
  }

  /** The node of the next sibling that is shown; null: at the end. */
  #nodeAfter(part: Part, container: HTMLElement): HTMLElement | null {
    const siblings = this.#message.parts.children(part.parent);
    for (let at = siblings.lastIndexOf(part.key) + 1; at < siblings.length; at++) {
      const node = this.#views.get(siblings[at] ?? '')?.node;
      if (node?.parentNode === container) return node;
    }
    return null;
  }

  /** The part around, and what was last until now, look at what is inside and behind them. */
  #touchAround({ parent, key }: Part): void {
    const { parts } = this.#message;
    const siblings = parts.children(parent);
    this.#touch(parent);
    for (let at = siblings.lastIndexOf(key) - 1; at >= 0; at--) {
      const before = siblings[at] ?? '';
      this.#touch(before);
      if (parts.get(before)?.kind !== 'checkpoint') return;
    }
  }

  #touch(key: Key | null): void {
    const part = key === null ? undefined : this.#message.parts.get(key);
    if (part) this.#views.get(part.key)?.update(part, 'parts');
  }

  #update(key: Key, what: 'text' | 'fields'): void {
    const { parts } = this.#message;
    const part = parts.get(key);
    if (!part) return;
    if (!isActivity(part)) {
      this.#views.get(key)?.update(part, what);
      return;
    }
    const owner = part.kind === 'output-activity' ? parts.get(part.parent ?? '') : part;
    if (!owner) return;
    const shown = this.#shownBy(owner);
    if (shown) this.#views.get(shown.key)?.update(shown, what);
    else this.#tail?.update(owner, what);
  }

  /** The part in the content that an activity tells about. */
  #shownBy(activity: Part): Part | undefined {
    const { parts } = this.#message;
    if (activity.kind === 'tool-activity' || activity.kind === 'request-activity') {
      return parts.get(activity.part ?? '');
    }
    if (activity.kind !== 'step-activity') return undefined;
    const key = [...this.#views.keys()].find((name) => {
      const part = parts.get(name);
      return part?.kind === 'step' && part.number === activity.number;
    });
    return key === undefined ? undefined : parts.get(key);
  }

  #bind(part: Part | undefined): void {
    if (part?.kind !== 'tool-activity' && part?.kind !== 'request-activity') return;
    if (part.part !== null) this.#bound.set(part.part, part.key);
  }

  #remove(key: Key): void {
    const view = this.#views.get(key);
    if (!view) return;
    // What was inside went with it; the model does not know it any more.
    for (const [inner, innerView] of this.#views) {
      if (inner !== key && !view.node.contains(innerView.node)) continue;
      innerView.dispose();
      this.#views.delete(inner);
    }
    view.node.remove();
    for (const near of this.#message.parts.children(null)) this.#touch(near);
  }

  #updateAll(): void {
    for (const [key, view] of this.#views) {
      const part = this.#message.parts.get(key);
      if (part) view.update(part, 'fields');
    }
  }
}

function isActivity(part: Part): boolean {
  return part.kind.endsWith('-activity');
}
