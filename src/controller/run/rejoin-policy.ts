import { computeRetryPlan, type RetryPlan } from '../../transport/backoff.js';
import type { ControllerContext } from '../controller-context.js';

/** Duration in ms after which a connection with new content proves that the service has recovered. */
const STEADY = 10_000;
/** Minimum time between two immediate attempts on wake, in ms, because a page can become visible every second. */
const WAKE_INTERVAL = 60_000;

/**
 * Decides when a run rejoins its stream, and when to give up. It counts attempts without progress, whose number is limited, and
 * consecutive broken connections, which increase the delay. Progress means new content: a connection, a replay or a repeated status
 * does not count.
 */
export class RejoinPolicy {
  readonly #context: ControllerContext;
  /** Whether a connection has stalled, and since then no batch was received and no connection was broken. */
  #hasStalled = false;
  #attempt = 0;
  /** Number of consecutive broken connections. */
  #disconnects = 0;
  /** When the last connection was opened, by the monotonic clock. */
  #openedAt = 0;
  /** Whether the last connection has brought new content. */
  #hasProgress = false;
  /** Whether the next broken connection is that of an immediate attempt on wake. */
  #isWoken = false;
  /** When `wake` last allowed an immediate attempt since the last progress, by the wall clock. */
  #wokenAt = -Infinity;
  /** Before this time of the monotonic clock, the service wants no attempt. */
  #notBefore = -Infinity;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Number of attempts since the last progress. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Resets the counts, and the delay that the service has asked for. */
  resetAttempts(): void {
    this.#notBefore = -Infinity;
    this.#attempt = 0;
    this.#disconnects = 0;
  }

  /**
   * Records that the page has become active again. Returns whether to attempt immediately: at most once a minute while nothing new
   * arrives, and not before the service allows it. That attempt does not count if it fails, unless it is the first since the last progress.
   */
  wake(): boolean {
    const now = this.#context.environment.now();
    // The wall clock also advances while the computer sleeps. It can be set back, hence the absolute difference.
    const mayRetry = Math.abs(now - this.#wokenAt) >= WAKE_INTERVAL && this.#delay <= 0;
    if (mayRetry) this.#wokenAt = now;
    this.#isWoken ||= mayRetry;
    return mayRetry;
  }

  /** Records that a connection is being opened. */
  open(): void {
    this.#openedAt = this.#context.environment.monotonic();
    this.#hasProgress = false;
  }

  /** Records a batch. Returns true for the first one after a stall, which was a false alarm then. */
  receive(): boolean {
    const hasStalled = this.#hasStalled;
    this.#hasStalled = false;
    return hasStalled;
  }

  /** Records new content. */
  recordProgress(): void {
    this.#hasProgress = true;
    this.#attempt = 0;
    this.#wokenAt = -Infinity;
  }

  /** Records that a connection has stalled after it had received data, which does not count as a failed attempt. */
  stall(): void {
    this.#hasStalled = true;
    this.#isWoken = false;
  }

  /** Returns the delay of a postponed retry in ms, without counting an attempt. */
  wait(): number {
    const plan = this.#plan(undefined);
    return Math.max(plan.retry ? plan.wait : 0, this.#delay);
  }

  /**
   * Records a broken connection. Returns the delay before the next attempt in ms, or null to give up.
   *
   * @param retryAfter The delay that the service asked for, in ms.
   */
  next(retryAfter: number | undefined): number | null {
    const { environment } = this.#context;
    const isSteady = this.#hasProgress && environment.monotonic() - this.#openedAt >= STEADY;
    if (isSteady) this.#disconnects = 0;
    if (!this.#isWoken || this.#attempt === 0) {
      this.#attempt += 1;
      this.#disconnects += 1;
    }
    this.#isWoken = false;
    this.#hasStalled = false;
    this.#notBefore = environment.monotonic() + (retryAfter ?? 0);
    const plan = this.#plan(retryAfter);
    return plan.retry ? plan.wait : null;
  }

  /**
   * Records a broken connection while the browser reports that it is offline, and returns the delay before the next attempt in ms. The
   * report can be wrong and can last long, so these attempts are unlimited and their delay grows.
   */
  nextOffline(): number {
    this.#disconnects += 1;
    this.#isWoken = false;
    this.#hasStalled = false;
    return this.wait();
  }

  /** What remains of the delay that the service has last asked for, in ms; 0 or less when it has passed. */
  get #delay(): number {
    return this.#notBefore - this.#context.environment.monotonic();
  }

  #plan(retryAfter: number | undefined): RetryPlan {
    const { environment, limits } = this.#context;
    return computeRetryPlan({
      failures: Math.max(1, this.#attempt),
      disconnects: Math.max(1, this.#disconnects),
      random: environment.random(),
      retryAfter,
      base: limits.backoffBase,
      cap: limits.backoffCap,
      maxAttempts: limits.maxRejoinAttempts,
      maxRetryAfter: limits.maxRetryAfter,
    });
  }
}
