import type { ThreadContent } from '../../backends/backend.js';
import type { Thread } from '../../model/thread.js';
import { originsOf } from '../checkpoints/restore-origins.js';
import type { ControllerContext, Opening } from '../controller-context.js';
import { queueActions } from '../lazy-actions.js';
import { listUserMessages } from '../messages/delivery.js';
import type { TabEntry } from '../messages/tab-entries.js';
import { applyLoaded } from './apply-loaded.js';
import { loadRequestDetails } from './complete-requests.js';
import { loadLatest } from './load-latest.js';
import { isAheadOfStored, joinUnfinishedRun, rejoinOrProbe } from './unfinished-run.js';

/** A loaded thread and its records in the storage of this browser. */
interface LoadedThread {
  readonly content: ThreadContent;
  /** The record of an unfinished run. */
  readonly runRecord: unknown;
  readonly draft: TabEntry | null;
  readonly queue: unknown;
}

/**
 * Loads a thread and shows it. A thread that is in memory is shown at once, and then updated unless a run is active in it. If another opening
 * supersedes this one, resolves when the other one has loaded its thread or has failed, because the caller shows a loading state until then.
 */
export async function loadAndShow(
  context: ControllerContext,
  id: string,
  opening: Opening,
): Promise<void> {
  const { backend, drafts, storage } = context;
  const { signal } = opening;
  const known = context.findThread(id);
  if (known) showThread(context, known, id);
  const load = async (): Promise<LoadedThread> => {
    const [content, runRecord, draft, queue] = await Promise.all([
      backend.loadThread(id, signal),
      storage.read('run', id),
      drafts.readStored(id),
      readQueue(context, id),
      originsOf(context).load(id),
      loadRequestDetails(context, id),
    ]);
    return { content, runRecord, draft, queue };
  };
  /** Whether a run is active. The thread is then not updated, and its messages are loaded again after the run. */
  const isBusy = (): boolean => {
    const thread = context.findThread(id);
    if (!thread || !context.isBusy(thread)) return false;
    context.stateOf(thread).isReloadPending = true;
    return true;
  };
  if (known && isBusy()) return context.notifyOpened(known);
  try {
    await loadLatest(context, id, {
      load,
      shouldApply: () => !signal.aborted && !isBusy(),
      apply: (loaded, isCurrent) => showLoaded(context, id, { opening, loaded, isCurrent }),
    });
  } catch (error) {
    // The thread in memory stays shown although it could not be updated, so its pending requests are announced.
    if (known && !signal.aborted) context.activityNotices.updateRequestsOf(known);
    // When a later opening has aborted the request, that is no error.
    if (!signal.aborted || context.closed) throw error;
  }
  if (signal.aborted && context.latestOpening !== opening) {
    await context.latestOpening?.loading;
  }
}

/** Reads the stored queue of a thread, and loads the code of queues if there is one. If loading fails, the queue stays in the storage. */
async function readQueue(context: ControllerContext, id: string): Promise<unknown> {
  const queue = await context.storage.read('queue', id);
  if (queue !== null) await queueActions.load().catch(context.diagnose);
  return queue;
}

/** An opening whose thread was loaded. */
interface LoadedOpening {
  readonly opening: Opening;
  readonly loaded: LoadedThread;
  /** Whether the loaded thread is still to be shown, and not outdated. */
  isCurrent(): boolean;
}

/**
 * Merges a loaded thread without an active run, and shows it; if its run here is ahead of the stored thread, rejoins the run instead. Resolves
 * to false when the thread was outdated or deleted before it was merged.
 */
async function showLoaded(
  context: ControllerContext,
  id: string,
  { opening, loaded, isCurrent }: LoadedOpening,
): Promise<boolean> {
  const { content, runRecord, draft, queue } = loaded;
  const known = context.findThread(id);
  const thread = known ?? context.addThread(context.createKey('thread'), { id });
  const runSession = context.runOf(thread);
  if (runSession?.isConfirmed && isAheadOfStored(thread, content, runSession)) {
    context.notifyOpened(thread);
    rejoinOrProbe(context, runSession);
    return true;
  }
  const state = context.stateOf(thread);
  state.isLoading = !known;
  const isApplied = await applyLoaded(context, thread, content, isCurrent);
  state.isLoading = false;
  if (!isApplied && !known) context.removeThread(thread);
  if (!isApplied || opening.signal.aborted || context.isBusy(thread)) return isApplied;
  // A message is stored as a draft while it is being sent. If the thread contains it, it was delivered.
  const userMessages = listUserMessages(thread);
  context.drafts.restore(thread.key, draft, userMessages);
  if (!context.currentThread) opening.typedText?.moveTo(thread.key);
  showThread(context, thread, id);
  context.notifyOpened(thread);
  joinUnfinishedRun(context, thread, content, runRecord);
  if (queue !== null) queueActions.value?.queueOf(context).restore(thread, queue, userMessages);
  return true;
}

function showThread(context: ControllerContext, thread: Thread, id: string): void {
  context.setCurrentThread(thread);
  context.storage.write('latest', '', id);
}
