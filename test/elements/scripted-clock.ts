/** Noon of March 15, 2026, in local time. */
export const NOON = new Date(2026, 2, 15, 12).getTime();

/** A clock that advances only by `pass`. */
export class ScriptedClock {
  readonly #listeners = new Set<() => void>();
  #now = NOON;
  /** Whether the element is connected, so that its clock would tick. */
  isRunning = false;

  now(): number {
    return this.#now;
  }

  everySecond(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Only records whether the clock would tick, because the test advances it. */
  setRunning(isRunning: boolean): void {
    this.isRunning = isRunning;
  }

  /** Number of listeners that wait for the next second. */
  get waiting(): number {
    return this.#listeners.size;
  }

  /** Advances the clock second by second, and notifies the listeners after each. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.#now += 1000;
      for (const listener of [...this.#listeners]) listener();
    }
  }
}
