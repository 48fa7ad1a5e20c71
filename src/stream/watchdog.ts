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
  /** The stall was none: the service had nothing to say. Doubles the limit, up to the longest. */
  provedAlive(): void;
  /** Rests until it is started again. */
  stop(): void;
}

/**
 * A watchdog that compares clocks and counts no ticks: a page's timers come late or not at all while it is hidden or the machine
 * sleeps. Of two clocks the one that saw more time counts, since the monotonic one may stand still in sleep.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { environment, longestLimit = 300_000, onStall } = options;
  let { limit } = options;
  let running = false;
  let timer: Timer | null = null;
  /** Both clocks when something was last heard. */
  let heardWall = 0;
  let heardMonotonic = 0;
  /** A shorter limit that holds until something is heard. */
  let expected = Infinity;

  const heard = () => {
    heardWall = environment.now();
    heardMonotonic = environment.monotonic();
    expected = Infinity;
  };
  const silence = () =>
    Math.max(environment.now() - heardWall, environment.monotonic() - heardMonotonic);
  /** One timer for the time that is left; what is heard meanwhile does not touch it, it looks again when it fires. */
  const check = () => {
    if (timer) environment.clearTimer(timer);
    timer = null;
    if (!running) return;
    const silent = silence();
    const left = Math.min(expected, limit) - silent;
    if (left > 0) timer = environment.setTimer(check, left);
    else {
      running = false;
      onStall(silent);
    }
  };

  return {
    get limit() {
      return limit;
    },
    start() {
      running = true;
      heard();
      check();
    },
    heard,
    check,
    expect(ms) {
      if (running) expected = silence() + ms;
      check();
    },
    provedAlive() {
      limit = Math.min(limit * 2, Math.max(longestLimit, options.limit));
    },
    stop() {
      running = false;
      check();
    },
  };
}
