import type { ThreadSummary } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { ControllerContext } from '../controller-context.js';
import { isRetryable } from '../run/classify-error.js';
import { schedule } from './thread-actions.js';

/** How {@link loadLatest} loads and applies a thread. */
export interface LatestLoad<T> {
  load(): Promise<T>;
  /** Whether the thread is still to be applied. If not, it is neither applied nor loaded again. */
  shouldApply(): boolean;
  /**
   * Applies the loaded thread, in slices. After each slice, `isCurrent` tells whether the thread is still to be applied and the response is
   * not outdated. Resolves to whether the thread was applied completely.
   */
  apply(loaded: T, isCurrent: () => boolean): Promise<boolean>;
}

/**
 * Loads a stored thread and applies it. A response is outdated when the thread has changed since the request was sent: it is dropped, and the
 * thread is loaded again.
 */
export async function loadLatest<T>(
  context: ControllerContext,
  id: string,
  { load, shouldApply, apply }: LatestLoad<T>,
): Promise<void> {
  const { changedElsewhere, sequencer } = context;
  for (;;) {
    changedElsewhere.delete(id);
    const read = sequencer.startRead();
    const title = listedTitle(context, id);
    const loaded = await load();
    if (!shouldApply()) return;
    const thread = context.findThread(id);
    const isCurrent = (): boolean =>
      shouldApply() &&
      context.findThread(id) === thread &&
      (thread ? sequencer.acceptRead(thread, read) : !changedElsewhere.has(id)) &&
      // A response to a request from before a renaming would restore the previous title.
      listedTitle(context, id) === title;
    const applyIfCurrent = () => isCurrent() && apply(loaded, isCurrent);
    const applied = thread ? sequencer.runApply(thread, applyIfCurrent) : applyIfCurrent();
    if ((await applied) || !shouldApply()) return;
  }
}

/** Returns the title of a thread in the thread list. */
function listedTitle({ store }: ControllerContext, id: string): unknown {
  return (store.threadList.get(id) as Partial<ThreadSummary> | undefined)?.title;
}

/** Delays of the retries when a stored thread is outdated or cannot be loaded, in ms. */
const RETRY_DELAYS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** A request that is repeated in the background. */
interface BackgroundRetry {
  /** Number of retries so far. */
  readonly attempt: number;
  /** The error of the last attempt; undefined when it has loaded an outdated thread. */
  readonly error: UbikError | undefined;
  readonly retry: () => void;
}

/**
 * Schedules a retry with a growing delay, or when the service allows it, unless the controller is closed before.
 *
 * @returns False, and nothing is scheduled, after six retries, after an error with which no retry can succeed, and when the service asks
 *   for too long a delay; then the next load of the thread checks again.
 */
export function retryLater(
  context: ControllerContext,
  { attempt, error, retry }: BackgroundRetry,
): boolean {
  const delay = RETRY_DELAYS[attempt];
  const retryAfter = error?.retryAfter ?? 0;
  if (delay === undefined || retryAfter > context.limits.maxRetryAfter) return false;
  if (error && !isRetryable(error)) return false;
  schedule(context, Math.max(delay, retryAfter), retry);
  return true;
}
