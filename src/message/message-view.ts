import { element } from '../dom/element.js';
import type { Frame } from '../dom/frames.js';
import type { Locale } from '../locales/locale.js';
import type { Change } from '../model/change.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { ACTIVITY, type Part } from '../model/part.js';
import { createHostSlot, type HostSlot } from './host-slot.js';
import { MessageFooter } from './message-footer.js';
import { MessageHeader } from './message-header.js';
import { MessageStatus } from './message-status.js';
import type { MessageScope, PartView, ViewContext } from './part-view.js';
import { isInterrupted } from './parts/incomplete-text-view.js';
import { createPartView } from './parts/part-kinds.js';
import { lastPartKey } from './thread-selectors.js';

/** Parts that are shown without waiting for a frame, and how many one frame shows at least. */
const AT_ONCE = 100;
const AT_LEAST = 20;

/**
 * One message: owns its part views, and sends each change to the one view that it is about. Views draw in the next frame; nodes
 * are put in and taken out, never moved. A message of very many parts is shown over several frames.
 */
export class MessageView implements MessageScope {
  readonly node: HTMLElement;
  readonly context: ViewContext;
  message: Message;
  readonly #body = element('div', 'body');
  /** Views of parts, and in the tail of loose activity. */
  readonly #views = new Map<Key, PartView>();
  /** A part and its activity, each under the key of the other. */
  readonly #pairs = new Map<Key, Key>();
  /** Keys of the activity of steps, and of the newest step part, by the step's number. */
  readonly #stepActivities = new Map<number | null, Key>();
  readonly #steps = new Map<number | null, Key>();
  readonly #origin: MessageHeader;
  readonly #tail: MessageStatus | null;
  readonly #foot: MessageFooter;
  readonly #places: readonly HostSlot[];
  /** Parts that may be shown before the next frame. */
  #room = AT_ONCE;
  /** Whether all parts are shown. */
  #isWhole = true;
  #last: Key;
  /** Whether text has come since the last second, while somebody looks each second. */
  #hasGrown = false;
  #stopLooking: (() => void) | null = null;

  constructor(message: Message, context: ViewContext) {
    this.message = message;
    this.context = context;
    const { role, parts } = message;
    this.#origin = new MessageHeader(this);
    this.node = createMessageElement(message, context.locale, this.#origin.node, this.#body);
    this.#tail = role === 'assistant' ? new MessageStatus(this) : null;
    if (this.#tail) this.node.append(this.#tail.node);
    this.#foot = new MessageFooter(this, this.node);
    this.#places = this.#addPlaces();
    for (const key of parts.children(ACTIVITY)) this.#bind(parts.get(key));
    this.#putAll(null, () => this.#room > 0);
    this.#last = lastPartKey(parts);
    this.#drawTail();
  }

  get live(): boolean {
    return ['streaming', 'waiting'].includes(this.message.status);
  }

  /** What tells about a part of the content; of activity, the part that it tells about. */
  activityOf(part: Part): Part | undefined {
    return this.message.parts.get(this.#partnerOf(part) ?? '');
  }

  /** The view of a part or of loose activity. */
  viewOf(key: Key): PartView | undefined {
    return this.#views.get(key);
  }

  /** Takes a change of this message that was applied; `message` is its record now. */
  apply(change: Change, message: Message): void {
    const wasLive = this.live;
    this.message = message;
    if (change.type === 'text') {
      this.#update(change.part, 'text');
      if (wasLive) this.#showWriting();
      return;
    }
    const key = 'part' in change ? change.part : null;
    if (key === null) this.#origin.render();
    else {
      if (change.type === 'remove') this.#remove(key);
      else this.#put(key);
      if (change.type !== 'set') this.#lookAtLast();
    }
    if (wasLive !== this.live) {
      this.#updateAll();
      this.#showRest();
    }
    this.context.frames.schedule(this.#drawTail);
  }

  /** Draws everything again, such as in another language. */
  redraw(): void {
    this.#updateAll();
    for (const view of [...this.#views.values(), ...this.#places]) view.redraw?.();
    this.#origin.render();
    this.#drawTail();
  }

  /** A run has begun or is over: what can be done with the message is another thing. */
  updateActions(): void {
    this.#foot.render();
    this.#origin.render();
  }

  dispose(): void {
    this.context.frames.cancel(this.#drawTail);
    this.context.frames.cancel(this.#putRest);
    this.#foot.dispose();
    for (const place of this.#places) place.dispose();
    this.#showRest();
    for (const view of this.#views.values()) view.dispose();
    this.#views.clear();
  }

  /** What the page draws at each message. */
  #addPlaces(): HostSlot[] {
    const { messageAvatar, messageActions } = this.context;
    const avatar = messageAvatar && createHostSlot('avatar', this, messageAvatar);
    const actions = messageActions && createHostSlot('actions', this, messageActions);
    avatar?.node.part.add('avatar');
    actions?.node.part.add('actions');
    if (avatar) this.node.prepend(avatar.node);
    if (actions) this.#foot.node.append(actions.node);
    this.node.classList.toggle('pictured', avatar !== undefined);
    return [avatar, actions].filter((place) => place !== undefined);
  }

  /**
   * Text that comes is sign enough of work: until a second has brought none, nothing else moves. A second movement would cost
   * the page style and paint in each frame in which text is drawn.
   */
  #showWriting(): void {
    this.#hasGrown = true;
    if (this.#stopLooking) return;
    this.node.classList.add('writing');
    this.#stopLooking = this.context.clock.everySecond(() => {
      if (!this.#hasGrown) this.#showRest();
      this.#hasGrown = false;
    });
  }

  #showRest(): void {
    this.node.classList.remove('writing');
    this.#stopLooking?.();
    this.#stopLooking = null;
  }

  /** Shows a part at its place, or tells the view of it that it has changed. */
  #put(key: Key): void {
    const { parts } = this.message;
    const part = parts.get(key);
    if (!part) return;
    this.#bind(part);
    if (isActivity(part) || this.#views.has(key)) this.#update(key, 'fields');
    else if (this.#isWhole) this.#putNew(part, () => this.#room > 0);
  }

  /** Shows a new part with all that is in it, while there is time; the rest in the coming frames. */
  #putNew(part: Part, hasTime: () => boolean): boolean {
    if (!hasTime()) {
      this.#isWhole = false;
      this.context.frames.schedule(this.#putRest);
      return false;
    }
    this.#room -= 1;
    this.#bind(part);
    const container = this.#views.get(part.parent ?? '')?.content ?? this.#body;
    this.#show(part, container, this.#nodeAfter(part));
    return this.#putAll(part.key, hasTime);
  }

  /** Shows what is in a part, or in the message, and is not shown yet, in order. False when there was no time for all of it. */
  #putAll(parent: Key | null, hasTime: () => boolean): boolean {
    const { parts } = this.message;
    return parts.children(parent).every((key) => {
      const part = parts.get(key);
      if (!part) return true;
      return this.#views.has(key) ? this.#putAll(key, hasTime) : this.#putNew(part, hasTime);
    });
  }

  readonly #putRest = (frame: Frame): boolean => {
    this.#room = AT_ONCE;
    let made = 0;
    this.#isWhole = this.#putAll(null, () => made++ < AT_LEAST || frame.hasTime());
    return !this.#isWhole;
  };

  #show(part: Part, container: HTMLElement, before: Node | null): void {
    const view = createPartView(part, this);
    this.#views.set(part.key, view);
    container.insertBefore(view.node, before);
  }

  /** The node of the next sibling that is shown; null: at the end. */
  #nodeAfter(part: Part): Node | null {
    const siblings = this.message.parts.children(part.parent);
    for (let at = siblings.lastIndexOf(part.key) + 1; at < siblings.length; at++) {
      const view = this.#views.get(siblings[at] ?? '');
      if (view) return view.node;
    }
    return null;
  }

  #remove(key: Key): void {
    const node = this.#views.get(key)?.node;
    if (!node) return;
    // What was inside went with it; the model does not know it any more.
    for (const [inner, view] of this.#views) {
      if (!node.contains(view.node)) continue;
      view.dispose();
      this.#views.delete(inner);
    }
    node.remove();
  }

  /** What was last until now, and what is last now, may say the answer. */
  #lookAtLast(): void {
    const last = lastPartKey(this.message.parts);
    for (const key of [this.#last, last]) this.#update(key, 'parts');
    this.#last = last;
  }

  /** Tells the view of a part, or of the part that an activity is about. */
  #update(key: Key, what: 'text' | 'fields' | 'parts'): void {
    const { parts } = this.message;
    let part = parts.get(key);
    const isReport = part?.kind === 'output-activity' || part?.kind === 'phase-activity';
    if (isReport) part = parts.get(part?.parent ?? '');
    if (part?.kind === 'incomplete-activity') part = parts.get(part.tool ?? '') ?? part;
    if (part && isActivity(part)) part = this.activityOf(part) ?? part;
    if (part) this.#views.get(part.key)?.update(part, what);
  }

  #updateAll(): void {
    for (const key of this.#views.keys()) this.#update(key, 'fields');
  }

  #bind(part: Part | undefined): void {
    if (part?.kind === 'step') this.#steps.set(part.number, part.key);
    else if (part?.kind === 'step-activity') this.#stepActivities.set(part.number, part.key);
    else if (part && 'part' in part && part.part !== null) {
      this.#pairs.set(part.key, part.part).set(part.part, part.key);
    }
  }

  #partnerOf(part: Part): Key | undefined {
    if (part.kind === 'step') return this.#stepActivities.get(part.number);
    if (part.kind === 'step-activity') return this.#steps.get(part.number);
    return this.#pairs.get(part.key);
  }

  /** Gives activity without a part in the content a view in the tail, and takes away the views of the rest. */
  readonly #drawTail = (): void => {
    this.#foot.render();
    if (!this.#tail) return;
    const { parts } = this.message;
    for (const key of parts.children(ACTIVITY)) {
      const part = parts.get(key);
      if (!part || part.kind === 'run-activity') continue;
      const isHidden =
        (part.kind === 'request-activity' && part.state === 'closed') ||
        (part.kind === 'incomplete-activity' &&
          (!isInterrupted(this.message) || parts.get(part.tool ?? '')?.kind === 'tool'));
      if (isHidden || this.activityOf(part)) this.#remove(key);
      else if (!this.#views.has(key)) this.#show(part, this.#tail.containerFor(part), null);
    }
    this.#tail.render();
  };
}

function isActivity(part: Part): boolean {
  return part.kind.endsWith('-activity');
}

/** The box of a message, as its view and its outline have it. */
export function createMessageElement(
  { role }: Message,
  locale: Locale,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const isUser = role === 'user';
  const node = element('article', `message ${role}`, ...content);
  node.part.add('message', isUser ? 'question' : 'answer');
  node.ariaLabel = locale.text(isUser ? 'you' : 'agent');
  return node;
}
