import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError, type UbikError } from '../../errors.js';

/** Number of threads per request. */
export const PAGE_SIZE = 50;

/** Loads the service's thread list page by page into `controller.threads`. */
export class ThreadPages {
  readonly #controller: StreamController;
  readonly #report: (error: UbikError) => void;
  /** Number of pages that need not be loaded again. Negative after more deletions than loaded pages. */
  #pagesRead = 0;
  #loading: Promise<void> | undefined;
  /** Whether the service has another page. */
  hasMore = true;
  /** Why the last `loadMore` has failed; null when it has not. */
  failure: UbikError | null = null;

  constructor(controller: StreamController, report: (error: UbikError) => void) {
    this.#controller = controller;
    this.#report = report;
  }

  /** Whether a page is being loaded. */
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** Loads the next page, or joins the load in progress. Errors with a code do not reject it; they are in `failure`. */
  loadMore(): Promise<void> {
    this.#loading ??= this.#loadNext().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /**
   * Makes the next `loadMore` load the last loaded page again, because a deletion has moved threads up into it. If a page is being loaded,
   * the one before it may lack a thread, too, so both are loaded again.
   */
  rewind(): void {
    this.#pagesRead -= 1;
  }

  /** Reloads the first page, in which threads or titles may have changed. */
  async refresh(): Promise<void> {
    // The user has not requested it, so an error is not shown.
    await this.#controller.listThreads({ page: 1, limit: PAGE_SIZE }).catch(() => undefined);
  }

  async #loadNext(): Promise<void> {
    this.failure = null;
    try {
      const pagesRead = (this.#pagesRead = Math.max(0, this.#pagesRead));
      const page = pagesRead + 1;
      const { hasMore } = await this.#controller.listThreads({ page, limit: PAGE_SIZE });
      if (this.#pagesRead !== pagesRead) return;
      this.#pagesRead = page;
      this.hasMore = hasMore;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.failure = error;
      if (error.code !== 'aborted') this.#report(error);
    }
  }
}
