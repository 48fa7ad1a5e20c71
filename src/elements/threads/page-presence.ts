/**
 * Acquires a lock that all pages of the browser share. Resolves to the function that releases it; to null when locks are not available or
 * `signal` is aborted. The browser releases the lock of a page that is closed.
 */
export type AcquireLock = (name: string, signal: AbortSignal) => Promise<(() => void) | null>;

/** {@link AcquireLock} by the Web Locks API. */
export const acquireBrowserLock: AcquireLock = (name, signal) =>
  new Promise((resolve) => {
    const locks = navigator.locks as LockManager | undefined;
    // The browser holds the lock until the returned promise is resolved.
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    if (!locks) resolve(null);
    // Rejects when the signal is aborted, and in documents that may not use locks (an opaque origin).
    else locks.request(name, { signal }, hold).catch(() => resolve(null));
  });

/** Detects when other pages of the browser are closed: each page has a lock with its id, and other pages wait for that lock. */
export class PagePresence {
  /** Id of this page. */
  readonly pageId: string;
  readonly #acquireLock: AcquireLock;
  #abort = new AbortController();
  readonly #watchedPages = new Set<string>();
  #pageLock: Promise<(() => void) | null> | undefined;

  constructor(pageId: string, acquireLock: AcquireLock) {
    this.pageId = pageId;
    this.#acquireLock = acquireLock;
  }

  /** Acquires or releases the lock of this page. Resolves when other pages can observe the difference. */
  async announce(isPresent: boolean): Promise<void> {
    const lock = this.#pageLock;
    if (isPresent) await (this.#pageLock ??= this.#lockPage(this.pageId));
    else {
      this.#pageLock = undefined;
      (await lock)?.();
    }
  }

  /**
   * Calls `listener` once when another page is closed; immediately and with false when that cannot be detected. Ignores this page, and a page
   * that already has a listener.
   */
  onPageClosed(page: string, listener: (isCertain: boolean) => void): void {
    if (page === this.pageId || this.#watchedPages.has(page)) return;
    const { signal } = this.#abort;
    this.#watchedPages.add(page);
    void this.#lockPage(page).then((release) => {
      this.#watchedPages.delete(page);
      release?.();
      if (!signal.aborted) listener(release !== null);
    });
  }

  /** Releases the lock of this page and stops waiting for others. Later calls start again. */
  release(): void {
    void this.announce(false);
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  #lockPage(page: string): Promise<(() => void) | null> {
    return this.#acquireLock(`ubik-elements|page|${page}`, this.#abort.signal);
  }
}
