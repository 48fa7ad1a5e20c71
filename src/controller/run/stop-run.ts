import { isShownRunOnlyStored, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { listShownRequests } from '../requests/input-requests.js';
import { planContinuation } from './run-plans.js';
import { addWaitingRun } from './run-session.js';

/** Whether a tool waits in a run that this page knows only from the stored messages: after a reload, and after a run of another client. */
export function isStoredRunWaiting(thread: Thread): boolean {
  return (
    isShownRunOnlyStored(thread) && listShownRequests(thread).some(({ level }) => level === 'tool')
  );
}

/** Stops the run of a thread, also one that this page knows only from the stored messages. Resolves when the run has ended. */
export async function stopRun(context: ControllerContext, thread: Thread): Promise<void> {
  const message = thread.messages.get(thread.head ?? '');
  if (message && isStoredRunWaiting(thread))
    addWaitingRun(context, planContinuation(thread, message));
  await context.runOf(thread)?.stop();
}
