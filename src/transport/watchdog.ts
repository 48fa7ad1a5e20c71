import type { Environment, Timer } from './environment.js';

/** Options of {@link createWatchdog}. Times in ms. */
export interface WatchdogOptions {
  readonly environment: Pick<Environment, 'now' | 'monotonic' | 'setTimer' | 'clearTimer'>;
  /** Duration of silence that counts as a stall. */
  readonly limit: number;
  /** Upper bound of the limit after false alarms; `limit` if that is longer. */
  readonly maxLimit: number;
  /** Called once for a stall. The watchdog then stops until it is started again. */
  onStall(silence: number): void;
}

/** Detects a stream that has gone silent. */
export interface Watchdog {
  /** The current duration of silence that counts as a stall, in ms. */
  readonly limit: number;
  /** Starts the watchdog and resets it. Until the next activity, the limit is extended by `allowance` ms, 0 by default. */
  start(allowance?: number): void;
  /** Records activity. Reads two clocks and sets no timer, so it can be called for every chunk. */
  reset(): void;
  /** Checks the clocks now, for use after the page was hidden, suspended or offline. */
  check(): void;
  /**
   * Lowers the limit to `ms` from now until the next activity, for use after a frozen page resumed: its streams may be dead without an
   * error.
   */
  expectWithin(ms: number): void;
  /** Doubles the limit, up to `maxLimit`, for use after a false alarm: the service had nothing to send. */
  extendLimit(): void;
  /** Restores the limit from the options. */
  resetLimit(): void;
  /** Stops the watchdog until it is started again. */
  stop(): void;
}

/**
 * Creates a watchdog that compares clock readings instead of relying on timers, which fire late or not at all while the page is hidden
 * or the machine sleeps. It uses the clock on which more time has passed, because the monotonic clock may stop during sleep.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  return new ClockWatchdog(options);
}

class ClockWatchdog implements Watchdog {
  limit: number;
  readonly #options: WatchdogOptions;
  #running = false;
  #timer: Timer | null = null;
  /** Both clocks at the last activity; later by the allowance of `start`. */
  #resetWall = 0;
  #resetMonotonic = 0;
  /** The lower limit set by `expectWithin`, until the next activity. */
  #temporaryLimit = Infinity;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.limit = options.limit;
  }

  start(allowance = 0): void {
    this.#running = true;
    this.reset();
    this.#resetWall += allowance;
    this.#resetMonotonic += allowance;
    this.check();
  }

  reset(): void {
    const { environment } = this.#options;
    this.#resetWall = environment.now();
    this.#resetMonotonic = environment.monotonic();
    this.#temporaryLimit = Infinity;
  }

  /** Sets one timer for the remaining time. Activity does not move the timer: when it fires, the silence is computed again. */
  readonly check = (): void => {
    const { environment, onStall } = this.#options;
    if (this.#timer) environment.clearTimer(this.#timer);
    this.#timer = null;
    if (!this.#running) return;
    const silence = this.#silence();
    const remaining = Math.min(this.#temporaryLimit, this.limit) - silence;
    if (remaining > 0) this.#timer = environment.setTimer(this.check, remaining);
    else {
      this.#running = false;
      onStall(silence);
    }
  };

  expectWithin(ms: number): void {
    if (this.#running) this.#temporaryLimit = this.#silence() + ms;
    this.check();
  }

  extendLimit(): void {
    const { limit, maxLimit } = this.#options;
    this.limit = Math.min(this.limit * 2, Math.max(maxLimit, limit));
  }

  resetLimit(): void {
    if (this.limit === this.#options.limit) return;
    this.limit = this.#options.limit;
    // The timer may be set for later.
    this.check();
  }

  stop(): void {
    this.#running = false;
    this.check();
  }

  #silence(): number {
    const { environment } = this.#options;
    const wall = environment.now() - this.#resetWall;
    return Math.max(wall, environment.monotonic() - this.#resetMonotonic);
  }
}
