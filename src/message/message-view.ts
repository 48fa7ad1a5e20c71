import { element } from '../dom/element.js';
import type { Frame } from '../dom/frames.js';
import type { Locale } from '../locales/locale.js';
import type { Change } from '../model/change.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { isContentPart } from '../model/part-tree.js';
import { ACTIVITY, type Part } from '../model/part.js';
import { createHostSlot, type HostSlot } from './host-content.js';
import { MessageFooter } from './message-footer.js';
import { MessageHeader } from './message-header.js';
import { AnswerStatus } from './answer-status.js';
import type { MessageScope, PartView, ViewContext } from './part-view.js';
import { lazyActionTools } from './branches/lazy-action-tools.js';
import { lazyRequestView } from './request/lazy-request.js';
import { activityRenderingOf, createPartView } from './parts/part-views.js';
import type { RunSummary } from './run-summary.js';
import { createLazyModule } from './create-lazy-module.js';
import { lastLeafKey, lastPartKey } from './part-selectors.js';

/** The module with the line that summarizes the work before a finished answer. */
export const lazyRunSummary = createLazyModule(() => import('./run-summary.js'));

/** Number of part views that are created synchronously. */
const INITIAL_PARTS = 100;
/** Number of part views that a frame creates even if its time is used up. */
const MIN_PARTS_PER_FRAME = 20;

/**
 * Renders one message: owns the views of its parts and forwards each change to the one view that it concerns. Views render in the next
 * frame. The node of a view stays where it was inserted until it is removed; only `replaceView` and renderers of the host page
 * (`host-part-view.ts`) move nodes, those of child parts. The views of a message with very many parts are created over several frames.
 */
export class MessageView implements MessageScope {
  readonly node: HTMLElement;
  readonly context: ViewContext;
  message: Message;
  readonly #body = element('div', 'body');
  /** Views of content parts, and of activity that has its own view. */
  readonly #views = new Map<Key, PartView>();
  /** Links between content parts and their activity, in both directions. */
  readonly #linkedKeys = new Map<Key, Key>();
  /** Keys of the activity of steps, and of the newest step part, by the step's number. */
  readonly #stepActivities = new Map<number | null, Key>();
  readonly #steps = new Map<number | null, Key>();
  readonly #header: MessageHeader;
  readonly #status: AnswerStatus | null;
  #summary: RunSummary | undefined;
  /** Whether the module of the summary was requested. */
  #isSummaryRequested = false;
  readonly #footer: MessageFooter;
  readonly #hostSlots: readonly HostSlot[];
  /** Number of part views that may still be created synchronously; renewed when a frame creates the missing ones. */
  #budget = INITIAL_PARTS;
  /** Whether every content part has a view. */
  #isComplete = true;
  #lastPart: Key;
  #lastLeaf: Key;
  /** Whether text has arrived since the last tick of the idle timer. */
  #hasNewText = false;
  #stopIdleTimer: (() => void) | null = null;

  constructor(message: Message, context: ViewContext) {
    this.message = message;
    this.context = context;
    const { role, parts } = message;
    this.#header = new MessageHeader(this);
    this.node = createMessageElement(message, context.locale, this.#header.node, this.#body);
    this.#status = role === 'assistant' ? new AnswerStatus(this) : null;
    if (this.#status) this.node.append(this.#status.node);
    this.#footer = new MessageFooter(this, this.node);
    this.#hostSlots = this.#createHostSlots();
    for (const key of parts.children(ACTIVITY)) this.#linkActivity(parts.get(key));
    this.#insertMissing(null, () => this.#budget > 0);
    this.#lastPart = lastPartKey(parts);
    this.#lastLeaf = lastLeafKey(parts);
    this.#renderStatus();
  }

  /** Whether the message may have work before its answer. */
  get #hasWork(): boolean {
    return this.#steps.size > 0 || this.message.parts.children(null).length > 1;
  }

  get live(): boolean {
    return ['streaming', 'waiting'].includes(this.message.status);
  }

  /** Returns the activity of a content part; for activity, the content part that it belongs to. */
  linkedPartOf(part: Part): Part | undefined {
    return this.message.parts.get(this.#linkedKeyOf(part) ?? '');
  }

  /** Returns the view of a content part, or of activity that has its own view. */
  viewOf(key: Key): PartView | undefined {
    return this.#views.get(key);
  }

  replaceView(key: Key): void {
    const replaced = this.#views.get(key);
    const part = this.message.parts.get(key);
    if (!replaced || !part) return;
    // First, because the new view of a question shows what was entered in its form.
    replaced.dispose();
    const view = createPartView(part, this);
    this.#views.set(key, view);
    view.content?.append(...(replaced.content?.childNodes ?? []));
    replaced.node.replaceWith(view.node);
    this.updateParent(part);
  }

  updateParent({ parent }: Part): void {
    this.#updateView(parent ?? '', 'parts');
  }

  /** Updates the view after a change was applied to this message. `message` is the record after the change. */
  apply(change: Change, message: Message): void {
    const wasLive = this.live;
    const { status } = this.message;
    this.message = message;
    if (change.type === 'text') {
      this.#updateView(change.part, 'text');
      if (wasLive) this.#markWriting();
      return;
    }
    const key = 'part' in change ? change.part : null;
    if (key === null) this.#header.render();
    else {
      if (change.type === 'remove') this.#removeView(key);
      else this.#upsertView(key);
      if (change.type !== 'set') this.#updateLastPart();
    }
    if (status !== message.status) {
      this.#updateAllViews();
      this.#clearWriting();
    }
    // Loads code ahead of time, because the network may be bad when a later answer asks something or is read aloud.
    if (wasLive && !this.live && !(lazyRequestView.value && lazyActionTools.value)) {
      this.context.frames.whenIdle(() => {
        lazyRequestView.prefetch();
        lazyActionTools.prefetch();
      });
    }
    this.context.frames.schedule(this.#renderStatus);
  }

  /** Renders everything again after the language or the policy of the host page has changed. */
  redraw(): void {
    this.node.ariaLabel = labelOf(this.message, this.context.locale);
    this.#updateAllViews();
    for (const view of [...this.#views.values(), ...this.#hostSlots]) view.redraw?.();
    this.#header.render();
    this.#renderStatus();
  }

  /** Renders what depends on the run of the thread after it has started, is being stopped, or has ended. */
  updateRun(): void {
    this.#footer.render();
    this.#header.render();
    this.#status?.render();
  }

  dispose(): void {
    this.context.frames.cancel(this.#renderStatus);
    this.context.frames.cancel(this.#insertRest);
    this.#footer.dispose();
    this.#status?.dispose();
    for (const slot of this.#hostSlots) slot.dispose();
    this.#clearWriting();
    for (const view of this.#views.values()) view.dispose();
    this.#views.clear();
  }

  #createHostSlots(): HostSlot[] {
    const { messageAvatar, messageActions } = this.context;
    const avatar = messageAvatar && createHostSlot('avatar', this, messageAvatar);
    const actions = messageActions && createHostSlot('actions', this, messageActions);
    avatar?.node.part.add('avatar');
    actions?.node.part.add('actions');
    if (avatar) this.node.prepend(avatar.node);
    if (actions) this.#footer.node.append(actions.node);
    this.node.classList.toggle('pictured', avatar !== undefined);
    return [avatar, actions].filter((slot) => slot !== undefined);
  }

  /**
   * Stops animations while text arrives, until none has arrived for one to two seconds. The text itself shows that the agent is working, and
   * an animation would require style and paint in each frame that appends text.
   */
  #markWriting(): void {
    this.#hasNewText = true;
    if (this.#stopIdleTimer) return;
    this.node.classList.add('writing');
    this.#stopIdleTimer = this.context.clock.everySecond(() => {
      if (!this.#hasNewText) this.#clearWriting();
      this.#hasNewText = false;
    });
  }

  #clearWriting(): void {
    this.node.classList.remove('writing');
    this.#stopIdleTimer?.();
    this.#stopIdleTimer = null;
  }

  /** Creates the view of a new part, or updates the view of an existing one. */
  #upsertView(key: Key): void {
    const part = this.message.parts.get(key);
    if (!part) return;
    this.#linkActivity(part);
    if (!isContentPart(part) || this.#views.has(key)) this.#updateView(key, 'fields');
    // While views are missing, `#insertRest` creates this one in order.
    else if (this.#isComplete) this.#insertView(part, () => this.#budget > 0);
  }

  /** Creates the views of a part and of its descendants. When time runs out, schedules the rest and returns false. */
  #insertView(part: Part, hasTime: () => boolean): boolean {
    if (!hasTime()) {
      this.#isComplete = false;
      this.context.frames.schedule(this.#insertRest);
      return false;
    }
    this.#budget -= 1;
    this.#linkActivity(part);
    const container = this.#views.get(part.parent ?? '')?.content ?? this.#body;
    this.#mountView(part, container, this.#nodeAfter(part));
    return this.#insertMissing(part.key, hasTime);
  }

  /** Creates the missing views below a part, or of the whole message, in order. Returns false when time ran out. */
  #insertMissing(parent: Key | null, hasTime: () => boolean): boolean {
    const { parts } = this.message;
    return parts.children(parent).every((key) => {
      const part = parts.get(key);
      if (!part) return true;
      return this.#views.has(key)
        ? this.#insertMissing(key, hasTime)
        : this.#insertView(part, hasTime);
    });
  }

  readonly #insertRest = (frame: Frame): boolean => {
    this.#budget = INITIAL_PARTS;
    let created = 0;
    const hasTime = (): boolean => created++ < MIN_PARTS_PER_FRAME || frame.hasTime();
    this.#isComplete = this.#insertMissing(null, hasTime);
    if (this.#isComplete) this.#renderStatus();
    return !this.#isComplete;
  };

  #mountView(part: Part, container: HTMLElement, before: Node | null): void {
    const view = createPartView(part, this);
    this.#views.set(part.key, view);
    container.insertBefore(view.node, before);
  }

  /** Returns the node of the next sibling that has a view; null to append. */
  #nodeAfter(part: Part): Node | null {
    const siblings = this.message.parts.children(part.parent);
    for (let at = siblings.lastIndexOf(part.key) + 1; at < siblings.length; at++) {
      const view = this.#views.get(siblings[at] ?? '');
      if (view) return view.node;
    }
    return null;
  }

  #removeView(key: Key): void {
    const node = this.#views.get(key)?.node;
    if (!node) return;
    // The model has already removed the descendants. Their views are those inside of the node, and those whose parts no longer exist: a
    // renderer of the host page may show them outside of the node.
    const { parts } = this.message;
    for (const [inner, view] of this.#views) {
      if (!node.contains(view.node) && parts.get(inner)) continue;
      view.dispose();
      view.node.remove();
      this.#views.delete(inner);
    }
  }

  /**
   * Updates the views of the previous and the new last part, because a step is open by default while the message ends with its text; and the
   * view of the part that was being written, which may be complete now.
   */
  #updateLastPart(): void {
    const { parts } = this.message;
    const last = lastPartKey(parts);
    for (const key of new Set([this.#lastPart, last, this.#lastLeaf])) {
      this.#updateView(key, 'parts');
    }
    this.#lastPart = last;
    this.#lastLeaf = lastLeafKey(parts);
  }

  /** Updates the view of a part; for activity, the view of the part that renders it. */
  #updateView(key: Key, what: 'text' | 'fields' | 'parts'): void {
    const { parts } = this.message;
    let part = parts.get(key);
    if (part && !isContentPart(part)) {
      // Phases and outputs are children of their tool's activity.
      if (part.parent !== ACTIVITY) part = parts.get(part.parent ?? '');
      part = part && (this.linkedPartOf(part) ?? part);
    }
    if (!part) return;
    this.#views.get(part.key)?.update(part, what);
    // The summary of a step counts the states of its tools.
    if (part.kind === 'tool' && what === 'fields') this.updateParent(part);
  }

  #updateAllViews(): void {
    for (const key of this.#views.keys()) this.#updateView(key, 'fields');
  }

  #linkActivity(part: Part | undefined): void {
    if (part?.kind === 'step') this.#steps.set(part.number, part.key);
    else if (part?.kind === 'step-activity') this.#stepActivities.set(part.number, part.key);
    else if (part && 'part' in part) {
      const links = this.#linkedKeys;
      const old = links.get(part.key);
      if (old !== undefined && old !== part.part) {
        links.delete(part.key);
        // Other activity may already have taken over the part.
        if (links.get(old) === part.key) links.delete(old);
      }
      if (part.part !== null) links.set(part.key, part.part).set(part.part, part.key);
    }
  }

  #linkedKeyOf(part: Part): Key | undefined {
    if (part.kind === 'step') return this.#stepActivities.get(part.number);
    if (part.kind === 'step-activity') return this.#steps.get(part.number);
    if (part.kind === 'incomplete-activity') return part.tool ?? undefined;
    return this.#linkedKeys.get(part.key);
  }

  /** Creates the views of activity that no content part renders, removes the others, and renders the end of the message. */
  readonly #renderStatus = (): void => {
    this.#footer.render();
    if (!this.#status) return;
    const { message } = this;
    for (const key of message.parts.children(ACTIVITY)) {
      const part = message.parts.get(key);
      if (!part || isContentPart(part)) continue;
      const rendering = activityRenderingOf(part.kind);
      if (!rendering) continue;
      const { region, isVisible } = rendering;
      if (this.linkedPartOf(part) || isVisible?.(part, message) === false) this.#removeView(key);
      else if (!this.#views.has(key)) {
        this.#mountView(part, this.#status.containerFor(region), null);
      }
    }
    this.#status.render();
    this.#renderSummary();
  };

  /** Renders the line that summarizes the work before a finished answer. Its module is loaded with the first part of such work. */
  readonly #renderSummary = (): void => {
    const { value } = lazyRunSummary;
    if (value) {
      this.#summary ??= new value.RunSummary(this);
      this.#summary.render();
    } else if (!this.#isSummaryRequested && this.#hasWork) {
      this.#isSummaryRequested = true;
      lazyRunSummary.whenLoaded(this.#renderSummary);
      // Without the summary, the work is shown in full.
      lazyRunSummary.prefetch();
    }
  };
}

/** Creates the element of a message, for its view and for its placeholder. */
export function createMessageElement(
  message: Message,
  locale: Locale,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const { role } = message;
  const node = element('article', `message ${role}`, ...content);
  node.part.add('message', role === 'user' ? 'question' : 'answer');
  node.ariaLabel = labelOf(message, locale);
  return node;
}

/** Returns the accessible name of a message: its author. */
function labelOf({ role }: Message, locale: Locale): string {
  return locale.text(role === 'user' ? 'you' : 'agent');
}
