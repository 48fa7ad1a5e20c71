import type { Conversation } from '../conversation.js';

/** Waits before each further look at a service whose clock or whose record is behind, or which cannot be reached, in ms. */
const WAITS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/**
 * Looks again after a while, unless everything is given back before.
 *
 * @param looks how often was looked again already
 * @returns false after the last of six looks: whoever reads the thread next finds out
 */
export function lookLater(conversation: Conversation, looks: number, look: () => void): boolean {
  const { environment, closing } = conversation;
  const wait = WAITS[looks];
  if (wait === undefined) return false;
  if (closing.signal.aborted) return true;
  const stop = (): void => environment.clearTimer(timer);
  const timer = environment.setTimer(() => {
    closing.signal.removeEventListener('abort', stop);
    look();
  }, wait);
  closing.signal.addEventListener('abort', stop, { once: true });
  return true;
}
