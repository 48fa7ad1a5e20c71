/**
 * Acquires a lock that all pages of the browser share. Resolves to the function that releases it; to null when locks are not available or
 * `signal` is aborted. The browser releases the lock of a page that is closed.
 */
export type AcquireLock = (name: string, signal: AbortSignal) => Promise<(() => void) | null>;

/** Acquires a lock with the Web Locks API. */
export const acquireBrowserLock: AcquireLock = (name, signal) =>
  new Promise((resolve) => {
    const locks = navigator.locks as LockManager | undefined;
    // The browser holds the lock until the returned promise is resolved.
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    if (!locks) resolve(null);
    // Rejects when the signal is aborted, and in documents that may not use locks (an opaque origin).
    else locks.request(name, { signal }, hold).catch(() => resolve(null));
  });

/**
 * Detects when other pages of the browser end a presence or are closed. A presence is a period in which a page reads runs. During it, the page
 * holds a lock with the id of the presence, for which other pages wait.
 */
export class PagePresence {
  readonly #ownPrefix: string;
  readonly #acquireLock: AcquireLock;
  #presenceCount = 0;
  #abort = new AbortController();
  readonly #watchedIds = new Set<string>();
  #pageLock: Promise<(() => void) | null> | undefined;

  /** `uniqueId`: an id that no other page has. */
  constructor(uniqueId: string, acquireLock: AcquireLock) {
    this.#ownPrefix = `${uniqueId}/`;
    this.#acquireLock = acquireLock;
  }

  /** Id of the last presence of this page. Each presence has a new id, because other pages remember the ids of presences that have ended. */
  get id(): string {
    return this.#ownPrefix + String(this.#presenceCount);
  }

  /** Begins or ends a presence of this page: acquires or releases its lock. Resolves when other pages can observe the difference. */
  async announce(isPresent: boolean): Promise<void> {
    const lock = this.#pageLock;
    if (isPresent) {
      if (!lock) this.#presenceCount += 1;
      await (this.#pageLock ??= this.#acquire(this.id));
    } else {
      this.#pageLock = undefined;
      (await lock)?.();
    }
  }

  /**
   * Calls `listener` once when a presence of another page has ended; immediately and with false when that cannot be detected. Ignores a
   * presence of this page, and one that already has a listener.
   */
  onEnd(id: string, listener: (isCertain: boolean) => void): void {
    if (id.startsWith(this.#ownPrefix) || this.#watchedIds.has(id)) return;
    const { signal } = this.#abort;
    this.#watchedIds.add(id);
    void this.#acquire(id).then((release) => {
      this.#watchedIds.delete(id);
      release?.();
      if (!signal.aborted) listener(release !== null);
    });
  }

  /** Ends the presence of this page and stops waiting for others. Later calls start again. */
  release(): void {
    void this.announce(false);
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  #acquire(id: string): Promise<(() => void) | null> {
    return this.#acquireLock(`ubik-elements|page|${id}`, this.#abort.signal);
  }
}
