import { html, render } from 'lit';
import { element } from '../../internal/element.js';
import type { StringName } from '../../locales/locale.js';
import { renderIcon } from '../../parts/icons.js';
import { sidesStyles } from '../styles/sides.js';
import { adoptSheets } from '../styles/styles.js';
import type { ElementContext } from './view-context.js';

/** One side of a chat. */
type Side = 'start' | 'end';

/** After these the messages are what the person wants to see. */
const STEPS = ['ubik-thread-opened', 'ubik-branch-navigated', 'ubik-checkpoint-navigated'];

/** What stands at a side when the page does not say it (`aria-label`). */
const WORDS: Readonly<Record<Side, StringName>> = { start: 'threads', end: 'sideEnd' };

/**
 * What the page has put beside the messages: columns where there is room, else drawers over the messages, each with a button. An
 * open drawer is left by Escape, by its button, by a press beside it, and when the messages have become others.
 */
export class Sides {
  readonly #host: HTMLElement;
  readonly #context: ElementContext;
  readonly #root: ShadowRoot;
  readonly #bar = element('div', 'sides-bar');
  readonly #shade = element('div', 'shade');
  readonly #close = element('button', 'quiet side-close');
  #open: Side | undefined;

  constructor(host: HTMLElement, context: ElementContext) {
    this.#host = host;
    this.#context = context;
    this.#root = host.shadowRoot as ShadowRoot;
    adoptSheets(this.#root, [sidesStyles]);
    this.#main.prepend(this.#bar);
    this.#main.after(this.#shade);
    this.#shade.addEventListener('click', this.close);
    this.#close.type = 'button';
    this.#close.addEventListener('click', this.close);
    for (const type of STEPS) host.addEventListener(type, this.close);
    this.#root.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Escape' || event.defaultPrevented || !this.#open)
        return;
      event.preventDefault();
      this.close();
    });
    // With more room a drawer becomes a column: nothing is covered any more.
    new ResizeObserver(() => {
      if (this.#open && !this.#button(this.#open)?.checkVisibility()) this.close();
    }).observe(this.#main);
  }

  /** The sides are filled with something else, or the words are others. */
  update(): void {
    const filled = (['start', 'end'] as const).filter((side) => this.#content(side));
    for (const side of ['start', 'end'] as const) {
      this.#box(side)?.classList.toggle('filled', filled.includes(side));
    }
    this.#main.parentElement?.classList.toggle('both', filled.length > 1);
    render(
      filled.map(
        (side) =>
          html`<button class="quiet to-${side}" type="button" @click=${() => this.#show(side)}>
            ${renderIcon('list')}<span dir="auto">${this.#name(side)}</span>
          </button>`,
      ),
      this.#bar,
    );
    this.#bar.hidden = filled.length === 0;
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
    if (!box) return;
    this.#open = side;
    box.classList.add('open');
    box.role = 'dialog';
    box.ariaModal = 'true';
    box.ariaLabel = this.#name(side);
    box.tabIndex = -1;
    this.#close.textContent = this.#context.locale.text('close');
    box.prepend(this.#close);
    this.#shade.classList.add('open');
    box.focus();
    this.#main.inert = true;
  }

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
    return this.#host.querySelector(`:scope > [slot='${side}']`);
  }

  #name(side: Side): string {
    return this.#content(side)?.ariaLabel ?? this.#context.locale.text(WORDS[side]);
  }
}
