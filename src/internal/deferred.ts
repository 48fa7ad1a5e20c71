/** A file of ours that is fetched when it is first needed. */
export class Deferred<T> {
  readonly #fetch: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #waiting: (() => void)[] = [];
  /** What is in it, once it is there. */
  value: T | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Fetches it, once. Rejects when it cannot be fetched; the next call tries again. */
  load(): Promise<T> {
    this.#loading ??= this.#fetch().then(
      (value) => {
        this.value = value;
        for (const act of this.#waiting.splice(0)) act();
        return value;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
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
