import { css, html, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isEscapeKey } from '../../dom/escape-key.js';
import { isFromDialog } from '../../dom/event-target.js';
import { sidePanelStrings } from '../../locales/en-side-panels.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import { renderIcon } from '../../message/icons.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { columnLayoutStyles } from '../styles/column-layout.js';
import { adoptSheets } from '../styles/styles.js';
import { ColumnSplitter, splitterStyles } from './column-splitter.js';
import { readColumnState } from './column-state.js';

addDefaultStrings(sidePanelStrings);

/** Styles of the area as a column beside the messages. */
const columnStyles = css`
  position: relative;
  flex: none;
  border-inline-start: var(--_border);
  box-shadow: none;
`;

const styles = css`
  .with-details {
    ${columnLayoutStyles}
  }
  .details-area {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    z-index: 4;
    display: flex;
    flex-direction: column;
    width: min(var(--_side-width, var(--_replaced-width, calc(24 * var(--_ubik-rem)))), 100%);
    background: var(--_background);
    box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
    outline: 0;
    > .side-edge {
      display: block;
    }
    .details {
      display: flex;
      flex: 1;
      flex-direction: column;
      gap: calc(0.5 * var(--_ubik-rem));
      min-height: 0;
      padding: 0 var(--_ubik-rem) calc(0.75 * var(--_ubik-rem));
      overflow: hidden auto;
      overscroll-behavior: contain;
    }
    .head {
      position: sticky;
      inset-block-start: 0;
      z-index: 1;
      display: flex;
      padding-block-start: calc(0.75 * var(--_ubik-rem));
      background: var(--_background);
      align-items: start;
      justify-content: space-between;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    h2 {
      min-width: 0;
      margin: 0;
      font-size: var(--_ubik-rem);
      font-weight: 600;
      overflow-wrap: anywhere;
    }
    .head > .quiet {
      display: grid;
      flex: none;
      place-items: center;
      min-width: calc(2 * var(--_ubik-rem));
      padding: 0;
      @media (pointer: coarse) {
        min-width: calc(2.75 * var(--_ubik-rem));
      }
    }
  }
  /* Below 51.2em, the area covers the whole element. From there on, it is a column beside the messages, or lies over them if they have another
     column; from 72.54em, it is always a column. The widths are those of chatHostStyles. */
  @container ubik (max-width: 51.19em) {
    .details-area {
      width: 100%;
      box-shadow: none;
      > .side-edge {
        display: none;
      }
    }
  }
  @container ubik (min-width: 51.2em) {
    .with-details:not(:has(> .filled:not(.is-collapsed))) > .details-area {
      ${columnStyles}
    }
  }
  @container ubik (min-width: 72.54em) {
    .details-area {
      ${columnStyles}
    }
    .with-details > .side.end.filled {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .details-area {
      border-inline-start: 1px solid CanvasText;
    }
  }
  @media print {
    .details-area {
      display: none !important;
    }
  }
`;

/** Below this width, in `em` of the container as in the style sheet, the area covers the whole element as a modal dialog. */
const NARROW_WIDTH = 51.2;

/** Matches nodes that a modal area does not make inert: dialogs and popovers, which are above it, and live regions. */
const NOT_COVERED = 'dialog, [popover], .hidden';

/** Name of the stored record with the width. */
const STORAGE_NAME = 'details';

/** The open area of each element. */
const openAreas = new WeakMap<ConnectedHost, DetailsArea>();

/** Callbacks of the owner of an area, which renders its content. */
interface DetailsAreaHooks {
  /** Called whenever the area is closed. */
  readonly onClose: () => void;
  /** Called when the language has changed while the area is open: heading and content must be rendered again. */
  readonly onLocaleChange: () => void;
}

/**
 * An area at the end of an element for the details of a tool call or citation: a column beside the messages if there is space, else over
 * them, and a modal dialog in a narrow element. Its width can be changed and is stored. An element shows one area at a time. Escape and the
 * close button close it, and the focus returns to the control that has opened it.
 */
export class DetailsArea {
  /** The container of the content, whose heading has the id {@link headingId}. */
  readonly content = element('div', 'details');
  readonly node = element('section', 'details-area', this.content);
  readonly headingId: string;
  readonly #host: ConnectedHost;
  readonly #hooks: DetailsAreaHooks;
  readonly #splitter: ColumnSplitter;
  /** The nodes that the modal area has made inert. */
  readonly #covered = new Set<HTMLElement>();
  /** The control that has opened the area; null while the area is closed. */
  #opener: HTMLElement | null = null;
  /** The locale of the rendered heading. */
  #locale: Locale | undefined;
  readonly #resizeObserver = new ResizeObserver(() => {
    this.#updateMode();
  });

  constructor(host: ConnectedHost, hooks: DetailsAreaHooks) {
    this.#host = host;
    this.#hooks = hooks;
    this.headingId = host.context.createId();
    this.node.tabIndex = -1;
    this.node.setAttribute('aria-labelledby', this.headingId);
    this.node.addEventListener('keydown', this.#handleKey);
    this.node.addEventListener('dismiss', this.close);
    this.#splitter = new ColumnSplitter(this.node, this.#store, false);
    adoptSheets(this.#root, [splitterStyles, styles]);
    host.element.addController({
      hostUpdated: () => {
        if (this.#opener && this.#locale !== host.context.locale) hooks.onLocaleChange();
      },
    });
  }

  /** Opens the area and moves the focus into it. The caller renders the content. */
  open(opener: HTMLElement): void {
    const other = openAreas.get(this.#host);
    if (other !== this) other?.close();
    openAreas.set(this.#host, this);
    this.#opener?.removeAttribute('aria-expanded');
    this.#opener = opener;
    opener.ariaExpanded = 'true';
    this.#replaceColumn();
    this.#container?.append(this.node);
    this.#container?.classList.add('with-details');
    this.#resizeObserver.observe(this.#host.element);
    this.#restore();
    this.#updateMode();
    this.focus();
  }

  /** Closes the area. Does nothing while it is closed. */
  readonly close = (): void => {
    const opener = this.#opener;
    if (!opener) return;
    this.#opener = null;
    openAreas.delete(this.#host);
    this.#resizeObserver.disconnect();
    this.#container?.classList.remove('with-details');
    const hadFocus = this.node.matches(':focus-within');
    this.node.remove();
    this.#setModal(false);
    opener.removeAttribute('aria-expanded');
    this.#hooks.onClose();
    // If the focus is elsewhere, for example in the message field, it stays there.
    if (hadFocus) (opener.isConnected ? opener : this.#host.element).focus({ preventScroll: true });
  };

  /** Focuses the area itself, for example before its focused control is removed. */
  focus(): void {
    this.node.focus({ preventScroll: true });
  }

  /** Renders the heading and the close button. */
  renderHead(heading: unknown): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    this.#locale = locale;
    this.#splitter.setLabels(text('sideWidth', { name: text('sideEnd') }));
    return html`<div class="head">
      <h2 id=${this.headingId}>${heading}</h2>
      <button class="quiet" type="button" title=${text('close')} @click=${this.close}>
        ${renderIcon('close')}
      </button>
    </div>`;
  }

  get #root(): ShadowRoot {
    return this.#host.element.shadowRoot as ShadowRoot;
  }

  get #container(): HTMLElement | null {
    return this.#root.querySelector('.ubik');
  }

  /** Makes the area a modal dialog in a narrow element, otherwise a complementary region. */
  #updateMode(): void {
    const container = this.#container;
    if (!this.#opener || !container) return;
    const em = Number.parseFloat(getComputedStyle(container).fontSize);
    this.#setModal(container.clientWidth < NARROW_WIDTH * em);
  }

  #setModal(modal: boolean): void {
    this.node.role = modal ? 'dialog' : 'complementary';
    this.node.ariaModal = modal ? 'true' : null;
    for (const other of modal ? (this.#container?.children ?? []) : []) {
      if (!(other instanceof HTMLElement) || other === this.node || other.inert) continue;
      if (!other.matches(NOT_COVERED)) this.#covered.add(other);
    }
    for (const other of this.#covered) {
      // Otherwise, the focus would fall back to the top of the page.
      if (modal && other.matches(':focus-within')) this.focus();
      other.inert = modal;
    }
    if (!modal) this.#covered.clear();
  }

  #restore(): void {
    this.#splitter.applyState(this.#splitter.state);
    const storedState = this.#host.controller?.storage.get(STORAGE_NAME);
    void storedState?.then((stored) => {
      this.#splitter.applyState(readColumnState(stored));
    });
  }

  /** Gives the area the width of the column at the end, which it replaces, so that the text of the messages does not move. */
  #replaceColumn(): void {
    const column = this.#container?.querySelector<HTMLElement>(':scope > .end');
    const width = column?.offsetWidth ?? 0;
    // An open area may hide the column, which then has no width. In this case, the previous width is kept.
    if (width > 0) this.node.style.setProperty('--_replaced-width', `${width}px`);
    else if (!this.node.isConnected) this.node.style.removeProperty('--_replaced-width');
  }

  readonly #store = (): void => {
    this.#host.controller?.storage.set(STORAGE_NAME, { ...this.#splitter.state });
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    // A dialog in the content closes itself.
    if (!isEscapeKey(event) || event.defaultPrevented || isFromDialog(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
  };
}
