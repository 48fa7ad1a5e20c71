import type { Page, PageRequest, ThreadSummary } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import { createItemChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext, Opening } from '../controller-context.js';
import { storedThreads } from '../lazy-actions.js';

/** Opens a thread; see `StreamController`. */
export function openThread(context: ControllerContext, id: string): Promise<void> {
  return startLoading(context, (opening, last) => loadAndShow(context, id, opening, last));
}

/** Opens the thread that was opened last; see `StreamController`. */
export function openLastThread(context: ControllerContext): Promise<boolean> {
  return startLoading(context, (opening, last) => loadLastThread(context, opening, last));
}

/** Starts an opening, and records its loading while it is in progress. `last` is the opening before it. */
function startLoading<T>(
  context: ControllerContext,
  load: (opening: Opening, last: Opening | null) => Promise<T>,
): Promise<T> {
  const last = context.latestOpening;
  const opening = context.startOpening();
  const loaded = load(opening, last);
  const end = (isLoaded: boolean): Thread | null | undefined => {
    opening.loading = null;
    const { currentThread } = context;
    // A later call may have opened the same thread.
    const isShown = !opening.signal.aborted || (currentThread && currentThread.id === opening.id);
    return isLoaded && isShown ? currentThread : undefined;
  };
  opening.loading = loaded.then(
    () => end(true),
    () => end(false),
  );
  return loaded;
}

async function loadLastThread(
  context: ControllerContext,
  opening: Opening,
  last: Opening | null,
): Promise<boolean> {
  const id = await context.storage.read('latest', '');
  if (typeof id !== 'string' || opening.signal.aborted) return false;
  try {
    await loadAndShow(context, id, opening, last);
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
  last: Opening | null,
): Promise<void> {
  opening.id = id;
  // What was typed since the thread was first opened belongs to it, also when it is opened again, such as after it has failed to load.
  if (opening.typedText && last?.id === id) opening.typedText = last.typedText ?? opening.typedText;
  if (!storedThreads.value) {
    // The code of the service is loaded at the same time. The request for the thread reports its failure.
    void context.backend.prepare?.();
    await storedThreads.load();
    if (opening.signal.aborted) {
      if (context.latestOpening !== opening) await context.latestOpening?.loading;
      return;
    }
  }
  await storedThreads.value?.loadAndShow(context, id, opening);
}

/** Closes the current thread without stopping its run. */
export function closeCurrentThread(context: ControllerContext): void {
  context.startOpening();
  context.setCurrentThread(null);
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
  const { backend, closing, drafts, options, storage } = context;
  try {
    const summary = await backend.createThread(options.newThread, closing.signal);
    const { id, title } = summary;
    context.commit(key, [{ type: 'thread', set: { id, title } }]);
    context.commit('', [createItemChange('threads', id, { ...summary })]);
    drafts.storeUnderId(key);
    context.queue?.storeUnderId(key);
    // A reload opens the thread that was shown last, even if the user has started a new thread since.
    if (context.wasShownLast(key)) storage.write('latest', '', id);
    context.notify({ type: 'thread-created', thread: key });
  } catch (error) {
    drafts.move(key, null);
    if (context.currentThread?.key === key) context.setCurrentThread(null);
    throw error;
  }
}

/**
 * Loads a page of the thread list and adds it to the list `threads`. A deletion or renaming that was completed meanwhile takes precedence,
 * because the response may be older.
 */
export async function listThreads(
  context: ControllerContext,
  page: PageRequest,
): Promise<Page<ThreadSummary>> {
  const { closing, sequencer } = context;
  const read = sequencer.startRead();
  const list = await context.requireMethod('listThreads')(page, closing.signal);
  const items = list.items.map((summary) => {
    const { id } = summary;
    const title = sequencer.titleSince(read, id);
    const value = title === null ? undefined : { ...summary, title: title ?? summary.title };
    return createItemChange('threads', id, value);
  });
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
  context.sequencer.recordTitle(id, title);
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

/** Removes a deleted thread with its state and its stored records. Closes an active run. */
export async function removeDeletedThread(context: ControllerContext, id: string): Promise<void> {
  const { drafts, sequencer, storage } = context;
  sequencer.recordTitle(id, null);
  for (const thread of context.listThreadsWithId(id)) {
    context.runOf(thread)?.close();
    drafts.release(thread.key);
    context.removeThread(thread);
    if (context.currentThread === thread) closeCurrentThread(context);
  }
  // Only now, because this change lets the upload queue cancel the uploads to threads that are no longer in memory.
  context.commit('', [createItemChange('threads', id, undefined)]);
  for (const kind of ['run', 'draft', 'queue', 'origins', 'questions'] as const) {
    storage.write(kind, id, null);
  }
  if ((await storage.read('latest', '')) === id) storage.write('latest', '', null);
}

/** Sets the title of a thread in the thread list, if it is listed. */
export function updateListedTitle(context: ControllerContext, id: string, title: string): void {
  const listed = context.store.threadList.get(id) as Partial<ThreadSummary> | undefined;
  if (!listed || listed.title === title) return;
  context.commit('', [createItemChange('threads', id, { ...listed, title })]);
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
  if (context.isBusy(thread) || context.sequencer.hasScheduledRun(thread))
    throw new UbikError('busy');
}

/** Calls `callback` after a delay in ms, unless the controller is closed before. */
export function schedule(context: ControllerContext, delay: number, callback: () => void): void {
  const { environment, closing } = context;
  if (closing.signal.aborted) return;
  const cancel = (): void => environment.clearTimer(timer);
  const timer = environment.setTimer(() => {
    closing.signal.removeEventListener('abort', cancel);
    callback();
  }, delay);
  closing.signal.addEventListener('abort', cancel, { once: true });
}
