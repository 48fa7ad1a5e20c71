import { html, render, type LitElement, css, unsafeCSS } from 'lit';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { element } from '../../dom/element.js';
import { isEscapeKey } from '../../dom/escape-key.js';
import { isFromDialog } from '../../dom/event-target.js';
import { closeDialogs } from '../../dom/flat-tree.js';
import { windowStrings } from '../../locales/en-window.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { langOfInterface, langOfContent, setLang } from '../../message/content-lang.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { Run } from '../../model/thread.js';
import { lazyViews } from '../transcript/lazy-views.js';
import { Launcher } from './launcher.js';
import { WindowResizer } from './window-resizer.js';
import { addSheets, removeSheet } from '../../dom/sheets.js';
import { frameCss, launcherCss } from './window-css.js';

/** Styles of a chat with the layout `bubble` or `panel`. `unsafeCSS` gets constants of this package only. */
const windowStyles = css`
  ${unsafeCSS(frameCss)}
  ${unsafeCSS(launcherCss)}
  :host(:not([open])) .window,
  :host([open][layout='panel']) .launcher {
    display: none;
  }
  /* Repeated with a higher specificity, because the styles of side panels set another position. */
  .ubik.window {
    position: fixed;
    outline: 0;
  }
  @media (prefers-reduced-motion: no-preference) {
    .ubik.window {
      transition:
        opacity 120ms,
        translate 120ms,
        display 120ms allow-discrete;
    }
    :host(:not([open])) .ubik.window {
      opacity: 0;
      translate: 0 calc(0.5 * var(--_ubik-rem));
    }
    @starting-style {
      :host([open]) .ubik.window {
        opacity: 0;
        translate: 0 calc(0.5 * var(--_ubik-rem));
      }
    }
  }
  ::slotted([slot='logo']) {
    flex: none;
    max-block-size: calc(2 * var(--_ubik-rem));
  }
  .launch {
    display: contents;
  }
  :host([layout='panel']) .window {
    inset-block: 0;
    inset-inline-end: 0;
    inline-size: min(var(--_inline-size, calc(26 * var(--_ubik-rem))), 100vw);
    block-size: auto;
    border-width: 0;
    border-inline-start-width: 1px;
    border-radius: 0;
  }
  .window-size {
    position: absolute;
    z-index: 4;
    inset-block-start: 0;
    inset-inline-start: 0;
    inline-size: calc(1.5 * var(--_ubik-rem));
    block-size: calc(1.5 * var(--_ubik-rem));
    cursor: nwse-resize;
    touch-action: none;
    &:dir(rtl) {
      cursor: nesw-resize;
    }
    /* An arc with the radius of the corner, visible while the handle is hovered or focused. */
    &::before {
      position: absolute;
      inset-block-start: calc(0.3125 * var(--_ubik-rem));
      inset-inline-start: calc(0.3125 * var(--_ubik-rem));
      inline-size: calc(0.625 * var(--_ubik-rem));
      block-size: calc(0.625 * var(--_ubik-rem));
      border: 0 solid var(--_muted);
      border-block-start-width: 2px;
      border-inline-start-width: 2px;
      border-start-start-radius: calc(
        var(--ubik-radius, calc(0.625 * var(--_ubik-rem))) * 1.4 - calc(0.3125 * var(--_ubik-rem))
      );
      opacity: 0;
      content: '';
    }
    &:is(:hover, :focus-visible)::before {
      opacity: 1;
    }
  }
  :host([layout='panel']) .window-size {
    inset-block: 0;
    inline-size: calc(0.5 * var(--_ubik-rem));
    block-size: auto;
    cursor: ew-resize;
    &::before {
      inset-block: 40%;
      inset-inline-start: calc(0.125 * var(--_ubik-rem));
      inline-size: 0;
      block-size: auto;
      border-width: 0;
      border-inline-start-width: 2px;
      border-radius: 0;
    }
  }
  @media (width < 30rem), (height < 26rem) {
    /* Drawers and details that cover the window ignore its padding and begin at the edges of the screen, so they have the padding themselves. */
    .side.open,
    .details-area[aria-modal],
    .filled:not(.is-collapsed) ~ .details-area {
      padding-block: env(safe-area-inset-top)
        max(env(safe-area-inset-bottom), var(--_keyboard, 0px));
      &:not(.start:dir(rtl), .end:dir(ltr)) {
        padding-left: env(safe-area-inset-left);
      }
      &:not(.start:dir(ltr), .end:dir(rtl)) {
        padding-right: env(safe-area-inset-right);
      }
    }
    :host([open]) .launcher,
    .window-size {
      display: none;
    }
    :host([layout='panel']) .window {
      inline-size: 100vw;
    }
  }
`;

addDefaultStrings(windowStrings);

/** A chat with a window. */
export interface WindowHost extends LitElement {
  readonly layout: string;
  readonly push: boolean;
  open: boolean;
  /** Opens or closes the window as the user does, so that the host page can cancel it. */
  toggle(open?: boolean): void;
}

/** Notices that count as unread while the window is closed. */
const UNREAD_NOTICES: readonly ControllerNotice['type'][] = [
  'run-completed',
  'run-paused',
  'run-failed',
  'run-interrupted',
];

/** Highest count in the badge; above it, the badge shows `9+`. */
const MAX_COUNT = 9;

/** The window of a chat over the page: launcher, title bar, size, and focus. */
export class ChatWindow {
  readonly #host: ConnectedHost<WindowHost>;
  readonly #launcher = new Launcher();
  /** Container of the launcher. It is outside the window, and has the class `ubik` for the custom properties of the chat. */
  readonly #launcherBox = element('div', 'ubik launch', this.#launcher.node);
  readonly #titleBar = element('header', 'window-head');
  readonly #window: HTMLElement;
  readonly #resizer: WindowResizer;
  readonly #push: PagePush;
  /** The answers of each controller that have ended or paused while the window was closed, by the keys of their messages. */
  readonly #unread = new WeakMap<StreamController, Set<Run['answer']>>();
  /** Undefined before the first update. */
  #isOpen: boolean | undefined;

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
      // Load the code that renders answers before the window is opened.
      lazyViews.prefetch();
    });
    this.#launcher.node.addEventListener('click', () => {
      host.element.toggle();
    });
    root.addEventListener('keydown', this.#handleKey);
    this.update();
  }

  /** Renders launcher and title bar for the current `open`, `layout` and `push`. */
  update(): void {
    const { element: chat, context, controller } = this.#host;
    const { text } = context.locale;
    const accent = this.#window.style.getPropertyValue('--_page-accent');
    this.#launcherBox.style.setProperty('--_page-accent', accent);
    if (this.#launcherBox.dir !== this.#window.dir) this.#launcherBox.dir = this.#window.dir;
    setLang(this.#launcherBox, context.locale.uiLang);
    this.#window.role = 'dialog';
    this.#window.ariaLabel = chat.ariaLabel ?? text('conversation');
    render(this.#renderTitleBar(), this.#titleBar);
    this.#resizer.update(chat.layout === 'panel');
    if (chat.open !== this.#isOpen) this.#handleOpenChange(chat.open);
    this.#push.update(chat.isConnected && chat.open && chat.layout === 'panel' && chat.push);
    // What the user can see is read, also that of a controller that is connected while the window is open.
    if (chat.open && controller) this.#unread.delete(controller);
    const count = (controller && this.#unread.get(controller)?.size) ?? 0;
    const label = count > 0 ? text('openChatNew', { count }) : text('openChat');
    const badge = count > MAX_COUNT ? `${String(MAX_COUNT)}+` : String(count || '');
    this.#launcher.update(chat.open ? text('closeChat') : label, chat.open, badge);
  }

  /** Counts the answer of an unread notice in the badge of the launcher, once: a run that was paused or interrupted may go on and end later. */
  handleNotice(notice: ControllerNotice): void {
    const { element: chat, controller } = this.#host;
    if (chat.open || !controller || !('run' in notice)) return;
    if (!UNREAD_NOTICES.includes(notice.type)) return;
    const answers = this.#unread.get(controller) ?? new Set();
    this.#unread.set(controller, answers.add(notice.run.answer));
    this.update();
  }

  /** Called when the element is removed from the document: the page gets its full width back. */
  handleDisconnect(): void {
    this.#push.update(false);
  }

  /** Removes the window, so that the chat is inline again. */
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

  /**
   * Moves the focus from the launcher into the opened window, or from the closed window to the launcher. Closing also closes the dialogs in the
   * window.
   */
  #handleOpenChange(open: boolean): void {
    this.#isOpen = open;
    if (open) {
      if (!this.#launcher.node.matches(':focus')) return;
      // Focusing the field would open the virtual keyboard, which covers the messages.
      if (matchMedia('(pointer: coarse)').matches) this.#window.focus({ preventScroll: true });
      else this.#host.element.focus();
      return;
    }
    const hadFocus = this.#window.matches(':focus-within');
    closeDialogs(this.#window);
    if (hadFocus) this.#launcher.node.focus();
  }

  #renderTitleBar(): unknown {
    const { element: chat, context } = this.#host;
    const { locale } = context;
    const { text } = locale;
    const name =
      chat.ariaLabel ?? html`<span lang=${langOfInterface(locale)}>${text('conversation')}</span>`;
    const status = isRunning(this.#host.controller?.thread) ? text('working') : '';
    return html`<slot name="logo"></slot>
      <div class="window-title" dir="auto">
        <slot name="header" lang=${langOfContent(locale)}>${name}</slot>
      </div>
      <span class="meta" dir="auto">${status}</span>
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

  /** Closes the window on Escape if nothing in it has handled the key. */
  readonly #handleKey = (event: Event): void => {
    const { open, renderRoot } = this.#host.element;
    if (!isEscapeKey(event as KeyboardEvent) || event.defaultPrevented || !open) return;
    // A dialog closes itself. In a hidden window it would stay modal, so that the page could not be used.
    if (isFromDialog(event)) return;
    // Escape closes an open drawer, whose listener may run after this one.
    if (renderRoot.querySelector('.side.open')) return;
    event.preventDefault();
    this.#host.element.toggle(false);
  };
}

/** Media query for pages that are wide enough to be moved aside. */
const WIDE = '(width >= 64rem)';

/** The open panels that move the page aside; usually one. */
const pushingPanels = new Set<HTMLElement>();

/** The inline margin that the page has set before a panel has moved it aside. */
let pageMargin = '';

/** Moves the page aside by the width of an open panel, with a margin of the root element, while the page is wide enough. */
class PagePush {
  readonly #panel: HTMLElement;
  readonly #wide = matchMedia(WIDE);
  readonly #observer = new ResizeObserver(() => {
    this.#apply();
  });
  #isActive = false;

  constructor(panel: HTMLElement) {
    this.#panel = panel;
  }

  /** Sets whether the page is moved aside. */
  update(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    if (isActive) {
      this.#observer.observe(this.#panel);
      this.#wide.addEventListener('change', this.#apply);
    } else {
      this.#observer.disconnect();
      this.#wide.removeEventListener('change', this.#apply);
    }
    this.#apply();
  }

  readonly #apply = (): void => {
    const { style } = document.documentElement;
    if (this.#isActive && this.#wide.matches) {
      if (pushingPanels.size === 0) pageMargin = style.marginInlineEnd;
      pushingPanels.add(this.#panel);
    } else if (!pushingPanels.delete(this.#panel)) return;
    // The panels are at the same edge of the page.
    const widths = [...pushingPanels].map(({ offsetWidth }) => offsetWidth);
    style.marginInlineEnd = widths.length > 0 ? `${String(Math.max(...widths))}px` : pageMargin;
  };
}
