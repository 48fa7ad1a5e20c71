import { element } from '../internal/element.js';
import type { Mark } from '../model/part.js';
import type { ViewContext } from './part-view.js';

const marks = new WeakMap<Element, Mark>();

/** What stands for a citation in a text: a small number, of which the card tells more. */
export function createCitation(mark: Mark, { locale }: ViewContext): HTMLElement {
  const label = mark.label.replace(/^\[|\]$/g, '');
  const button = element('button', 'cite', element('bdi', '', label));
  button.type = 'button';
  button.part.add('citation');
  const words = locale.text('source', { label });
  button.setAttribute('aria-label', mark.title ? `${words}: ${mark.title}` : words);
  marks.set(button, mark);
  return button;
}

/** What a cited address shows to a person: its host alone. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    // Not an absolute address: nothing to name.
    return '';
  }
}

/** What a card or a line of the list says about a source. Its title is a link where the address may be followed. */
export function createSource(mark: Mark, { locale, checkLink }: ViewContext): HTMLElement {
  const url = mark.url ? checkLink(mark.url) : null;
  const host = url ? hostOf(url) : '';
  const title = mark.title ?? (host || locale.text('sourceUnnamed'));
  const name = element(url ? 'a' : 'span', 'title', element('bdi', '', title));
  if (url && name instanceof HTMLAnchorElement) {
    name.href = url;
    name.target = '_blank';
    name.rel = 'noopener noreferrer nofollow ugc';
  }
  const line = element('span', 'source', name);
  if (host && host !== title) line.append(' ', element('bdi', 'meta', host));
  return line;
}

/** The card of the citation that is looked at: one for a whole root, above everything else. */
export class CitationCard {
  readonly node = element('div', 'cite-card');

  readonly #context: () => ViewContext;
  #shown: Element | null = null;

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
    if (!this.#shown) return;
    this.#shown = null;
    this.node.hidePopover();
  }

  readonly #handleLook = (event: Event): void => {
    const { target } = event;
    if (!(target instanceof Element) || this.node.contains(target)) return;
    const button = target.closest('.cite');
    const mark = button && marks.get(button);
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
    this.#shown = button;
    this.node.replaceChildren(createSource(mark, this.#context()));
    this.node.showPopover();
    const at = button.getBoundingClientRect();
    const card = this.node.getBoundingClientRect();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const below = at.bottom + card.height + 4 < height;
    this.node.style.left = `${Math.max(8, Math.min(at.left, width - card.width - 8))}px`;
    this.node.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - card.height - 4)}px`;
  }
}
