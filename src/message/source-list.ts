import { html, nothing, type TemplateResult } from 'lit';
import { isPrinting, onPrintChange } from '../dom/print.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import type { CitationMark } from '../model/part.js';
import { shortCitationLabel } from './citation.js';
import type { MessageScope } from './part-view.js';
import { expandForPrint } from './parts/expand-for-print.js';
import { renderSource } from './source.js';

/** Number of sources before "Show all". */
export const INITIAL_SOURCES = 3;

/** The list of sources at the end of an answer. All of it is printed, with full titles. */
export class SourceList {
  readonly #scope: MessageScope;
  readonly #onChange: () => void;
  readonly #stopPrintListener: () => void;
  #visibleCount = INITIAL_SOURCES;
  #collapseTitles: (() => void) | null = null;

  /** `box` is the element into which the list is rendered. `onChange` is called when `render` must be called again. */
  constructor(scope: MessageScope, box: HTMLElement, onChange: () => void) {
    this.#scope = scope;
    this.#onChange = onChange;
    this.#stopPrintListener = onPrintChange(() => {
      onChange();
      this.#collapseTitles?.();
      this.#collapseTitles = isPrinting() ? expandForPrint(box) : null;
    });
  }

  dispose(): void {
    this.#stopPrintListener();
  }

  /** Renders the sources; nothing when there are none. */
  render(): TemplateResult | typeof nothing {
    const { context, message } = this.#scope;
    const sources = collectSources(message);
    const count = sources.length;
    if (count === 0) return nothing;
    const visibleCount = isPrinting() ? count : this.#visibleCount;
    return html`<section class="sources" part="sources">
      <h3>${context.locale.text('sources')}</h3>
      <ol>
        ${sources.slice(0, visibleCount).map(
          (mark) =>
            html`<li>
              <span class="cite-label">${shortCitationLabel(mark)}</span>
              ${renderSource(mark, context)}
            </li>`,
        )}
      </ol>
      ${
        count > visibleCount
          ? html`<button class="quiet" type="button" @click=${this.#handleShowAll}>
              ${context.locale.text('showAll', { count })}
            </button>`
          : nothing
      }
    </section>`;
  }

  readonly #handleShowAll = (): void => {
    this.#visibleCount = Infinity;
    this.#onChange();
  };
}

/** Returns the distinct sources that have a title or a URL, in the order of their first citations in the message. */
export function collectSources({ parts }: Message): readonly CitationMark[] {
  const found = new Map<string, CitationMark>();
  const collect = (parent: Key | null): void => {
    for (const key of parts.children(parent)) {
      const part = parts.get(key);
      for (const mark of Object.values((part?.kind === 'text' && part.marks) || {})) {
        const id = mark.url ?? mark.id ?? mark.title ?? '';
        if ((mark.url ?? mark.title) !== undefined && !found.has(id)) found.set(id, mark);
      }
      collect(key);
    }
  };
  collect(null);
  return [...found.values()];
}
