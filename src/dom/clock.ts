/** Clock for displayed durations, deadlines and countdowns. */
export interface Clock {
  /** Current time, in ms since the epoch. */
  now(): number;
  /** Calls the listener about once a second. Returns the unsubscribe function. */
  everySecond(listener: () => void): () => void;
}

/** The parts of a window that a clock uses. */
export interface ClockWindow {
  readonly Date: { now(): number };
  setInterval(callback: () => void, delay: number): number;
  clearInterval(handle: number): void;
}

/** Clock of one element. One timer serves all listeners; it runs only while the clock runs and has listeners. */
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

  /**
   * Starts or stops the clock. A stopped clock calls no listeners and has no timer, so the element can be
   * garbage-collected.
   */
  setRunning(isRunning: boolean): void {
    this.#isRunning = isRunning;
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
