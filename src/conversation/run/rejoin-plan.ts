import { planRetry } from '../../stream/backoff.js';
import type { RunSession } from './run-session.js';

/**
 * How long to wait for the next try to join, in ms: full jitter; the count goes back with progress, not with a connection. A try that
 * the page's waking brought about does not count when it fails. Null: it is left to the person.
 */
export function planTry(session: RunSession, retryAfter: number | undefined): number | null {
  const { environment, limits } = session.conversation;
  if (!session.woken || session.failed === 0) session.failed += 1;
  session.woken = false;
  const plan = planRetry({
    failed: session.failed,
    random: environment.random(),
    retryAfter,
    base: limits.backoffBase,
    cap: limits.backoffCap,
    tries: limits.rejoinTries,
    longestWish: limits.longestRetryAfter,
  });
  return plan.retry ? plan.wait : null;
}
