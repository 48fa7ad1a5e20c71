import type { Page, PageRequest, ThreadContent, ThreadSummary } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import { createItemChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext, Opening } from '../controller-context.js';
import { createDeferred } from '../deferred.js';
import { listUserMessages } from '../messages/delivery.js';
import type { TabEntry } from '../messages/tab-entries.js';
import {
  applyLoaded,
  removeDeletedThread,
  isAheadOfStored,
  loadLatest,
  reloadMessages,
  joinUnfinishedRun,
  updateListedTitle,
} from './thread-sync.js';

/** A loaded thread and its records in the storage of this browser. */
interface LoadedThread {
  readonly content: ThreadContent;
  /** The record of an unfinished run. */
  readonly runRecord: unknown;
  readonly draft: TabEntry | null;
  readonly queue: unknown;
}

/** Opens a thread; see `StreamController`. */
export function openThread(context: ControllerContext, id: string): Promise<void> {
  return loadAndShow(context, id, context.startOpening());
}

/** Opens the thread that was opened last; see `StreamController`. */
export async function openLastThread(context: ControllerContext): Promise<boolean> {
  const opening = context.startOpening();
  const id = await context.storage.read('latest', '');
  if (typeof id !== 'string' || !opening.isLatest()) return false;
  try {
    await loadAndShow(context, id, opening);
    return true;
  } catch (error) {
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
    context.storage.write('latest', '', null);
    return false;
  }
}

async function loadAndShow(
  context: ControllerContext,
  id: string,
  opening: Opening,
): Promise<void> {
  const { backend, closing, drafts, storage } = context;
  const known = context.findThread(id);
  if (known) showThread(context, known, id);
  if (known && context.isBusy(known)) return context.notifyOpened(known);
  const load = async (): Promise<LoadedThread> => {
    const [content, runRecord, draft, queue] = await Promise.all([
      backend.loadThread(id, closing.signal),
      storage.read('run', id),
      drafts.readStored(id),
      storage.read('queue', id),
      context.restoreOrigins.load(id),
      context.requestDetails.load(id),
    ]);
    return { content, runRecord, draft, queue };
  };
  const isBusy = (): boolean => {
    const thread = context.findThread(id);
    return thread !== undefined && context.isBusy(thread);
  };
  await loadLatest(context, id, {
    load,
    shouldApply: () => opening.isLatest() && !isBusy(),
    apply: (loaded, isCurrent) => showLoaded(context, id, { opening, loaded, isCurrent }),
  });
}

/** An opening whose thread was loaded. */
interface LoadedOpening {
  readonly opening: Opening;
  readonly loaded: LoadedThread;
  /** Whether the thread is still to be shown. */
  isCurrent(): boolean;
}

/** Shows a loaded thread without an active run. Resolves to false when it is no longer to be shown. */
async function showLoaded(
  context: ControllerContext,
  id: string,
  { opening, loaded, isCurrent }: LoadedOpening,
): Promise<boolean> {
  const { content, runRecord, draft, queue } = loaded;
  const known = context.findThread(id);
  const thread = known ?? context.addThread(context.createKey('thread'), { id });
  const runSession = context.runOf(thread);
  if (runSession?.isConfirmed && isAheadOfStored(thread, content)) {
    context.notifyOpened(thread);
    context.runInBackground(() => runSession.rejoin());
    return true;
  }
  const state = context.stateOf(thread);
  state.isLoading = !known;
  const isApplied = await applyLoaded(context, thread, content, isCurrent);
  state.isLoading = false;
  if (!isApplied && !known) context.removeThread(thread);
  if (!isApplied || !opening.isLatest() || context.isBusy(thread)) return isApplied;
  // A message is stored as a draft while it is being sent. If the thread contains it, it was delivered.
  const userMessages = listUserMessages(thread);
  context.drafts.restore(thread.key, draft, userMessages);
  if (!context.currentThread) opening.typedText?.moveTo(thread.key);
  showThread(context, thread, id);
  context.notifyOpened(thread);
  joinUnfinishedRun(context, thread, content, runRecord);
  context.queue.restore(thread, queue, userMessages);
  return true;
}

function showThread(context: ControllerContext, thread: Thread, id: string): void {
  context.setCurrentThread(thread);
  context.storage.write('latest', '', id);
}

/** Returns the current thread, or creates one. `ready` resolves when the service has created it; undefined if it exists. */
export function ensureThread(context: ControllerContext): {
  readonly thread: Thread;
  readonly ready: Promise<void> | undefined;
} {
  const { currentThread, drafts, options } = context;
  if (currentThread) {
    const { creation } = context.stateOf(currentThread);
    return { thread: currentThread, ready: creation ?? undefined };
  }
  context.startOpening();
  const key = context.createKey('thread');
  const thread = context.addThread(key, { title: options.newThread?.title ?? '' });
  const state = context.stateOf(thread);
  drafts.move(null, key);
  context.setCurrentThread(thread);
  const ready = createThread(context, key).finally(() => (state.creation = null));
  state.creation = ready;
  return { thread, ready };
}

async function createThread(context: ControllerContext, key: Key): Promise<void> {
  const { backend, closing, drafts, options, queue, storage } = context;
  try {
    const summary = await backend.createThread(options.newThread, closing.signal);
    const { id, title } = summary;
    context.commit(key, [{ type: 'thread', set: { id, title } }]);
    context.commit('', [createItemChange('threads', id, { ...summary })]);
    drafts.storeUnderId(key);
    queue.storeUnderId(key);
    // A reload opens the thread that was shown last, even if the user has started a new thread since.
    if (context.wasShownLast(key)) storage.write('latest', '', id);
    context.notify({ type: 'thread-created', thread: key });
  } catch (error) {
    drafts.move(key, null);
    if (context.currentThread?.key === key) context.setCurrentThread(null);
    throw error;
  }
}

/** Loads a page of the thread list and adds it to the list `threads`. */
export async function listThreads(
  context: ControllerContext,
  page: PageRequest,
): Promise<Page<ThreadSummary>> {
  const list = await context.requireMethod('listThreads')(page, context.closing.signal);
  const items = list.items.map((summary) =>
    createItemChange('threads', summary.id, { ...summary }),
  );
  context.commit('', items);
  return list;
}

/** Renames a thread; see `StreamController`. */
export async function renameThread(
  context: ControllerContext,
  id: string,
  title: string,
): Promise<void> {
  await context.requireMethod('renameThread')(id, title);
  updateListedTitle(context, id, title);
  const thread = context.findThread(id);
  if (thread) context.commit(thread.key, [{ type: 'thread', set: { title } }]);
}

/** Deletes a thread at the service and in memory. An active run is closed. */
export async function deleteThread(
  context: ControllerContext,
  id: string,
  keepalive = false,
): Promise<void> {
  await context
    .requireMethod('deleteThread')(id, keepalive)
    .catch((error: unknown) => {
      // The thread was deleted before.
      if (!isUbikError(error) || error.code !== 'not-found') throw error;
    });
  await removeDeletedThread(context, id);
}

/** Switches to the branch of another version. Switches of one thread run in sequence, so that the last one takes effect. */
export function switchBranch(context: ControllerContext, messageId: string): Promise<void> {
  const { closing, sequencer } = context;
  const requestSwitch = context.requireMethod('switchBranch');
  const thread = requireIdleThread(context);
  const { promise, resolve, reject } = createDeferred();
  const switchTo = async (): Promise<void> => {
    const content = await requestSwitch(thread.id ?? '', messageId, closing.signal);
    // This page has joined a run of another client; the thread is reloaded after that run.
    if (context.isBusy(thread)) {
      context.stateOf(thread).isStale = true;
      return;
    }
    const isIdle = (): boolean => !context.closed && !context.isBusy(thread);
    const isApplied = await applyLoaded(context, thread, content, isIdle);
    if (isApplied) applyHead(context, thread, content);
    else context.stateOf(thread).isStale = true;
  };
  void sequencer.runSwitch(thread, async () => {
    try {
      assertIdle(context, thread);
    } catch (error) {
      reject(error);
      return;
    }
    await switchTo().then(resolve, (error: unknown) => {
      reject(error);
      // It is unknown whether the service has switched.
      return reloadMessages(context, thread);
    });
  });
  return promise;
}

/** Sets the head to that of the service, even if the stored thread lacks messages that were shown before. */
function applyHead(context: ControllerContext, thread: Thread, { headId }: ThreadContent): void {
  const head = [...thread.messages.values()].find(({ id }) => id !== null && id === headId);
  if (head && head.key !== thread.head) {
    context.commit(thread.key, [{ type: 'thread', set: { head: head.key } }]);
  }
}

/**
 * Returns the current thread if no run is active in it.
 *
 * @throws {UbikError} `misuse` when there is no current thread, otherwise as {@link assertIdle}.
 */
export function requireIdleThread(context: ControllerContext): Thread {
  const thread = context.requireCurrentThread();
  assertIdle(context, thread);
  return thread;
}

/**
 * Checks that an action can start in a thread. Call it again after each `await` of the action.
 *
 * @throws {UbikError} `busy` while a run is active or scheduled; `aborted` when the controller was closed; `not-found` when the thread
 *   was deleted.
 */
export function assertIdle(context: ControllerContext, thread: Thread): void {
  if (context.closed) throw new UbikError('aborted');
  if (!context.store.threads.has(thread.key)) throw new UbikError('not-found');
  if (context.isBusy(thread) || context.sequencer.hasWaitingRun(thread))
    throw new UbikError('busy');
}
