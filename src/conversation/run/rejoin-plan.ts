import { planRetry } from '../../stream/backoff.js';
import type { Conversation } from '../conversation.js';

/** A connection that brought something new and lasted this long, in ms, shows that the service is well again. */
const STEADY = 10_000;

/**
 * Decides when a run connects again, and when that is left to the person. Two things are counted: tries without progress, which are
 * limited, and connections that broke in a row, by which the wait grows. Progress is new content of the service: neither a
 * connection, nor a replay, nor a repeated status.
 */
export class RejoinPlan {
  readonly #conversation: Conversation;
  #attempt = 0;
  #breaks = 0;
  #openedAt = 0;
  #hasProgress = false;
  #isWoken = false;

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

  /** The next try is made because the page has come back: it does not count when it fails. */
  wake(): void {
    this.#isWoken = true;
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
  }

  /**
   * The connection broke. Returns how long to wait before the next one, in ms; null leaves it to the person.
   *
   * @param retryAfter what the service asked for, in ms
   */
  next(retryAfter: number | undefined): number | null {
    const { environment, limits } = this.#conversation;
    const isSteady = this.#hasProgress && environment.monotonic() - this.#openedAt >= STEADY;
    if (isSteady) this.#breaks = 0;
    if (!this.#isWoken || this.#attempt === 0) {
      this.#attempt += 1;
      this.#breaks += 1;
    }
    this.#isWoken = false;
    const plan = planRetry({
      failed: this.#attempt,
      breaks: this.#breaks,
      random: environment.random(),
      retryAfter,
      base: limits.backoffBase,
      cap: limits.backoffCap,
      tries: limits.rejoinTries,
      longestWish: limits.longestRetryAfter,
    });
    return plan.retry ? plan.wait : null;
  }
}
