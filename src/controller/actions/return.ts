import type { ControllerContext } from '../controller-context.js';
import { listPendingRequests } from '../requests/input-requests.js';
import { toUbikError } from '../run/failure.js';
import { readAgain } from '../threads/thread-sync.js';
import { doLater } from './read-later.js';

/** Shortest time between two readings of one thread because the page has returned, in ms. */
const INTERVAL = 10_000;

/**
 * Reads the current thread again when the page has returned: nobody tells what was done on another device, or in another tab without a
 * `userKey`. Who returns again within ten seconds waits for the rest of them. A failure is no more than a diagnostic, and nothing that
 * is shown goes.
 */
export async function readOnReturn(conversation: ControllerContext): Promise<void> {
  const { current: thread, environment, options, returns, runs } = conversation;
  const id = thread?.id ?? null;
  if (!thread || id === null) return;
  if (options.page?.online === false || runs.get(thread.key)?.isBusy) return;
  // An open question, and a run that was given up here, have ways of their own.
  const head = thread.messages.get(thread.head ?? '');
  if (head && listPendingRequests(head).length > 0) return;
  if (['waiting', 'interrupted'].includes(thread.run.state)) return;
  const now = environment.now();
  const last = returns.get(thread.key);
  // The wall clock also counts the time in which the computer slept; it may be set back.
  const wait = last ? INTERVAL - Math.abs(now - last.at) : 0;
  if (last && wait > 0) {
    if (!last.isRepeated) doLater(conversation, wait, () => void readOnReturn(conversation));
    last.isRepeated = true;
    return;
  }
  returns.set(thread.key, { at: now, isRepeated: false });
  try {
    await readAgain(conversation, thread, id);
  } catch (error) {
    conversation.diagnose(toUbikError(error));
  }
}
