import { UbikError } from '../../../errors.js';

/** Minimum difference, in ms, between the delays of the first and of a later event that is attributed to a proxy instead of the network. */
const TOLERANCE = 5000;

/**
 * Detects a proxy that buffers a stream: the events of several seconds then arrive at once. Compares only times of one clock with each
 * other, so the clocks of page and service may differ.
 */
export class BufferingCheck {
  #first: { readonly sent: number; readonly received: number } | undefined;
  #isReported = false;

  /**
   * Records an event in the response to the POST that starts a run, with the times, in ms, at which it was sent by the clock of the service
   * and received by that of the page. Returns a diagnostic, once, when the first event was delayed so much longer than this one that a proxy
   * has buffered it. Events of a stream that was opened later are not recorded, because the service replays the earlier ones.
   */
  record(sent: number, received: number): UbikError | null {
    this.#first ??= { sent, received };
    const delay = sent - this.#first.sent - (received - this.#first.received);
    if (this.#isReported || delay < TOLERANCE) return null;
    this.#isReported = true;
    return new UbikError(
      'buffered-stream',
      `A proxy has buffered the stream for ${Math.round(delay / 1000)} s, so answers appear in one piece. Turn buffering off there: nginx "proxy_buffering off", or the response header "X-Accel-Buffering: no".`,
    );
  }
}
