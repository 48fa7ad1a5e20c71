import type { RunRef, ThreadContent } from '../../backends/backend.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import { IDLE_RUN, pathTo, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { planAnswer, planContinuation } from '../run/run-plans.js';
import { startRun, type RunPlan, type RunSession } from '../run/run-session.js';
import { answerOf, isFinal } from './apply-loaded.js';
import { hasStoredAnswer } from './merge-thread-content.js';

/**
 * Whether the shown content of a run is ahead of the stored thread, because the run was interrupted or because a request is pending. The
 * stored thread is then not merged, which would remove shown content. Never true for a run of which the service has no stream any more
 * (`isGone`), because no more content of it will arrive; its messages count as unstored.
 */
export function isAheadOfStored(
  thread: Thread,
  content: ThreadContent,
  runSession: RunSession | undefined,
): boolean {
  const { run, messages } = thread;
  const { unfinishedRun: unfinished } = content;
  // A stored thread that lists the run as unfinished lacks its request.
  if (run.state === 'waiting') return unfinished !== null && (unfinished.id ?? run.id) === run.id;
  if (run.state !== 'interrupted' || runSession?.isGone) return false;
  const answer = messages.get(run.answer ?? '');
  return !!answer && !hasStoredAnswer(content, thread, answer);
}

/**
 * Opens the stream of a run whose shown content is ahead of the stored thread. While a request is pending, the run is only probed: it stays as
 * it is until the stream shows that the request was answered.
 */
export function rejoinOrProbe(context: ControllerContext, runSession: RunSession): void {
  if (listPendingRequests(answerOf(runSession)).length > 0) runSession.probe();
  else context.runInBackground(() => runSession.rejoin());
}

/**
 * Joins the unfinished run of a loaded thread; if there is none, the queue continues.
 *
 * @param runRecord The record of the run in the storage of this browser; null when there is none.
 */
export function joinUnfinishedRun(
  context: ControllerContext,
  thread: Thread,
  content: ThreadContent,
  runRecord: unknown,
): void {
  const plan = context.backend.rejoin
    ? findUnfinishedRun(context, thread, content.unfinishedRun, runRecord)
    : null;
  if (plan && !hasEndedHere(context, plan))
    return context.runInBackground(() => startRun(context, plan));
  context.storage.write('run', thread.id ?? '', null);
  removeRunWithoutAnswer(context, thread);
  context.queue?.advance({ thread });
}

/**
 * Plans to join the unfinished run of a loaded thread, which the service lists or of which this browser has stored a record. Returns
 * null when there is none. A record of a message other than the last one is ignored.
 */
function findUnfinishedRun(
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

/**
 * Whether this page has received the end of the run that would be joined: a stored thread that lags behind may still list it as unfinished.
 * The run is another one if its id differs and the stored thread is known to contain the answer: another client has then requested the answer
 * again, and a service without branches lists the new run with the old answer, at first without an id.
 */
function hasEndedHere(context: ControllerContext, { thread, keys, id }: RunPlan): boolean {
  const { run } = thread;
  const { unstoredMessages } = context.stateOf(thread);
  return (
    isFinal(run.state) &&
    keys.answer === run.answer &&
    (id === run.id || unstoredMessages.has(keys.answer))
  );
}

/**
 * Removes the run of a thread whose answer is no longer there. Also removes a run that the service has lost when another client has continued
 * the thread without its answer.
 */
function removeRunWithoutAnswer(context: ControllerContext, thread: Thread): void {
  const { answer } = thread.run;
  const state = context.stateOf(thread);
  const isLostAndSkipped = state.run?.isGone && pathTo(thread).every(({ key }) => key !== answer);
  if (answer === null || (thread.messages.has(answer) && !isLostAndSkipped)) return;
  state.run?.close();
  state.run = undefined;
  context.commit(thread.key, [{ type: 'thread', set: { run: IDLE_RUN } }]);
}
