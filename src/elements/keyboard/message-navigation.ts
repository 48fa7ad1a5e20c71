import { isEscapeKey } from '../../dom/escape-key.js';
import { firstUnits } from '../../dom/truncate.js';
import type { Message } from '../../model/message.js';
import { messagePlainText } from '../../message/message-formats.js';
import { createContentText } from '../../message/content-lang.js';
import { toSpokenText } from '../announcements/spoken-text.js';
import type { KeyboardContext } from './keyboard-shortcuts.js';
import { isRendered } from '../../dom/focusable.js';

/** Maximum number of UTF-16 units of a message in its label while it is focused. */
const MAX_LABEL = 160;
/** Maximum number of UTF-16 units of a message that is announced again. */
const MAX_REREAD = 4000;

/** Number of messages by which a key moves the focus. */
const STEPS = new Map([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** Controls that can be focused in a message. */
const CONTROLS = 'a[href], button, summary, textarea, input, select, [tabindex="0"]';

/** Keyboard navigation of the messages: arrow keys move between messages, Enter enters a message, Escape leaves it. */
export class MessageNavigation {
  readonly #context: KeyboardContext;
  /** The node outside of the messages from which the focus was moved into them. */
  #returnTarget: HTMLElement | undefined;

  constructor(context: KeyboardContext) {
    this.#context = context;
    context.transcript.scroller.addEventListener('focusin', this.handleFocusIn);
  }

  /** Handles a key in the messages. Returns false if it has no function here. */
  handleKey(event: KeyboardEvent): boolean {
    const { key, target, shiftKey } = event;
    const { scroller } = this.#context.transcript;
    if (shiftKey || !(target instanceof HTMLElement) || !scroller.contains(target)) return false;
    const node = target.closest<HTMLElement>('.message');
    const step = STEPS.get(key);
    if (target !== node && target !== scroller)
      return isEscapeKey(event) && this.#focusMessageOf(node);
    if (step !== undefined) return this.#move(node, step);
    if (!node) return false;
    if (key === 'Enter') return focusFirstControl(node);
    return isEscapeKey(event) && this.#leave();
  }

  /** Announces the newest message again. */
  reread(): boolean {
    const { transcript, announcer, host } = this.#context;
    // A gate hides the messages, which may be those of another user.
    const message = isRendered(transcript.node) ? transcript.path.at(-1) : undefined;
    const { locale } = host.context;
    if (message) {
      const author = locale.text('colon', { name: this.#authorOf(message), words: '' });
      announcer.announce([
        author,
        createContentText(firstUnits(this.#spokenTextOf(message), MAX_REREAD), locale),
      ]);
    } else announcer.announce(locale.text('noMessages'));
    return true;
  }

  /**
   * Focuses another message. Returns false if there are no messages, and while the focused message extends beyond the viewport in that
   * direction, so that the browser scrolls to its edge first.
   */
  #move(node: HTMLElement | null, step: number): boolean {
    const { transcript } = this.#context;
    const { path } = transcript;
    const message = node ? transcript.messageAt(node) : undefined;
    const at = path.findIndex(({ key }) => key === message?.key);
    if (path.length === 0 || (node && !isEdgeVisible(node, transcript.scroller, step)))
      return false;
    const target = at < 0 ? this.#firstIndex(path, step) : at + step;
    const index = Math.min(Math.max(target, 0), path.length - 1);
    if (index !== at) this.#focusAt(path, index);
    if (step === Infinity) transcript.scrollToEnd();
    return true;
  }

  /**
   * Returns the index of the message to focus while no message has the focus: for ArrowDown, of the message at the upper edge of the viewport;
   * for ArrowUp, of the newest one. May be out of range or infinite.
   */
  #firstIndex(path: readonly Message[], step: number): number {
    if (!Number.isFinite(step)) return step;
    const firstVisible = this.#context.transcript.firstVisible?.key;
    // The caller limits the index to that of the newest message.
    return step === -1 ? Infinity : path.findIndex(({ key }) => key === firstVisible);
  }

  #spokenTextOf(message: Message): string {
    return toSpokenText(messagePlainText(message, this.#context.host.context.renderers));
  }

  #focusAt(path: readonly Message[], index: number): void {
    const { transcript } = this.#context;
    const node = transcript.viewOf(path[index]?.key ?? '')?.node;
    if (!node) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    const isTallerThanViewport = node.offsetHeight > transcript.scroller.clientHeight;
    node.scrollIntoView({ block: isTallerThanViewport ? 'start' : 'nearest' });
  }

  /**
   * Remembers where the focus came from, and labels a focused message with its beginning, so that screen readers need not read all of it.
   */
  readonly handleFocusIn = ({
    target,
    relatedTarget,
  }: Pick<FocusEvent, 'target' | 'relatedTarget'>): void => {
    const { transcript, host } = this.#context;
    // A focus from before this code was loaded may be outside of the messages.
    if (!(target instanceof Node && transcript.scroller.contains(target))) return;
    if (relatedTarget instanceof HTMLElement && !transcript.scroller.contains(relatedTarget)) {
      this.#returnTarget = relatedTarget;
    }
    const message = target instanceof HTMLElement && transcript.messageAt(target);
    if (!message) return;
    const { path } = transcript;
    const text = firstUnits(this.#spokenTextOf(message), MAX_LABEL);
    const values = {
      who: this.#authorOf(message),
      place: path.findIndex(({ key }) => key === message.key) + 1,
      count: path.length,
      text,
    };
    labelWhileFocused(
      target,
      host.context.locale.text(text ? 'messageNamed' : 'messageUnnamed', values),
    );
  };

  /** Focuses the message of a node. Returns false if the node is in no message. */
  #focusMessageOf(node: HTMLElement | null): boolean {
    const { transcript } = this.#context;
    const { path } = transcript;
    const message = node ? transcript.messageAt(node) : undefined;
    const index = path.findIndex(({ key }) => key === message?.key);
    this.#focusAt(path, index);
    return index >= 0;
  }

  /** Moves the focus back to where it was before, else to the field. */
  #leave(): boolean {
    const target = this.#returnTarget;
    (target?.isConnected && isRendered(target) ? target : this.#context.host.element).focus();
    return true;
  }

  #authorOf({ role }: Message): string {
    return this.#context.host.context.locale.text(role === 'user' ? 'you' : 'agent');
  }
}

/** Whether the edge of a message in the direction of a step is visible. */
function isEdgeVisible(node: HTMLElement, scroller: HTMLElement, step: number): boolean {
  if (!Number.isFinite(step)) return true;
  const bounds = node.getBoundingClientRect();
  const viewport = scroller.getBoundingClientRect();
  return step < 0 ? bounds.top >= viewport.top - 1 : bounds.bottom <= viewport.bottom + 1;
}

function focusFirstControl(node: HTMLElement): boolean {
  const controls = [...node.querySelectorAll<HTMLElement>(CONTROLS)];
  const first = controls.find((one) => one.tabIndex >= 0 && isRendered(one));
  first?.focus();
  return first !== undefined;
}

/** Sets the accessible name of a node while the node itself has the focus. */
function labelWhileFocused(node: HTMLElement, name: string): void {
  const before = node.ariaLabel;
  if (before === name) return;
  node.ariaLabel = name;
  node.addEventListener(
    'blur',
    () => {
      node.ariaLabel = before;
    },
    { once: true },
  );
}
