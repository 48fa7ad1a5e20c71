/** A module that is imported when it is first needed. */
export class LazyModule<T> {
  readonly #importModule: () => Promise<T>;
  #loading: Promise<T> | undefined;
  /** Second attempt for callers that arrive while the first is pending: the first may have started while offline. */
  #retry: Promise<T> | undefined;
  #listeners: (() => void)[] = [];
  #isPrefetched = false;
  /** The module, once loaded. */
  value: T | undefined;

  constructor(importModule: () => Promise<T>) {
    this.#importModule = importModule;
  }

  /**
   * Loads the module once. Rejects if loading fails; a later call tries again, and so does one made while a failing
   * attempt is pending.
   */
  load(): Promise<T> {
    if (this.#loading && !this.value) {
      return (this.#retry ??= this.#loading.catch(() => this.load()));
    }
    return (this.#loading ??= this.#fetch());
  }

  /** Loads the module ahead of time, with one attempt. Ignores failures: `load()` reports them. */
  prefetch(): void {
    if (this.#isPrefetched) return;
    this.#isPrefetched = true;
    this.load().catch(() => undefined);
  }

  #fetch(): Promise<T> {
    return this.#importModule().then(
      (value) => {
        this.value = value;
        for (const listener of this.#listeners.splice(0)) listener();
        return value;
      },
      (error: unknown) => {
        this.#loading = this.#retry = undefined;
        throw error;
      },
    );
  }

  /** Calls back once the module has been loaded, without loading it. */
  whenLoaded(callback: (value: T) => void): void {
    const notify = (): void => {
      if (this.value) callback(this.value);
    };
    if (this.value) notify();
    else this.#listeners.push(notify);
  }
}
