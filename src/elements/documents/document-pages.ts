import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError } from '../../errors.js';
import { explainError } from '../../message/explain-error.js';
import type { DocumentsHost } from './document-host.js';

/** Documents that are read at a time. */
const PAGE = 50;

/** Reads the documents of the shown thread, a page at a time; they stand in its list. */
export class DocumentPages {
  readonly #host: DocumentsHost;
  readonly #complain: (words: string) => void;
  #controller: StreamController | undefined;
  /** Thread whose documents were read, or are being read. */
  #read: string | null | undefined;
  #pages = 0;
  /** How far they were read. */
  state: 'reading' | 'all' | 'more' | 'failed' = 'all';

  /** `complain` is told why they cannot be read; nothing when it is tried again. */
  constructor(host: DocumentsHost, complain: (words: string) => void) {
    this.#host = host;
    this.#complain = complain;
  }

  /** There is another conversation. */
  begin(controller: StreamController): void {
    this.#controller = controller;
    this.#read = undefined;
  }

  /** Whether another thread is shown than the one that was read. */
  get isStale(): boolean {
    return this.#read !== this.#threadId;
  }

  /** Reads the thread that is shown from the first page on. */
  first(): Promise<void> {
    this.#pages = 0;
    return this.#readPage(1);
  }

  /** Reads the next page, or the one that could not be read. */
  more(): Promise<void> {
    return this.#readPage(this.#pages + 1);
  }

  get #threadId(): string | null {
    return this.#controller?.thread?.id ?? null;
  }

  async #readPage(page: number): Promise<void> {
    const controller = this.#controller;
    const id = this.#threadId;
    this.#read = id;
    this.#complain('');
    this.state = 'all';
    if (!controller?.backend.capabilities.has('documents') || id === null) return;
    this.state = 'reading';
    this.#host.requestUpdate();
    const isLate = (): boolean => controller !== this.#controller || this.#read !== id;
    try {
      const { hasMore } = await controller.listDocuments({ page, limit: PAGE });
      if (isLate()) return;
      this.#pages = page;
      this.state = hasMore ? 'more' : 'all';
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (isLate() || error.code === 'aborted') return;
      this.state = 'failed';
      this.#complain(explainError(error, this.#host.context.locale));
      this.#host.context.report(error);
    }
    this.#host.requestUpdate();
  }
}
