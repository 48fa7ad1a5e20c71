import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import { explainError } from '../../message/explain-error.js';
import type { DocumentsPanelHost } from './document-host.js';

/** Documents that are read at a time. */
const PAGE_SIZE = 50;

/** Reads the documents of the shown thread, a page at a time; they stand in its list. */
export class DocumentPages {
  readonly #host: DocumentsPanelHost;
  readonly #showFailure: (words: string) => void;
  #controller: StreamController | undefined;
  /** Thread whose documents were read, or are being read. */
  #loadedThread: string | null | undefined;
  #pagesRead = 0;
  /** How far they were read. */
  state: 'reading' | 'all' | 'more' | 'failed' = 'all';

  /** `complain` is told why they cannot be read; nothing when it is tried again. */
  constructor(host: DocumentsPanelHost, complain: (words: string) => void) {
    this.#host = host;
    this.#showFailure = complain;
  }

  /** There is another conversation. */
  reset(controller: StreamController): void {
    this.#controller = controller;
    this.#loadedThread = undefined;
  }

  /** Whether another thread is shown than the one that was read. */
  get isStale(): boolean {
    return this.#loadedThread !== this.#threadId;
  }

  /** Reads the thread that is shown from the first page on. */
  loadFirst(): Promise<void> {
    this.#pagesRead = 0;
    return this.#loadPage(1);
  }

  /** Reads the next page, or the one that could not be read. */
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
    this.state = 'all';
    if (!controller?.backend.capabilities.has('documents') || id === null) return;
    this.state = 'reading';
    this.#host.requestUpdate();
    const isLate = (): boolean => controller !== this.#controller || this.#loadedThread !== id;
    try {
      const { hasMore } = await controller.listDocuments({ page, limit: PAGE_SIZE });
      if (isLate()) return;
      this.#pagesRead = page;
      this.state = hasMore ? 'more' : 'all';
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (isLate() || error.code === 'aborted') return;
      this.state = 'failed';
      this.#showFailure(explainError(error, this.#host.context.locale));
      this.#host.context.report(error);
    }
    this.#host.requestUpdate();
  }
}
