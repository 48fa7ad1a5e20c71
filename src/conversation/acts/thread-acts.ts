import type { Page, PageRequest, ThreadContent, ThreadSummary } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import { toItem } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { pathTo, type Thread } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import { textOfMessage } from '../data/adopt-content.js';
import { findMethod } from '../find-method.js';
import { rejoinRun } from '../run/run-course.js';
import { isBusy } from '../run/run-session.js';
import {
  adopt,
  catchUp,
  forgetThread,
  resume,
  retitle,
  showsMore,
  takeRead,
} from './held-threads.js';

/** Opens a thread; see `StreamController`. */
export async function openThread(conversation: Conversation, id: string): Promise<void> {
  const { backend, closing, notes, runs } = conversation;
  const isLatest = conversation.beginOpening();
  const held = conversation.threadOf(id);
  if (held) show(conversation, held, id);
  if (held && isBusy(runs.get(held.key))) return conversation.tellOpened(held);
  const isNew = held && conversation.beginReading(held.key);
  const [content, note, draft, queued] = await Promise.all([
    backend.loadThread(id, closing.signal),
    notes.read('run', id),
    notes.read('draft', id),
    notes.read('queue', id),
    conversation.origins.read(id),
    conversation.questions.read(id),
  ]);
  if (!isLatest()) return;
  const thread =
    conversation.threadOf(id) ?? conversation.hold(conversation.createKey('thread'), { id });
  const { key } = thread;
  const session = runs.get(key);
  if (isBusy(session)) return;
  if (isNew && !isNew()) {
    conversation.tellOpened(thread);
    return catchUp(conversation, id);
  }
  if (session && !session.pending && showsMore(thread, content)) {
    conversation.tellOpened(thread);
    return conversation.quietly(() => rejoinRun(session));
  }
  takeRead(conversation, thread, content);
  // A message that is on its way is stored as a draft too. When the thread ends with it, it has arrived.
  const last = pathTo(thread)
    .filter(({ role }) => role === 'user')
    .at(-1);
  const arrived = note && last ? textOfMessage(last) : null;
  conversation.drafts.restore(key, draft, arrived);
  show(conversation, thread, id);
  conversation.tellOpened(thread);
  resume(conversation, thread, content, note);
  conversation.queue.restore(thread, queued, arrived, isBusy(runs.get(key)));
}

/** Opens the thread that was open last; see `StreamController`. */
export async function openLatest(conversation: Conversation): Promise<boolean> {
  const isLatest = conversation.beginOpening();
  const note = await conversation.notes.read('latest', '');
  if (typeof note !== 'string' || !isLatest()) return false;
  try {
    await openThread(conversation, note);
    return true;
  } catch (error) {
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
    conversation.notes.keep('latest', '', null);
    return false;
  }
}

/** The current thread, or a new one that is on its way to the service: then `ready` holds until it is there. */
export function ensureThread(conversation: Conversation): {
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

async function createThread(conversation: Conversation, key: Key): Promise<void> {
  const { backend, closing, drafts, notes, options } = conversation;
  try {
    const summary = await backend.createThread(options.newThread, closing.signal);
    const { id, title } = summary;
    conversation.commit(key, [{ do: 'thread', set: { id, title } }]);
    conversation.commit('', [toItem('threads', id, { ...summary })]);
    drafts.settle(key);
    conversation.queue.settle(key);
    // The person may be elsewhere by now.
    if (conversation.current?.key === key) notes.keep('latest', '', id);
    conversation.notify({ type: 'thread-created', thread: key });
  } catch (error) {
    drafts.move(key, null);
    if (conversation.current?.key === key) conversation.setCurrent(null);
    throw error;
  }
}

/** Reads the list of threads; what comes is in the list `threads` too. */
export async function listThreads(
  conversation: Conversation,
  page: PageRequest,
): Promise<Page<ThreadSummary>> {
  const { backend, closing } = conversation;
  const found = await findMethod(backend, 'listThreads')(page, closing.signal);
  conversation.commit(
    '',
    found.items.map((summary) => toItem('threads', summary.id, { ...summary })),
  );
  return found;
}

/** Gives a thread another title. */
export async function renameThread(
  conversation: Conversation,
  id: string,
  title: string,
): Promise<void> {
  await findMethod(conversation.backend, 'renameThread')(id, title);
  retitle(conversation, id, title);
  const thread = conversation.threadOf(id);
  if (thread) conversation.commit(thread.key, [{ do: 'thread', set: { title } }]);
}

/** Deletes a thread, and forgets all of it here. Its run, if one is on, is left. */
export async function deleteThread(
  conversation: Conversation,
  id: string,
  leaving = false,
): Promise<void> {
  await findMethod(conversation.backend, 'deleteThread')(id, leaving).catch((error: unknown) => {
    // What is gone already is what was wanted.
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
  });
  await forgetThread(conversation, id);
}

/** Shows another version of a message. Navigations of a thread reach the service one after the other. */
export async function navigate(conversation: Conversation, messageId: string): Promise<void> {
  const { navigations } = conversation;
  const navigateTo = findMethod(conversation.backend, 'navigate');
  const thread = findFreeThread(conversation);
  const { key } = thread;
  const go = async (): Promise<void> => {
    checkFree(conversation, thread);
    const content = await navigateTo(thread.id ?? '', messageId, conversation.closing.signal);
    takeNavigation(conversation, thread, content);
  };
  const done = navigations.get(key)?.then(go) ?? go();
  const over = done
    .catch(() => undefined)
    .then(() => {
      if (navigations.get(key) === over) navigations.delete(key);
    });
  navigations.set(key, over);
  await done;
}

/** Holds until the service has led a thread where the person wanted it; undefined when it is there. */
export function awaitNavigation(
  { navigations }: Conversation,
  thread: Thread,
): Promise<void> | undefined {
  return navigations.get(thread.key);
}

function takeNavigation(conversation: Conversation, thread: Thread, content: ThreadContent): void {
  // A run that somebody else began is read again with its end.
  if (conversation.runs.get(thread.key)?.active) return void conversation.outdated.add(thread.key);
  adopt(conversation, thread, content);
  // Where it leads is the service's word, also when its record lacks what was shown before.
  const head = [...thread.messages.values()].find(({ id }) => id !== null && id === content.headId);
  if (head && head.key !== thread.head) {
    conversation.commit(thread.key, [{ do: 'thread', set: { head: head.key } }]);
  }
}

/** The current thread, on which nothing is at work. */
export function findFreeThread(conversation: Conversation): Thread {
  const { current } = conversation;
  if (!current) throw new UbikError('misuse', 'No thread is open.');
  checkFree(conversation, current);
  return current;
}

/** Throws `busy` when a thread can take no act now, `aborted` when everything was given back while something was looked up for it. */
export function checkFree({ closed, runs }: Conversation, { key }: Thread): void {
  if (closed) throw new UbikError('aborted');
  if (isBusy(runs.get(key))) throw new UbikError('busy');
}

function show(conversation: Conversation, thread: Thread, id: string): void {
  conversation.setCurrent(thread);
  conversation.notes.keep('latest', '', id);
}
