import type { ThreadContent } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import type { RunState, Thread } from '../../model/thread.js';
import { createSliceYield } from '../../transport/slice-yield.js';
import { originsOf } from '../checkpoints/restore-origins.js';
import type { ControllerContext } from '../controller-context.js';
import { textOfMessage } from '../messages/message-text.js';
import type { Outcome } from '../run/run-machine.js';
import type { RunSession } from '../run/run-session.js';
import { completeRequests } from './complete-requests.js';
import { mergeThreadContent, type ThreadMerge } from './merge-thread-content.js';
import { updateListedTitle } from './thread-actions.js';

/**
 * Merges a loaded thread with {@link mergeLoaded}. A run that waits for the user ends if the thread shows that its request was answered
 * elsewhere. Must not be called while a run is busy (`RunSession.isBusy`).
 */
export async function applyLoaded(
  context: ControllerContext,
  thread: Thread,
  content: ThreadContent,
  isCurrent: () => boolean,
): Promise<boolean> {
  const runSession = context.runOf(thread);
  // A run that waits with an open stream loses it if its request was answered elsewhere, or if another branch is active.
  if (runSession?.isLive && answerOf(runSession)?.id !== content.headId) runSession.supersede();
  if (!(await mergeLoaded(context, thread, content, isCurrent))) return false;
  if (runSession?.isSuspended && hasNoRequest(answerOf(runSession), content))
    runSession.endElsewhere('complete');
  return true;
}

/** Returns the answer of a run. */
export function answerOf({ thread, keys }: RunSession): Message | undefined {
  return thread.messages.get(keys.answer);
}

/** Whether neither a shown answer nor its stored version has a pending request. */
function hasNoRequest(answer: Message | undefined, { messages }: ThreadContent): boolean {
  // Undefined if another branch than that of the run was loaded.
  const stored = messages.find(({ id }) => id === answer?.id);
  // A stored thread that lags behind still lists the request.
  const isStoredWithoutRequest = stored?.requests.length === 0 && !stored.lacksRequests;
  return isStoredWithoutRequest && listPendingRequests(answer).length === 0;
}

/** Number of messages that are merged between two checks of the time budget. */
const MESSAGES_PER_STEP = 32;

/**
 * Merges a loaded thread into the one in memory, in slices, so that a long thread does not block the page. Stops after a slice when
 * `isCurrent` returns false or the thread was deleted; the messages of the later slices and the head then stay as they were.
 *
 * @returns whether everything was merged
 */
export async function mergeLoaded(
  context: ControllerContext,
  thread: Thread,
  loaded: ThreadContent,
  isCurrent: () => boolean,
): Promise<boolean> {
  const { createKey, environment, limits } = context;
  const content = completeRequests(context, loaded);
  const isDeleted = (): boolean => !context.store.threads.has(thread.key);
  if (content.messages.length > MESSAGES_PER_STEP) {
    // Loading a long thread may have used up the time of this slice.
    await environment.yieldToEventLoop();
    if (!isCurrent()) return false;
  }
  if (isDeleted()) return false;
  const yieldSlice = createSliceYield(environment, limits.sliceBudget);
  const { unstoredMessages } = context.stateOf(thread);
  const merge = mergeThreadContent(thread, content, createKey, unstoredMessages);
  const changes: Change[] = [];
  let step = merge.next();
  for (let count = 1; !step.done; count += 1, step = merge.next()) {
    changes.push(...step.value);
    if (count % MESSAGES_PER_STEP !== 0) continue;
    context.commit(thread.key, changes.splice(0));
    const yielding = yieldSlice();
    if (!yielding) continue;
    await yielding;
    if (!isCurrent() || isDeleted()) return false;
  }
  // Synchronously, because a message that is sent before the last changes are committed would be hidden by them.
  endMerge(context, thread, content, {
    ...step.value,
    changes: [...changes, ...step.value.changes],
  });
  return true;
}

/** Commits the last changes of a merge, and updates what depends on the stored thread. */
function endMerge(
  context: ControllerContext,
  thread: Thread,
  content: ThreadContent,
  { changes, lost, stored }: ThreadMerge,
): void {
  const { drafts } = context;
  const state = context.stateOf(thread);
  for (const message of lost) {
    const { attachments } = message;
    drafts.restoreSending(thread.key, { text: textOfMessage(message), attachments });
  }
  context.commit(thread.key, changes);
  drafts.removeDelivered(thread);
  for (const key of stored) state.unstoredMessages.delete(key);
  state.isReloadPending = false;
  originsOf(context).update(thread);
  updateListedTitle(context, content.thread.id ?? '', content.thread.title);
  if (state.run?.isGone) endAsStored(context, state.run, content, stored);
}

/** Ends a run of which the service has no stream any more with the status of its stored answer, if this is not shorter than the shown one. */
function endAsStored(
  context: ControllerContext,
  runSession: RunSession,
  { messages }: ThreadContent,
  stored: readonly Key[],
): void {
  const { answer: key } = runSession.keys;
  const answer = answerOf(runSession);
  const fields = messages.find(({ id }) => id === answer?.id)?.fields;
  // The merge has not taken the content of a shorter answer, which is then missing in `stored`.
  if (!fields || !isFinal(fields.status) || !stored.includes(key)) return;
  const { status, failure } = fields;
  context.commit(runSession.thread.key, [
    createFieldChange(key, null, 'status', status),
    createFieldChange(key, null, 'failure', failure),
  ]);
  runSession.endElsewhere(status);
}

/** Whether a run or a message with this state has ended. */
export function isFinal(state: RunState): state is Outcome {
  return state === 'complete' || state === 'stopped' || state === 'failed';
}
