import { element } from '../internal/element.js';
import type { Mark } from '../model/part.js';
import { createSource, markOf } from './citation.js';
import type { ViewContext } from './part-view.js';

/** Characters of a passage that the card shows. */
const SHOWN = 400;

/** The card of the citation that is looked at: one for a whole root, above everything else. */
export class CitationCard {
  readonly node = element('div', 'cite-card');
  readonly #context: () => ViewContext;
  #shown: Element | null = null;
  #loading = new AbortController();

  /** `root` holds the citations; the card is put into it. */
  constructor(root: HTMLElement, context: () => ViewContext) {
    this.#context = context;
    this.node.popover = 'manual';
    this.node.setAttribute('role', 'tooltip');
    root.append(this.node);
    for (const name of ['pointerover', 'focusin', 'click'] as const) {
      root.addEventListener(name, this.#handleLook);
    }
    root.addEventListener('focusout', this.#handleLeave);
    root.addEventListener('keydown', this.#handleKey);
  }

  /** Takes the card away. */
  hide(): void {
    this.#loading.abort();
    if (!this.#shown) return;
    this.#shown = null;
    this.node.hidePopover();
  }

  readonly #handleLook = (event: Event): void => {
    const { target } = event;
    if (!(target instanceof Element) || this.node.contains(target)) return;
    const button = target.closest('.cite');
    const mark = button && markOf(button);
    if (!button || !mark) this.hide();
    else if (this.#shown !== button) this.#show(button, mark);
  };

  readonly #handleLeave = (event: FocusEvent): void => {
    const { relatedTarget } = event;
    if (!(relatedTarget instanceof Node && this.node.contains(relatedTarget))) this.hide();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#shown) return;
    event.stopPropagation();
    this.hide();
  };

  #show(button: Element, mark: Mark): void {
    this.hide();
    this.#shown = button;
    this.node.replaceChildren(createSource(mark, this.#context()));
    this.node.showPopover();
    this.#place(button);
    if (mark.id !== undefined) void this.#load(button, mark, mark.id);
  }

  /** What is cited is read when somebody looks, with their own rights. */
  async #load(button: Element, mark: Mark, id: string): Promise<void> {
    const { acts, locale } = this.#context();
    if (!acts.passage) return;
    const { signal } = (this.#loading = new AbortController());
    const quote = element('p', 'meta', locale.text('passageLoading'));
    this.node.append(quote);
    try {
      const { documentName, page, text } = await acts.passage(id, signal);
      if (signal.aborted) return;
      const title = mark.title ?? documentName;
      const named = createSource(title === null ? mark : { ...mark, title }, this.#context());
      if (page !== null) named.append(' ', element('span', 'meta', locale.text('page', { page })));
      const words = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
      this.node.replaceChildren(named, element('blockquote', '', words));
    } catch {
      // It may be gone, or not for this person; the reason does not help them.
      if (!signal.aborted) quote.textContent = locale.text('passageFailed');
    }
    if (!signal.aborted) this.#place(button);
  }

  #place(button: Element): void {
    const at = button.getBoundingClientRect();
    const card = this.node.getBoundingClientRect();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const below = at.bottom + card.height + 4 < height;
    this.node.style.left = `${Math.max(8, Math.min(at.left, width - card.width - 8))}px`;
    this.node.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - card.height - 4)}px`;
  }
}
