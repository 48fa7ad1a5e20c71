/** The numbers of {@link planRetry}. Times in ms. */
export interface BackoffLimits {
  /** The first step: 500. */
  readonly base?: number | undefined;
  /** The longest step: 30,000. */
  readonly cap?: number | undefined;
  /** Tries without progress before it gives up: 8. */
  readonly maxAttempts?: number | undefined;
  /** The longest wish of a service that is waited for without asking the person: 60,000. */
  readonly maxRetryAfter?: number | undefined;
}

/** What is known when a try has failed. */
export interface RetryState extends BackoffLimits {
  /** Tries that failed since the last progress, this one included; at least 1. */
  readonly failures: number;
  /** Connections that broke in a row, with or without progress, this one included: `failed` by default. */
  readonly disconnects?: number | undefined;
  /** At least 0, less than 1. */
  readonly random: number;
  /** The service's wish (`Retry-After`, `retry:`), in ms. */
  readonly retryAfter?: number | undefined;
}

/** Wait and try again, or leave it to the person: after too many tries, or because the service asks for a long wait. */
export type RetryPlan =
  | { readonly retry: true; readonly wait: number }
  | { readonly retry: false; readonly because: 'tries' | 'long-wait' };

/**
 * When to try again after a failure: full jitter, `random(0, min(cap, base · 2^n))`, never sooner than the service wishes. The
 * tries of many clients that broke together spread over the whole step instead of coming back together. After progress that did not
 * last it is never sooner than half the step: otherwise chance alone would decide how often such a service is asked.
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
