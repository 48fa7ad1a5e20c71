import { passageStrings } from '../locales/en-passage.js';
import { addDefaultStrings } from '../locales/locale.js';
import { css, html, render } from 'lit';
import { element } from '../dom/element.js';
import { isEscapeKey } from '../dom/escape-key.js';
import { elementOf } from '../dom/event-target.js';
import { isPopoverOpen, makePopover, movePopover, togglePopover } from '../dom/popover.js';
import { addSheets } from '../dom/sheets.js';
import type { CitationMark } from '../model/part.js';
import { findMark } from './citation-marks.js';
import { truncate } from '../dom/truncate.js';
import { langOfContent } from './content-lang.js';
import type { ViewContext } from './part-view.js';
import { renderSource } from './source.js';

addDefaultStrings(passageStrings);

// This module is the entry of the lazy-loaded chunk, which also renders the list of sources.
export { SourceList } from './source-list.js';

const citationCardStyles = css`
  .cite-card {
    position: fixed;
    inset: auto;
    width: max-content;
    margin: 0;
    max-width: min(calc(20 * var(--_ubik-rem)), 100vw - var(--_ubik-rem));
    padding: calc(0.625 * var(--_ubik-rem)) calc(0.75 * var(--_ubik-rem));
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 calc(0.25 * var(--_ubik-rem)) var(--_ubik-rem) rgb(0 0 0 / 18%);
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    .source {
      display: grid;
    }
    blockquote {
      max-height: calc(12 * var(--_ubik-rem));
      margin: calc(0.375 * var(--_ubik-rem)) 0 0;
      overflow: auto;
      padding-inline-start: calc(0.625 * var(--_ubik-rem));
      border-inline-start: 2px solid var(--_line);
      white-space: pre-line;
      unicode-bidi: plaintext;
    }
  }
`;

/** Longest passage that is shown in full, in UTF-16 units. */
const MAX_PASSAGE_LENGTH = 400;
/** Minimum distance between the card and the edges of the viewport, in px. */
const VIEWPORT_MARGIN = 8;

/** The popover with the source of the citation that is hovered, focused or clicked. One popover serves all citations below a root. */
export class CitationCard {
  readonly node = element('div', 'cite-card');
  readonly #context: () => ViewContext;
  /** The citation whose card is shown. */
  #button: Element | null = null;
  #abortController = new AbortController();

  /** Listens to the events of `root`, and appends the popover to it. Shows the card for `target` if that is a citation. */
  constructor(root: HTMLElement, context: () => ViewContext, target: EventTarget | null = null) {
    this.#context = context;
    const node = root.getRootNode();
    if (node instanceof ShadowRoot) addSheets(node, [citationCardStyles]);
    makePopover(this.node);
    this.node.role = 'tooltip';
    root.append(this.node);
    for (const name of ['pointerover', 'focusin', 'click'] as const) {
      root.addEventListener(name, (event) => {
        this.#handleTarget(elementOf(event) ?? null);
      });
    }
    root.addEventListener('focusout', (event) => {
      this.#handleTarget(event.relatedTarget);
    });
    root.addEventListener('keydown', this.#handleKey);
    this.node.addEventListener('dismiss', () => {
      this.hide();
    });
    this.#handleTarget(target);
  }

  /** Hides the card and aborts the loading of its passage. */
  hide(): void {
    this.#abortController.abort();
    if (!this.#button) return;
    this.#button = null;
    // Browsers close a popover that is removed from the page, and throw when code closes it after that.
    if (isPopoverOpen(this.node)) togglePopover(this.node, false);
  }

  /** Shows the card for a citation, keeps it open while the card itself is hovered, and hides it for anything else. */
  #handleTarget(target: EventTarget | null): void {
    const node = target instanceof Element ? target : null;
    if (this.node.contains(node)) return;
    const button = node?.closest('.cite');
    const mark = button && findMark(button);
    if (!button || !mark) this.hide();
    else if (this.#button !== button || !isPopoverOpen(this.node)) void this.#show(button, mark);
  }

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!isEscapeKey(event) || !this.#button) return;
    event.preventDefault();
    event.stopPropagation();
    this.hide();
  };

  /** Shows what is known about the source at once, then the cited passage, if the citation has an id and the service can load passages. */
  async #show(button: Element, mark: CitationMark): Promise<void> {
    this.hide();
    this.#button = button;
    const { signal } = (this.#abortController = new AbortController());
    const { actions, locale } = this.#context();
    const renderCard = (source: CitationMark, note = '', passage = ''): void => {
      if (signal.aborted) return;
      if (!button.isConnected) return this.hide();
      render(
        html`${renderSource(source, this.#context())}${
          passage && html`<blockquote lang=${langOfContent(locale)}>${passage}</blockquote>`
        }${note && html`<p class="meta">${note}</p>`}`,
        this.node,
      );
      togglePopover(this.node, true);
      this.#position(button);
    };
    if (mark.id === undefined || !actions.loadPassage) return renderCard(mark);
    renderCard(mark, locale.text('passageLoading'));
    try {
      const { documentName, page, text } = await actions.loadPassage(mark.id, signal);
      const title = mark.title ?? documentName;
      const source = title === null ? mark : { ...mark, title };
      const note = page === null ? '' : locale.text('page', { page });
      renderCard(source, note, truncate(text, MAX_PASSAGE_LENGTH));
    } catch {
      // The passage may be deleted or forbidden. The reason is of no use to the user.
      renderCard(mark, locale.text('passageFailed'));
    }
  }

  /**
   * Positions the card directly below the citation, or above it when there is no room, within the viewport. In a gap, the pointer would be
   * over the text on its way to the card, which would hide the card.
   */
  #position(button: Element): void {
    const anchor = button.getBoundingClientRect();
    const { width, height } = this.node.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const fitsBelow = anchor.bottom + height < clientHeight;
    movePopover(
      this.node,
      Math.max(VIEWPORT_MARGIN, Math.min(anchor.left, clientWidth - width - VIEWPORT_MARGIN)),
      fitsBelow ? anchor.bottom : Math.max(VIEWPORT_MARGIN, anchor.top - height),
    );
  }
}
