import { html, render } from 'lit';
import { element } from '../../dom/element.js';
import { sidePanelStrings } from '../../locales/en-side-panels.js';
import { addDefaultStrings, type Locale, type StringName } from '../../locales/locale.js';
import { renderIcon } from '../../message/icons.js';
import { adoptSheets } from '../styles/styles.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { readEdge, SideEdge } from './side-edge.js';
import { sidesStyles } from './side-styles.js';
import { isRendered } from '../../dom/focusable.js';

addDefaultStrings(sidePanelStrings);

/** One side of a chat. */
type Side = 'start' | 'end';

const SIDES: readonly Side[] = ['start', 'end'];

/** Under which name it is kept how the person wants the columns. */
const NOTE = 'sides';

/** After these the messages are what the person wants to see. */
const STEPS = ['ubik-thread-opened', 'ubik-branch-navigated', 'ubik-checkpoint-navigated'];

/** What stands at a side when the page does not say it (`aria-label`). */
const WORDS: Readonly<Record<Side, StringName>> = { start: 'threads', end: 'sideEnd' };

/**
 * What the page has put beside the messages: columns where there is room, else drawers over the messages, each with a button. An
 * open drawer is left by Escape, by its button, by a press beside it, and when the messages have become others.
 */
export class Sides {
  readonly #host: ConnectedHost;
  readonly #edges = new Map<Side, SideEdge>();
  readonly #root: ShadowRoot;
  readonly #bar = element('div', 'sides-bar');
  readonly #shade = element('div', 'shade');
  readonly #close = element('button', 'quiet side-close');
  #open: Side | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
    this.#root = host.element.shadowRoot as ShadowRoot;
    adoptSheets(this.#root, [sidesStyles]);
    this.#main.prepend(this.#bar);
    this.#main.after(this.#shade);
    this.#shade.addEventListener('click', this.close);
    this.#close.type = 'button';
    this.#close.addEventListener('click', this.close);
    for (const type of STEPS) host.element.addEventListener(type, this.close);
    this.#root.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Escape' || event.defaultPrevented || !this.#open)
        return;
      event.preventDefault();
      this.close();
    });
    // With more room a drawer becomes a column: nothing is covered any more.
    new ResizeObserver(() => {
      const button = this.#open && this.#button(this.#open);
      if (this.#open && !(button && isRendered(button))) this.close();
    }).observe(this.#main);
    for (const side of SIDES) {
      const box = this.#box(side);
      if (box) this.#edges.set(side, new SideEdge(box, this.#keep));
    }
    this.restore();
  }

  /** Takes the columns as the person wanted them the last time. */
  restore(): void {
    const reading = this.#host.controller?.notes.read(NOTE);
    void reading?.then((kept) => {
      const states = new Map<string, unknown>(Object.entries(kept ?? {}));
      for (const [side, edge] of this.#edges) edge.restore(readEdge(states.get(side)));
      this.update();
    });
  }

  /** The sides are filled with something else, or the words are others. */
  update(): void {
    const filled = SIDES.filter((side) => this.#content(side));
    for (const side of SIDES) {
      this.#box(side)?.classList.toggle('filled', filled.includes(side));
    }
    this.#main.parentElement?.classList.toggle('both', filled.length > 1);
    render(
      filled.map(
        (side) =>
          html`<button
            class="quiet to-${side} ${this.#isFolded(side) ? 'folds' : ''}"
            type="button"
            aria-expanded="false"
            @click=${() => this.#show(side)}
          >
            ${renderIcon('list')}<span dir="auto">${this.#name(side)}</span>
          </button>`,
      ),
      this.#bar,
    );
    this.#bar.hidden = filled.length === 0;
    this.#bar.classList.toggle('folds', filled.some(this.#isFolded));
    for (const [side, edge] of this.#edges) {
      const name = this.#name(side);
      edge.relabel(this.#text('sideWidth', { name }), this.#text('sideCollapse', { name }));
    }
    if (this.#open && !filled.includes(this.#open)) this.close();
  }

  /** Closes the drawer that is open. */
  readonly close = (): void => {
    const side = this.#open;
    if (!side) return;
    this.#open = undefined;
    const box = this.#box(side);
    box?.classList.remove('open');
    for (const name of ['role', 'aria-modal', 'aria-label', 'tabindex']) box?.removeAttribute(name);
    this.#close.remove();
    this.#shade.classList.remove('open');
    this.#main.inert = false;
    this.#button(side)?.focus();
  };

  #show(side: Side): void {
    const box = this.#box(side);
    if (!box || this.#unfold(side, box)) return;
    this.#open = side;
    box.classList.add('open');
    box.role = 'dialog';
    box.ariaModal = 'true';
    box.ariaLabel = this.#name(side);
    box.tabIndex = -1;
    this.#close.textContent = this.#text('close');
    box.prepend(this.#close);
    this.#shade.classList.add('open');
    box.focus();
    this.#main.inert = true;
  }

  /** Where there is room a folded column comes back; false where there is none. */
  #unfold(side: Side, box: HTMLElement): boolean {
    if (!this.#isFolded(side)) return false;
    box.classList.remove('folded');
    const isColumn = isRendered(box);
    box.classList.toggle('folded', !isColumn);
    const edge = this.#edges.get(side);
    if (isColumn) {
      edge?.fold(false);
      edge?.node.focus();
    }
    return isColumn;
  }

  readonly #isFolded = (side: Side): boolean => this.#edges.get(side)?.state.isFolded === true;

  /** A person has changed a column. */
  readonly #keep = (): void => {
    const states = [...this.#edges].map(([side, { state }]) => [side, { ...state }] as const);
    this.#host.controller?.notes.keep(NOTE, Object.fromEntries(states));
    const focused = this.#root.activeElement?.closest('.side-edge, .side-fold');
    this.update();
    // What had the focus is folded away.
    const folded = SIDES.find(
      (side) => this.#isFolded(side) && this.#box(side)?.contains(focused ?? null),
    );
    if (folded) this.#button(folded)?.focus();
  };

  get #main(): HTMLElement {
    return this.#root.querySelector('.main') as HTMLElement;
  }

  #box(side: Side): HTMLElement | null {
    return this.#root.querySelector(`.side.${side}`);
  }

  #button(side: Side): HTMLElement | null {
    return this.#bar.querySelector(`.to-${side}`);
  }

  #content(side: Side): Element | null {
    return this.#host.element.querySelector(`:scope > [slot='${side}']`);
  }

  get #text(): Locale['text'] {
    return this.#host.context.locale.text;
  }

  #name(side: Side): string {
    return this.#content(side)?.ariaLabel ?? this.#text(WORDS[side]);
  }
}
