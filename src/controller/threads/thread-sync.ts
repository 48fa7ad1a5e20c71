import type { ThreadContent, ThreadSummary } from '../../backends/backend.js';
import { createItemChange } from '../../model/change.js';
import { IDLE_RUN, pathTo, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { UbikError } from '../../errors.js';
import { mergeThreadContent, hasMoreOfAnswer, textOfMessage } from './merge-thread-content.js';
import { listQuestions } from '../messages/delivery.js';
import { listPendingRequests } from '../requests/input-requests.js';
import { isWorthRetrying, toUbikError } from '../run/failure.js';
import { startRun } from '../run/run-session.js';
import { lookLater } from '../actions/read-later.js';
import { findUnfinished } from '../run/run-plans.js';

/** Leaves the current thread. */
export function leaveThread(conversation: ControllerContext): void {
  conversation.beginOpening();
  conversation.setCurrent(null);
}

/**
 * Reads what is stored of a thread and takes it at once, as long as it is wanted. When the thread has moved on meanwhile, what came
 * is older than what is shown: it is dropped, and read again.
 */
export async function readNewest<T>(
  conversation: ControllerContext,
  id: string,
  read: { load(): Promise<T>; isWanted(): boolean; take(read: T): void },
): Promise<void> {
  for (;;) {
    const reading = conversation.order.begin();
    const title = listedTitle(conversation, id);
    const content = await read.load();
    if (!read.isWanted()) return;
    const thread = conversation.threadOf(id);
    // A thread that is not in memory yet can only have been renamed.
    const isNewest = !thread || conversation.order.isNewest(thread, reading);
    if (isNewest && listedTitle(conversation, id) === title) return read.take(content);
  }
}

function listedTitle({ store }: ControllerContext, id: string): unknown {
  return (store.threadList.get(id) as Partial<ThreadSummary> | undefined)?.title;
}

/** Takes what was read of a thread on which nothing is at work. */
export function takeRead(
  conversation: ControllerContext,
  thread: Thread,
  content: ThreadContent,
): void {
  const session = conversation.runs.get(thread.key);
  // The question that it waits with was answered elsewhere.
  if (session?.isLive && thread.messages.get(session.keys.answer)?.id !== content.headId) {
    session.supersede();
  }
  adopt(conversation, thread, content);
  const asking = session && thread.messages.get(session.keys.answer);
  if (asking && listPendingRequests(asking).length === 0) session.endElsewhere();
}

/**
 * Somebody else has done something to a thread that is held: it is read again, and a run that is on there is joined. While one is on
 * here, that waits for its end. What fails is no more than a diagnostic, and tried again a few times, which nobody waits for: nothing
 * else would tell this page of the change.
 *
 * @param looks how often this was tried before
 */
export async function catchUp(
  conversation: ControllerContext,
  id: string,
  looks = 0,
): Promise<void> {
  const thread = conversation.threadOf(id);
  if (!thread || conversation.closed) return;
  try {
    await readAgain(conversation, thread, id);
  } catch (thrown) {
    const error = toUbikError(thrown);
    if (error.code === 'not-found') {
      await forgetThread(conversation, id);
      return;
    }
    conversation.diagnose(error);
    if (!isWorthRetrying(error)) return;
    lookLater(conversation, looks, () => void catchUp(conversation, id, looks + 1));
  }
}

/** Reads a thread that is held, and joins a run that is on there; while one is on here, that waits for its end. */
export async function readAgain(
  conversation: ControllerContext,
  thread: Thread,
  id: string,
): Promise<void> {
  const { backend, closing, notes, outdated, runs } = conversation;
  const { key } = thread;
  if (runs.get(key)?.isBusy) return void outdated.add(key);
  const isWanted = (): boolean => {
    if (conversation.closed || conversation.threadOf(id) !== thread) return false;
    if (runs.get(key)?.isBusy) outdated.add(key);
    return !runs.get(key)?.isBusy;
  };
  const load = () =>
    Promise.all([
      backend.loadThread(id, closing.signal),
      notes.read('run', id),
      conversation.origins.read(id),
      conversation.questions.read(id),
    ]);
  await readNewest(conversation, id, {
    load,
    isWanted,
    take: ([content, note]) => {
      const session = runs.get(key);
      if (session?.isConfirmed && showsMore(thread, content)) {
        conversation.quietly(() => session.rejoin());
        return;
      }
      takeRead(conversation, thread, content);
      resume(conversation, thread, content, note);
    },
  });
}

/** A thread is no more: nothing of it is kept. Its run, if one is on, is left. */
export async function forgetThread(conversation: ControllerContext, id: string): Promise<void> {
  const { drafts, notes, questionChecks, returns, runs, store, unrecorded, watched } = conversation;
  conversation.commit('', [createItemChange('threads', id, undefined)]);
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
  session?.close();
  if (conversation.current === thread) leaveThread(conversation);
  drafts.drop(key);
  for (const held of [runs, watched, unrecorded, questionChecks, returns, store.threads])
    held.delete(key);
}

/**
 * Reads a thread's messages again, unless a run began meanwhile. A failure is no more than a diagnostic. While the service's record
 * lacks a run that has ended, it is read again a few times, which nobody waits for.
 */
export async function refresh(
  conversation: ControllerContext,
  thread: Thread,
  looks = 0,
): Promise<void> {
  const { backend, closing, runs } = conversation;
  const session = runs.get(thread.key);
  const { id } = thread;
  if (id === null || conversation.closed) return;
  try {
    await readNewest(conversation, id, {
      load: () => backend.loadThread(id, closing.signal),
      isWanted: () => runs.get(thread.key) === session && !session?.isLive && !conversation.closed,
      take: (content) => {
        if (!showsMore(thread, content)) adopt(conversation, thread, content);
      },
    });
  } catch (thrown) {
    const error = toUbikError(thrown);
    // A thread that is gone will not contain anything any more.
    if (error.code === 'not-found') conversation.unrecorded.delete(thread.key);
    conversation.diagnose(error);
  }
  if (runs.get(thread.key) !== session || !lacksRun(conversation, thread)) return;
  const isPlanned = lookLater(conversation, looks, () => {
    const isOpen = runs.get(thread.key) === session && lacksRun(conversation, thread);
    if (isOpen) void refresh(conversation, thread, looks + 1);
  });
  if (!isPlanned) conversation.diagnose(new UbikError('not-recorded'));
}

/** Whether the run of a thread has ended, and the service's record has not been seen to contain all that is shown. */
function lacksRun({ store, unrecorded }: ControllerContext, thread: Thread): boolean {
  const missing = unrecorded.get(thread.key);
  const isOver = ['complete', 'stopped', 'failed'].includes(thread.run.state);
  if (!isOver || !missing || !store.threads.has(thread.key)) return false;
  return pathTo(thread).some(({ key }) => missing.has(key));
}

/**
 * Whether more is shown of a run than the service has stored: because it was given up here, or because a tool of it asks. What is
 * shown does not disappear.
 */
export function showsMore({ run, messages }: Thread, content: ThreadContent): boolean {
  const { unfinishedRun: unfinished } = content;
  const shown = messages.get(run.answer ?? '');
  if (run.state === 'waiting') return unfinished !== null && (unfinished.id ?? run.id) === run.id;
  return run.state === 'interrupted' && !!shown && !hasMoreOfAnswer(content, shown, run.id);
}

/** Brings what is held of a thread in line with what was read. */
export function adopt(conversation: ControllerContext, thread: Thread, read: ThreadContent): void {
  const content = conversation.questions.complete(read);
  const unrecorded = conversation.unrecorded.get(thread.key);
  const {
    changes,
    lost,
    stored: recorded,
  } = mergeThreadContent(thread, content, conversation.createKey, unrecorded);
  for (const message of lost) {
    const { attachments } = message;
    conversation.drafts.giveBack(thread.key, { text: textOfMessage(message), attachments });
  }
  conversation.commit(thread.key, changes);
  conversation.drafts.confirm(thread.key, listQuestions(thread));
  for (const key of recorded) unrecorded?.delete(key);
  conversation.origins.settle(thread);
  retitle(conversation, content.thread.id ?? '', content.thread.title);
}

/** Joins the run that a thread was left with. */
export function resume(
  conversation: ControllerContext,
  thread: Thread,
  content: ThreadContent,
  note: unknown,
): void {
  const { backend, notes, runs } = conversation;
  const { unfinishedRun: unfinished } = content;
  const found = backend.rejoin ? findUnfinished(conversation, thread, unfinished, note) : null;
  // A record that is behind takes a run for unfinished whose end was seen here.
  const { state } = thread.run;
  const isOver = ['complete', 'stopped', 'failed'].includes(state);
  const isMistaken = isOver && found?.keys.answer === thread.run.answer;
  if (found && !isMistaken) return conversation.quietly(() => startRun(conversation, found));
  notes.keep('run', thread.id ?? '', null);
  // What is shown of an earlier end may not be there any more.
  const { answer } = thread.run;
  if (answer !== null && !thread.messages.has(answer)) {
    runs.get(thread.key)?.close();
    runs.delete(thread.key);
    conversation.commit(thread.key, [{ type: 'thread', set: { run: IDLE_RUN } }]);
  }
}

/** A thread has another title in the list. */
export function retitle(conversation: ControllerContext, id: string, title: string): void {
  const listed = conversation.store.threadList.get(id) as Partial<ThreadSummary> | undefined;
  if (!listed || listed.title === title) return;
  conversation.commit('', [createItemChange('threads', id, { ...listed, title })]);
}
