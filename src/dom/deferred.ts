/** A file of ours that is fetched when it is first needed. */
export class Deferred<T> {
  readonly #fetch: () => Promise<T>;
  #loading: Promise<T> | undefined;
  /** For those who ask while it is being fetched: this try may have begun without a network, theirs is the next one. */
  #next: Promise<T> | undefined;
  #waiting: (() => void)[] = [];
  #isPrefetched = false;
  /** What is in it, once it is there. */
  value: T | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Fetches it, once. Rejects when it cannot be fetched; who asks after the beginning of a try that fails gets another one. */
  load(): Promise<T> {
    if (this.#loading && !this.value) {
      return (this.#next ??= this.#loading.catch(() => this.load()));
    }
    return (this.#loading ??= this.#try());
  }

  /** Fetches it before it is needed, and tries that once: whoever needs it hears what went wrong. */
  prefetch(): void {
    if (this.#isPrefetched) return;
    this.#isPrefetched = true;
    this.load().catch(() => undefined);
  }

  #try(): Promise<T> {
    return this.#fetch().then(
      (value) => {
        this.value = value;
        for (const act of this.#waiting.splice(0)) act();
        return value;
      },
      (error: unknown) => {
        this.#loading = this.#next = undefined;
        throw error;
      },
    );
  }

  /** Acts as soon as somebody has fetched it. */
  whenThere(act: (value: T) => void): void {
    const tell = (): void => {
      if (this.value) act(this.value);
    };
    if (this.value) tell();
    else this.#waiting.push(tell);
  }
}
