import { planRetry, type RetryPlan } from '../../transport/backoff.js';
import type { ControllerContext } from '../controller-context.js';

/** A connection that brought new content and lasted this long, in ms, proves that the service has recovered. */
const STEADY = 10_000;
/** Minimum time between two immediate attempts on wake, in ms: a page can become visible every second. */
const WAKE_INTERVAL = 60_000;

/**
 * Decides when a run joins its stream again and when that is left to the user. Two things are
 * counted: attempts without progress, whose number is limited, and connections that broke in a row, which lengthen the wait. Progress is
 * new content of the service: neither a connection, nor a replay, nor a repeated status.
 */
export class RejoinPolicy {
  readonly #context: ControllerContext;
  #hasStalled = false;
  #attempt = 0;
  #breaks = 0;
  #openedAt = 0;
  #hasProgress = false;
  #isWoken = false;
  #wokenAt = -Infinity;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Attempts since the last progress. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Resets the counts; all attempts are available again. */
  restart(): void {
    this.#attempt = 0;
    this.#breaks = 0;
  }

  /**
   * The page is back. Returns whether an attempt may be made at once, which does not count when it fails; true at most once a minute.
   */
  wake(): boolean {
    const now = this.#context.environment.now();
    // The wall clock also counts the time in which the computer slept; it may be set back.
    const mayRetry = Math.abs(now - this.#wokenAt) >= WAKE_INTERVAL;
    if (mayRetry) this.#wokenAt = now;
    this.#isWoken ||= mayRetry;
    return mayRetry;
  }

  /** A connection is being opened. */
  open(): void {
    this.#openedAt = this.#context.environment.monotonic();
    this.#hasProgress = false;
  }

  /** The connection has brought a batch. Returns whether that proves that the stall before it was none, once for each stall. */
  receive(): boolean {
    const hasStalled = this.#hasStalled;
    this.#hasStalled = false;
    return hasStalled;
  }

  /** The connection has brought new content. */
  progress(): void {
    this.#hasProgress = true;
    this.#attempt = 0;
    this.#wokenAt = -Infinity;
  }

  /** A connection that had brought something has stalled. This is no failed attempt. */
  stall(): void {
    this.#hasStalled = true;
  }

  /** The wait before a retry that was postponed, in ms. Counts nothing. */
  wait(): number {
    const plan = this.#plan(undefined);
    return plan.retry ? plan.wait : 0;
  }

  /**
   * The connection broke. Returns the wait before the next one, in ms, or null when the user has to decide.
   *
   * @param retryAfter what the service asked for, in ms
   */
  next(retryAfter: number | undefined): number | null {
    const { environment } = this.#context;
    const isSteady = this.#hasProgress && environment.monotonic() - this.#openedAt >= STEADY;
    if (isSteady) this.#breaks = 0;
    if (!this.#isWoken || this.#attempt === 0) {
      this.#attempt += 1;
      this.#breaks += 1;
    }
    this.#isWoken = false;
    this.#hasStalled = false;
    const plan = this.#plan(retryAfter);
    return plan.retry ? plan.wait : null;
  }

  /**
   * The wait before a retry while the browser reports that it is offline, in ms. That may be wrong, and it may last: such attempts do
   * not count, and the wait grows.
   */
  nextOffline(): number {
    this.#breaks += 1;
    this.#hasStalled = false;
    return this.wait();
  }

  #plan(retryAfter: number | undefined): RetryPlan {
    const { environment, limits } = this.#context;
    return planRetry({
      failures: Math.max(1, this.#attempt),
      disconnects: Math.max(1, this.#breaks),
      random: environment.random(),
      retryAfter,
      base: limits.backoffBase,
      cap: limits.backoffCap,
      maxAttempts: limits.maxRejoinAttempts,
      maxRetryAfter: limits.maxRetryAfter,
    });
  }
}
