/** Takes a lock of this browser and holds it until the returned function is called, or the page is gone; null: there is none to be had. */
export type TakeLock = (name: string, signal: AbortSignal) => Promise<(() => void) | null>;

/** As {@link TakeLock}, by the platform's own locks. */
export const takePageLock: TakeLock = (name, signal) =>
  new Promise((resolve) => {
    const locks = navigator.locks as LockManager | undefined;
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    if (!locks) resolve(null);
    // Rejects when the wait is given up, and where a page may have no locks.
    else locks.request(name, { signal }, hold).catch(() => resolve(null));
  });

/** Which pages of this browser are still there: each that has something to tell holds a lock of its own name, which nobody gets before it is gone. */
export class OtherPages {
  /** The name of this page. */
  readonly own: string;
  readonly #takeLock: TakeLock;
  #leaving = new AbortController();
  readonly #watched = new Set<string>();
  #staying: Promise<(() => void) | null> | undefined;

  constructor(own: string, takeLock: TakeLock) {
    this.own = own;
    this.#takeLock = takeLock;
  }

  /** This page has something to tell, or nothing any more. Resolves when others can see that it is there. */
  async stay(stays: boolean): Promise<void> {
    const before = this.#staying;
    if (stays) await (this.#staying ??= this.#take(this.own));
    else {
      this.#staying = undefined;
      (await before)?.();
    }
  }

  /** Calls back once when another page is no more; at once, and with false, where nobody can tell. */
  watch(page: string, gone: (isSure: boolean) => void): void {
    if (page === this.own || this.#watched.has(page)) return;
    const { signal } = this.#leaving;
    this.#watched.add(page);
    void this.#take(page).then((release) => {
      this.#watched.delete(page);
      release?.();
      if (!signal.aborted) gone(release !== null);
    });
  }

  /** Nothing is told or watched any more. */
  leave(): void {
    void this.stay(false);
    this.#leaving.abort();
    this.#leaving = new AbortController();
  }

  #take(page: string): Promise<(() => void) | null> {
    return this.#takeLock(`ubik-elements|page|${page}`, this.#leaving.signal);
  }
}
