/** Checks of the stored thread when no stream reports changes: after the page becomes active again, and after a request has expired. */
import type { ThreadContent } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange } from '../../model/change.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY } from '../../model/part.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import { isSameRequest } from '../../model/same-request.js';
import { isWaiting, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { listShownRequests } from '../requests/input-requests.js';
import { toUbikError } from '../run/classify-error.js';
import type { RunSession } from '../run/run-session.js';
import { applyLoaded } from './apply-loaded.js';
import { loadLatest, retryLater } from './load-latest.js';
import { schedule } from './thread-actions.js';
import { applyAndJoin, reloadThread } from './thread-sync.js';
import { isAheadOfStored, joinUnfinishedRun } from './unfinished-run.js';

/** Minimum time between two calls of `reloadOnReturn` that reload a thread, in ms. */
const RELOAD_INTERVAL = 10_000;
/** Minimum time between two checks of pending requests, in ms. */
const REQUEST_CHECK_INTERVAL = 60_000;
/** Time after which the stream of a run that waits counts as steady, in ms. */
const STEADY_STREAM = 10_000;

/**
 * Reloads the current thread after the page has become active again, because no event reports changes from other devices, or from other
 * tabs without a `userKey`. Within ten seconds of the last reload, and during a run, the reload is postponed. A failure is a diagnostic and
 * changes nothing; it is retried in the background, because the network may be connected later than the page is shown.
 *
 * @param attempt Number of retries so far.
 */
export async function reloadOnReturn(context: ControllerContext, attempt = 0): Promise<void> {
  const { currentThread: thread, environment, options } = context;
  const id = thread?.id ?? null;
  if (!thread || id === null) return;
  if (options.page?.online === false) return;
  const state = context.stateOf(thread);
  if (context.isBusy(thread)) {
    // A run whose connection was lost may have ended long ago, and others may have followed it.
    state.isReloadPending = true;
    return;
  }
  // Pending requests are checked by `checkPendingRequests`. An interrupted run is left to the user, who can rejoin it, unless the service has
  // no stream of it any more (`isGone`).
  if (listShownRequests(thread).length > 0 || isWaiting(thread)) return;
  if (thread.run.state === 'interrupted' && !context.runOf(thread)?.isGone) return;
  const now = environment.now();
  // The wall clock also counts the time in which the computer slept; it may be set back.
  const wait = RELOAD_INTERVAL - Math.abs(now - state.reloadedAt);
  if (wait > 0) {
    if (!state.isReloadScheduled)
      schedule(context, wait, () => void reloadOnReturn(context, attempt));
    state.isReloadScheduled = true;
    return;
  }
  state.reloadedAt = now;
  state.isReloadScheduled = false;
  try {
    await reloadThread(context, thread, id);
  } catch (thrown) {
    const error = toUbikError(thrown);
    context.diagnose(error);
    const retry = (): void => {
      if (context.currentThread === thread) void reloadOnReturn(context, attempt + 1);
    };
    retryLater(context, { attempt, error, retry });
  }
}

/**
 * Checks once, in the stored messages or else in the stream of the run, whether the pending requests of the current thread were answered
 * elsewhere, or whether the run of an expired one has continued. Does nothing while a stream of the thread is open, while the page is
 * offline, and within a minute of the last check. A failure is a diagnostic and is not retried; `not-found` shows that the thread was deleted.
 */
export async function checkPendingRequests(context: ControllerContext): Promise<void> {
  const { backend, closing, currentThread: thread, environment, options } = context;
  const waitingMessage = thread && findMessageWithRequests(context, thread);
  const id = thread?.id ?? null;
  if (!thread || id === null || !waitingMessage || options.page?.online === false) return;
  const now = environment.now();
  const state = context.stateOf(thread);
  // The wall clock also counts the time in which the computer slept; it may be set back.
  if (Math.abs(now - state.requestsCheckedAt) < REQUEST_CHECK_INTERVAL) return;
  state.requestsCheckedAt = now;
  const runSession = context.runOf(thread);
  const isUnchanged = () =>
    context.currentThread === thread &&
    context.runOf(thread) === runSession &&
    findMessageWithRequests(context, thread) === waitingMessage;
  try {
    await loadLatest(context, id, {
      load: () => backend.loadThread(id, closing.signal),
      shouldApply: isUnchanged,
      apply: async (content, isCurrent) => {
        if (hasSameRequests(waitingMessage, content)) return true;
        if (runSession && isAheadOfStored(thread, content, runSession)) {
          runSession.probe();
          return true;
        }
        if (!(await applyLoaded(context, thread, content, isCurrent))) return false;
        if (!context.isBusy(thread)) joinUnfinishedRun(context, thread, content, null);
        return true;
      },
    });
  } catch (thrown) {
    const error = toUbikError(thrown);
    if (isUnchanged() && error.code === 'not-found')
      showThreadDeleted(context, thread, waitingMessage);
    else context.diagnose(error);
  }
}

/**
 * Returns the message with pending requests, or with one that has expired while its run waits; null when there is none, or while an open stream
 * reports their changes.
 */
function findMessageWithRequests(context: ControllerContext, thread: Thread): Message | null {
  if (context.closed || context.runOf(thread)?.isLive) return null;
  const head = thread.messages.get(thread.head ?? '');
  return head && (isWaiting(thread) || listPendingRequests(head).length > 0) ? head : null;
}

/** Whether the last stored message has exactly the pending requests of the shown one, or may have them because they could not be looked up. */
function hasSameRequests(waitingMessage: Message, { messages }: ThreadContent): boolean {
  const last = messages.at(-1);
  if (waitingMessage.id !== null && waitingMessage.id !== last?.id) return false;
  if (last?.lacksRequests) return true;
  const stored = last?.requests ?? [];
  const shown = listPendingRequests(waitingMessage);
  const isStored = (request: (typeof shown)[number]) =>
    stored.some((other) => isSameRequest(other, request));
  return shown.length > 0 && stored.length === shown.length && shown.every(isStored);
}

/** Shows that the thread was deleted elsewhere. Its messages and its draft are not removed. */
function showThreadDeleted(context: ControllerContext, thread: Thread, { key }: Message): void {
  const error = new UbikError('not-found');
  const failure = { code: error.code, message: error.message };
  context.commit(thread.key, [
    createFieldChange(key, null, 'status', 'interrupted'),
    createFieldChange(key, null, 'failure', failure),
  ]);
  context.runOf(thread)?.handleThreadDeletion(error);
  context.notify({ type: 'error', error });
}

/**
 * Checks whether a suspended run has ended or continues after its request has expired; a run that continues is joined. Does nothing while
 * its stream is open. Repeated in the background after a failure, while the stored thread still contains the request, while its active
 * branch is another one, and when the run that was joined waits again: with growing delays, because the service may end each stream at once.
 *
 * @param error The error of the last check.
 */
export async function checkExpiredRequest(
  context: ControllerContext,
  thread: Thread,
  error?: UbikError,
): Promise<void> {
  const runSession = context.runOf(thread);
  if (!runSession || !isSuspendedAfterExpiry(runSession)) return;
  const state = context.stateOf(thread);
  const now = context.environment.monotonic();
  // A stream that was open for long does not count as ended at once: a proxy may end every stream after a minute.
  if (state.expiryChecks > 1 && !error && now - state.expiryCheckedAt >= STEADY_STREAM)
    state.expiryChecks = 1;
  const attempt = state.expiryChecks - 1;
  state.expiryChecks += 1;
  const check = () => checkSuspendedRun(context, runSession);
  if (attempt < 0) await check();
  else retryLater(context, { attempt, error, retry: () => void check() });
}

/** Loads the thread of a suspended run whose request has expired. */
async function checkSuspendedRun(
  context: ControllerContext,
  runSession: RunSession,
): Promise<void> {
  const { backend, closing } = context;
  const { thread } = runSession;
  const id = thread.id ?? '';
  const shouldApply = () =>
    context.runOf(thread) === runSession && !context.closed && isSuspendedAfterExpiry(runSession);
  if (!shouldApply()) return;
  let error: UbikError | undefined;
  try {
    await loadLatest(context, id, {
      load: () => backend.loadThread(id, closing.signal),
      shouldApply,
      apply: (content, isCurrent) => {
        // Not before, because the time that the service takes to respond is not that of a stream.
        context.stateOf(thread).expiryCheckedAt = context.environment.monotonic();
        return applyAndJoin(context, thread, { content, runRecord: null }, isCurrent);
      },
    });
  } catch (thrown) {
    error = toUbikError(thrown);
    context.diagnose(error);
  }
  await checkExpiredRequest(context, thread, error);
}

/** Whether a run without a stream has an expired request and no pending one. */
function isSuspendedAfterExpiry({ isSuspended, thread, keys }: RunSession): boolean {
  const waitingMessage = thread.messages.get(keys.answer);
  if (!waitingMessage || !isSuspended) return false;
  const requests = waitingMessage.parts
    .children(ACTIVITY)
    .map((key) => waitingMessage.parts.get(key));
  const hasExpired = requests.some(
    (part) => part?.kind === 'request-activity' && part.state === 'expired',
  );
  return hasExpired && listPendingRequests(waitingMessage).length === 0;
}
