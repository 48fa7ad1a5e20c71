/** A file of ours that is fetched when it is first needed. */
export class LazyModule<T> {
  readonly #importModule: () => Promise<T>;
  #loading: Promise<T> | undefined;
  /** For those who ask while it is being fetched: this try may have begun without a network, theirs is the next one. */
  #retry: Promise<T> | undefined;
  #listeners: (() => void)[] = [];
  #isPrefetched = false;
  /** What is in it, once it is there. */
  value: T | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#importModule = fetch;
  }

  /** Fetches it, once. Rejects when it cannot be fetched; who asks after the beginning of a try that fails gets another one. */
  load(): Promise<T> {
    if (this.#loading && !this.value) {
      return (this.#retry ??= this.#loading.catch(() => this.load()));
    }
    return (this.#loading ??= this.#fetch());
  }

  /** Fetches it before it is needed, and tries that once: whoever needs it hears what went wrong. */
  prefetch(): void {
    if (this.#isPrefetched) return;
    this.#isPrefetched = true;
    this.load().catch(() => undefined);
  }

  #fetch(): Promise<T> {
    return this.#importModule().then(
      (value) => {
        this.value = value;
        for (const act of this.#listeners.splice(0)) act();
        return value;
      },
      (error: unknown) => {
        this.#loading = this.#retry = undefined;
        throw error;
      },
    );
  }

  /** Acts as soon as somebody has fetched it. */
  whenLoaded(act: (value: T) => void): void {
    const tell = (): void => {
      if (this.value) act(this.value);
    };
    if (this.value) tell();
    else this.#listeners.push(tell);
  }
}
