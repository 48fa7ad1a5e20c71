import { planRetry, type RetryPlan } from '../../transport/backoff.js';
import type { Conversation } from '../conversation.js';

/** A connection that brought something new and lasted this long, in ms, shows that the service is well again. */
const STEADY = 10_000;
/** Shortest time between two tries that are made because the page has come back, in ms: a page can come back every second. */
const WAKE_INTERVAL = 60_000;

/**
 * Decides when a run connects again, and when that is left to the person. Two things are counted: tries without progress, which are
 * limited, and connections that broke in a row, by which the wait grows. Progress is new content of the service: neither a
 * connection, nor a replay, nor a repeated status.
 */
export class RejoinPolicy {
  readonly #conversation: Conversation;
  #attempt = 0;
  #breaks = 0;
  #openedAt = 0;
  #hasProgress = false;
  #isWoken = false;
  #wokenAt = -Infinity;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Tries since the last progress. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Starts from the beginning, with all tries ahead. */
  restart(): void {
    this.#attempt = 0;
    this.#breaks = 0;
    this.#isWoken = false;
  }

  /**
   * The page has come back. Returns whether a try may be made at once, which does not count when it fails: once a minute.
   */
  wake(): boolean {
    const now = this.#conversation.environment.now();
    // The wall clock also counts the time in which the computer slept; it may be set back.
    const mayTry = Math.abs(now - this.#wokenAt) >= WAKE_INTERVAL;
    if (mayTry) this.#wokenAt = now;
    this.#isWoken ||= mayTry;
    return mayTry;
  }

  /** A connection is opened. */
  open(): void {
    this.#openedAt = this.#conversation.environment.monotonic();
    this.#hasProgress = false;
  }

  /** The present connection has brought new content. */
  progress(): void {
    this.#hasProgress = true;
    this.#attempt = 0;
    this.#isWoken = false;
    this.#wokenAt = -Infinity;
  }

  /** How long to wait before a try that has been put off, in ms. Counts nothing. */
  wait(): number {
    const plan = this.#plan(undefined);
    return plan.retry ? plan.wait : 0;
  }

  /**
   * The connection broke. Returns how long to wait before the next one, in ms; null leaves it to the person.
   *
   * @param retryAfter what the service asked for, in ms
   */
  next(retryAfter: number | undefined): number | null {
    const { environment } = this.#conversation;
    const isSteady = this.#hasProgress && environment.monotonic() - this.#openedAt >= STEADY;
    if (isSteady) this.#breaks = 0;
    if (!this.#isWoken || this.#attempt === 0) {
      this.#attempt += 1;
      this.#breaks += 1;
    }
    this.#isWoken = false;
    const plan = this.#plan(retryAfter);
    return plan.retry ? plan.wait : null;
  }

  /**
   * How long to wait before a try while the page is said to be offline, in ms. That may be wrong, and it may last: such tries do not
   * count, and the wait grows.
   */
  nextOffline(): number {
    this.#breaks += 1;
    return this.wait();
  }

  #plan(retryAfter: number | undefined): RetryPlan {
    const { environment, limits } = this.#conversation;
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
