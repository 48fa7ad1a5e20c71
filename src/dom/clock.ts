/** Time for what is shown: durations, deadlines, countdowns. */
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Calls back about once a second until the returned function is called. */
  everySecond(listener: () => void): () => void;
}

/** What a clock needs of its window. */
interface ClockWindow {
  readonly Date: { now(): number };
  setInterval(callback: () => void, delay: number): number;
  clearInterval(handle: number): void;
}

/** The clock of one element: one timer for all its listeners, none while it stands or nobody listens. */
export class ElementClock implements Clock {
  readonly #listeners = new Set<() => void>();
  readonly #window: ClockWindow;
  #isRunning = false;
  #timer = 0;

  constructor(window: ClockWindow) {
    this.#window = window;
  }

  now(): number {
    return this.#window.Date.now();
  }

  everySecond(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#updateTimer();
    return () => {
      this.#listeners.delete(listener);
      this.#updateTimer();
    };
  }

  /** Goes, or stands: then nobody is called and the page holds nothing of it. */
  setRunning(going: boolean): void {
    this.#isRunning = going;
    this.#updateTimer();
  }

  #updateTimer(): void {
    if (this.#isRunning && this.#listeners.size > 0) {
      this.#timer ||= this.#window.setInterval(() => {
        for (const listener of [...this.#listeners]) listener();
      }, 1000);
    } else {
      this.#window.clearInterval(this.#timer);
      this.#timer = 0;
    }
  }
}
