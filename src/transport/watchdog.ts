import type { Environment, Timer } from './environment.js';

/** Longest that a limit grows to, ms. */
const MAX_LIMIT = 300_000;

/** What a watchdog is made from. Times in ms. */
export interface WatchdogOptions {
  readonly environment: Pick<Environment, 'now' | 'monotonic' | 'setTimer' | 'clearTimer'>;
  /** Silence that counts as a stall. */
  readonly limit: number;
  /** Longest that the limit grows to, after stalls that proved alive: 300,000 (or `limit`, when that is longer). */
  readonly maxLimit?: number;
  /** Called once for a stall; the watchdog then rests until it is started again. */
  onStall(silence: number): void;
}

/** Notices when a stream has gone silent. */
export interface Watchdog {
  /** The silence that counts as a stall at present. */
  readonly limit: number;
  /** Begins to listen, as if something had just been heard. */
  start(): void;
  /** Something was heard. Costs two clock readings, so it may be called for every piece. */
  reset(): void;
  /** Looks at the clocks now: after the page was hidden, asleep or offline. */
  check(): void;
  /** Something must be heard within `ms`, once: after a frozen page resumed, whose streams may be dead without saying so. */
  expectWithin(ms: number): void;
  /** The stall was none: the service had nothing to say. Doubles the limit, up to the longest. */
  extendLimit(): void;
  /** Rests until it is started again. */
  stop(): void;
}

/**
 * A watchdog that compares clocks and counts no ticks: a page's timers come late or not at all while it is hidden or the machine
 * sleeps. Of two clocks the one that saw more time counts, since the monotonic one may stand still in sleep.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  return new ClockWatchdog(options);
}

class ClockWatchdog implements Watchdog {
  limit: number;
  readonly #options: WatchdogOptions;
  #running = false;
  #timer: Timer | null = null;
  /** Both clocks when something was last heard. */
  #resetWall = 0;
  #resetMonotonic = 0;
  /** A shorter limit that holds until something is heard. */
  #deadline = Infinity;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.limit = options.limit;
  }

  start(): void {
    this.#running = true;
    this.reset();
    this.check();
  }

  reset(): void {
    const { environment } = this.#options;
    this.#resetWall = environment.now();
    this.#resetMonotonic = environment.monotonic();
    this.#deadline = Infinity;
  }

  /** One timer for the time that is left; what is heard meanwhile does not touch it, it looks again when it fires. */
  readonly check = (): void => {
    const { environment, onStall } = this.#options;
    if (this.#timer) environment.clearTimer(this.#timer);
    this.#timer = null;
    if (!this.#running) return;
    const silence = this.#silence();
    const left = Math.min(this.#deadline, this.limit) - silence;
    if (left > 0) this.#timer = environment.setTimer(this.check, left);
    else {
      this.#running = false;
      onStall(silence);
    }
  };

  expectWithin(ms: number): void {
    if (this.#running) this.#deadline = this.#silence() + ms;
    this.check();
  }

  extendLimit(): void {
    const { limit, maxLimit: longestLimit = MAX_LIMIT } = this.#options;
    this.limit = Math.min(this.limit * 2, Math.max(longestLimit, limit));
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
