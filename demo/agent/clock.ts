/** Tells the time in whole microseconds since 1970; each answer is later than the one before. */
export interface Clock {
  now(): number;
}

/** A clock that never stands still or goes back, so that the order of times is the order of events. */
export function createClock(): Clock {
  let last = 0;
  return {
    now: () => {
      const micros = Math.floor((performance.timeOrigin + performance.now()) * 1000);
      last = Math.max(last + 1, micros);
      return last;
    },
  };
}

/**
 * An instant as the service writes it: microseconds, left out when they are zero, as Python does.
 *
 * @param micros Microseconds since 1970.
 */
export function printInstant(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19);
  const rest = micros % 1_000_000;
  return rest === 0 ? `${seconds}Z` : `${seconds}.${String(rest).padStart(6, '0')}Z`;
}
