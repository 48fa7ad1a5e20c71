import { html, render, type LitElement } from 'lit';
import type { ControllerNotice } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { windowStrings } from '../../locales/en-window.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { langOfInterface, langOfContent, setLang } from '../../message/content-lang.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { lazyViews } from '../transcript/lazy-views.js';
import { Launcher } from './launcher.js';
import { PagePush } from './page-push.js';
import { WindowResizer } from './window-resizer.js';
import { windowStyles } from './window-styles.js';
import { addSheets, removeSheet } from '../../dom/sheets.js';

addDefaultStrings(windowStrings);

/** The chat of a window. */
export interface WindowHost extends LitElement {
  readonly layout: string;
  readonly push: boolean;
  open: boolean;
  /** Opens or closes the window as the user does: the host page may cancel it. */
  toggle(open?: boolean): void;
}

/** Notices that count as unread while the window is closed. */
const UNREAD_NOTICES: readonly ControllerNotice['type'][] = [
  'run-ended',
  'run-paused',
  'run-failed',
  'run-interrupted',
];

/** Highest count in the badge; above it, `9+`. */
const MAX_COUNT = 9;

/** The window of a chat over the page: launcher, title bar, size, and focus. */
export class ChatWindow {
  readonly #host: ConnectedHost<WindowHost>;
  readonly #launcher = new Launcher();
  /** Container of the launcher: it has the custom properties of the chat, but is not in its box. */
  readonly #launcherBox = element('div', 'ubik launch', this.#launcher.node);
  readonly #titleBar = element('header', 'window-head');
  readonly #window: HTMLElement;
  readonly #resizer: WindowResizer;
  readonly #push: PagePush;
  #unread = 0;
  #isOpen = false;

  constructor(host: ConnectedHost<WindowHost>) {
    this.#host = host;
    const root = host.element.shadowRoot as ShadowRoot;
    addSheets(root, [windowStyles]);
    this.#window = root.querySelector('.ubik') as HTMLElement;
    this.#window.classList.add('window');
    this.#window.tabIndex = -1;
    this.#resizer = new WindowResizer(host, this.#window);
    this.#push = new PagePush(this.#window);
    this.#window.querySelector('.main')?.prepend(this.#titleBar);
    root.append(this.#launcherBox);
    this.#launcher.onIntent(() => {
      // Loads what renders an answer before the window is open.
      lazyViews.prefetch();
    });
    this.#launcher.node.addEventListener('click', () => {
      host.element.toggle();
    });
    root.addEventListener('keydown', this.#handleKey);
    this.update();
  }

  /** Renders launcher and title bar; follows `open`, `layout` and `push`. */
  update(): void {
    const { element: chat, context } = this.#host;
    const { text } = context.locale;
    const accent = this.#window.style.getPropertyValue('--_page-accent');
    if (accent) this.#launcherBox.style.setProperty('--_page-accent', accent);
    if (this.#launcherBox.dir !== this.#window.dir) this.#launcherBox.dir = this.#window.dir;
    setLang(this.#launcherBox, context.locale.uiLang);
    this.#window.role = 'dialog';
    this.#window.ariaLabel = chat.ariaLabel ?? text('conversation');
    render(this.#renderTitleBar(), this.#titleBar);
    this.#resizer.update(chat.layout === 'panel');
    if (chat.open !== this.#isOpen) this.#moveFocus(chat.open);
    this.#push.update(chat.open && chat.layout === 'panel' && chat.push);
    const count = this.#unread;
    const label = count > 0 ? text('openChatNew', { count }) : text('openChat');
    const badge = count > MAX_COUNT ? `${String(MAX_COUNT)}+` : String(count || '');
    this.#launcher.update(chat.open ? text('closeChat') : label, chat.open, badge);
  }

  /** Counts an unread notice in the badge of the launcher. */
  handleNotice({ type }: ControllerNotice): void {
    if (this.#host.element.open || !UNREAD_NOTICES.includes(type)) return;
    this.#unread += 1;
    this.update();
  }

  /** The chat is disconnected: the page gets its full width back. */
  handleDisconnect(): void {
    this.#push.update(false);
  }

  /** Removes the window: the chat is inline again. */
  dispose(): void {
    this.handleDisconnect();
    const root = this.#host.element.shadowRoot as ShadowRoot;
    removeSheet(root, windowStyles);
    root.removeEventListener('keydown', this.#handleKey);
    this.#resizer.dispose();
    this.#launcherBox.remove();
    this.#titleBar.remove();
    this.#window.classList.remove('window');
    for (const name of ['role', 'aria-label', 'tabindex']) this.#window.removeAttribute(name);
  }

  /** Moves the focus into the opened window, or from the closed one to the launcher. */
  #moveFocus(open: boolean): void {
    const inside = this.#host.element.shadowRoot?.activeElement;
    this.#isOpen = open;
    if (open) {
      this.#unread = 0;
      // Focusing the field would open the virtual keyboard, which covers the messages.
      if (inside !== this.#launcher.node) return;
      if (matchMedia('(pointer: coarse)').matches) this.#window.focus({ preventScroll: true });
      else this.#host.element.focus();
    } else if (inside && this.#window.contains(inside)) this.#launcher.node.focus();
  }

  #renderTitleBar(): unknown {
    const { element: chat, context } = this.#host;
    const { locale } = context;
    const { text } = locale;
    const name =
      chat.ariaLabel ?? html`<span lang=${langOfInterface(locale)}>${text('conversation')}</span>`;
    return html`<div class="window-title" dir="auto">
        <slot name="header" lang=${langOfContent(locale)}>${name}</slot>
      </div>
      <button
        class="window-close"
        type="button"
        title=${text('closeChat')}
        @click=${() => {
          chat.toggle(false);
        }}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 4l8 8M12 4l-8 8" /></svg>
      </button>`;
  }

  /** Closes the window on Escape, when nothing in it has handled the key. */
  readonly #handleKey = (event: Event): void => {
    const { key, defaultPrevented } = event as KeyboardEvent;
    if (key !== 'Escape' || defaultPrevented || !this.#host.element.open) return;
    event.preventDefault();
    this.#host.element.toggle(false);
  };
}
