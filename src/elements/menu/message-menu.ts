import { element } from '../../dom/element.js';
import { isPopoverOpen, makePopover, movePopover, togglePopover } from '../../dom/popover.js';
import { menuStrings } from '../../locales/en-menu.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import { renderIcon } from '../../message/icons.js';
import { workDuration } from '../../message/work-duration.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { MessageFeedback, type Rating } from './feedback.js';
import { createMenuGroups, type MenuGroup, type MenuItem } from './menu-items.js';
import { menuStyles } from './message-menu-styles.js';
import { html, nothing, render, type TemplateResult } from 'lit';

addDefaultStrings(menuStrings);

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
let openMenu: MessageMenu | null = null;

/** Opens the menu of a message at its button; closes it when it is open there. */
export function openMessageMenu(host: ConnectedHost, key: Key, button: HTMLElement): void {
  const isHere = openMenu?.button === button;
  openMenu?.close();
  const message = host.controller?.thread?.messages.get(key);
  if (!isHere && message && button.isConnected) openMenu = new MessageMenu(host, message, button);
}

/** What can be done with one message, above everything else. The focus is in it until it closes, and goes back to its button. */
export class MessageMenu {
  readonly host: ConnectedHost;
  readonly message: Message;
  readonly button: HTMLElement;
  readonly #node = element('div', 'act-menu');
  readonly #closed = new AbortController();
  readonly #feedback: MessageFeedback;
  readonly #groups: readonly MenuGroup[];
  #status = '';

  constructor(host: ConnectedHost, message: Message, button: HTMLElement) {
    makePopover(this.#node);
    this.#node.id = host.context.createId();
    this.#node.part.add('menu');
    this.host = host;
    this.message = message;
    this.button = button;
    this.#feedback = new MessageFeedback(this);
    this.#groups = createMenuGroups(this, this.#feedback);
    const root = host.element.renderRoot;
    adoptSheets(root, [menuStyles]);
    root.querySelector('.ubik')?.append(this.#node);
    button.ariaExpanded = 'true';
    this.draw();
    togglePopover(this.#node, true);
    this.#updatePosition();
    this.#listen(root);
    this.#focusItem(0);
  }

  /** Shows what is there now. */
  draw(): void {
    const { formRating: form } = this.#feedback;
    render(
      html`${form ? this.#feedback.render() : this.#renderMenu()}
        <p class="meta" role="status">${this.#status}</p>`,
      this.#node,
    );
    if (isPopoverOpen(this.#node)) this.#updatePosition();
  }

  /** Says how an act has ended. */
  showStatus(words: string): void {
    this.#status = words;
    this.draw();
  }

  /** Asks why an answer is good or bad. */
  openFeedbackForm(rating: Rating): void {
    this.#feedback.formRating = rating;
    this.showStatus('');
    this.#node.querySelector('textarea')?.focus();
  }

  /** Takes the menu away; what had the focus in it gives it back. */
  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    const held = this.#node.matches(':focus-within');
    this.#node.remove();
    this.button.ariaExpanded = 'false';
    if (openMenu === this) openMenu = null;
    if (held) this.button.focus({ preventScroll: true });
  }

  #listen(root: Node): void {
    const { signal } = this.#closed;
    this.#node.addEventListener('keydown', this.#handleKey);
    this.#node.addEventListener('focusout', ({ relatedTarget }) => {
      const isOut = relatedTarget !== null && !this.#node.contains(relatedTarget as Node);
      if (isOut && relatedTarget !== this.button && !this.#feedback.formRating) this.close();
    });
    const leave = (event: Event): void => {
      const path = event.composedPath();
      if (!path.includes(this.#node) && !path.includes(this.button)) this.close();
    };
    window.addEventListener('pointerdown', leave, { capture: true, signal });
    // What scrolls in a shadow root is not heard outside of it.
    for (const place of [root, window]) {
      place.addEventListener('scroll', this.#updatePosition, {
        capture: true,
        passive: true,
        signal,
      });
    }
    window.addEventListener('resize', this.#updatePosition, { signal });
  }

  readonly #updatePosition = (): void => {
    if (this.button.isConnected) positionBelow(this.#node, this.button);
    else this.close();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // What the chat around does with keys is not meant here.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
    } else if (!this.#feedback.formRating) this.#handleMenuKey(event);
  };

  /** The keys of a menu. */
  #handleMenuKey(event: KeyboardEvent): void {
    const { key, ctrlKey, altKey, metaKey } = event;
    const nodes = this.#itemNodes();
    const at = nodes.findIndex((node) => node.matches(':focus'));
    const step = ARROW_STEPS[key];
    if (key === 'Tab') {
      // It goes on from the button.
      this.close();
      return;
    }
    if (ctrlKey || altKey || metaKey) return;
    if (step) this.#focusItem((at + step + nodes.length) % nodes.length);
    else if (key === 'Home') this.#focusItem(0);
    else if (key === 'End') this.#focusItem(nodes.length - 1);
    else if (/^\S$/u.test(key)) this.#focusItem(this.#findByLetter(key, at));
    else return;
    event.preventDefault();
  }

  /** The next item that begins with a letter. */
  #findByLetter(letter: string, at: number): number {
    const words = this.#itemNodes().map(({ textContent }) =>
      textContent.trim().toLocaleLowerCase(),
    );
    const begins = (text: string): boolean => text.startsWith(letter.toLocaleLowerCase());
    const next = words.findIndex((text, index) => index > at && begins(text));
    return next < 0 ? words.findIndex(begins) : next;
  }

  #itemNodes(): HTMLElement[] {
    return [...this.#node.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  }

  #focusItem(at: number): void {
    this.#itemNodes()[at]?.focus();
  }

  #renderMenu(): unknown {
    const { context } = this.host;
    const facts = `${this.#node.id}-facts`;
    return html`<div class="meta" id=${facts}>
        ${renderMessageInfo(this.message, context.locale)}
      </div>
      <div
        role="menu"
        aria-label=${context.locale.text('messageMore')}
        aria-describedby=${facts}
        aria-orientation="vertical"
      >
        ${this.#groups.map(
          ({ label, items }) =>
            html`<div role="group" aria-label=${label || nothing}>
              ${label ? html`<span class="meta" aria-hidden="true">${label}</span>` : nothing}
              ${items.map((item) => this.#renderItem(item))}
            </div>`,
        )}
      </div>`;
  }

  #renderItem({ label: words, checked, select: act }: MenuItem): unknown {
    const isOn = checked?.();
    return html`<button
      type="button"
      role=${isOn === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked=${isOn ?? nothing}
      tabindex="-1"
      @click=${act}
    >
      <span>${words()}</span>${isOn ? renderIcon('check') : nothing}
    </button>`;
  }
}

/** What is known of a message: its exact time, and how long its steps and tools took. What is not known is not there. */
export function renderMessageInfo(message: Message, locale: Locale): TemplateResult {
  const { createdAt } = message;
  const time = createdAt === null ? null : new Date(createdAt);
  const format = new Intl.DateTimeFormat(locale.lang, { dateStyle: 'full', timeStyle: 'medium' });
  const duration = workDuration(message);
  return html`${time && html`<time datetime=${time.toISOString()}>${format.format(time)}</time>`}${
    duration === null
      ? nothing
      : html`<span>${locale.text('menuWorkTime', { time: locale.duration(duration) })}</span>`
  }`;
}

/** Puts a box that is above everything else below another, or above it where it does not fit and there is more room, and always within what can be seen. */
export function positionBelow(node: HTMLElement, anchor: Element): void {
  const anchorBox = anchor.getBoundingClientRect();
  const { width, height } = node.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isRightToLeft = node.matches(':dir(rtl)');
  const left = isRightToLeft ? anchorBox.right - width : anchorBox.left;
  const spaceBelow = clientHeight - anchorBox.bottom;
  const isBelow = height + 12 <= spaceBelow || spaceBelow >= anchorBox.top;
  const top = isBelow ? anchorBox.bottom + 4 : anchorBox.top - height - 4;
  movePopover(
    node,
    Math.max(8, Math.min(left, clientWidth - width - 8)),
    Math.max(8, Math.min(top, clientHeight - height - 8)),
  );
}
