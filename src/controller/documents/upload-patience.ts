import { UbikError } from '../../errors.js';
import type { Environment, Timer } from '../../transport/environment.js';
import { combineSignals } from '../../transport/abort-signals.js';

/** Longest time between two reports of progress, and from the last one to the answer, in ms. */
const LONGEST_SILENCE = 120_000;
/** Bytes per ms that a file is expected to be sent with at least, while nothing reports its progress. */
const SLOWEST_RATE = 16;

/** Sends a file, and reports each time that it has made progress. */
type Send<T> = (report: () => void, signal: AbortSignal) => Promise<T>;

/**
 * Sends a file of `size` bytes for as long as it makes progress: at most 2 minutes may pass between two reports. Until the first
 * report, which `fetch` gives only when the service answers, there is also the time that the whole file takes at 16 kB/s.
 *
 * @throws {UbikError} `upload-failed` when there was no progress for too long; the request is aborted then.
 */
export async function sendWhileActive<T>(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  size: number,
  send: Send<T>,
  signal: AbortSignal,
): Promise<T> {
  const silence = new AbortController();
  let timer: Timer | null = null;
  let isOver = false;
  const expectProgress = (within: number): void => {
    if (timer) environment.clearTimer(timer);
    timer = isOver ? null : environment.setTimer(() => silence.abort(), within);
  };
  const stalled = new Promise<never>((_, reject) => {
    const text = 'The file is no longer being sent, or the service does not answer. Try again.';
    silence.signal.addEventListener('abort', () => reject(new UbikError('upload-failed', text)));
  });
  expectProgress(LONGEST_SILENCE + size / SLOWEST_RATE);
  try {
    const sending = send(
      () => expectProgress(LONGEST_SILENCE),
      combineSignals(signal, silence.signal),
    );
    return await Promise.race([stalled, sending]);
  } finally {
    isOver = true;
    expectProgress(0);
  }
}
