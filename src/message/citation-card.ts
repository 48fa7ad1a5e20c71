import { html, render } from 'lit';
import { element } from '../dom/element.js';
import { makePopover, movePopover, togglePopover } from '../dom/popover.js';
import type { Mark } from '../model/part.js';
import { findMark, renderSource } from './citation.js';
import type { ViewContext } from './part-view.js';
import { langOfContent } from './content-lang.js';

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
    makePopover(this.node);
    this.node.role = 'tooltip';
    root.append(this.node);
    for (const name of ['pointerover', 'focusin', 'click'] as const) {
      root.addEventListener(name, (event) => {
        this.#look(event.target);
      });
    }
    root.addEventListener('focusout', (event) => {
      this.#look(event.relatedTarget);
    });
    root.addEventListener('keydown', this.#handleKey);
  }

  /** Takes the card away. */
  hide(): void {
    this.#loading.abort();
    if (!this.#shown) return;
    this.#shown = null;
    togglePopover(this.node, false);
  }

  /** What is looked at now: a citation, the card itself, or anything else, which takes the card away. */
  #look(target: EventTarget | null): void {
    const node = target instanceof Element ? target : null;
    if (this.node.contains(node)) return;
    const button = node?.closest('.cite');
    const mark = button && findMark(button);
    if (!button || !mark) this.hide();
    else if (this.#shown !== button) void this.#show(button, mark);
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#shown) return;
    event.preventDefault();
    event.stopPropagation();
    this.hide();
  };

  /** What is cited is read when somebody looks, with their own rights. */
  async #show(button: Element, mark: Mark): Promise<void> {
    this.hide();
    this.#shown = button;
    const { signal } = (this.#loading = new AbortController());
    const { actions: acts, locale } = this.#context();
    const draw = (source: Mark, words = '', quote = ''): void => {
      if (signal.aborted) return;
      render(
        html`${renderSource(source, this.#context())}${
          quote && html`<blockquote lang=${langOfContent(locale)}>${quote}</blockquote>`
        }${words && html`<p class="meta">${words}</p>`}`,
        this.node,
      );
      togglePopover(this.node, true);
      this.#place(button);
    };
    if (mark.id === undefined || !acts.loadPassage) return draw(mark);
    draw(mark, locale.text('passageLoading'));
    try {
      const { documentName, page, text } = await acts.loadPassage(mark.id, signal);
      const title = mark.title ?? documentName;
      const quote = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
      const words = page === null ? '' : locale.text('page', { page });
      draw(title === null ? mark : { ...mark, title }, words, quote);
    } catch {
      // It may be gone, or not for this person; the reason does not help them.
      draw(mark, locale.text('passageFailed'));
    }
  }

  #place(button: Element): void {
    const at = button.getBoundingClientRect();
    const { width, height } = this.node.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const isBelow = at.bottom + height + 4 < clientHeight;
    movePopover(
      this.node,
      Math.max(8, Math.min(at.left, clientWidth - width - 8)),
      isBelow ? at.bottom + 4 : Math.max(8, at.top - height - 4),
    );
  }
}
