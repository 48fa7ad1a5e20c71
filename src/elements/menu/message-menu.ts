import { html, nothing, render, type ReactiveController, type TemplateResult, css } from 'lit';
import { element } from '../../dom/element.js';
import { isEscapeKey } from '../../dom/escape-key.js';
import { isPopoverOpen, makePopover, movePopover, togglePopover } from '../../dom/popover.js';
import { menuStrings } from '../../locales/en-menu.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { feedbackOf, type Rating } from '../../message/message-feedback.js';
import type { ViewContext } from '../../message/part-view.js';
import { workDuration } from '../../message/work-duration.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { giveFeedback, renderFeedbackForm } from './feedback.js';
import { createMenuGroups, type MenuGroup, type MenuItem } from './menu-items.js';
import { floatingFieldStyles } from '../styles/floating-field.js';

/** Styles of the menu of a message. */
const menuStyles = css`
  .message-menu {
    position: fixed;
    inset: auto;
    box-sizing: border-box;
    min-width: calc(13 * var(--_ubik-rem));
    max-width: min(calc(22 * var(--_ubik-rem)), 100vw - var(--_ubik-rem));
    max-height: calc(100dvh - var(--_ubik-rem));
    margin: 0;
    padding: calc(0.25 * var(--_ubik-rem));
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    box-shadow: 0 calc(0.25 * var(--_ubik-rem)) calc(1.25 * var(--_ubik-rem)) rgb(0 0 0 / 18%);
    overflow: auto;
    overscroll-behavior: contain;
    > .meta,
    [role='group'] > .meta {
      display: block;
      padding: calc(0.375 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
      color: var(--_muted);
      font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
      &:empty {
        padding: 0;
      }
    }
    .meta > time,
    .meta > span {
      display: block;
    }
    .meta > time::first-letter {
      text-transform: uppercase;
    }
    > p {
      margin: 0;
    }
    [role='group'] + [role='group'],
    .meta:not(:empty) + [role='menu'] {
      margin-block-start: calc(0.25 * var(--_ubik-rem));
      padding-block-start: calc(0.25 * var(--_ubik-rem));
      border-block-start: var(--_border);
    }
    [role='menuitem'] {
      box-sizing: border-box;
      width: 100%;
      min-height: calc(2 * var(--_ubik-rem));
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
      border-radius: var(--_control-radius);
      text-align: start;
      &:focus-visible {
        background: var(--_hover);
        outline-offset: -2px;
      }
    }
    /* On touch screens the hover style would stick. */
    @media (hover: hover) {
      [role='menuitem']:hover {
        background: var(--_hover);
      }
    }
    form {
      display: grid;
      gap: calc(0.5 * var(--_ubik-rem));
      width: min(calc(20 * var(--_ubik-rem)), 100vw - calc(2.5 * var(--_ubik-rem)));
      padding: calc(0.625 * var(--_ubik-rem));
    }
    textarea {
      ${floatingFieldStyles}
      min-height: calc(4 * var(--_ubik-rem));
    }
    @media (pointer: coarse) {
      [role='menuitem'] {
        min-height: calc(2.75 * var(--_ubik-rem));
      }
    }
    /* On narrow screens the menu is a sheet at the lower edge, so that the answer stays visible above it.
       "!important" overrides the position that was set for the button. */
    @media (width < 30rem) {
      inset: auto 0 0 !important;
      width: 100%;
      max-width: none;
      max-height: 75dvh;
      padding: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem))
        max(calc(0.5 * var(--_ubik-rem)), env(safe-area-inset-bottom));
      border-width: 1px 0 0;
      border-radius: calc(var(--_radius) * 1.4) calc(var(--_radius) * 1.4) 0 0;
      box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
      [role='group'] {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        column-gap: calc(0.5 * var(--_ubik-rem));
        > .meta {
          grid-column: 1 / -1;
        }
      }
      form {
        width: auto;
      }
    }
  }
`;

addDefaultStrings(menuStrings);

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** The open menu of the page. Only one can be open. */
let openMenu: MessageMenu | null = null;

/** A rating for which the form for feedback is opened. */
interface RatingRequest {
  readonly rating: Rating;
  readonly onRated: () => void;
}

/**
 * Opens the menu of a message at its button, or closes it if it is open there. With `rating`, opens the form for feedback instead, or
 * withdraws the rating if the message already has it. `onRated` is called when the rating has changed.
 */
export function openMessageMenu(
  host: ConnectedHost,
  key: Key,
  button: HTMLElement,
  rating?: Rating,
  onRated: () => void = () => undefined,
): void {
  const isHere = openMenu?.button === button;
  openMenu?.close();
  const message = host.controller?.thread?.messages.get(key);
  if (isHere || !message || !button.isConnected) return;
  if (rating && feedbackOf(message).rating === rating) {
    void withdrawFeedback(host, message, onRated);
  } else openMenu = new MessageMenu(host, message, button, rating && { rating, onRated });
}

async function withdrawFeedback(
  host: ConnectedHost,
  message: Message,
  onRated: () => void,
): Promise<void> {
  if (await giveFeedback(host, message, { rating: null, reason: '' })) onRated();
}

/**
 * The menu of one message, or the form for feedback on it, as a popover. Opening moves the focus into it; closing returns the focus to the
 * button. The menu closes when the focus moves elsewhere in the page; the form stays open then. A press outside, or another thread in the
 * element, closes both.
 */
export class MessageMenu implements ReactiveController {
  readonly host: ConnectedHost;
  readonly message: Message;
  readonly button: HTMLElement;
  readonly #node = element('div', 'message-menu');
  readonly #closed = new AbortController();
  readonly #rating: RatingRequest | undefined;
  readonly #groups: readonly MenuGroup[];
  #status = '';

  constructor(host: ConnectedHost, message: Message, button: HTMLElement, rating?: RatingRequest) {
    makePopover(this.#node);
    this.#node.id = host.context.createId();
    this.#node.part.add('menu');
    this.host = host;
    this.message = message;
    this.button = button;
    this.#rating = rating;
    this.#groups = createMenuGroups(this);
    const root = host.element.renderRoot;
    adoptSheets(root, [menuStyles]);
    root.querySelector('.ubik')?.append(this.#node);
    button.ariaExpanded = 'true';
    this.render();
    togglePopover(this.#node, true);
    this.#updatePosition();
    this.#listen(root);
    host.element.addController(this);
    if (rating) this.#node.querySelector('textarea')?.focus();
    else this.#focusItem(0);
  }

  /** Whether the menu is shown: neither closed nor removed with its element. */
  get isOpen(): boolean {
    return this.#node.isConnected;
  }

  /** Closes the menu when the element shows another thread. Compares the parts, because a message of another controller can have the same key. */
  hostUpdated(): void {
    const { controller } = this.host;
    if (controller?.thread?.messages.get(this.message.key)?.parts !== this.message.parts) {
      this.close();
    }
  }

  /** Renders the current state. */
  render(): void {
    render(
      html`${this.#rating ? this.#renderForm(this.#rating) : this.#renderMenu()}
        <p class="meta" role="status">${this.#status}</p>`,
      this.#node,
    );
    if (isPopoverOpen(this.#node)) this.#updatePosition();
  }

  /** Shows the result of an action. */
  showStatus(text: string): void {
    this.#status = text;
    this.render();
  }

  /** Removes the menu. Returns the focus to the button if the menu contained it. */
  readonly close = (): void => {
    this.#closed.abort();
    this.host.element.removeController(this);
    const hadFocus = this.#node.matches(':focus-within');
    this.#node.remove();
    this.button.ariaExpanded = 'false';
    if (openMenu === this) openMenu = null;
    if (hadFocus) this.button.focus({ preventScroll: true });
  };

  #listen(root: Node): void {
    const { signal } = this.#closed;
    this.#node.addEventListener('keydown', this.#handleKey);
    this.#node.addEventListener('dismiss', this.close);
    this.#node.addEventListener('focusout', ({ relatedTarget }) => {
      const isOutside = relatedTarget !== null && !this.#node.contains(relatedTarget as Node);
      if (isOutside && relatedTarget !== this.button && !this.#rating) this.close();
    });
    const handlePointerDown = (event: Event): void => {
      const path = event.composedPath();
      if (!path.includes(this.#node) && !path.includes(this.button)) this.close();
    };
    window.addEventListener('pointerdown', handlePointerDown, { capture: true, signal });
    // Scroll events in a shadow tree do not reach the window.
    for (const target of [root, window]) {
      target.addEventListener('scroll', this.#updatePosition, { capture: true, signal });
    }
    window.addEventListener('resize', this.#updatePosition, { signal });
  }

  readonly #updatePosition = (): void => {
    if (this.button.isConnected) positionBelow(this.#node, this.button);
    else this.close();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // Keyboard shortcuts of the chat do not apply in the menu.
    event.stopPropagation();
    if (isEscapeKey(event)) {
      event.preventDefault();
      this.close();
    } else if (!this.#rating) this.#handleMenuKey(event);
  };

  /** Keyboard navigation of a menu, according to the ARIA Authoring Practices Guide. */
  #handleMenuKey(event: KeyboardEvent): void {
    const { key, ctrlKey, altKey, metaKey } = event;
    const nodes = this.#itemNodes();
    const at = nodes.findIndex((node) => node.matches(':focus'));
    const step = ARROW_STEPS[key];
    if (key === 'Tab') {
      // The default action of Tab continues from the button.
      this.close();
      return;
    }
    if (ctrlKey || altKey || metaKey) return;
    if (step) this.#focusItem((at + step + nodes.length) % nodes.length);
    else if (key === 'Home') this.#focusItem(0);
    else if (key === 'End') this.#focusItem(nodes.length - 1);
    // Keys that type a visible character; the names of other keys are longer.
    else if (/^\S$/u.test(key)) this.#focusItem(this.#findByLetter(key, at));
    else return;
    event.preventDefault();
  }

  /** Returns the index of the first item after `at`, else of the first of all, whose label starts with `letter`; -1 if there is none. */
  #findByLetter(letter: string, at: number): number {
    const labels = this.#itemNodes().map(({ textContent }) =>
      textContent.trim().toLocaleLowerCase(),
    );
    const matches = (text: string): boolean => text.startsWith(letter.toLocaleLowerCase());
    const next = labels.findIndex((text, index) => index > at && matches(text));
    return next === -1 ? labels.findIndex(matches) : next;
  }

  #itemNodes(): HTMLElement[] {
    return [...this.#node.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  #focusItem(at: number): void {
    this.#itemNodes()[at]?.focus();
  }

  #renderForm({ rating, onRated }: RatingRequest): unknown {
    const { host, message, close } = this;
    const onGiven = (): void => {
      onRated();
      close();
    };
    return renderFeedbackForm({ host, message, rating, onGiven, onCancel: close });
  }

  #renderMenu(): unknown {
    const { context } = this.host;
    const infoId = `${this.#node.id}-info`;
    return html`<div class="meta" id=${infoId}>${renderMessageInfo(this.message, context)}</div>
      <div
        role="menu"
        aria-label=${context.locale.text('messageMore')}
        aria-describedby=${infoId}
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

  #renderItem({ label, select }: MenuItem): unknown {
    return html`<button type="button" role="menuitem" tabindex="-1" @click=${select}>
      ${label}
    </button>`;
  }
}

/** Renders, as far as known, the exact time of a message, the duration of its work if the service stores it, and the time to its first token. */
function renderMessageInfo(message: Message, { locale, actions }: ViewContext): TemplateResult {
  const { createdAt } = message;
  const time = createdAt === null ? null : new Date(createdAt);
  const format = new Intl.DateTimeFormat(locale.lang, { dateStyle: 'full', timeStyle: 'medium' });
  const duration = actions.storesTimes ? workDuration(message) : null;
  const firstTokenMs = message.usage?.firstTokenMs ?? null;
  return html`${time && html`<time datetime=${time.toISOString()}>${format.format(time)}</time>`}${
    duration === null
      ? nothing
      : html`<span>${locale.text('menuWorkTime', { time: locale.duration(duration) })}</span>`
  }${
    firstTokenMs === null
      ? nothing
      : html`<span>${locale.text('menuFirstToken', { time: locale.duration(firstTokenMs) })}</span>`
  }`;
}

/**
 * Positions a popover 4 px below an anchor, or above it if there is no room below and more space above; always within the viewport, 8 px
 * from its edges.
 */
function positionBelow(node: HTMLElement, anchor: Element): void {
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
