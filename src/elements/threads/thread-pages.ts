import type { StreamController } from '../../controller/controller-types.js';
import { isUbikError, type UbikError } from '../../errors.js';

/** Threads that are asked for at once. */
export const PAGE = 50;

/** Reads the list of a service page by page; what comes is in the controller's list. */
export class ThreadPages {
  readonly #controller: StreamController;
  readonly #report: (error: UbikError) => void;
  #read = 0;
  #loading: Promise<void> | undefined;
  /** Whether the service has more. */
  hasMore = true;
  /** Why the last page could not be read; empty when it could. */
  failure = '';

  constructor(controller: StreamController, report: (error: UbikError) => void) {
    this.#controller = controller;
    this.#report = report;
  }

  /** A page is on its way. */
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** Reads the next page; resolves when it is there, or could not be had. */
  more(): Promise<void> {
    this.#loading ??= this.#next().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** A thread of a page that was read is gone: those behind it have moved up. */
  stepBack(): void {
    this.#read = Math.max(0, this.#read - 1);
  }

  /** Reads the newest once more: something in it may have changed. */
  async renew(): Promise<void> {
    // Nobody has asked for it, so nobody is told when it fails.
    await this.#controller.listThreads({ page: 1, limit: PAGE }).catch(() => undefined);
  }

  async #next(): Promise<void> {
    this.failure = '';
    try {
      const page = this.#read + 1;
      const { hasMore } = await this.#controller.listThreads({ page, limit: PAGE });
      this.#read = page;
      this.hasMore = hasMore;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.failure = error.code;
      if (error.code !== 'aborted') this.#report(error);
    }
  }
}
