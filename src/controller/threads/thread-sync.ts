/**
 * Reloads threads in memory: `reloadAfterExternalChange` when another client has changed a thread, `reloadMessages` to complete what a run of
 * this page has delivered. Neither touches a thread while a run is busy: the reload is then repeated after the run.
 */
import type { ThreadContent } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { originsOf } from '../checkpoints/restore-origins.js';
import type { ControllerContext } from '../controller-context.js';
import { countUserMessages, isDelivered, listUserMessages } from '../messages/delivery.js';
import { toUbikError } from '../run/classify-error.js';
import { applyLoaded, isFinal, mergeLoaded } from './apply-loaded.js';
import { loadRequestDetails } from './complete-requests.js';
import { loadLatest, retryLater } from './load-latest.js';
import { removeDeletedThread } from './thread-actions.js';
import { isAheadOfStored, joinUnfinishedRun, rejoinOrProbe } from './unfinished-run.js';

/**
 * Reloads a thread in memory that another client has changed, with {@link reloadThread}. A thread that was deleted is removed. Any other failure
 * is a diagnostic, and is retried in the background if that can succeed, because no other event reports the change.
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

/** Reloads a thread in memory and joins its unfinished run. While a run is busy, the reload is postponed until the run has ended. */
export async function reloadThread(
  context: ControllerContext,
  thread: Thread,
  id: string,
): Promise<void> {
  const { backend, closing, storage } = context;
  const postponeIfBusy = (): boolean => {
    const isBusy = context.isBusy(thread);
    if (isBusy) context.stateOf(thread).isStale = true;
    return isBusy;
  };
  if (postponeIfBusy()) return;
  await loadLatest(context, id, {
    load: () =>
      Promise.all([
        backend.loadThread(id, closing.signal),
        storage.read('run', id),
        originsOf(context).load(id),
        loadRequestDetails(context, id),
      ]),
    shouldApply: () => !context.closed && context.findThread(id) === thread && !postponeIfBusy(),
    apply: ([content, runRecord], isCurrent) =>
      applyAndJoin(context, thread, { content, runRecord }, isCurrent),
  });
}

/**
 * Applies a loaded thread with {@link applyLoaded}, and joins its unfinished run. If the shown run is ahead of the stored thread, opens the
 * stream of that run instead.
 */
export async function applyAndJoin(
  context: ControllerContext,
  thread: Thread,
  { content, runRecord }: { readonly content: ThreadContent; readonly runRecord: unknown },
  isCurrent: () => boolean,
): Promise<boolean> {
  const runSession = context.runOf(thread);
  if (runSession?.isConfirmed && isAheadOfStored(thread, content, runSession)) {
    rejoinOrProbe(context, runSession);
    return true;
  }
  if (!(await applyLoaded(context, thread, content, isCurrent))) return false;
  if (!context.isBusy(thread)) joinUnfinishedRun(context, thread, content, runRecord);
  return true;
}

/**
 * Reloads the messages of a thread, and joins a run that another client has started after the run of this page. A failure is a diagnostic. If a
 * run of this page has started meanwhile, `isReloadPending` stays set, so that the reload is repeated after that run. While the stored thread
 * lacks messages of a run that has ended, the reload is repeated in the background, and the queue continues after the repetition. If that does
 * not help, and the service has no stream of the run any more, the queue is paused.
 *
 * @param attempt Number of repetitions so far.
 */
export async function reloadMessages(
  context: ControllerContext,
  thread: Thread,
  attempt = 0,
): Promise<void> {
  const runSession = context.runOf(thread);
  if (thread.id === null || context.closed) return;
  const error = await loadMessages(context, thread, attempt > 0);
  const isSameRun = (): boolean => context.runOf(thread) === runSession;
  const isBehind = (): boolean => isSameRun() && hasUnstoredMessages(context, thread);
  const repeat = async (): Promise<void> => {
    if (!isBehind()) return;
    await reloadMessages(context, thread, attempt + 1);
    context.queue?.advance({ thread });
  };
  if (isBehind()) {
    if (retryLater(context, { attempt, error, retry: () => void repeat() })) return;
    context.diagnose(new UbikError('not-recorded'));
  }
  // A queued message would follow an answer that stays incomplete.
  if (isSameRun() && runSession?.isGone)
    context.queue?.pauseAll(thread, new UbikError('interrupted'));
}

/** Loads and merges the messages for {@link reloadMessages}. Resolves to the error of a failure. */
async function loadMessages(
  context: ControllerContext,
  thread: Thread,
  isRepeated: boolean,
): Promise<UbikError | undefined> {
  const { backend, closing } = context;
  const runSession = context.runOf(thread);
  const state = context.stateOf(thread);
  // Directly after a run, the queue continues when this reload has ended. If another tab has sent the next queued message, the queue removes that
  // message and joins its run: if the run were joined here, it would be shown while the message is still listed. After any other reload, the
  // queue need not continue, so the run is joined here.
  const mayLeaveToQueue = !state.isReloadPending && !isRepeated;
  const before = countUserMessages(thread);
  state.isReloadPending = true;
  try {
    await loadLatest(context, thread.id ?? '', {
      load: () => backend.loadThread(thread.id ?? '', closing.signal),
      shouldApply: () =>
        context.runOf(thread) === runSession && !runSession?.isLive && !context.closed,
      apply: async (content, isCurrent) => {
        if (isAheadOfStored(thread, content, runSession)) return true;
        if (!(await mergeLoaded(context, thread, content, isCurrent))) return false;
        const isLeftToQueue = mayLeaveToQueue && isNextSentElsewhere(context, thread, before);
        const hasNewerMessages = thread.head !== thread.run.answer;
        if (hasNewerMessages && !isLeftToQueue) joinUnfinishedRun(context, thread, content, null);
        return true;
      },
    });
    return undefined;
  } catch (thrown) {
    const error = toUbikError(thrown);
    // A deleted thread will never contain the messages.
    if (error.code === 'not-found') state.unstoredMessages.clear();
    context.diagnose(error);
    return error;
  }
}

/** Whether the next message of the queue, which waits, is among the user messages after the first `before` ones: another tab has sent it. */
function isNextSentElsewhere(context: ControllerContext, thread: Thread, before: number): boolean {
  const [, queued] = context.queue?.findNext(thread) ?? [];
  return queued?.state === 'waiting' && isDelivered(queued, before, listUserMessages(thread));
}

/**
 * Whether messages on the shown branch were not found in the stored thread yet, although the run has ended, or the service has no stream of it
 * any more (`isGone`).
 */
function hasUnstoredMessages(context: ControllerContext, thread: Thread): boolean {
  const isOver = isFinal(thread.run.state) || context.runOf(thread)?.isGone;
  if (!isOver || !context.store.threads.has(thread.key)) return false;
  const { unstoredMessages } = context.stateOf(thread);
  return pathTo(thread).some(({ key }) => unstoredMessages.has(key));
}
