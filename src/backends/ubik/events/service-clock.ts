import type { Environment } from '../../../transport/environment.js';

/** Differences up to this, in ms, count as none: an event or an answer may have been on its way for so long. */
const TOLERANCE = 15_000;

/** How far the clock of the page is from that of the service, which is what the times of events are told by. */
export class ServiceClock {
  readonly #environment: Pick<Environment, 'now'>;
  /** ms that the page is ahead. */
  #offset = 0;

  constructor(environment: Pick<Environment, 'now'>) {
    this.#environment = environment;
  }

  /** It is this time of the service now, in ms. */
  set(time: number): void {
    this.#offset = this.#environment.now() - time;
  }

  /** Something else has just happened on the same stream. What was on its way for the shortest time tells most. */
  sample(time: number): void {
    this.#offset = Math.min(this.#offset, this.#environment.now() - time);
  }

  /** A time of the service by the clock of the page, in ms. */
  toPageTime(time: number): number {
    return Math.abs(this.#offset) > TOLERANCE ? time + this.#offset : time;
  }
}
