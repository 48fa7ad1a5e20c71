/** Things that come one after another, for one reader. */
export class Inbox<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | null = null;

  /** Adds one. */
  readonly put = (item: T): void => {
    this.#items.push(item);
    this.#wake?.();
    this.#wake = null;
  };

  /** The next one, as soon as it is there. */
  async take(): Promise<T> {
    for (;;) {
      const [item] = this.#items.splice(0, 1);
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
