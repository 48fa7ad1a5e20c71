import type { Draft, InputAnswer } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { setField } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import {
  answerRequest,
  closeRequests,
  isArmed,
  listArmedRequests,
} from '../data/input-requests.js';
import { beginRun } from '../run/run-course.js';
import type { RunPlan } from '../run/run-session.js';
import { findSetting } from '../ways/checkpoint-line.js';
import { listCheckpoints } from './list-acts.js';
import { planAnswer, planGoingOn } from './run-plans.js';
import { refresh } from './held-threads.js';
import { awaitNavigation, checkFree, ensureThread, findFreeThread } from './thread-acts.js';

/** Sends a message; see `StreamController`. */
export function send(conversation: Conversation, draft: Draft): Promise<void> {
  const { current, drafts, options } = conversation;
  checkDraft(draft);
  if (current) checkFree(conversation, current);
  const navigated = current && awaitNavigation(conversation, current);
  if (navigated) return sendAfter(conversation, current, navigated, draft);
  if (options.page?.online === false) {
    drafts.set(current?.key ?? null, draft);
    throw new UbikError('not-sent');
  }
  const { thread, ready } = ensureThread(conversation);
  const { key } = thread;
  drafts.send(key, draft);
  const plan = planQuestion(conversation, thread, draft, {
    accepted: () => drafts.sent(key),
    // A thread that could not be made is none: its text is that of the thread to be made.
    refused: () => {
      const isThread = thread.id !== null || conversation.creating.has(key);
      drafts.giveBack(isThread ? key : null, draft);
    },
  });
  return beginRun(conversation, plan, ready);
}

/** Sends behind the version that a thread shows in a moment. Whoever has left the thread by then finds the text in its draft. */
async function sendAfter(
  conversation: Conversation,
  thread: Thread,
  navigated: Promise<void>,
  draft: Draft,
): Promise<void> {
  await navigated;
  if (conversation.current === thread) return send(conversation, draft);
  const { drafts } = conversation;
  if (drafts.get(thread.key).text !== draft.text) drafts.giveBack(thread.key, draft);
  throw new UbikError('not-sent');
}

/** A message of the person at the end of a thread. `outcome` is told what becomes of it. */
export function planQuestion(
  conversation: Conversation,
  thread: Thread,
  draft: Draft,
  outcome: { accepted(): void; refused(): void },
): RunPlan {
  const { head: parent } = thread;
  const last = thread.messages.get(parent ?? '');
  const asked = last ? listArmedRequests(last).filter(({ level }) => level === 'agent') : [];
  return {
    ...planAnswer(conversation, thread, { parent }, draft),
    act: ['send', draft],
    answers: asked.length > 0,
    refused: () => {
      outcome.refused();
    },
    accepted: () => {
      outcome.accepted();
      const [oldest] = asked;
      if (!last || !oldest) return [];
      return [
        ...closeRequests(last),
        ...answerRequest(last, oldest.key, { type: 'text', text: draft.text }),
        setField(last.key, null, 'status', 'complete'),
      ];
    },
  };
}

/** Sends another version of a message of the person. */
export function edit(conversation: Conversation, key: Key, draft: Draft): Promise<void> {
  checkDraft(draft);
  return beginBeside(conversation, key, (thread, message, id) => {
    if (message.role !== 'user') throw new UbikError('misuse', 'Only questions can be edited.');
    const plan = planAnswer(conversation, thread, besides(message, id), draft);
    return { ...plan, act: ['edit', id, draft] };
  });
}

/** Asks for another answer. */
export function regenerate(conversation: Conversation, key: Key): Promise<void> {
  return beginBeside(conversation, key, (thread, message, id) => {
    const place = message.role === 'user' ? { parent: key } : besides(message, id);
    return { ...planAnswer(conversation, thread, place), act: ['regenerate', id] };
  });
}

/** Goes back to a checkpoint and on from there. */
export async function restore(
  conversation: Conversation,
  name: string,
  hint: string | null,
): Promise<void> {
  const thread = findFreeThread(conversation);
  const navigated = awaitNavigation(conversation, thread);
  if (navigated) await navigated;
  const named = (await listCheckpoints(conversation)).filter((one) => one.name === name);
  const checkpoint = named.find(({ restorable }) => restorable) ?? named[0];
  if (!checkpoint) throw new UbikError('not-found', { offender: name });
  if (!checkpoint.restorable) {
    throw new UbikError('misuse', 'A newer checkpoint has this name.', { offender: name });
  }
  checkFree(conversation, thread);
  const { parent } = findSetting(thread, checkpoint) ?? { parent: thread.head };
  const origin = { checkpoint: name, hint };
  const plan = planAnswer(conversation, thread, { parent, origin });
  await beginRun(conversation, { ...plan, act: ['restoreCheckpoint', checkpoint, hint] });
}

/** Answers a request for input, once: one of a tool goes on in the message that asks, one of the agent in a message of its own. */
export function provideInput(
  conversation: Conversation,
  key: Key,
  request: Key,
  answer: InputAnswer,
): Promise<void> {
  const { current: thread, createKey, runs } = conversation;
  const message = thread?.messages.get(key);
  const part = message?.parts.get(request);
  if (!thread || !message || !isArmed(part)) {
    throw new UbikError('misuse', 'This question is not open (any more).', { offender: request });
  }
  const session = runs.get(thread.key);
  // An act on its way must not be cut off by another one.
  if (session?.active && session.pending && session.act) throw new UbikError('busy');
  const isTool = part.level === 'tool';
  const plan = isTool
    ? planGoingOn(thread, message)
    : planAnswer(conversation, thread, { parent: key }, null, createKey());
  return beginRun(conversation, {
    ...plan,
    act: ['provideInput', { ...part, message: key }, answer],
    accepted: () => {
      const asking = thread.messages.get(key);
      if (!asking) return [];
      const isDone = !isTool && listArmedRequests(asking).length === 1;
      const changes = answerRequest(asking, request, answer);
      return isDone ? [...changes, setField(key, null, 'status', 'complete')] : changes;
    },
    refused: ({ code }) => {
      if (code !== 'not-open') return;
      conversation.commit(thread.key, [setField(key, request, 'state', 'closed')]);
      if (!isTool) void refresh(conversation, thread);
    },
  });
}

/** Begins what is to stand beside a message of the current thread. Names come late: one without is looked for at the service. */
async function beginBeside(
  conversation: Conversation,
  key: Key,
  plan: (thread: Thread, message: Message, id: string) => RunPlan,
): Promise<void> {
  const thread = findFreeThread(conversation);
  const navigated = awaitNavigation(conversation, thread);
  if (navigated) await navigated;
  if (thread.messages.get(key)?.id == null) await refresh(conversation, thread);
  checkFree(conversation, thread);
  const message = thread.messages.get(key);
  // An answer in which a tool asks is not stored yet.
  const isWaiting = thread.run.state === 'waiting';
  const isUnrecorded = conversation.unrecorded.get(thread.key)?.has(key);
  const code = isWaiting ? 'busy' : isUnrecorded ? 'not-recorded' : 'not-found';
  if (message?.id == null) throw new UbikError(code);
  await beginRun(conversation, plan(thread, message, message.id));
}

/** The place of another version of a message. */
function besides({ parent, siblingIds }: Message, id: string): Partial<Message> {
  return { parent, siblingIds: [...new Set([...siblingIds, id])] };
}

/** Throws when there is nothing in a message. */
export function checkDraft({ text, attachments }: Draft): void {
  if (text.trim() !== '' || attachments.length > 0) return;
  throw new UbikError('misuse', 'There is nothing to send.');
}
