/** Time for what is shown: durations, deadlines, countdowns. */
export interface Clock {
  /** ms since the epoch. */
  now(): number;
  /** Calls back about once a second until the returned function is called. */
  everySecond(listener: () => void): () => void;
}

/** A clock that stands still while it is told to. */
export interface HeldClock extends Clock {
  /** Goes, or stands: then nobody is called and the page holds nothing of it. */
  run(going: boolean): void;
}

/** What the clock of a page needs of its window. */
interface ClockWindow {
  readonly Date: { now(): number };
  setInterval(callback: () => void, delay: number): number;
  clearInterval(handle: number): void;
}

/** The clock of a window. */
export function createPageClock(window: ClockWindow): Clock {
  return {
    now: () => window.Date.now(),
    everySecond(listener) {
      const handle = window.setInterval(listener, 1000);
      return () => {
        window.clearInterval(handle);
      };
    },
  };
}

/** A clock for one element: one timer for all its listeners, none while it stands or nobody listens. */
export function createHeldClock(clock: Clock): HeldClock {
  const listeners = new Set<{ call: () => void }>();
  let going = false;
  let stop: (() => void) | null = null;
  const settle = (): void => {
    if (going && listeners.size > 0) {
      stop ??= clock.everySecond(() => {
        for (const { call } of [...listeners]) call();
      });
      return;
    }
    stop?.();
    stop = null;
  };
  return {
    now: () => clock.now(),
    everySecond(call) {
      const entry = { call };
      listeners.add(entry);
      settle();
      return () => {
        listeners.delete(entry);
        settle();
      };
    },
    run(value) {
      going = value;
      settle();
    },
  };
}
