import type { Message } from '../../model/message.js';
import { messagePlainText } from '../../message/message-formats.js';
import { createContentText } from '../../message/content-lang.js';
import { toSpokenText } from '../announcements/spoken-text.js';
import type { KeyboardContext } from './keyboard-shortcuts.js';
import { isRendered } from '../../dom/focusable.js';

/** Characters of a message in its name while it has the focus, and of one that is read out. */
const MAX_LABEL = 160;
const MAX_REREAD = 4000;

/** Steps between messages. */
const STEPS = new Map([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** What takes the focus in a message. */
const CONTROLS = 'a[href], button, summary, textarea, input, select, [tabindex="0"]';

/** The messages as a list: arrows go from one to the next, Enter into one, Escape out of it. */
export class MessageNavigation {
  readonly #context: KeyboardContext;
  /** Where the focus was before it came to the messages. */
  #returnTarget: HTMLElement | undefined;

  constructor(place: KeyboardContext) {
    this.#context = place;
    place.transcript.scroller.addEventListener('focusin', this.#handleFocusIn);
  }

  /** Does what a key means at the messages; false when it means nothing. */
  handleKey({ key, target, shiftKey }: KeyboardEvent): boolean {
    const { scroller } = this.#context.transcript;
    if (shiftKey || !(target instanceof HTMLElement) || !scroller.contains(target)) return false;
    const node = target.closest<HTMLElement>('.message');
    const step = STEPS.get(key);
    if (target !== node && target !== scroller)
      return key === 'Escape' && this.#focusContaining(node);
    if (step !== undefined) return this.#move(node, step);
    if (!node) return false;
    if (key === 'Enter') return focusFirstControl(node);
    return key === 'Escape' && this.#leave();
  }

  /** Reads the newest message out, once more. */
  reread(): boolean {
    const { transcript, announcer: liveRegion, host } = this.#context;
    const message = transcript.path.at(-1);
    const { locale } = host.context;
    if (message) {
      const who = locale.text('colon', { name: this.#authorOf(message), words: '' });
      liveRegion.announce([
        who,
        createContentText(spokenTextOf(message).slice(0, MAX_REREAD), locale),
      ]);
    } else liveRegion.announce(locale.text('noMessages'));
    return true;
  }

  /** Goes to another message. One that is higher than the screen is first read to its end, as the browser moves it. */
  #move(node: HTMLElement | null, step: number): boolean {
    const { transcript } = this.#context;
    const { path } = transcript;
    const here = node ? transcript.messageAt(node) : undefined;
    const at = path.findIndex(({ key }) => key === here?.key);
    if (path.length === 0 || (node && !isEdgeVisible(node, transcript.scroller, step)))
      return false;
    const wanted = at < 0 ? this.#firstIndex(path, step) : at + step;
    const place = Math.min(Math.max(wanted, 0), path.length - 1);
    if (place !== at) this.#focusAt(path, place);
    if (step === Infinity) transcript.scrollToEnd();
    return true;
  }

  /** Where the first arrow leads: down to what is read, up to the newest. */
  #firstIndex(path: readonly Message[], step: number): number {
    if (!Number.isFinite(step)) return step;
    const top = this.#context.transcript.firstVisible?.key;
    return step < 0 ? path.length - 1 : path.findIndex(({ key }) => key === top);
  }

  #focusAt(path: readonly Message[], place: number): void {
    const { transcript } = this.#context;
    const node = transcript.viewOf(path[place]?.key ?? '')?.node;
    if (!node) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    const isHigh = node.offsetHeight > transcript.scroller.clientHeight;
    node.scrollIntoView({ block: isHigh ? 'start' : 'nearest' });
  }

  /** A message that takes the focus is called by what it says: a voice need not read all of it. */
  readonly #handleFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
    const { transcript, host } = this.#context;
    if (relatedTarget instanceof HTMLElement && !transcript.scroller.contains(relatedTarget)) {
      this.#returnTarget = relatedTarget;
    }
    const message = target instanceof HTMLElement && transcript.messageAt(target);
    if (!message) return;
    const { path } = transcript;
    const said = spokenTextOf(message).slice(0, MAX_LABEL);
    const values = {
      who: this.#authorOf(message),
      place: path.findIndex(({ key }) => key === message.key) + 1,
      count: path.length,
      text: said,
    };
    labelWhileFocused(
      target,
      host.context.locale.text(said ? 'messageNamed' : 'messageUnnamed', values),
    );
  };

  #focusContaining(node: HTMLElement | null): boolean {
    const { transcript } = this.#context;
    const { path } = transcript;
    const here = node ? transcript.messageAt(node) : undefined;
    const place = path.findIndex(({ key }) => key === here?.key);
    if (place >= 0) this.#focusAt(path, place);
    return place >= 0;
  }

  /** Back to where the focus came from, else to the field. */
  #leave(): boolean {
    const from = this.#returnTarget;
    (from?.isConnected && isRendered(from) ? from : this.#context.host.element).focus();
    return true;
  }

  #authorOf({ role }: Message): string {
    return this.#context.host.context.locale.text(role === 'user' ? 'you' : 'agent');
  }
}

/** Whether the edge of a message in the direction of a step is in sight, or nothing more of it can be shown. */
function isEdgeVisible(node: HTMLElement, scroller: HTMLElement, step: number): boolean {
  const own = node.getBoundingClientRect();
  const box = scroller.getBoundingClientRect();
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  if (!Number.isFinite(step)) return true;
  if (step < 0) return own.top >= box.top - 1 || own.top > box.bottom || scrollTop <= 0;
  return own.bottom <= box.bottom + 1 || scrollHeight - clientHeight - scrollTop <= 1;
}

function focusFirstControl(node: HTMLElement): boolean {
  const controls = [...node.querySelectorAll<HTMLElement>(CONTROLS)];
  const first = controls.find((one) => one.tabIndex >= 0 && isRendered(one));
  first?.focus();
  return first !== undefined;
}

function spokenTextOf(message: Message): string {
  return toSpokenText(messagePlainText(message));
}

/** Names a message by what it says, for as long as it has the focus itself. */
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
