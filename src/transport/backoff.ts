/** Limits of {@link planRetry}. Times in ms. */
export interface BackoffLimits {
  /** Upper bound of the first delay: 500. */
  readonly base?: number | undefined;
  /** Upper bound of every delay: 30,000. */
  readonly cap?: number | undefined;
  /** Failed attempts without progress before giving up: 8. */
  readonly maxAttempts?: number | undefined;
  /** The longest `retryAfter` that is waited for without asking the user: 60,000. */
  readonly maxRetryAfter?: number | undefined;
}

/** What is known when an attempt has failed. */
export interface RetryState extends BackoffLimits {
  /** Failed attempts since the last progress, this one included; at least 1. */
  readonly failures: number;
  /** Connections lost in a row, with or without progress, this one included; `failures` by default. */
  readonly disconnects?: number | undefined;
  /** A random number, at least 0 and less than 1. */
  readonly random: number;
  /** The delay that the service asks for (`Retry-After`, `retry:`), in ms. */
  readonly retryAfter?: number | undefined;
}

/** Retry after `wait` ms, or leave it to the user: after too many attempts, or because the service asks for a long delay. */
export type RetryPlan =
  | { readonly retry: true; readonly wait: number }
  | { readonly retry: false; readonly because: 'tries' | 'long-wait' };

/**
 * Computes the delay before the next attempt: exponential backoff with full jitter, `random(0, min(cap, base · 2^n))`, and never less
 * than the service asks for. Full jitter spreads the retries of clients that were disconnected together. When a connection made
 * progress and was lost again, the delay is at least half of its upper bound: otherwise low random numbers would let a client
 * reconnect to such a service in rapid succession.
 */
export function planRetry(state: RetryState): RetryPlan {
  const { failures: failed, disconnects: breaks = failed, random, retryAfter = 0 } = state;
  const {
    base = 500,
    cap = 30_000,
    maxAttempts: tries = 8,
    maxRetryAfter: longestWish = 60_000,
  } = state;
  if (failed > tries) return { retry: false, because: 'tries' };
  if (retryAfter > longestWish) return { retry: false, because: 'long-wait' };
  const step = Math.min(cap, base * 2 ** (breaks - 1));
  const minimum = breaks > failed ? step / 2 : 0;
  return { retry: true, wait: Math.max(random * step, minimum, retryAfter) };
}
