import type { CheckpointInfo, Draft, InputAnswer } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { setField } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import { answerRequest, isArmed, listArmedRequests } from '../data/input-requests.js';
import { findMethod } from '../find-method.js';
import { beginRun } from '../run/run-course.js';
import { listCheckpoints } from './list-acts.js';
import { planAnswer, planGoingOn } from './run-plans.js';
import { checkFree, ensureThread, findFreeThread, refresh } from './thread-acts.js';

/** Sends a message; see `StreamController`. */
export async function send(conversation: Conversation, draft: Draft): Promise<void> {
  const { backend, current, drafts, options } = conversation;
  checkDraft(draft);
  if (current) checkFree(conversation, current.key);
  if (options.page?.online === false) {
    drafts.set(current?.key ?? null, draft);
    throw new UbikError('not-sent');
  }
  const { thread, ready } = ensureThread(conversation);
  const { key, head: parent } = thread;
  const plan = planAnswer(conversation, thread, { user: conversation.createKey(), draft, parent });
  drafts.send(key, draft);
  const run = {
    ...plan,
    start: (id: string, signal: AbortSignal) => backend.send(id, draft, plan.keys, signal),
    accepted: () => {
      drafts.sent(key);
      return [];
    },
    // A thread that could not be made is none: its text is that of the thread to be made.
    refused: () => drafts.giveBack(thread.id === null ? null : key, draft),
  };
  await beginRun(conversation, run, ready);
}

/** Sends another version of a message of the person. */
export async function edit(conversation: Conversation, key: Key, draft: Draft): Promise<void> {
  const ask = findMethod(conversation.backend, 'edit');
  checkDraft(draft);
  const [thread, message, id] =
    findNamed(conversation, key) ?? (await learnName(conversation, key));
  if (message.role !== 'user') throw new UbikError('misuse', 'Only questions can be edited.');
  const place = { ...besides(message, id), user: conversation.createKey(), draft };
  const plan = planAnswer(conversation, thread, place);
  await beginRun(conversation, {
    ...plan,
    rereads: true,
    start: (threadId, signal) => ask(threadId, id, draft, plan.keys, signal),
  });
}

/** Asks for another answer. */
export async function regenerate(conversation: Conversation, key: Key): Promise<void> {
  const ask = findMethod(conversation.backend, 'regenerate');
  const [thread, message, id] =
    findNamed(conversation, key) ?? (await learnName(conversation, key));
  const place = message.role === 'user' ? { parent: key } : besides(message, id);
  const plan = planAnswer(conversation, thread, { ...place, user: null });
  await beginRun(conversation, {
    ...plan,
    rereads: true,
    start: (threadId, signal) => ask(threadId, id, plan.keys, signal),
  });
}

/** Goes back to a checkpoint and on from there. */
export async function restore(
  conversation: Conversation,
  name: string,
  hint: string | null,
): Promise<void> {
  const ask = findMethod(conversation.backend, 'restoreCheckpoint');
  const [thread] = findFreeThread(conversation);
  const named = (await listCheckpoints(conversation)).filter((one) => one.name === name);
  const checkpoint = named.find(({ restorable }) => restorable) ?? named[0];
  if (!checkpoint) throw new UbikError('not-found', { offender: name });
  if (!checkpoint.restorable) {
    throw new UbikError('misuse', 'A newer checkpoint has this name.', { offender: name });
  }
  checkFree(conversation, thread.key);
  const set = findSetting(thread, checkpoint);
  const plan = planAnswer(conversation, thread, {
    user: null,
    parent: set ? set.parent : thread.head,
    origin: { checkpoint: name, hint },
  });
  await beginRun(conversation, {
    ...plan,
    rereads: true,
    start: (threadId, signal) => ask(threadId, checkpoint, hint, plan.keys, signal),
  });
}

/** Answers a request for input, once: one of a tool goes on in the message that asks, one of the agent in a message of its own. */
export async function provideInput(
  conversation: Conversation,
  key: Key,
  request: Key,
  answer: InputAnswer,
): Promise<void> {
  const ask = findMethod(conversation.backend, 'provideInput');
  const { current, createKey, runs } = conversation;
  const message = current?.messages.get(key);
  const part = message?.parts.get(request);
  if (current?.id == null || !message || !isArmed(part)) {
    throw new UbikError('misuse', 'This question is not open (any more).', { offender: request });
  }
  const session = runs.get(current.key);
  // An act on its way must not be cut off by another one.
  if (session?.active && session.pending && session.plan.start) throw new UbikError('busy');
  const isTool = part.level === 'tool';
  const plan = isTool
    ? planGoingOn(current, message)
    : planAnswer(conversation, current, { user: createKey(), parent: key });
  await beginRun(conversation, {
    ...plan,
    rereads: true,
    start: (threadId, signal) =>
      ask(threadId, { ...part, message: key }, answer, plan.keys, signal),
    accepted: () => {
      const asking = current.messages.get(key);
      if (!asking) return [];
      const isDone = !isTool && listArmedRequests(asking).length === 1;
      const changes = answerRequest(asking, request, answer);
      return isDone ? [...changes, setField(key, null, 'status', 'complete')] : changes;
    },
  });
}

/** A message that the server has named, in the current thread. */
function findNamed(conversation: Conversation, key: Key): [Thread, Message, string] | null {
  const [thread] = findFreeThread(conversation);
  const message = thread.messages.get(key);
  return message?.id == null ? null : [thread, message, message.id];
}

/** The same after reading the messages again: names come late. */
async function learnName(conversation: Conversation, key: Key): Promise<[Thread, Message, string]> {
  const [thread] = findFreeThread(conversation);
  await refresh(conversation, thread.key);
  const found = findNamed(conversation, key);
  if (!found) throw new UbikError('not-found');
  return found;
}

/** The place of another version of a message. */
function besides({ parent, siblingIds }: Message, id: string): Partial<Message> {
  return { parent, siblingIds: [...new Set([...siblingIds, id])] };
}

/** The message in which a checkpoint was set. */
function findSetting({ messages }: Thread, { name, taskId }: CheckpointInfo): Message | undefined {
  const answers = [...messages.values()].filter(({ role }) => role === 'assistant');
  return (
    answers.find((answer) => taskId !== null && answer.taskId === taskId) ??
    answers.find(({ parts }) => parts.get(`checkpoint:${name}`))
  );
}

function checkDraft({ text, attachments }: Draft): void {
  if (text.trim() !== '' || attachments.length > 0) return;
  throw new UbikError('misuse', 'There is nothing to send.');
}
