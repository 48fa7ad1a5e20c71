/** Clock with integer microseconds since the epoch, strictly monotonic. */
export interface Clock {
  now(): number;
}

/** Creates a strictly monotonic clock, so that events are ordered by their timestamps. */
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
 * Formats a time in UTC like Python's `isoformat()`, which omits microseconds that are zero, but with `Z` as the zone.
 *
 * @param micros Microseconds since the epoch.
 */
export function formatTimestamp(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19);
  const rest = micros % 1_000_000;
  return rest === 0 ? `${seconds}Z` : `${seconds}.${String(rest).padStart(6, '0')}Z`;
}
