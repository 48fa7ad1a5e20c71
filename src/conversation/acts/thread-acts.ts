import type { Page, PageRequest, ThreadContent, ThreadSummary } from '../../backends/backend.js';
import { isUbikError, UbikError } from '../../errors.js';
import { toItem } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { IDLE_RUN, pathTo, type Thread } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import { adoptContent, hasMoreOfAnswer, textOfMessage } from '../data/adopt-content.js';
import { findMethod } from '../find-method.js';
import { toUbikError } from '../run/failure.js';
import { beginRun, rejoinRun } from '../run/run-course.js';
import { closeRun, endRun, isBusy } from '../run/run-session.js';
import { findUnfinished } from './run-plans.js';

/** Opens a thread; see `StreamController`. */
export async function openThread(conversation: Conversation, id: string): Promise<void> {
  const { backend, notes, runs } = conversation;
  const isLatest = conversation.beginOpening();
  const held = conversation.threadOf(id);
  if (held) show(conversation, held, id);
  if (held && isBusy(runs.get(held.key))) return conversation.tellOpened(held);
  const [content, note, draft, queued] = await Promise.all([
    backend.loadThread(id),
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
  if (session && !session.pending && showsMore(thread, content)) {
    conversation.tellOpened(thread);
    return conversation.quietly(() => rejoinRun(session));
  }
  // The question that it waits with was answered elsewhere.
  if (session?.active && thread.messages.get(session.keys.answer)?.id !== content.headId) {
    endRun(session, 'waiting');
  }
  adopt(conversation, thread, content);
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

/** Leaves the current thread. */
export function leaveThread(conversation: Conversation): void {
  conversation.beginOpening();
  conversation.setCurrent(null);
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
  const { backend, drafts, notes, options } = conversation;
  try {
    const summary = await backend.createThread(options.newThread);
    const { id, title } = summary;
    conversation.commit(key, [{ do: 'thread', set: { id, title } }]);
    conversation.commit('', [toItem('threads', id, { ...summary })]);
    drafts.settle(key);
    conversation.queue.settle(key);
    notes.keep('latest', '', id);
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
  const found = await findMethod(conversation.backend, 'listThreads')(page);
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
  const { backend, drafts, notes, runs, store, watched } = conversation;
  await findMethod(backend, 'deleteThread')(id, leaving).catch((error: unknown) => {
    // What is gone already is what was wanted.
    if (!isUbikError(error) || error.code !== 'not-found') throw error;
  });
  conversation.commit('', [toItem('threads', id, undefined)]);
  notes.keep('run', id, null);
  notes.keep('draft', id, null);
  notes.keep('queue', id, null);
  notes.keep('origins', id, null);
  notes.keep('questions', id, null);
  if ((await notes.read('latest', '')) === id) notes.keep('latest', '', null);
  const thread = conversation.threadOf(id);
  if (!thread) return;
  const { key } = thread;
  const session = runs.get(key);
  if (session) closeRun(session);
  if (conversation.current === thread) leaveThread(conversation);
  drafts.drop(key);
  for (const held of [runs, watched, store.threads]) held.delete(key);
}

/** Shows another version of a message. */
export async function navigate(conversation: Conversation, messageId: string): Promise<void> {
  const navigateTo = findMethod(conversation.backend, 'navigate');
  const thread = findFreeThread(conversation);
  const content = await navigateTo(thread.id ?? '', messageId);
  if (!conversation.runs.get(thread.key)?.active) adopt(conversation, thread, content);
}

/** The current thread, on which nothing is at work. */
export function findFreeThread(conversation: Conversation): Thread {
  const { current } = conversation;
  if (!current) throw new UbikError('misuse', 'No thread is open.');
  checkFree(conversation, current);
  return current;
}

/** Throws `busy` when a thread can take no act now. */
export function checkFree({ runs }: Conversation, { key }: Thread): void {
  if (isBusy(runs.get(key))) throw new UbikError('busy');
}

/** Reads a thread's messages again, unless a run began meanwhile. A failure is no more than a diagnostic. */
export async function refresh(conversation: Conversation, thread: Thread): Promise<void> {
  const { backend, runs } = conversation;
  const session = runs.get(thread.key);
  if (thread.id === null) return;
  try {
    const content = await backend.loadThread(thread.id);
    const isSame = runs.get(thread.key) === session && !session?.active && !conversation.closed;
    if (isSame && !showsMore(thread, content)) adopt(conversation, thread, content);
  } catch (error) {
    conversation.diagnose(toUbikError(error));
  }
}

/**
 * Whether more is shown of a run than the service has stored: because it was given up here, or because a tool of it asks. What is
 * shown does not disappear.
 */
function showsMore({ run, messages }: Thread, content: ThreadContent): boolean {
  const { unfinished } = content;
  const shown = messages.get(run.answer ?? '');
  if (run.state === 'waiting') return unfinished !== null && (unfinished.id ?? run.id) === run.id;
  return run.state === 'interrupted' && !!shown && !hasMoreOfAnswer(content, shown, run.id);
}

function show(conversation: Conversation, thread: Thread, id: string): void {
  conversation.setCurrent(thread);
  conversation.notes.keep('latest', '', id);
}

export function adopt(conversation: Conversation, thread: Thread, read: ThreadContent): void {
  const content = conversation.questions.complete(read);
  const { changes, lost } = adoptContent(thread, content, conversation.createKey);
  for (const message of lost) {
    const { attachments } = message;
    conversation.drafts.giveBack(thread.key, { text: textOfMessage(message), attachments });
  }
  conversation.commit(thread.key, changes);
  conversation.origins.settle(thread);
  retitle(conversation, content.thread.id ?? '', content.thread.title);
}

function resume(
  conversation: Conversation,
  thread: Thread,
  content: ThreadContent,
  note: unknown,
): void {
  const { backend, notes } = conversation;
  const { unfinished } = content;
  const found = backend.rejoin ? findUnfinished(conversation, thread, unfinished, note) : null;
  if (found) return conversation.quietly(() => beginRun(conversation, found));
  notes.keep('run', thread.id ?? '', null);
  // What is shown of an earlier end may not be there any more.
  const { answer } = thread.run;
  if (answer !== null && !thread.messages.has(answer)) {
    conversation.commit(thread.key, [{ do: 'thread', set: { run: IDLE_RUN } }]);
  }
}

function retitle(conversation: Conversation, id: string, title: string): void {
  const listed = conversation.store.threadList.get(id) as Partial<ThreadSummary> | undefined;
  if (!listed || listed.title === title) return;
  conversation.commit('', [toItem('threads', id, { ...listed, title })]);
}
