/** Wakes whoever waits for something to happen. */
export class Bell {
  #waiting: (() => void)[] = [];

  /** Something happened. */
  ring(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when something happens. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
