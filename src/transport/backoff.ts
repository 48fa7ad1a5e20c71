/** Limits of {@link computeRetryPlan}. Times in ms. */
export interface BackoffLimits {
  /** Upper bound of the first delay. */
  readonly base: number;
  /** Upper bound of every delay. */
  readonly cap: number;
  /** Maximum number of retries without progress. */
  readonly maxAttempts: number;
  /** The longest `retryAfter` that is waited for. With a longer one there is no automatic retry. */
  readonly maxRetryAfter: number;
}

/** The state after a failed attempt. */
export interface RetryState extends BackoffLimits {
  /** Failed attempts since the last progress, including this one; at least 1. */
  readonly failures: number;
  /** Connections lost in a row, with or without progress, including this one; `failures` by default. */
  readonly disconnects?: number | undefined;
  /** A random number, at least 0 and less than 1. */
  readonly random: number;
  /** The delay that the service asks for (`Retry-After`, `retry:`), in ms. */
  readonly retryAfter?: number | undefined;
}

/** Retry after `wait` ms, or do not retry automatically: after too many attempts, or because the service asks for a longer delay. */
export type RetryPlan =
  | { readonly retry: true; readonly wait: number }
  | { readonly retry: false; readonly reason: 'too-many-attempts' | 'delay-too-long' };

/**
 * Computes the delay before the next attempt: exponential backoff with full jitter, `random(0, min(cap, base · 2^(disconnects − 1)))`. The
 * delay is never shorter than the one that the service asks for. Full jitter spreads the retries of clients that were disconnected together.
 * When connections make progress but keep breaking, the delay is at least half of its upper bound: otherwise low random numbers would make
 * the client reconnect in rapid succession.
 */
export function computeRetryPlan(state: RetryState): RetryPlan {
  const { failures, disconnects = failures, random, retryAfter = 0 } = state;
  const { base, cap, maxAttempts, maxRetryAfter } = state;
  if (failures > maxAttempts) return { retry: false, reason: 'too-many-attempts' };
  if (retryAfter > maxRetryAfter) return { retry: false, reason: 'delay-too-long' };
  const maximum = Math.min(cap, base * 2 ** (disconnects - 1));
  const minimum = disconnects > failures ? maximum / 2 : 0;
  return { retry: true, wait: Math.max(random * maximum, minimum, retryAfter) };
}
