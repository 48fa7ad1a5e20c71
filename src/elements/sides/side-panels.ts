import { css, html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isEscapeKey } from '../../dom/escape-key.js';
import { isFromDialog } from '../../dom/event-target.js';
import { closeDialogs } from '../../dom/flat-tree.js';
import { sidePanelStrings } from '../../locales/en-side-panels.js';
import { addDefaultStrings, type Locale, type StringName } from '../../locales/locale.js';
import { drawIcon } from '../../message/icons.js';
import { adoptSheets } from '../styles/styles.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { ColumnSplitter, splitterStyles } from './column-splitter.js';
import { readSideState, SIDES, STORAGE_NAME, type Side } from './column-state.js';
import { isFocusLost, isRendered } from '../../dom/focusable.js';

/** Styles of drawers, and of the controls of columns. The columns have their place before this code is loaded (`chatHostStyles`). */
const sidePanelStyles = css`
  .side.open {
    position: absolute;
    inset-block: 0;
    z-index: 3;
    display: flex;
    border: 0;
    width: min(calc(20 * var(--_ubik-rem)), 100% - calc(3 * var(--_ubik-rem)));
    background: var(--_background);
    box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
    outline: 0;
  }
  .start {
    inset-inline-start: 0;
  }
  .end {
    inset-inline-end: 0;
  }
  .backdrop.open {
    position: absolute;
    inset: 0;
    z-index: 2;
    background: rgb(0 0 0 / 40%);
  }
  .side:not(.open) {
    > .side-edge {
      display: block;
    }
    > .side-collapse {
      display: grid;
    }
  }
  .side-close {
    align-self: end;
    margin: calc(0.5 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem)) 0;
  }
  .side-toggles {
    .quiet {
      display: flex;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
      min-width: 0;
      border-color: transparent;
    }
    /* A long name is cut, never broken in the middle of a word. */
    span {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .icon-side {
      width: calc(1.125 * var(--_ubik-rem));
      height: calc(1.125 * var(--_ubik-rem));
      &:dir(rtl) {
        scale: -1 1;
      }
    }
  }
  .side-toggle-end {
    margin-inline-start: auto;
  }
  /* Beside a header there is no room for the names on a phone. */
  @container ubik (max-width: 30em) {
    .side-toggles.has-header span {
      position: absolute;
      width: 1px;
      height: 1px;
      clip-path: inset(50%);
    }
  }
  /* At the widths from which chatHostStyles shows the panels as columns, their buttons are hidden. */
  @container ubik (min-width: 51.2em) {
    .side-toggles > .side-toggle-start:not(.is-collapsed),
    :not([data-sides='2']) > .main > .side-toggles:not(.is-collapsed) > .quiet {
      display: none;
    }
  }
  @container ubik (min-width: 72.54em) {
    .side-toggles > .quiet:not(.is-collapsed) {
      display: none;
    }
  }
`;

addDefaultStrings(sidePanelStrings);

/** Events after which the drawer closes, because the messages behind it have changed. */
const CLOSING_EVENTS = ['ubik-thread-opened', 'ubik-branch-switched', 'ubik-checkpoint-restored'];

/** SVG paths of a chat with a column, on a grid of 16 units; mirrored where the text runs from right to left. */
const SIDE_ICONS: Readonly<Record<Side, string>> = {
  start: 'M2.5 3h11v10h-11zM6 3v10',
  end: 'M2.5 3h11v10h-11zM10 3v10',
};

/** Names of the sides, unless the element there has an `aria-label`. */
const NAMES: Readonly<Record<Side, StringName>> = { start: 'threads', end: 'sideEnd' };

/**
 * Lays out the elements in the slots `start` and `end`: as columns in a wide chat, otherwise as modal drawers over the messages, each with
 * a button. A drawer closes with Escape, with its button, with a click beside it, and when another thread or branch is shown.
 */
export class SidePanels {
  readonly #host: ConnectedHost;
  readonly #splitters = new Map<Side, ColumnSplitter>();
  readonly #root: ShadowRoot;
  readonly #bar: HTMLElement;
  readonly #backdrop = element('div', 'backdrop');
  readonly #closeButton = element('button', 'quiet side-close');
  #openSide: Side | undefined;

  constructor(host: ConnectedHost, stored: unknown) {
    this.#host = host;
    this.#root = host.element.shadowRoot as ShadowRoot;
    adoptSheets(this.#root, [splitterStyles, sidePanelStyles]);
    this.#bar = this.#root.querySelector('.side-toggles') as HTMLElement;
    this.#bar.querySelector('slot')?.addEventListener('slotchange', () => {
      this.update();
    });
    this.#main.after(this.#backdrop);
    this.#backdrop.addEventListener('click', this.#closeForUser);
    this.#closeButton.type = 'button';
    this.#closeButton.addEventListener('click', this.#closeForUser);
    for (const type of CLOSING_EVENTS) host.element.addEventListener(type, this.close);
    this.#root.addEventListener('keydown', (event) => {
      if (!isEscapeKey(event as KeyboardEvent) || event.defaultPrevented || !this.#openSide) return;
      // A dialog closes itself.
      if (isFromDialog(event)) return;
      event.preventDefault();
      this.#closeForUser();
    });
    // In a wider chat the drawer becomes a column, which covers nothing and hides its button; in a narrower one columns and their dialogs are hidden.
    new ResizeObserver(() => {
      const button = this.#openSide && this.#button(this.#openSide);
      if (this.#openSide && !(button && isRendered(button))) this.close();
      this.#closeHiddenDialogs();
    }).observe(host.element);
    for (const side of SIDES) {
      const panel = this.#panel(side);
      if (panel) this.#splitters.set(side, new ColumnSplitter(panel, this.#store));
    }
    this.restore(stored);
  }

  /** Restores the stored state of the columns, which may be invalid. */
  restore(stored: unknown): void {
    for (const [side, splitter] of this.#splitters)
      splitter.applyState(readSideState(stored, side));
    this.update();
  }

  /**
   * Renders buttons and labels for the elements that are currently in the slots. The buttons are inert while a drawer is open, so their
   * `aria-expanded` is always false.
   */
  update(): void {
    const filled = SIDES.filter((side) => this.#content(side));
    const header = this.#bar.querySelector('slot');
    for (const side of SIDES) {
      // The header of the host page is between the buttons.
      render(
        filled.includes(side) ? this.#renderButton(side) : nothing,
        this.#bar,
        side === 'start' ? { renderBefore: header } : {},
      );
    }
    this.#bar.classList.toggle('has-header', header?.assignedElements().length !== 0);
    this.#bar.classList.toggle('is-collapsed', filled.some(this.#isCollapsed));
    for (const [side, splitter] of this.#splitters) {
      const name = this.#name(side);
      splitter.setLabels(this.#text('sideWidth', { name }), this.#text('sideCollapse', { name }));
    }
    if (this.#openSide && !filled.includes(this.#openSide)) this.close();
  }

  /** Closes the open drawer. Returns the focus to its button, unless the user has moved it elsewhere in the page. */
  readonly close = (): void => {
    const side = this.#openSide;
    if (!side) return;
    this.#openSide = undefined;
    const panel = this.#panel(side);
    const hadFocus = panel?.matches(':focus-within') || isFocusLost(this.#host.element);
    panel?.classList.remove('open');
    this.#closeHiddenDialogs();
    for (const name of ['role', 'aria-modal', 'aria-label', 'tabindex'])
      panel?.removeAttribute(name);
    this.#closeButton.remove();
    this.#backdrop.classList.remove('open');
    this.#setCovered(side, false);
    if (hadFocus) this.#button(side)?.focus();
  };

  /** Closes the open drawer and returns the focus to its button, even if a press beside the drawer has moved the focus. */
  readonly #closeForUser = (): void => {
    const side = this.#openSide;
    this.close();
    if (side) this.#button(side)?.focus();
  };

  #renderButton(side: Side): TemplateResult {
    return html`<button
      class="quiet side-toggle-${side} ${this.#isCollapsed(side) ? 'is-collapsed' : ''}"
      type="button"
      aria-expanded="false"
      @click=${() => this.#show(side)}
    >
      ${drawIcon('side', SIDE_ICONS[side])}<span dir="auto">${this.#name(side)}</span>
    </button>`;
  }

  /** Opens the drawer of a side, or expands its collapsed column. */
  #show(side: Side): void {
    const panel = this.#panel(side);
    if (!panel || this.#expand(side, panel)) return;
    // Closes the details, which would cover the drawer.
    this.#root.querySelector('.details-area')?.dispatchEvent(new Event('dismiss'));
    this.#openSide = side;
    panel.classList.add('open');
    panel.role = 'dialog';
    panel.ariaModal = 'true';
    panel.ariaLabel = this.#name(side);
    panel.tabIndex = -1;
    this.#closeButton.textContent = this.#text('close');
    panel.prepend(this.#closeButton);
    this.#backdrop.classList.add('open');
    panel.focus();
    this.#setCovered(side, true);
  }

  #closeHiddenDialogs(): void {
    for (const side of SIDES) {
      const panel = this.#panel(side);
      if (panel && !isRendered(panel)) closeDialogs(panel);
    }
  }

  /** Sets whether the drawer of a side covers the messages, and the column of the other side. */
  #setCovered(side: Side, isCovered: boolean): void {
    this.#main.inert = isCovered;
    for (const other of SIDES) {
      const panel = other === side ? null : this.#panel(other);
      if (panel) panel.inert = isCovered;
    }
  }

  /** Expands a collapsed column and focuses its splitter. Returns false when it is not collapsed, or the chat is too narrow for columns. */
  #expand(side: Side, panel: HTMLElement): boolean {
    if (!this.#isCollapsed(side)) return false;
    panel.classList.remove('is-collapsed');
    const isColumn = isRendered(panel);
    panel.classList.toggle('is-collapsed', !isColumn);
    const splitter = this.#splitters.get(side);
    if (isColumn) {
      splitter?.setCollapsed(false);
      splitter?.node.focus();
    }
    return isColumn;
  }

  readonly #isCollapsed = (side: Side): boolean =>
    this.#splitters.get(side)?.state.isCollapsed === true;

  /** Stores the state of the columns after the user has changed one. */
  readonly #store = (): void => {
    const states = [...this.#splitters].map(([side, { state }]) => [side, { ...state }] as const);
    this.#host.controller?.storage.set(STORAGE_NAME, Object.fromEntries(states));
    const focused = this.#root.activeElement?.closest('.side-edge, .side-collapse');
    this.update();
    // The focused splitter is hidden with its column, so the button that expands the column gets the focus.
    const collapsed = SIDES.find(
      (side) => this.#isCollapsed(side) && this.#panel(side)?.contains(focused ?? null),
    );
    if (collapsed) this.#button(collapsed)?.focus();
  };

  get #main(): HTMLElement {
    return this.#root.querySelector('.main') as HTMLElement;
  }

  #panel(side: Side): HTMLElement | null {
    return this.#root.querySelector(`.side.${side}`);
  }

  #button(side: Side): HTMLElement | null {
    return this.#bar.querySelector(`.side-toggle-${side}`);
  }

  #content(side: Side): Element | null {
    return this.#host.element.querySelector(`:scope > [slot='${side}']`);
  }

  get #text(): Locale['text'] {
    return this.#host.context.locale.text;
  }

  #name(side: Side): string {
    return this.#content(side)?.ariaLabel ?? this.#text(NAMES[side]);
  }
}
