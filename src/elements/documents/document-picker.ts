import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError, UbikError } from '../../errors.js';
import { isEscapeKey } from '../../dom/escape-key.js';
import {
  UbikDocumentLinkedEvent,
  UbikDocumentLinkEvent,
  UbikThreadCreateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { describeThread } from '../base/controller-events.js';
import { ConversationTarget } from './conversation-target.js';
import { describeDocument, type DocumentsPanelHost } from './document-actions.js';
import { displayNameOf, renderName } from './document-rows.js';

/** Number of threads that are searched in one step. */
const THREADS_PER_PAGE = 20;
/** Maximum number of documents of a thread that are searched. */
const DOCUMENTS_PER_THREAD = 100;

/** Progress of a search through the user's threads. */
interface SearchProgress {
  /** Last page of threads that was searched completely. */
  page: number;
  /** Number of searched threads. */
  threads: number;
  hasMore: boolean;
  readonly found: Map<Key, DocumentInfo>;
}

/**
 * Searches the documents of the user's other threads, and links those that the user chooses to the current thread. A host page can replace
 * the search with `findDocuments`.
 */
export class DocumentPicker {
  readonly #host: DocumentsPanelHost;
  /** The button that was last used to open or close the picker. It gets the focus when the picker is closed. */
  #opener: Element | null = null;
  #isOpen = false;
  #query = '';
  #progress: SearchProgress | null = null;
  #searchAbort = new AbortController();
  #isSearching = false;
  /** Whether the last search has failed. */
  #hasSearchFailed = false;
  /** Why the last search or link has failed; empty when it has not. */
  #failure = '';
  #results: readonly DocumentInfo[] = [];
  /** The documents that are being linked, each with its conversation. */
  readonly #linking = new Set<{ readonly id: string; readonly target: ConversationTarget }>();

  constructor(host: DocumentsPanelHost) {
    this.#host = host;
  }

  /** Closes the picker and aborts the search. */
  close(): void {
    this.#searchAbort.abort();
    this.#isOpen = this.#isSearching = false;
  }

  /** The button that opens and closes the picker. */
  renderButton(): TemplateResult {
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

  /** Renders the search field and the results, without the `linked` documents. */
  render(linked: readonly DocumentInfo[]): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    const { text } = this.#host.context.locale;
    const shown = this.#filterResults(linked);
    return html`<div
      class="card picker"
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
          (info) => this.#renderResult(info),
        )}
      </ul>
      <p class="meta" role="status">${this.#describeProgress(shown.length)}</p>
      ${
        this.#failure
          ? html`<p class="error-text" role="alert">
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

  /** Returns the results that match the query and are not linked yet. `findDocuments` has already applied the query to its results. */
  #filterResults(linked: readonly DocumentInfo[]): readonly DocumentInfo[] {
    const linkedIds = new Set(linked.map(({ id }) => id));
    const query = this.#query.trim().toLowerCase();
    const isFilteredByPage = this.#host.element.findDocuments !== null;
    return this.#results.filter(
      ({ id, name }) =>
        !linkedIds.has(id) && (isFilteredByPage || name.toLowerCase().includes(query)),
    );
  }

  /** Renders the button that retries a failed search, or continues with the next page of threads. */
  #renderContinue(): unknown {
    if (this.#isSearching || !(this.#hasSearchFailed || this.#progress?.hasMore)) return nothing;
    return html`<button class="quiet" type="button" @click=${this.#startSearch}>
      ${this.#host.context.locale.text(this.#hasSearchFailed ? 'retry' : 'documentsSearchMore')}
    </button>`;
  }

  #renderResult(info: DocumentInfo): TemplateResult {
    const { locale } = this.#host.context;
    const name = displayNameOf(info, locale);
    return html`<li class="file">
      <span class="file-name">${renderName(info, locale)}</span>
      <span class="buttons"
        ><button
          class="quiet"
          type="button"
          aria-label=${locale.text('documentLinkOf', { name })}
          @click=${() => this.#link(info)}
        >
          ${locale.text('documentLink')}
        </button></span
      >
    </li>`;
  }

  /** Describes the progress: how many threads were searched, so that the results are not mistaken for all documents. */
  #describeProgress(count: number): string {
    const { text } = this.#host.context.locale;
    if (this.#isSearching) return text('documentsSearching');
    const notFound = count === 0 ? `${text('documentsNotFound')} ` : '';
    return this.#progress
      ? notFound + text('documentsSearched', { count: this.#progress.threads })
      : notFound.trim();
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
    // The search field can be focused only after the update.
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
    if (!isEscapeKey(event)) return;
    event.stopPropagation();
    event.preventDefault();
    this.#dismiss();
  };

  readonly #handleInput = ({ currentTarget }: Event): void => {
    this.#query = (currentTarget as HTMLInputElement).value;
    if (this.#host.element.findDocuments) this.#startSearch();
    this.#host.requestUpdate();
  };

  /** Calls `findDocuments`, or searches the next page of threads. Aborts the previous search, whose results are discarded. */
  readonly #startSearch = (): void => {
    const { controller } = this.#host;
    if (!controller) return;
    this.#searchAbort.abort();
    this.#searchAbort = new AbortController();
    this.#failure = '';
    this.#hasSearchFailed = false;
    this.#isSearching = true;
    void this.#runSearch(controller, this.#searchAbort.signal);
  };

  async #runSearch(controller: StreamController, signal: AbortSignal): Promise<void> {
    const { context, element } = this.#host;
    const { findDocuments } = element;
    try {
      if (findDocuments) {
        const results = validateResults(await findDocuments(this.#query, signal));
        if (!signal.aborted) this.#results = results;
      } else {
        this.#progress ??= { page: 0, threads: 0, hasMore: true, found: new Map() };
        for await (const results of searchThreads(controller, this.#progress, signal)) {
          this.#results = results;
          this.#host.requestUpdate();
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = explainError(error, context.locale);
      this.#hasSearchFailed = true;
      context.report(isUbikError(error) ? error : createMisuseError('failed', error));
    }
    if (signal.aborted) return;
    this.#isSearching = false;
    this.#host.requestUpdate();
  }

  async #link(info: DocumentInfo): Promise<void> {
    const host = this.#host;
    const { controller, context } = host;
    if (!controller) return;
    const target = new ConversationTarget(controller);
    // Pressed again before the service has responded.
    const isSame = (link: { id: string; target: ConversationTarget }): boolean =>
      link.id === info.id && link.target.thread === target.thread;
    if ([...this.#linking].some(isSame)) return target.dispose();
    this.#failure = '';
    const link = { id: info.id, target };
    this.#linking.add(link);
    const linking = this.#linkTo(target, info);
    await host.attempt(
      linking.finally(() => {
        target.dispose();
        this.#linking.delete(link);
      }),
      (error) => {
        this.#failure = explainError(error, context.locale);
      },
    );
    host.requestUpdate();
  }

  /** Links a document to a conversation, with its events. Resolves to false when the thread that is loading is not shown in the end. */
  async #linkTo(target: ConversationTarget, info: DocumentInfo): Promise<boolean> {
    const host = this.#host;
    if (target.loaded) await target.loaded;
    const { controller, thread } = target;
    if (thread !== controller.thread || controller !== host.controller) return false;
    const detail = describeDocument(host, info);
    const { threadId } = detail;
    return host.performAction(
      [
        new UbikDocumentLinkEvent(detail),
        ...(threadId === null ? [new UbikThreadCreateEvent({ threadId })] : []),
      ],
      () => controller.linkDocuments([info]),
      () =>
        new UbikDocumentLinkedEvent({
          ...detail,
          ...describeThread({ thread: target.thread ?? null }),
        }),
    );
  }
}

/** Returns the valid results of `findDocuments`. Throws a `misuse` error when it does not return an array. */
function validateResults(results: unknown): readonly DocumentInfo[] {
  if (!Array.isArray(results)) throw createMisuseError('returned no array');
  return results.filter((info: Partial<DocumentInfo> | null): info is DocumentInfo =>
    [info?.id, info?.name].every((field) => typeof field === 'string'),
  );
}

function createMisuseError(problem: string, cause?: unknown): UbikError {
  return new UbikError('misuse', `The findDocuments of the host page ${problem}.`, { cause });
}

/**
 * Loads the documents of the next page of threads, except those of the current thread. Yields all documents found so far after each thread.
 * After a failure, the next call repeats the page.
 */
export async function* searchThreads(
  { backend, thread: current }: StreamController,
  progress: SearchProgress,
  signal: AbortSignal,
): AsyncGenerator<readonly DocumentInfo[]> {
  const page = progress.page + 1;
  const threads = await backend.listThreads?.({ page, limit: THREADS_PER_PAGE }, signal);
  let count = 0;
  for (const { id } of threads?.items ?? []) {
    if (signal.aborted) return;
    if (id === current?.id) continue;
    const documents = await backend.listDocuments?.(
      id,
      { page: 1, limit: DOCUMENTS_PER_THREAD },
      signal,
    );
    count += 1;
    for (const info of documents?.items ?? []) {
      // The star belongs to the document in its thread, so a newly linked document has none.
      progress.found.set(info.id, { ...info, starred: false });
    }
    if (!signal.aborted) yield [...progress.found.values()];
  }
  progress.page = page;
  progress.threads += count;
  progress.hasMore = threads?.hasMore ?? false;
}
