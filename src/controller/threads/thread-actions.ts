import type { Page, PageRequest, ThreadContent, ThreadSummary } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import { createItemChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { listQuestions } from '../messages/delivery.js';
import type { TabEntry } from '../messages/tab-entries.js';
import { findMethod } from '../find-method.js';
import { createDeferred } from '../deferred.js';
import {
  forgetThread,
  readNewest,
  refresh,
  resume,
  retitle,
  showsMore,
  takeRead,
} from './thread-sync.js';

/** What this browser keeps of a thread that is opened. */
type ThreadNote = 'note' | 'queued';

/** Opens a thread; see `StreamController`. */
export function openThread(conversation: ControllerContext, id: string): Promise<void> {
  return readThread(conversation, id, observeTyping(conversation));
}

/** Observes what is typed while a thread is opened, unless it belongs to the thread that is still shown. */
function observeTyping({ current, drafts }: ControllerContext): ((to: Key) => void) | null {
  return current ? null : drafts.observeTyping();
}

async function readThread(
  conversation: ControllerContext,
  id: string,
  moveTyped: ((to: Key) => void) | null,
): Promise<void> {
  const { backend, closing, notes, runs } = conversation;
  const isLatest = conversation.beginOpening();
  const held = conversation.threadOf(id);
  if (held) show(conversation, held, id);
  if (held && runs.get(held.key)?.isBusy) return conversation.tellOpened(held);
  const load = () =>
    Promise.all([
      backend.loadThread(id, closing.signal),
      notes.read('run', id),
      conversation.drafts.read(id),
      notes.read('queue', id),
      conversation.origins.read(id),
      conversation.questions.read(id),
    ]);
  const isBusyNow = () => runs.get(conversation.threadOf(id)?.key ?? '')?.isBusy;
  await readNewest(conversation, id, {
    load,
    isWanted: () => isLatest() && !isBusyNow(),
    take: ([content, note, draft, queued]) =>
      showRead(conversation, id, { content, note, draft, queued, moveTyped }),
  });
}

/** Shows a thread that was read, on which nothing is at work. */
function showRead(
  conversation: ControllerContext,
  id: string,
  {
    content,
    note,
    draft,
    queued,
    moveTyped,
  }: {
    content: ThreadContent;
    draft: TabEntry | null;
    moveTyped: ((to: Key) => void) | null;
  } & Record<ThreadNote, unknown>,
): void {
  const thread =
    conversation.threadOf(id) ?? conversation.hold(conversation.createKey('thread'), { id });
  const { key } = thread;
  const session = conversation.runs.get(key);
  if (session?.isConfirmed && showsMore(thread, content)) {
    conversation.tellOpened(thread);
    conversation.quietly(() => session.rejoin());
    return;
  }
  takeRead(conversation, thread, content);
  // A message that is on its way is stored as a draft too. When the thread contains it, it has arrived.
  const questions = listQuestions(thread);
  conversation.drafts.restore(key, draft, questions);
  if (!conversation.current) moveTyped?.(key);
  show(conversation, thread, id);
  conversation.tellOpened(thread);
  resume(conversation, thread, content, note);
  conversation.queue.restore(
    thread,
    queued,
    questions,
    conversation.runs.get(key)?.isBusy ?? false,
  );
}

/** Opens the thread that was open last; see `StreamController`. */
export async function openLastThread(conversation: ControllerContext): Promise<boolean> {
  const isLatest = conversation.beginOpening();
  const moveTyped = observeTyping(conversation);
  const note = await conversation.notes.read('latest', '');
  if (typeof note !== 'string' || !isLatest()) return false;
  try {
    await readThread(conversation, note, moveTyped);
    return true;
  } catch (error) {
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
    conversation.notes.keep('latest', '', null);
    return false;
  }
}

/** The current thread, or a new one that is on its way to the service: then `ready` holds until it is there. */
export function ensureThread(conversation: ControllerContext): {
  readonly thread: Thread;
  readonly ready: Promise<void> | undefined;
} {
  const { current, creating, drafts, options } = conversation;
  if (current) return { thread: current, ready: creating.get(current.key) };
  conversation.beginOpening();
  const key = conversation.createKey('thread');
  const thread = conversation.hold(key, { title: options.newThread?.title ?? '' });
  drafts.move(null, key);
  conversation.setCurrent(thread);
  const ready = createThread(conversation, key).finally(() => creating.delete(key));
  creating.set(key, ready);
  return { thread, ready };
}

async function createThread(conversation: ControllerContext, key: Key): Promise<void> {
  const { backend, closing, drafts, notes, options } = conversation;
  try {
    const summary = await backend.createThread(options.newThread, closing.signal);
    const { id, title } = summary;
    conversation.commit(key, [{ type: 'thread', set: { id, title } }]);
    conversation.commit('', [createItemChange('threads', id, { ...summary })]);
    drafts.settle(key);
    conversation.queue.settle(key);
    // A reload opens the conversation that the person has had before them last, even when they went on to an empty page.
    if (conversation.wasShownLast(key)) notes.keep('latest', '', id);
    conversation.notify({ type: 'thread-created', thread: key });
  } catch (error) {
    drafts.move(key, null);
    if (conversation.current?.key === key) conversation.setCurrent(null);
    throw error;
  }
}

/** Reads the list of threads; what comes is in the list `threads` too. */
export async function listThreads(
  conversation: ControllerContext,
  page: PageRequest,
): Promise<Page<ThreadSummary>> {
  const { backend, closing } = conversation;
  const found = await findMethod(backend, 'listThreads')(page, closing.signal);
  conversation.commit(
    '',
    found.items.map((summary) => createItemChange('threads', summary.id, { ...summary })),
  );
  return found;
}

/** Gives a thread another title. */
export async function renameThread(
  conversation: ControllerContext,
  id: string,
  title: string,
): Promise<void> {
  await findMethod(conversation.backend, 'renameThread')(id, title);
  retitle(conversation, id, title);
  const thread = conversation.threadOf(id);
  if (thread) conversation.commit(thread.key, [{ type: 'thread', set: { title } }]);
}

/** Deletes a thread, and forgets all of it here. Its run, if one is on, is left. */
export async function deleteThread(
  conversation: ControllerContext,
  id: string,
  leaving = false,
): Promise<void> {
  await findMethod(conversation.backend, 'deleteThread')(id, leaving).catch((error: unknown) => {
    // What is gone already is what was wanted.
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
  });
  await forgetThread(conversation, id);
}

/** Shows another version of a message. Navigations of one thread follow one another, so that the last one decides. */
export function switchBranch(conversation: ControllerContext, messageId: string): Promise<void> {
  const { backend, closing, order, outdated, runs } = conversation;
  const navigateTo = findMethod(backend, 'switchBranch');
  const thread = findFreeThread(conversation);
  const { promise, resolve, reject } = createDeferred();
  const ask = async (): Promise<void> => {
    const content = await navigateTo(thread.id ?? '', messageId, closing.signal);
    // A run that was begun elsewhere is joined: its end has the thread read again.
    if (runs.get(thread.key)?.isBusy) return void outdated.add(thread.key);
    takeRead(conversation, thread, content);
    showHead(conversation, thread, content);
  };
  void order.navigate(thread, async () => {
    try {
      checkFree(conversation, thread);
    } catch (error) {
      reject(error);
      return;
    }
    await ask().then(resolve, (error: unknown) => {
      reject(error);
      // Where the service stands now is not known.
      return refresh(conversation, thread);
    });
  });
  return promise;
}

/** Where a navigation leads is the service's word, also when its record lacks what was shown before. */
function showHead(
  conversation: ControllerContext,
  thread: Thread,
  { headId }: ThreadContent,
): void {
  const head = [...thread.messages.values()].find(({ id }) => id !== null && id === headId);
  if (head && head.key !== thread.head) {
    conversation.commit(thread.key, [{ type: 'thread', set: { head: head.key } }]);
  }
}

/** The current thread, on which nothing is at work. */
export function findFreeThread(conversation: ControllerContext): Thread {
  const { current } = conversation;
  if (!current) throw new UbikError('misuse', 'No thread is open.');
  checkFree(conversation, current);
  return current;
}

/**
 * Throws `busy` when a thread can take no act now; while something was looked up for an act, everything may have been given back
 * (`aborted`), or the thread deleted (`not-found`).
 */
export function checkFree({ closed, order, runs, store }: ControllerContext, thread: Thread): void {
  if (closed) throw new UbikError('aborted');
  if (!store.threads.has(thread.key)) throw new UbikError('not-found');
  if (runs.get(thread.key)?.isBusy || order.isAwaited(thread)) throw new UbikError('busy');
}

function show(conversation: ControllerContext, thread: Thread, id: string): void {
  conversation.setCurrent(thread);
  conversation.notes.keep('latest', '', id);
}
