/** Resolves pending promises when something happens. */
export class ActivitySignal {
  #waiting: (() => void)[] = [];

  /** Resolves the promises of {@link next}. */
  notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves with the next call of {@link notify}. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
