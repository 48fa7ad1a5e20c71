import type { Environment } from '../../../transport/environment.js';

/** Differences up to this, in ms, are ignored: a response or an event may have been delayed for so long. */
const TOLERANCE = 15_000;

/** Estimates the difference between the clock of the page and that of the service, which stamps the events. */
export class ServiceClock {
  readonly #environment: Pick<Environment, 'now'>;
  /** ms that the clock of the page is ahead. */
  #offset = 0;

  constructor(environment: Pick<Environment, 'now'>) {
    this.#environment = environment;
  }

  /** Sets the clock: the service has just stamped a response with this time, in ms. */
  set(time: number): void {
    this.#offset = this.#environment.now() - time;
  }

  /** Refines the clock by another event of the same stream, in ms. The event with the shortest delay is the most exact. */
  sample(time: number): void {
    this.#offset = Math.min(this.#offset, this.#environment.now() - time);
  }

  /** Converts a time of the service to the clock of the page, in ms. */
  toPageTime(time: number): number {
    return Math.abs(this.#offset) > TOLERANCE ? time + this.#offset : time;
  }
}
