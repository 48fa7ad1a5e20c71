import { planRetry } from '../../stream/backoff.js';
import type { Environment, Timer } from '../../stream/environment.js';
import type { ControllerLimits, PageState } from '../controller-types.js';

/** All numbers of a controller, filled in. `idleLimit` is the backend's unless the host said otherwise. */
export type FullLimits = Required<ControllerLimits>;

/** The limits of a controller with what the host left out. */
export function fillLimits(limits: ControllerLimits, idleLimit: number): FullLimits {
  return {
    backoffBase: 500,
    backoffCap: 30_000,
    rejoinTries: 8,
    idleLimit,
    longestIdleLimit: 300_000,
    longestRetryAfter: 60_000,
    resumeGrace: 1_000,
    sliceBudget: 8,
    draftDelay: 300,
    ...limits,
  };
}

/** What {@link RejoinSchedule} is made from. */
export interface RejoinScheduleOptions {
  readonly environment: Pick<Environment, 'now' | 'random' | 'setTimer' | 'clearTimer'>;
  readonly limits: FullLimits;
  readonly page: Pick<PageState, 'online'>;
  /** It is time for a try. */
  readonly onDue: () => void;
}

/**
 * When a broken run is joined again: full jitter; the count goes back with progress, not with a connection; no tries while the page
 * is offline, one at once when it wakes. A try that the page's waking brought about does not count when it fails.
 */
export class RejoinSchedule {
  readonly #options: RejoinScheduleOptions;
  #failed = 0;
  #woken = false;
  #waiting = false;
  #timer: Timer | null = null;
  #dueAt: number | null = null;

  constructor(options: RejoinScheduleOptions) {
    this.#options = options;
  }

  /** Number of the coming or present try, from 1. */
  get attempt(): number {
    return Math.max(1, this.#failed);
  }

  /** When the next try is due, ms since the epoch; null when the page's waking is waited for. */
  get dueAt(): number | null {
    return this.#dueAt;
  }

  /** Whether a try is waited for. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Something new came. */
  progressed(): void {
    this.#failed = 0;
    this.#woken = false;
  }

  /** A connection broke or a try failed. Plans the next; false when it is left to the person. */
  plan(retryAfter: number | undefined): boolean {
    const { environment, limits, page } = this.#options;
    if (!this.#woken || this.#failed === 0) this.#failed += 1;
    this.#woken = false;
    const plan = planRetry({
      failed: this.#failed,
      random: environment.random(),
      retryAfter,
      base: limits.backoffBase,
      cap: limits.backoffCap,
      tries: limits.rejoinTries,
      longestWish: limits.longestRetryAfter,
    });
    if (!plan.retry) return false;
    this.await();
    if (page.online) this.#arm(plan.wait);
    return true;
  }

  /** Waits for the page to wake, with no time set. */
  await(): void {
    this.cancel();
    this.#waiting = true;
  }

  /** The page woke: a try that is waited for is due now. */
  wake(): void {
    if (!this.#waiting) return;
    this.#woken = true;
    this.#fire();
  }

  /** Nothing is waited for any more. */
  cancel(): void {
    if (this.#timer) this.#options.environment.clearTimer(this.#timer);
    this.#timer = null;
    this.#dueAt = null;
    this.#waiting = false;
  }

  /** All tries are before us again. */
  reset(): void {
    this.cancel();
    this.progressed();
  }

  #arm(wait: number): void {
    const { environment } = this.#options;
    this.#dueAt = environment.now() + wait;
    this.#timer = environment.setTimer(() => {
      this.#fire();
    }, wait);
  }

  #fire(): void {
    this.cancel();
    this.#options.onDue();
  }
}
