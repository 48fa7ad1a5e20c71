/** A module that is imported on demand. */
export class LazyModule<T> {
  readonly #importModule: () => Promise<T>;
  #loading: Promise<T> | undefined;
  /**
   * What `load` returns during an attempt: that attempt and, if it fails, another one, because the first may have started while the browser was
   * offline.
   */
  #retry: Promise<T> | undefined;
  #listeners: (() => void)[] = [];
  #isPrefetched = false;
  /** The module, once loaded. */
  value: T | undefined;

  constructor(importModule: () => Promise<T>) {
    this.#importModule = importModule;
  }

  /**
   * Loads the module once. Rejects if loading fails; then the next call tries again. A call while an attempt is pending
   * tries again if that attempt fails.
   */
  load(): Promise<T> {
    if (this.#loading && !this.value) {
      return (this.#retry ??= this.#loading.catch(() => this.load()));
    }
    return (this.#loading ??= this.#fetch());
  }

  /** Loads the module ahead of time, by one call of `load()`. Ignores a failure, because the next call of `load()` tries again and reports it. */
  prefetch(): void {
    if (this.#isPrefetched) return;
    this.#isPrefetched = true;
    this.load().catch(() => undefined);
  }

  #fetch(): Promise<T> {
    return this.#importModule().then(
      (value) => {
        this.value = value;
        for (const listener of this.#listeners.splice(0)) {
          try {
            listener();
          } catch (error) {
            globalThis.reportError(error);
          }
        }
        return value;
      },
      (error: unknown) => {
        this.#loading = this.#retry = undefined;
        throw error;
      },
    );
  }

  /** Calls `callback` when the module is loaded. Does not load it. */
  whenLoaded(callback: (value: T) => void): void {
    const notify = (): void => {
      if (this.value) callback(this.value);
    };
    if (this.value) notify();
    else this.#listeners.push(notify);
  }
}
