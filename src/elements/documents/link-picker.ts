import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { DocumentInfo } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError, UbikError } from '../../errors.js';
import { UbikDocumentLinkedEvent, UbikDocumentLinkEvent } from '../../events/index.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { describeThread } from '../base/controller-events.js';
import type { DocumentsHost } from './document-host.js';
import { describeDocument, nameOf, renderName } from './document-row.js';
import { findInThreads, type Finding } from './find-in-threads.js';

/** Looks for documents that the service has already and puts them into the thread. */
export class LinkPicker {
  readonly #host: DocumentsHost;
  #opener: Element | null = null;
  #isOpen = false;
  #query = '';
  #finding: Finding | null = null;
  #looking = new AbortController();
  #isLooking = false;
  #complaint = '';
  #found: readonly DocumentInfo[] = [];

  constructor(host: DocumentsHost) {
    this.#host = host;
  }

  /** Puts it away; what is looked for is given up. */
  close(): void {
    this.#looking.abort();
    this.#isOpen = this.#isLooking = false;
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
    const shown = this.#choose(held);
    return html`<div
      class="card found"
      role="group"
      aria-label=${text('documentsLink')}
      @keydown=${this.#handleKey}
    >
      <label
        >${text('documentsSearch')}<input
          type="search"
          dir="auto"
          .value=${this.#query}
          @input=${this.#handleInput}
      /></label>
      <ul aria-busy=${this.#isLooking}>
        ${repeat(
          shown,
          ({ id }) => id,
          (one) => this.#renderFound(one),
        )}
      </ul>
      <p class="meta" role="status">${this.#describe(shown.length)}</p>
      ${
        this.#complaint
          ? html`<p class="complaint" role="alert">
              ${renderIcon('alert')}<span dir="auto">${this.#complaint}</span>
            </p>`
          : nothing
      }
      <div class="buttons">
        ${this.#renderMore()}
        <button class="quiet" type="button" @click=${this.#leave}>${text('close')}</button>
      </div>
    </div>`;
  }

  /** What fits the words that were written; a search of the page's own has looked at them already. */
  #choose(held: readonly DocumentInfo[]): readonly DocumentInfo[] {
    const has = new Set(held.map(({ id }) => id));
    const wanted = this.#query.trim().toLowerCase();
    const isAsked = this.#host.element.findDocuments !== null;
    return this.#found.filter(
      ({ id, name }) => !has.has(id) && (isAsked || name.toLowerCase().includes(wanted)),
    );
  }

  /** The button that looks again after a failure, or on in further threads. */
  #renderMore(): unknown {
    if (this.#isLooking || !(this.#complaint || this.#finding?.hasMore)) return nothing;
    return html`<button class="quiet" type="button" @click=${this.#look}>
      ${this.#host.context.locale.text(this.#complaint ? 'retry' : 'documentsSearchMore')}
    </button>`;
  }

  #renderFound(found: DocumentInfo): TemplateResult {
    const { locale } = this.#host.context;
    const name = nameOf(found, locale);
    return html`<li class="file">
      <span class="file-name">${renderName(found, locale)}</span>
      <span class="buttons"
        ><button
          class="quiet"
          type="button"
          aria-label=${locale.text('link', { name })}
          @click=${() => this.#link(found)}
        >
          ${locale.text('documentsPut')}
        </button></span
      >
    </li>`;
  }

  /** What was looked through, so that nobody takes what is loaded for all there is. */
  #describe(count: number): string {
    const { text } = this.#host.context.locale;
    if (this.#isLooking) return text('documentsSearching');
    const none = count === 0 ? `${text('documentsNotFound')} ` : '';
    return this.#finding
      ? none + text('documentsSearched', { count: this.#finding.threads })
      : none.trim();
  }

  readonly #toggle = ({ currentTarget }: Event): void => {
    this.#opener = currentTarget as Element;
    if (this.#isOpen) {
      this.#leave();
      return;
    }
    this.#isOpen = true;
    this.#query = '';
    this.#finding = null;
    this.#found = [];
    this.#look();
    // What is drawn at once can take the focus.
    this.#host.requestUpdate();
    void this.#host.element.updateComplete.then(() => {
      this.#opener?.closest('.documents')?.querySelector<HTMLElement>('[type=search]')?.focus();
    });
  };

  readonly #leave = (): void => {
    this.close();
    (this.#opener as HTMLElement | null)?.focus();
    this.#host.requestUpdate();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    event.preventDefault();
    this.#leave();
  };

  readonly #handleInput = ({ currentTarget }: Event): void => {
    this.#query = (currentTarget as HTMLInputElement).value;
    if (this.#host.element.findDocuments) this.#look();
    this.#host.requestUpdate();
  };

  /** Asks the page, or reads on in the person's threads. An answer that comes late is nobody's. */
  readonly #look = (): void => {
    const { controller } = this.#host;
    if (!controller) return;
    this.#looking.abort();
    this.#looking = new AbortController();
    this.#complaint = '';
    this.#isLooking = true;
    void this.#find(controller, this.#looking.signal);
  };

  async #find(controller: StreamController, signal: AbortSignal): Promise<void> {
    const { context, element } = this.#host;
    const { findDocuments } = element;
    try {
      if (findDocuments) {
        const found = readFound(await findDocuments(this.#query, signal));
        if (!signal.aborted) this.#found = found;
      } else {
        this.#finding ??= { page: 0, threads: 0, hasMore: true, found: new Map() };
        for await (const found of findInThreads(controller, this.#finding, signal)) {
          this.#found = found;
          this.#host.requestUpdate();
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#complaint = explainError(error, context.locale);
      context.report(isUbikError(error) ? error : misuse('failed', error));
    }
    if (signal.aborted) return;
    this.#isLooking = false;
    this.#host.requestUpdate();
  }

  async #link(found: DocumentInfo): Promise<void> {
    const host = this.#host;
    const { controller, context } = host;
    if (!controller) return;
    const detail = describeDocument(host, found);
    this.#complaint = '';
    await host.attempt(
      host.performAction(
        [new UbikDocumentLinkEvent(detail)],
        () => controller.linkDocuments([found]),
        () => new UbikDocumentLinkedEvent({ ...detail, ...describeThread(controller) }),
      ),
      (error) => {
        this.#complaint = explainError(error, context.locale);
      },
    );
    host.requestUpdate();
  }
}

/** What a search of the page's own has given, as far as it can be shown. */
function readFound(found: unknown): readonly DocumentInfo[] {
  if (!Array.isArray(found)) throw misuse('gave no list');
  return found.filter((one: Partial<DocumentInfo> | null): one is DocumentInfo =>
    [one?.id, one?.name].every((each) => typeof each === 'string'),
  );
}

function misuse(what: string, cause?: unknown): UbikError {
  return new UbikError('misuse', `The "findDocuments" of the page ${what}.`, { cause });
}
