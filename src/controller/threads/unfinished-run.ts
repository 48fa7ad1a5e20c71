import type { RunRef } from '../../backends/backend.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { planAnswer, planContinuation } from '../run/run-plans.js';
import type { RunPlan } from '../run/run-session.js';

/**
 * Plans to join the unfinished run of a loaded thread, which the service lists or of which this browser has stored a record. Returns
 * null when there is none. A record of a message other than the last one is ignored.
 */
export function findUnfinishedRun(
  context: ControllerContext,
  thread: Thread,
  unfinished: RunRef | null,
  record: unknown,
): RunPlan | null {
  const last = thread.messages.get(thread.head ?? '');
  const { task } = Object(record) as { readonly task?: unknown };
  if (!last || (!unfinished && task === undefined)) return null;
  // The record may be of an earlier run that has ended while this page was closed.
  const isRecorded = typeof task === 'string' && !unfinished?.otherRunIds.includes(task);
  const id = unfinished?.id ?? (isRecorded ? task : null);
  if (last.role === 'user') {
    const fields = { parent: last.key, createdAt: null };
    return { ...planAnswer(context, thread, fields, null, last.key), id };
  }
  const isSameRun = id !== null && (last.runId ?? id) === id;
  return unfinished || isSameRun ? { ...planContinuation(thread, last), id } : null;
}
