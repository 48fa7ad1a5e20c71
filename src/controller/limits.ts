/** Minimum expected rate of an upload while there are no progress reports, in bytes per ms. */
export const MIN_UPLOAD_RATE = 16;

/** Limits that the host can change. Times in ms. {@link DEFAULT_LIMITS} has the defaults. */
export interface ControllerLimits {
  /** Upper bound of the first delay of the exponential backoff. */
  readonly backoffBase?: number;
  /** Upper bound of every delay of the exponential backoff. */
  readonly backoffCap?: number;
  /** Attempts to rejoin a run that may pass without new content before it is `interrupted`. */
  readonly maxRejoinAttempts?: number;
  /** Silence after which a stream counts as stalled. Default: that of the backend. */
  readonly idleTimeout?: number;
  /** Upper bound of the idle timeout, which doubles when a stalled stream turns out to be merely silent. */
  readonly maxIdleTimeout?: number;
  /** Longest `Retry-After` of the service that is waited for. With a longer one there is no automatic retry. */
  readonly maxRetryAfter?: number;
  /** Time within which a stream must send data after a frozen page has resumed. */
  readonly resumeGrace?: number;
  /** Time for which batches are applied, or a stored thread is merged, before yielding to the event loop. */
  readonly sliceBudget?: number;
  /** Delay from the last change of a draft to its storage. */
  readonly draftDelay?: number;
}

/** The defaults of {@link ControllerLimits}, except `idleTimeout`, whose default is that of the backend. */
export const DEFAULT_LIMITS = {
  backoffBase: 500,
  backoffCap: 30_000,
  maxRejoinAttempts: 8,
  maxIdleTimeout: 300_000,
  maxRetryAfter: 60_000,
  resumeGrace: 1_000,
  sliceBudget: 8,
  draftDelay: 300,
} as const satisfies Omit<Required<ControllerLimits>, 'idleTimeout'>;

/** Returns all limits: those that are given, else the defaults. `backendIdleTimeout` is the default of `idleTimeout`. */
export function completeLimits(
  backendIdleTimeout: number,
  given: ControllerLimits = {},
): Required<ControllerLimits> {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_LIMITS, idleTimeout: backendIdleTimeout, ...Object.fromEntries(set) };
}
