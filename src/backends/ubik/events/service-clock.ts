import type { Environment } from '../../../transport/environment.js';

/** Differences up to this, in ms, are ignored, because a response or an event may have been delayed that long. */
const TOLERANCE = 15_000;

/** Estimates the offset between the clock of the page and that of the service, which timestamps the events. */
export class ServiceClock {
  readonly #environment: Pick<Environment, 'now'>;
  /** How many ms the clock of the page is ahead. */
  #offset = 0;

  constructor(environment: Pick<Environment, 'now'>) {
    this.#environment = environment;
  }

  /** Sets the clock by the timestamp of a response, or of the first event of a stream, in ms. */
  set(time: number): void {
    this.#offset = this.#environment.now() - time;
  }

  /**
   * Refines the clock by the timestamp of a later event of that stream, in ms. The event with the shortest delay is the most precise.
   */
  sample(time: number): void {
    this.#offset = Math.min(this.#offset, this.#environment.now() - time);
  }

  /** Converts a time of the service to the clock of the page, in ms. */
  toPageTime(time: number): number {
    return Math.abs(this.#offset) > TOLERANCE ? time + this.#offset : time;
  }
}
