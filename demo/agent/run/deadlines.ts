import type { PausePoints } from './pause-points.js';

/** Maximum delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls back when the time limits of input requests have passed. */
export class Deadlines {
  readonly #pausePoints: PausePoints;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  /**
   * @param now Returns the current time, in microseconds since the epoch.
   * @param onError Called with the error of a callback.
   */
  constructor(pausePoints: PausePoints, now: () => number, onError: (error: unknown) => void) {
    this.#pausePoints = pausePoints;
    this.#now = now;
    this.#onError = onError;
  }

  /**
   * Calls back at a time (microseconds since the epoch), or soon if it has passed. Ignores a time beyond the maximum delay of timers.
   *
   * @param owner The owner of the run, for the pause point `deadline`.
   */
  set(owner: string | null, at: number, onExpired: () => void): void {
    const delay = Math.max(0, (at - this.#now()) / 1000);
    if (this.#closed || delay > MAX_DELAY_MS) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#pausePoints
        .reach(owner, 'deadline')
        .then(() => {
          if (!this.#closed) onExpired();
        })
        .catch(this.#onError);
    }, delay);
    this.#timers.add(timer);
  }

  /** Cancels all deadlines. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
