import type { ControllerContext } from '../controller-context.js';

/** Waits before each further look at a service whose clock or whose record is behind, or which cannot be reached, in ms. */
const WAITS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/**
 * Looks again after a while, unless everything is given back before.
 *
 * @param looks how often was looked again already
 * @returns false after the last of six looks: whoever reads the thread next finds out
 */
export function lookLater(
  conversation: ControllerContext,
  looks: number,
  look: () => void,
): boolean {
  const wait = WAITS[looks];
  if (wait !== undefined) doLater(conversation, wait, look);
  return wait !== undefined;
}

/** Calls back after so many ms, unless everything is given back before. */
export function doLater(conversation: ControllerContext, wait: number, act: () => void): void {
  const { environment, closing } = conversation;
  if (closing.signal.aborted) return;
  const stop = (): void => environment.clearTimer(timer);
  const timer = environment.setTimer(() => {
    closing.signal.removeEventListener('abort', stop);
    act();
  }, wait);
  closing.signal.addEventListener('abort', stop, { once: true });
}
