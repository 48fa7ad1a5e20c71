import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import { menuStrings } from '../../locales/en-menu.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { renderIcon } from '../../message/icons.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { Feedback, type Rating } from './feedback.js';
import { renderFacts } from './facts.js';
import { listItems, type MenuGroup, type MenuItem } from './menu-items.js';
import { menuStyles } from './menu-styles.js';
import { placeBelow } from './place-below.js';
import { isPopoverOpen, makePopover, togglePopover } from '../../dom/popover.js';

addDefaultStrings(menuStrings);

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
let shown: MessageMenu | null = null;

/** Opens the menu of a message at its button; closes it when it is open there. */
export function openMessageMenu(host: ConnectedHost, key: Key, button: HTMLElement): void {
  const isHere = shown?.button === button;
  shown?.close();
  const message = host.controller?.thread?.messages.get(key);
  if (!isHere && message && button.isConnected) shown = new MessageMenu(host, message, button);
}

/** What can be done with one message, above everything else. The focus is in it until it closes, and goes back to its button. */
export class MessageMenu {
  readonly host: ConnectedHost;
  readonly message: Message;
  readonly button: HTMLElement;
  readonly #node = element('div', 'act-menu');
  readonly #closed = new AbortController();
  readonly #feedback: Feedback;
  readonly #items: readonly MenuGroup[];
  #told = '';

  constructor(host: ConnectedHost, message: Message, button: HTMLElement) {
    makePopover(this.#node);
    this.#node.id = host.context.createId();
    this.#node.part.add('menu');
    this.host = host;
    this.message = message;
    this.button = button;
    this.#feedback = new Feedback(this);
    this.#items = listItems(this, this.#feedback);
    const root = host.element.renderRoot;
    adoptSheets(root, [menuStyles]);
    root.querySelector('.ubik')?.append(this.#node);
    button.ariaExpanded = 'true';
    this.draw();
    togglePopover(this.#node, true);
    this.#place();
    this.#listen(root);
    this.#focusItem(0);
  }

  /** Shows what is there now. */
  draw(): void {
    const { form } = this.#feedback;
    render(
      html`${form ? this.#feedback.render() : this.#renderMenu()}
        <p class="meta" role="status">${this.#told}</p>`,
      this.#node,
    );
    if (isPopoverOpen(this.#node)) this.#place();
  }

  /** Says how an act has ended. */
  tell(words: string): void {
    this.#told = words;
    this.draw();
  }

  /** Asks why an answer is good or bad. */
  askWhy(rating: Rating): void {
    this.#feedback.form = rating;
    this.tell('');
    this.#node.querySelector('textarea')?.focus();
  }

  /** Takes the menu away; what had the focus in it gives it back. */
  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    const held = this.#node.matches(':focus-within');
    this.#node.remove();
    this.button.ariaExpanded = 'false';
    if (shown === this) shown = null;
    if (held) this.button.focus({ preventScroll: true });
  }

  #listen(root: Node): void {
    const { signal } = this.#closed;
    this.#node.addEventListener('keydown', this.#handleKey);
    this.#node.addEventListener('focusout', ({ relatedTarget }) => {
      const isOut = relatedTarget !== null && !this.#node.contains(relatedTarget as Node);
      if (isOut && relatedTarget !== this.button && !this.#feedback.form) this.close();
    });
    const leave = (event: Event): void => {
      const path = event.composedPath();
      if (!path.includes(this.#node) && !path.includes(this.button)) this.close();
    };
    window.addEventListener('pointerdown', leave, { capture: true, signal });
    // What scrolls in a shadow root is not heard outside of it.
    for (const place of [root, window]) {
      place.addEventListener('scroll', this.#place, { capture: true, passive: true, signal });
    }
    window.addEventListener('resize', this.#place, { signal });
  }

  readonly #place = (): void => {
    if (this.button.isConnected) placeBelow(this.#node, this.button);
    else this.close();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // What the chat around does with keys is not meant here.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
    } else if (!this.#feedback.form) this.#walk(event);
  };

  /** The keys of a menu. */
  #walk(event: KeyboardEvent): void {
    const { key, ctrlKey, altKey, metaKey } = event;
    const nodes = this.#nodes();
    const at = nodes.findIndex((node) => node.matches(':focus'));
    const step = STEPS[key];
    if (key === 'Tab') {
      // It goes on from the button.
      this.close();
      return;
    }
    if (ctrlKey || altKey || metaKey) return;
    if (step) this.#focusItem((at + step + nodes.length) % nodes.length);
    else if (key === 'Home') this.#focusItem(0);
    else if (key === 'End') this.#focusItem(nodes.length - 1);
    else if (/^\S$/u.test(key)) this.#focusItem(this.#find(key, at));
    else return;
    event.preventDefault();
  }

  /** The next item that begins with a letter. */
  #find(letter: string, at: number): number {
    const words = this.#nodes().map(({ textContent }) => textContent.trim().toLocaleLowerCase());
    const begins = (text: string): boolean => text.startsWith(letter.toLocaleLowerCase());
    const next = words.findIndex((text, index) => index > at && begins(text));
    return next < 0 ? words.findIndex(begins) : next;
  }

  #nodes(): HTMLElement[] {
    return [...this.#node.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  }

  #focusItem(at: number): void {
    this.#nodes()[at]?.focus();
  }

  #renderMenu(): unknown {
    const { context } = this.host;
    const facts = `${this.#node.id}-facts`;
    return html`<div class="meta" id=${facts}>${renderFacts(this.message, context.locale)}</div>
      <div
        role="menu"
        aria-label=${context.locale.text('messageMore')}
        aria-describedby=${facts}
        aria-orientation="vertical"
      >
        ${this.#items.map(
          ({ label, items }) =>
            html`<div role="group" aria-label=${label || nothing}>
              ${label ? html`<span class="meta" aria-hidden="true">${label}</span>` : nothing}
              ${items.map((item) => this.#renderItem(item))}
            </div>`,
        )}
      </div>`;
  }

  #renderItem({ words, checked, act }: MenuItem): unknown {
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
