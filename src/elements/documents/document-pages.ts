import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import { explainError } from '../../message/explain-error.js';
import type { DocumentsPanelHost } from './document-actions.js';

/** Documents of one request. */
const PAGE_SIZE = 50;

/** Loads the documents of the current thread page by page into the thread's list. */
export class DocumentPages {
  readonly #host: DocumentsPanelHost;
  readonly #showFailure: (message: string) => void;
  #controller: StreamController | undefined;
  /** Thread whose documents were or are being loaded; undefined before the first. */
  #loadedThread: string | null | undefined;
  #pagesRead = 0;
  state: 'loading' | 'complete' | 'partial' | 'failed' = 'complete';

  /** `showFailure` is called with an error message when a page fails, and with an empty string when loading starts again. */
  constructor(host: DocumentsPanelHost, showFailure: (message: string) => void) {
    this.#host = host;
    this.#showFailure = showFailure;
  }

  /** Forgets what was loaded, because the element has another controller. */
  reset(controller: StreamController): void {
    this.#controller = controller;
    this.#loadedThread = undefined;
  }

  /** Whether the current thread is not the loaded one. */
  get isStale(): boolean {
    return this.#loadedThread !== this.#threadId;
  }

  /** Loads the first page of the current thread. Does not reject. */
  loadFirst(): Promise<void> {
    this.#pagesRead = 0;
    return this.#loadPage(1);
  }

  /** Loads the next page, or retries the one that failed. Does not reject. */
  loadMore(): Promise<void> {
    return this.#loadPage(this.#pagesRead + 1);
  }

  get #threadId(): string | null {
    return this.#controller?.thread?.id ?? null;
  }

  async #loadPage(page: number): Promise<void> {
    const controller = this.#controller;
    const id = this.#threadId;
    this.#loadedThread = id;
    this.#showFailure('');
    this.state = 'complete';
    if (!controller?.backend.capabilities.has('documents') || id === null) return;
    this.state = 'loading';
    this.#host.requestUpdate();
    const isOutdated = (): boolean => controller !== this.#controller || this.#loadedThread !== id;
    try {
      const { hasMore } = await controller.listDocuments({ page, limit: PAGE_SIZE });
      if (isOutdated()) return;
      this.#pagesRead = page;
      this.state = hasMore ? 'partial' : 'complete';
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (isOutdated() || error.code === 'aborted') return;
      this.state = 'failed';
      this.#showFailure(explainError(error, this.#host.context.locale));
      this.#host.context.report(error);
    }
    this.#host.requestUpdate();
  }
}
