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
import { WindowSize } from './window-size.js';
import { windowStyles } from './window-styles.js';
import { addSheets, removeSheet } from '../../dom/sheets.js';

addDefaultStrings(windowStrings);

/** What a window asks of its chat. */
export interface WindowHost extends LitElement {
  readonly layout: string;
  readonly push: boolean;
  open: boolean;
  /** Opens or closes it as the person does, unless the page objects. */
  toggle(open?: boolean): void;
}

/** What says that something new is there to be read. */
const NEWS: readonly ControllerNotice['type'][] = [
  'run-ended',
  'run-paused',
  'run-failed',
  'run-interrupted',
];

/** Most that the mark on the button counts. */
const MOST = 9;

/** A chat as a window over the page: the button that opens it, its head, its size, and where the keyboard goes. */
export class ChatWindow {
  readonly #host: ConnectedHost<WindowHost>;
  readonly #launcher = new Launcher();
  /** Holds the button: it has the colours of the chat, and none of its size. */
  readonly #launch = element('div', 'ubik launch', this.#launcher.node);
  readonly #head = element('header', 'window-head');
  readonly #box: HTMLElement;
  readonly #size: WindowSize;
  readonly #push: PagePush;
  #unread = 0;
  #isOpen = false;

  constructor(host: ConnectedHost<WindowHost>) {
    this.#host = host;
    const root = host.element.shadowRoot as ShadowRoot;
    addSheets(root, [windowStyles]);
    this.#box = root.querySelector('.ubik') as HTMLElement;
    this.#box.classList.add('window');
    this.#box.tabIndex = -1;
    this.#size = new WindowSize(host, this.#box);
    this.#push = new PagePush(this.#box);
    this.#box.querySelector('.main')?.prepend(this.#head);
    root.append(this.#launch);
    this.#launcher.onIntent(() => {
      // What an answer needs is on its way before the window is open.
      lazyViews.prefetch();
    });
    this.#launcher.node.addEventListener('click', () => {
      host.element.toggle();
    });
    root.addEventListener('keydown', this.#handleKey);
    this.update();
  }

  /** Draws what has changed. */
  update(): void {
    const { element: chat, context } = this.#host;
    const { text } = context.locale;
    const accent = this.#box.style.getPropertyValue('--_page-accent');
    if (accent) this.#launch.style.setProperty('--_page-accent', accent);
    if (this.#launch.dir !== this.#box.dir) this.#launch.dir = this.#box.dir;
    setLang(this.#launch, context.locale.uiLang);
    this.#box.role = 'dialog';
    this.#box.ariaLabel = chat.ariaLabel ?? text('conversation');
    render(this.#renderHead(), this.#head);
    this.#size.update(chat.layout === 'panel');
    if (chat.open !== this.#isOpen) this.#turn(chat.open);
    this.#push.update(chat.open && chat.layout === 'panel' && chat.push);
    const count = this.#unread;
    const label = count > 0 ? text('openChatNew', { count }) : text('openChat');
    const badge = count > MOST ? `${String(MOST)}+` : String(count || '');
    this.#launcher.update(chat.open ? text('closeChat') : label, chat.open, badge);
  }

  /** Something has happened in the conversation; what nobody saw is marked on the button. */
  noticed({ type }: ControllerNotice): void {
    if (this.#host.element.open || !NEWS.includes(type)) return;
    this.#unread += 1;
    this.update();
  }

  /** The chat is disconnected: the page gets its full width back. */
  disconnected(): void {
    this.#push.update(false);
  }

  /** The chat stands in the page like anything else: takes away what made it a window. */
  dispose(): void {
    this.disconnected();
    const root = this.#host.element.shadowRoot as ShadowRoot;
    removeSheet(root, windowStyles);
    root.removeEventListener('keydown', this.#handleKey);
    this.#size.dispose();
    this.#launch.remove();
    this.#head.remove();
    this.#box.classList.remove('window');
    for (const name of ['role', 'aria-label', 'tabindex']) this.#box.removeAttribute(name);
  }

  /** Follows what was decided: the keyboard goes into the window, and back to where it came from. */
  #turn(open: boolean): void {
    const inside = this.#host.element.shadowRoot?.activeElement;
    this.#isOpen = open;
    if (open) {
      this.#unread = 0;
      // A keyboard on the screen would cover what the person wants to read first.
      if (inside !== this.#launcher.node) return;
      if (matchMedia('(pointer: coarse)').matches) this.#box.focus({ preventScroll: true });
      else this.#host.element.focus();
    } else if (inside && this.#box.contains(inside)) this.#launcher.node.focus();
  }

  #renderHead(): unknown {
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

  /** Escape closes the window when nothing in it wanted the key. */
  readonly #handleKey = (event: Event): void => {
    const { key, defaultPrevented } = event as KeyboardEvent;
    if (key !== 'Escape' || defaultPrevented || !this.#host.element.open) return;
    event.preventDefault();
    this.#host.element.toggle(false);
  };
}
