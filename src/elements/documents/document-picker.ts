import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError, UbikError } from '../../errors.js';
import { UbikDocumentLinkedEvent, UbikDocumentLinkEvent } from '../../events/index.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { describeThread } from '../base/controller-events.js';
import type { DocumentsPanelHost } from './document-host.js';
import { describeDocument, displayNameOf, renderName } from './document-rows.js';
import { searchThreads, type SearchProgress } from './find-in-threads.js';

/** Looks for documents that the service has already and puts them into the thread. */
export class DocumentPicker {
  readonly #host: DocumentsPanelHost;
  #opener: Element | null = null;
  #isOpen = false;
  #query = '';
  #progress: SearchProgress | null = null;
  #searchAbort = new AbortController();
  #isSearching = false;
  #failure = '';
  #results: readonly DocumentInfo[] = [];

  constructor(host: DocumentsPanelHost) {
    this.#host = host;
  }

  /** Puts it away; what is looked for is given up. */
  close(): void {
    this.#searchAbort.abort();
    this.#isOpen = this.#isSearching = false;
  }

  /** The button that opens and closes it. */
  renderOpener(): TemplateResult {
    const { text } = this.#host.context.locale;
    return html`<button
      class="quiet"
      type="button"
      aria-expanded=${this.#isOpen}
      @click=${this.#toggle}
    >
      ${text('documentsLink')}
    </button>`;
  }

  /** What is found, without what is in the thread already. */
  render(held: readonly DocumentInfo[]): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    const { text } = this.#host.context.locale;
    const shown = this.#filterResults(held);
    return html`<div
      class="card found"
      role="group"
      aria-label=${text('documentsLink')}
      @keydown=${this.#handleKeydown}
    >
      <label
        >${text('documentsSearch')}<input
          type="search"
          dir="auto"
          .value=${this.#query}
          @input=${this.#handleInput}
      /></label>
      <ul aria-busy=${this.#isSearching}>
        ${repeat(
          shown,
          ({ id }) => id,
          (one) => this.#renderResult(one),
        )}
      </ul>
      <p class="meta" role="status">${this.#describeProgress(shown.length)}</p>
      ${
        this.#failure
          ? html`<p class="complaint" role="alert">
              ${renderIcon('alert')}<span dir="auto">${this.#failure}</span>
            </p>`
          : nothing
      }
      <div class="buttons">
        ${this.#renderContinue()}
        <button class="quiet" type="button" @click=${this.#dismiss}>${text('close')}</button>
      </div>
    </div>`;
  }

  /** What fits the words that were written; a search of the page's own has looked at them already. */
  #filterResults(held: readonly DocumentInfo[]): readonly DocumentInfo[] {
    const has = new Set(held.map(({ id }) => id));
    const wanted = this.#query.trim().toLowerCase();
    const isAsked = this.#host.element.findDocuments !== null;
    return this.#results.filter(
      ({ id, name }) => !has.has(id) && (isAsked || name.toLowerCase().includes(wanted)),
    );
  }

  /** The button that looks again after a failure, or on in further threads. */
  #renderContinue(): unknown {
    if (this.#isSearching || !(this.#failure || this.#progress?.hasMore)) return nothing;
    return html`<button class="quiet" type="button" @click=${this.#startSearch}>
      ${this.#host.context.locale.text(this.#failure ? 'retry' : 'documentsSearchMore')}
    </button>`;
  }

  #renderResult(found: DocumentInfo): TemplateResult {
    const { locale } = this.#host.context;
    const name = displayNameOf(found, locale);
    return html`<li class="file">
      <span class="file-name">${renderName(found, locale)}</span>
      <span class="buttons"
        ><button
          class="quiet"
          type="button"
          aria-label=${locale.text('documentLinkOf', { name })}
          @click=${() => this.#link(found)}
        >
          ${locale.text('documentLink')}
        </button></span
      >
    </li>`;
  }

  /** What was looked through, so that nobody takes what is loaded for all there is. */
  #describeProgress(count: number): string {
    const { text } = this.#host.context.locale;
    if (this.#isSearching) return text('documentsSearching');
    const none = count === 0 ? `${text('documentsNotFound')} ` : '';
    return this.#progress
      ? none + text('documentsSearched', { count: this.#progress.threads })
      : none.trim();
  }

  readonly #toggle = ({ currentTarget }: Event): void => {
    this.#opener = currentTarget as Element;
    if (this.#isOpen) {
      this.#dismiss();
      return;
    }
    this.#isOpen = true;
    this.#query = '';
    this.#progress = null;
    this.#results = [];
    this.#startSearch();
    // What is drawn at once can take the focus.
    this.#host.requestUpdate();
    void this.#host.element.updateComplete.then(() => {
      this.#opener?.closest('.documents')?.querySelector<HTMLElement>('[type=search]')?.focus();
    });
  };

  readonly #dismiss = (): void => {
    this.close();
    (this.#opener as HTMLElement | null)?.focus();
    this.#host.requestUpdate();
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    event.preventDefault();
    this.#dismiss();
  };

  readonly #handleInput = ({ currentTarget }: Event): void => {
    this.#query = (currentTarget as HTMLInputElement).value;
    if (this.#host.element.findDocuments) this.#startSearch();
    this.#host.requestUpdate();
  };

  /** Asks the page, or reads on in the person's threads. An answer that comes late is nobody's. */
  readonly #startSearch = (): void => {
    const { controller } = this.#host;
    if (!controller) return;
    this.#searchAbort.abort();
    this.#searchAbort = new AbortController();
    this.#failure = '';
    this.#isSearching = true;
    void this.#runSearch(controller, this.#searchAbort.signal);
  };

  async #runSearch(controller: StreamController, signal: AbortSignal): Promise<void> {
    const { context, element } = this.#host;
    const { findDocuments } = element;
    try {
      if (findDocuments) {
        const found = validateResults(await findDocuments(this.#query, signal));
        if (!signal.aborted) this.#results = found;
      } else {
        this.#progress ??= { page: 0, threads: 0, hasMore: true, found: new Map() };
        for await (const found of searchThreads(controller, this.#progress, signal)) {
          this.#results = found;
          this.#host.requestUpdate();
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = explainError(error, context.locale);
      context.report(isUbikError(error) ? error : createMisuseError('failed', error));
    }
    if (signal.aborted) return;
    this.#isSearching = false;
    this.#host.requestUpdate();
  }

  async #link(found: DocumentInfo): Promise<void> {
    const host = this.#host;
    const { controller, context } = host;
    if (!controller) return;
    const detail = describeDocument(host, found);
    this.#failure = '';
    await host.attempt(
      host.performAction(
        [new UbikDocumentLinkEvent(detail)],
        () => controller.linkDocuments([found]),
        () => new UbikDocumentLinkedEvent({ ...detail, ...describeThread(controller) }),
      ),
      (error) => {
        this.#failure = explainError(error, context.locale);
      },
    );
    host.requestUpdate();
  }
}

/** What a search of the page's own has given, as far as it can be shown. */
function validateResults(found: unknown): readonly DocumentInfo[] {
  if (!Array.isArray(found)) throw createMisuseError('gave no list');
  return found.filter((one: Partial<DocumentInfo> | null): one is DocumentInfo =>
    [one?.id, one?.name].every((each) => typeof each === 'string'),
  );
}

function createMisuseError(what: string, cause?: unknown): UbikError {
  return new UbikError('misuse', `The "findDocuments" of the page ${what}.`, { cause });
}
