import type { Environment, Timer } from './environment.js';

/** What a watchdog is made from. Times in ms. */
export interface WatchdogOptions {
  readonly environment: Pick<Environment, 'now' | 'monotonic' | 'setTimer' | 'clearTimer'>;
  /** Silence that counts as a stall. */
  readonly limit: number;
  /** Longest that the limit grows to, after stalls that proved alive: 300,000 (or `limit`, when that is longer). */
  readonly longestLimit?: number;
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
  heard(): void;
  /** Looks at the clocks now: after the page was hidden, asleep or offline. */
  check(): void;
  /** Something must be heard within `ms`, once: after a frozen page resumed, whose streams may be dead without saying so. */
  expect(ms: number): void;
  /** Does nothing until {@link resume}: a hidden or frozen page hears late. */
  suspend(): void;
  /** Goes on after {@link suspend}, with one look at the clocks. */
  resume(): void;
  /** The stall was none: the service had nothing to say. Doubles the limit, up to the longest. */
  provedAlive(): void;
  /** Rests until it is started again. */
  stop(): void;
}

/**
 * A watchdog that compares clocks and counts no ticks: a page's timers come late or not at all while it is hidden or the machine
 * sleeps. Of two clocks the one that saw more time counts, since the monotonic one may stand still in sleep.
 *
 * ```
 * resting ── start ──► listening ── silence, onStall ──► resting
 *    ▲                  │     ▲
 *    └────── stop ──────┤     └─ resume ─ suspended ◄─ suspend ─┐
 *                       └───────────────────────────────────────┘
 * ```
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  return new ClockWatchdog(options);
}

class ClockWatchdog implements Watchdog {
  readonly #options: WatchdogOptions;
  #limit: number;
  #running = false;
  #suspended = false;
  #timer: Timer | null = null;
  /** Both clocks when something was last heard. */
  #heardWall = 0;
  #heardMonotonic = 0;
  /** A shorter limit that holds until something is heard. */
  #expected: number | null = null;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#limit = options.limit;
  }

  get limit(): number {
    return this.#limit;
  }

  start(): void {
    this.#running = true;
    this.heard();
    this.#arm();
  }

  heard(): void {
    this.#heardWall = this.#options.environment.now();
    this.#heardMonotonic = this.#options.environment.monotonic();
    this.#expected = null;
  }

  check(): void {
    this.#arm();
  }

  expect(ms: number): void {
    if (!this.#running) return;
    this.#expected = this.#silence() + ms;
    this.#arm();
  }

  suspend(): void {
    this.#suspended = true;
    this.#disarm();
  }

  resume(): void {
    this.#suspended = false;
    this.#arm();
  }

  provedAlive(): void {
    const longest = Math.max(this.#options.longestLimit ?? 300_000, this.#options.limit);
    this.#limit = Math.min(this.#limit * 2, longest);
  }

  stop(): void {
    this.#running = false;
    this.#disarm();
  }

  #silence(): number {
    const { environment } = this.#options;
    const wall = environment.now() - this.#heardWall;
    return Math.max(wall, environment.monotonic() - this.#heardMonotonic);
  }

  #disarm(): void {
    if (this.#timer) this.#options.environment.clearTimer(this.#timer);
    this.#timer = null;
  }

  /** One timer for the time that is left; what is heard meanwhile does not touch it, it looks again when it fires. */
  #arm(): void {
    this.#disarm();
    if (!this.#running || this.#suspended) return;
    const silence = this.#silence();
    const left = Math.min(this.#expected ?? this.#limit, this.#limit) - silence;
    if (left > 0) {
      this.#timer = this.#options.environment.setTimer(() => this.#arm(), left);
      return;
    }
    this.#running = false;
    this.#options.onStall(silence);
  }
}
