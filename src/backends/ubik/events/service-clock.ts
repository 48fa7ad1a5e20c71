import type { Environment } from '../../../transport/environment.js';

/** Differences up to this, in ms, are ignored, because a response or an event may have been delayed that long. */
const TOLERANCE = 15_000;

/** Estimates the offset between the clock of the page and that of the service, which timestamps the events. */
export class ServiceClock {
  readonly #environment: Pick<Environment, 'now' | 'monotonic'>;
  /** How many ms the clock of the page is ahead. */
  #offset = 0;
  /** The difference between the two clocks of the page when the offset was set. It grows when the wall clock is set forward. */
  #drift = 0;

  constructor(environment: Pick<Environment, 'now' | 'monotonic'>) {
    this.#environment = environment;
  }

  /** Sets the clock by the timestamp of a response, or of the first event of a stream, in ms. */
  set(time: number): void {
    this.#offset = this.#environment.now() - time;
    this.#drift = this.#measureDrift();
  }

  /**
   * Refines the clock by the timestamp of a later event of that stream, in ms. The event with the shortest delay is the most precise,
   * unless the clock of the page was set forward since. Sleep has the same effect, because the monotonic clock may stop: the offset is
   * then that of a possibly late event, until the next event corrects it.
   */
  sample(time: number): void {
    const isSetForward = this.#measureDrift() - this.#drift > TOLERANCE;
    if (isSetForward || this.#environment.now() - time < this.#offset) this.set(time);
  }

  #measureDrift(): number {
    return this.#environment.now() - this.#environment.monotonic();
  }

  /** Converts a time of the service to the clock of the page, in ms. */
  toPageTime(time: number): number {
    return Math.abs(this.#offset) > TOLERANCE ? time + this.#offset : time;
  }
}
