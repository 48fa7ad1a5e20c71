import type { ThreadContent, ThreadSummary } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import { IDLE_RUN, pathTo, type RunState, type Thread } from '../../model/thread.js';
import { createSliceYield } from '../../transport/slice-yield.js';
import type { ControllerContext } from '../controller-context.js';
import { originsOf } from '../checkpoints/restore-origins.js';
import { countUserMessages, isDelivered, listUserMessages } from '../messages/delivery.js';
import { textOfMessage } from '../messages/message-text.js';
import { isRetryable, toUbikError } from '../run/classify-error.js';
import type { Outcome } from '../run/run-machine.js';
import { startRun, type RunSession } from '../run/run-session.js';
import { completeRequests, loadRequestDetails } from './complete-requests.js';
import { hasStoredAnswer, mergeThreadContent } from './merge-thread-content.js';
import { removeDeletedThread, schedule, updateListedTitle } from './thread-actions.js';
import { findUnfinishedRun } from './unfinished-run.js';

/** Delays of the retries when a stored thread is outdated or cannot be loaded, in ms. */
const RETRY_DELAYS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** Whether a run or a message with this state has ended. */
function isFinal(state: RunState): state is Outcome {
  return state === 'complete' || state === 'stopped' || state === 'failed';
}

/** How {@link loadLatest} loads and applies a thread. */
interface ThreadLoading<T> {
  load(): Promise<T>;
  /** Whether the thread is still to be applied. */
  shouldApply(): boolean;
  /** Applies the thread, in slices as long as `isCurrent` returns true. Resolves to whether it was applied completely. */
  apply(loaded: T, isCurrent: () => boolean): Promise<boolean>;
}

/**
 * Loads a stored thread and applies it, unless `shouldApply` then returns false. If the thread has changed since the request, the
 * response is outdated: it is dropped, and the thread is loaded again.
 */
export async function loadLatest<T>(
  context: ControllerContext,
  id: string,
  { load, shouldApply, apply }: ThreadLoading<T>,
): Promise<void> {
  const { changedElsewhere, sequencer } = context;
  for (;;) {
    changedElsewhere.delete(id);
    const read = sequencer.startRead();
    const title = listedTitle(context, id);
    const loaded = await load();
    if (!shouldApply()) return;
    const thread = context.findThread(id);
    const isCurrent = (): boolean =>
      shouldApply() &&
      context.findThread(id) === thread &&
      (thread ? sequencer.acceptRead(thread, read) : !changedElsewhere.has(id)) &&
      listedTitle(context, id) === title;
    const applyIfCurrent = () => isCurrent() && apply(loaded, isCurrent);
    const applied = thread ? sequencer.runApply(thread, applyIfCurrent) : applyIfCurrent();
    if ((await applied) || !shouldApply()) return;
  }
}

function listedTitle({ store }: ControllerContext, id: string): unknown {
  return (store.threadList.get(id) as Partial<ThreadSummary> | undefined)?.title;
}

/**
 * Merges a loaded thread in which no run is active, and resolves as {@link mergeLoaded}. A run that waits for the user ends if the thread
 * shows that its request was answered.
 */
export async function applyLoaded(
  context: ControllerContext,
  thread: Thread,
  content: ThreadContent,
  isCurrent: () => boolean,
): Promise<boolean> {
  const runSession = context.runOf(thread);
  // The pending request of the run was answered elsewhere, or another branch is active.
  if (runSession?.isLive && thread.messages.get(runSession.keys.answer)?.id !== content.headId) {
    runSession.supersede();
  }
  if (!(await mergeLoaded(context, thread, content, isCurrent))) return false;
  const answer = runSession && thread.messages.get(runSession.keys.answer);
  // Another branch than that of the run may have been loaded, and a stored thread that lags behind still lists the request.
  const stored = content.messages.find(({ id }) => id === answer?.id);
  const isAnswered = stored?.requests.length === 0 && !stored.lacksRequests;
  const isWaiting = !runSession?.isSuspended || !answer || listPendingRequests(answer).length > 0;
  if (isAnswered && !isWaiting) runSession.endElsewhere('complete');
  return true;
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
  const { createKey, drafts, environment, limits } = context;
  const content = completeRequests(context, loaded);
  const isDeleted = (): boolean => !context.store.threads.has(thread.key);
  if (content.messages.length > MESSAGES_PER_STEP) {
    // Loading a long thread may have used up the time of this slice.
    await environment.yieldToEventLoop();
    if (!isCurrent()) return false;
  }
  if (isDeleted()) return false;
  const state = context.stateOf(thread);
  const { unstoredMessages } = state;
  const yieldSlice = createSliceYield(environment, limits.sliceBudget);
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
  const { lost, stored } = step.value;
  for (const message of lost) {
    const { attachments } = message;
    drafts.restoreSending(thread.key, { text: textOfMessage(message), attachments });
  }
  context.commit(thread.key, [...changes, ...step.value.changes]);
  drafts.removeDelivered(thread);
  for (const key of stored) unstoredMessages.delete(key);
  state.isReloadPending = false;
  originsOf(context).update(thread);
  updateListedTitle(context, content.thread.id ?? '', content.thread.title);
  if (state.run?.isGone) endAsStored(context, state.run, content, stored);
  return true;
}

/** Ends a run of which the service has no stream any more with the status of its stored answer, unless that has less text than the shown one. */
function endAsStored(
  context: ControllerContext,
  run: RunSession,
  { messages }: ThreadContent,
  stored: readonly Key[],
): void {
  const { answer: key } = run.keys;
  const answer = run.thread.messages.get(key);
  const fields = messages.find(({ id }) => id === answer?.id)?.fields;
  if (!fields || !isFinal(fields.status) || !stored.includes(key)) return;
  const { status, failure } = fields;
  context.commit(run.thread.key, [
    createFieldChange(key, null, 'status', status),
    createFieldChange(key, null, 'failure', failure),
  ]);
  run.endElsewhere(status);
}

/**
 * Reloads a thread in memory that another client has changed, and joins its active run. During a run of this client the reload is
 * postponed until the run has ended. A thread that was deleted is removed. Any other failure is a diagnostic, and is retried in the
 * background if that can succeed, because no other event reports the change.
 *
 * @param attempt Number of retries so far.
 */
export async function reloadAfterExternalChange(
  context: ControllerContext,
  id: string,
  attempt = 0,
): Promise<void> {
  const thread = context.findThread(id);
  if (!thread) context.changedElsewhere.add(id);
  if (!thread || context.closed) return;
  try {
    await reloadThread(context, thread, id);
  } catch (thrown) {
    const error = toUbikError(thrown);
    if (error.code === 'not-found') {
      await removeDeletedThread(context, id);
      return;
    }
    context.diagnose(error);
    const retry = () => void reloadAfterExternalChange(context, id, attempt + 1);
    retryLater(context, { attempt, error, retry });
  }
}

/** Reloads a thread in memory and joins its active run. During a run of this client the reload is postponed until the run has ended. */
export async function reloadThread(
  context: ControllerContext,
  thread: Thread,
  id: string,
): Promise<void> {
  const { backend, closing, storage } = context;
  const state = context.stateOf(thread);
  const isIdleOrPostpone = (): boolean => {
    const isBusy = context.isBusy(thread);
    if (isBusy) state.isStale = true;
    return !isBusy;
  };
  if (!isIdleOrPostpone()) return;
  await loadLatest(context, id, {
    load: () =>
      Promise.all([
        backend.loadThread(id, closing.signal),
        storage.read('run', id),
        originsOf(context).load(id),
        loadRequestDetails(context, id),
      ]),
    shouldApply: () => !context.closed && context.findThread(id) === thread && isIdleOrPostpone(),
    apply: ([content, runRecord], isCurrent) =>
      applyReloaded(context, thread, { content, runRecord }, isCurrent),
  });
}

/**
 * Merges a reloaded thread and joins its unfinished run. If the shown run is ahead of the stored thread, opens the stream of that run instead.
 * Resolves as {@link applyLoaded}.
 */
export async function applyReloaded(
  context: ControllerContext,
  thread: Thread,
  { content, runRecord }: { readonly content: ThreadContent; readonly runRecord: unknown },
  isCurrent: () => boolean,
): Promise<boolean> {
  const runSession = context.runOf(thread);
  if (runSession?.isConfirmed && isAheadOfStored(thread, content, runSession)) {
    openStream(context, runSession);
    return true;
  }
  if (!(await applyLoaded(context, thread, content, isCurrent))) return false;
  if (!context.isBusy(thread)) joinUnfinishedRun(context, thread, content, runRecord);
  return true;
}

/**
 * Opens the stream of a run whose shown content is ahead of the stored thread. A pending request stays as it is until the stream shows that it
 * was answered.
 */
export function openStream(context: ControllerContext, runSession: RunSession): void {
  const answer = runSession.thread.messages.get(runSession.keys.answer);
  if (listPendingRequests(answer).length > 0) runSession.probe();
  else context.runInBackground(() => runSession.rejoin());
}

/**
 * Reloads the messages of a thread, and joins a run that another client has started after the run of this page. If a run has started meanwhile,
 * the reload is repeated after that run. A failure is a diagnostic. While the stored thread lacks messages of a run that has ended, the reload
 * is repeated in the background, and the queue then continues if it waited for that.
 *
 * @param attempt Number of repetitions so far.
 */
export async function reloadMessages(
  context: ControllerContext,
  thread: Thread,
  attempt = 0,
): Promise<void> {
  const { backend, closing } = context;
  const runSession = context.runOf(thread);
  const { id } = thread;
  if (id === null || context.closed) return;
  const state = context.stateOf(thread);
  const mustJoin = state.isReloadPending || attempt > 0;
  const before = countUserMessages(thread);
  // Directly after a run, the queue joins the run of its message that another tab has sent.
  const isSentFromQueue = (): boolean => {
    const [, queued] = context.queue?.findNext(thread) ?? [];
    return queued?.state === 'waiting' && isDelivered(queued, before, listUserMessages(thread));
  };
  state.isReloadPending = true;
  let error: UbikError | undefined;
  try {
    await loadLatest(context, id, {
      load: () => backend.loadThread(id, closing.signal),
      shouldApply: () =>
        context.runOf(thread) === runSession && !runSession?.isLive && !context.closed,
      apply: async (content, isCurrent) => {
        if (isAheadOfStored(thread, content, runSession)) return true;
        if (!(await mergeLoaded(context, thread, content, isCurrent))) return false;
        const isNewer = thread.head !== thread.run.answer;
        if (isNewer && (mustJoin || !isSentFromQueue()))
          joinUnfinishedRun(context, thread, content, null);
        return true;
      },
    });
  } catch (thrown) {
    error = toUbikError(thrown);
    // A deleted thread will never contain the messages.
    if (error.code === 'not-found') state.unstoredMessages.clear();
    context.diagnose(error);
  }
  const isBehind = (): boolean =>
    context.runOf(thread) === runSession && hasUnstoredRun(context, thread);
  const retry = async (): Promise<void> => {
    if (!isBehind()) return;
    await reloadMessages(context, thread, attempt + 1);
    context.queue?.advance({ thread });
  };
  if (isBehind()) {
    if (retryLater(context, { attempt, error, retry: () => void retry() })) return;
    context.diagnose(new UbikError('not-recorded'));
  }
  // The run will not complete.
  if (context.runOf(thread) === runSession && runSession?.isGone)
    context.queue?.pauseAll(thread, new UbikError('interrupted'));
}

/**
 * Whether the run of a thread has ended, or the service has no stream of it any more (`isGone`), and messages on the shown branch were not
 * found in the stored thread yet.
 */
function hasUnstoredRun(context: ControllerContext, thread: Thread): boolean {
  const isOver = isFinal(thread.run.state) || context.runOf(thread)?.isGone;
  if (!isOver || !context.store.threads.has(thread.key)) return false;
  const { unstoredMessages } = context.stateOf(thread);
  return pathTo(thread).some(({ key }) => unstoredMessages.has(key));
}

/**
 * Whether the shown content of a run is ahead of the stored thread, because the run was interrupted or because a request is pending.
 * Then the stored thread is not merged, which would remove shown content. Never true for a run of which the service has no stream any more,
 * because no more content of it will arrive; its messages count as unstored.
 */
export function isAheadOfStored(
  thread: Thread,
  content: ThreadContent,
  session: RunSession | undefined,
): boolean {
  const { run, messages } = thread;
  const { unfinishedRun: unfinished } = content;
  const answer = messages.get(run.answer ?? '');
  if (run.state === 'waiting') return unfinished !== null && (unfinished.id ?? run.id) === run.id;
  if (run.state !== 'interrupted' || session?.isGone) return false;
  return !!answer && !hasStoredAnswer(content, thread, answer);
}

/**
 * Joins the unfinished run of a loaded thread; if there is none, the queue continues. `runRecord`: the record of the run in the storage
 * of this browser.
 */
export function joinUnfinishedRun(
  context: ControllerContext,
  thread: Thread,
  content: ThreadContent,
  runRecord: unknown,
): void {
  const { unfinishedRun: unfinished } = content;
  const plan = context.backend.rejoin
    ? findUnfinishedRun(context, thread, unfinished, runRecord)
    : null;
  // An outdated stored thread may still list a run as unfinished although this page has received its end. But a service without branches
  // also lists an answer that another client has requested again, at first without the id of the new run.
  const { run } = thread;
  const isKnownEnd =
    isFinal(run.state) &&
    plan?.keys.answer === run.answer &&
    (plan.id === run.id || context.stateOf(thread).unstoredMessages.has(plan.keys.answer));
  if (plan && !isKnownEnd) return context.runInBackground(() => startRun(context, plan));
  context.storage.write('run', thread.id ?? '', null);
  // The answer of an earlier run may have been removed. Or the service has lost that run, and another client has continued without its answer.
  const { answer } = run;
  const state = context.stateOf(thread);
  const isLeft = state.run?.isGone && pathTo(thread).every(({ key }) => key !== answer);
  if (answer !== null && (isLeft || !thread.messages.has(answer))) {
    state.run?.close();
    state.run = undefined;
    context.commit(thread.key, [{ type: 'thread', set: { run: IDLE_RUN } }]);
  }
  context.queue?.advance({ thread });
}

/** A request that is repeated in the background. */
interface BackgroundRetry {
  /** Number of retries so far. */
  readonly attempt: number;
  /** The error of the last attempt; undefined when it has loaded an outdated thread. */
  readonly error: UbikError | undefined;
  readonly retry: () => void;
}

/**
 * Schedules a retry with a growing delay, or when the service allows it, unless the controller is closed before.
 *
 * @returns False, and nothing is scheduled, after six retries, after an error with which no retry can succeed, and when the service asks
 *   for too long a delay; then the next load of the thread checks again.
 */
export function retryLater(
  context: ControllerContext,
  { attempt, error, retry }: BackgroundRetry,
): boolean {
  const delay = RETRY_DELAYS[attempt];
  const retryAfter = error?.retryAfter ?? 0;
  if (delay === undefined || retryAfter > context.limits.maxRetryAfter) return false;
  if (error && !isRetryable(error)) return false;
  schedule(context, Math.max(delay, retryAfter), retry);
  return true;
}
