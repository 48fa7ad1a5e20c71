import { css, html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isPrinting } from '../../dom/print.js';
import { sourceStrings } from '../../locales/en-sources.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { PartOf, RetrievedPassage, WebSearchResult } from '../../model/part.js';
import { renderFullText, renderSource } from '../source.js';
import { truncate } from '../../dom/truncate.js';
import { langOfContent, renderContentText } from '../content-lang.js';
import type { MessageScope } from '../part-view.js';
import { contentText, DisclosureView, type DisclosureSummary } from '../parts/disclosure.js';

addDefaultStrings(sourceStrings);

/** Number of entries before "Show more". */
const INITIAL_ENTRIES = 5;
/** Number of entries that each "Show more" adds. */
const ENTRIES_PER_PAGE = 50;
/** Maximum number of UTF-16 units of a snippet that are shown. */
const MAX_SNIPPET_LENGTH = 300;
/** Maximum number of UTF-16 units of a passage before its "Show more". */
const MAX_PASSAGE_LENGTH = 600;

const styles = css`
  /* The same distance to steps and tools as these have to each other. */
  :is(.step, .call, .thinking, .data:has(> .found)) + .data:has(> .found),
  .data:has(> .found) + :is(.step, .call, .thinking) {
    margin-block-start: calc(0.25 * var(--_ubik-rem));
  }
  .found[data-state='done'] > summary .glyph {
    color: var(--_success);
  }
  .found-list {
    margin-block: calc(0.375 * var(--_ubik-rem));
    margin-inline-start: calc(1.4375 * var(--_ubik-rem));
    font-size: max(12px, calc(0.8125 * var(--_ubik-rem)));
    li {
      padding-block: calc(0.375 * var(--_ubik-rem));
      & + li {
        border-block-start: var(--_border);
      }
    }
    .title {
      font-weight: 550;
      margin-inline-end: calc(0.25 * var(--_ubik-rem));
    }
    /* No dot before the host (.source > .meta): it is isolated text, which runs in its own direction. */
    .source:has(.meta) + .meta::before,
    .meta + .meta::before {
      content: '· ' / '';
    }
    .snippet,
    blockquote {
      margin: calc(0.125 * var(--_ubik-rem)) 0 0;
      unicode-bidi: plaintext;
    }
    .snippet {
      color: var(--_muted);
    }
    blockquote {
      padding-inline-start: calc(0.625 * var(--_ubik-rem));
      border-inline-start: 2px solid var(--_line);
      white-space: pre-line;
    }
  }
`;

/** A list of sources in a disclosure, rendered in pages. Subclasses call `renderNow` at the end of their constructor. */
abstract class SourceListView<Kind extends 'web-search' | 'passages'> extends DisclosureView<Kind> {
  static readonly styles = [styles];
  readonly #list = element('div', 'found-list');
  #visibleCount = INITIAL_ENTRIES;

  constructor(part: PartOf<Kind>, scope: MessageScope) {
    super(part, scope, 'found');
    this.content.before(this.#list);
  }

  protected override render(): void {
    super.render();
    // The entries of a closed disclosure would add layout time and nodes to every answer.
    render(this.details.open || isPrinting() ? this.renderList() : nothing, this.#list);
  }

  protected abstract renderList(): unknown;

  /** Renders the visible entries, all of them when the page is printed, and a button that shows more of them. */
  protected renderEntries<Entry>(
    entries: readonly Entry[],
    renderEntry: (entry: Entry) => TemplateResult,
  ): TemplateResult {
    const visible = isPrinting() ? entries : entries.slice(0, this.#visibleCount);
    const count = Math.min(entries.length - visible.length, ENTRIES_PER_PAGE);
    return html`<ol>
        ${visible.map((entry) => html`<li>${renderEntry(entry)}</li>`)}
      </ol>
      ${
        count > 0
          ? html`<button class="quiet" type="button" @click=${this.#handleMore}>
              ${this.text('moreEntries', { count })}
            </button>`
          : nothing
      }`;
  }

  readonly #handleMore = (): void => {
    const firstNew = this.#visibleCount;
    this.#visibleCount += ENTRIES_PER_PAGE;
    this.renderNow();
    // The button is moved or removed, so the focus moves to the first entry that it has added.
    const entry = this.#list.querySelectorAll('li')[firstNew];
    if (!entry) return;
    const link = entry.querySelector<HTMLElement>('a, summary');
    if (!link) entry.tabIndex = -1;
    (link ?? entry).focus();
  };
}

const SEARCH_STATES = {
  running: 'toolRunning',
  failed: 'toolFailed',
  incomplete: 'toolIncomplete',
} as const;

/**
 * Renders a web search: the query, its state and the number of results; the content lists the results with title, host and snippet. Sends
 * no request: favicons are not loaded, because they would disclose the search to the sites.
 */
export class WebSearchView extends SourceListView<'web-search'> {
  constructor(part: PartOf<'web-search'>, scope: MessageScope) {
    super(part, scope);
    this.renderNow();
  }

  protected override summarize(): DisclosureSummary {
    const { query, results } = this.part;
    const { locale } = this.context;
    const state = this.#state;
    return {
      state,
      texts: {
        title: this.text('tool_web_search'),
        topic: contentText(query, locale),
        ...(state === 'done'
          ? { hidden: this.text('toolDone') }
          : { status: this.text(SEARCH_STATES[state]) }),
      },
      meta: [results.length > 0 ? this.text('searchResults', { count: results.length }) : ''],
    };
  }

  protected override renderList(): unknown {
    const { results } = this.part;
    if (results.length > 0) return this.renderEntries(results, this.#renderResult);
    return this.#state === 'running'
      ? nothing
      : html`<p class="note">${this.text('searchNoResults')}</p>`;
  }

  /** The state to show. A search that is still running in a finished message is incomplete. */
  get #state(): 'running' | 'done' | 'failed' | 'incomplete' {
    const { state } = this.part;
    return state === 'running' && !this.scope.live ? 'incomplete' : state;
  }

  readonly #renderResult = ({ title, url, snippet, site }: WebSearchResult): TemplateResult => {
    const { locale } = this.context;
    const text = truncate(snippet, MAX_SNIPPET_LENGTH);
    return html`${renderSource(toMark(title, url), this.context)}
    ${site && site !== title ? html`<span class="meta">${renderContentText(site, locale)}</span>` : nothing}
    ${text && html`<p class="snippet" lang=${langOfContent(locale)}>${text}</p>`}`;
  };
}

/** Renders retrieved passages: a title and how many there are; the content lists them with source, relevance and text. */
export class PassagesView extends SourceListView<'passages'> {
  constructor(part: PartOf<'passages'>, scope: MessageScope) {
    super(part, scope);
    this.renderNow();
  }

  protected override summarize(): DisclosureSummary {
    const { title, passages } = this.part;
    const { locale } = this.context;
    const count = passages.length;
    return {
      state: 'done',
      texts: { title: title ? contentText(title, locale) : this.text('dataPassages') },
      meta: [count > 0 ? this.text('passageCount', { count }) : ''],
    };
  }

  protected override renderList(): unknown {
    const { passages } = this.part;
    return passages.length > 0
      ? this.renderEntries(passages, this.#renderPassage)
      : html`<p class="note">${this.text('passageNone')}</p>`;
  }

  readonly #renderPassage = (passage: RetrievedPassage): TemplateResult => {
    const { title, text, source, score, url } = passage;
    const { locale } = this.context;
    const quote = truncate(text, MAX_PASSAGE_LENGTH);
    return html`${renderSource(toMark(title || source, url), this.context)}
    ${source && title ? html`<span class="meta">${renderContentText(source, locale)}</span>` : nothing}
    ${
      score === null
        ? nothing
        : html`<span class="meta">
            ${this.text('passageScore', { score: Math.round(score * 100) / 100 })}
          </span>`
    }
    ${quote && html`<blockquote dir="auto" lang=${langOfContent(locale)}>${quote}</blockquote>`}
    ${renderFullText(text, MAX_PASSAGE_LENGTH, locale)}`;
  };
}

/** Converts a source to the form in which citations are rendered. */
function toMark(title: string, url: string) {
  return {
    kind: 'citation',
    label: '',
    source: '',
    ...(title && { title }),
    ...(url && { url }),
  } as const;
}
