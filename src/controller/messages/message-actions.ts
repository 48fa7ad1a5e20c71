import type { CheckpointInfo, Draft, InputAnswer } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { countQuestions } from './delivery.js';
import {
  answerRequest,
  closeRequests,
  isPending,
  listPendingRequests,
} from '../requests/input-requests.js';
import { findCheckpointMessage } from '../checkpoints/checkpoint-timeline.js';
import { startRun, type RunPlan } from '../run/run-session.js';
import { listCheckpoints } from '../documents/document-actions.js';
import { planAnswer, planGoingOn } from '../run/run-plans.js';
import { refresh } from '../threads/thread-sync.js';
import { checkFree, ensureThread, findFreeThread } from '../threads/thread-actions.js';

/** Sends a message; see `StreamController`. */
export function send(conversation: ControllerContext, draft: Draft): Promise<void> {
  const { current, drafts, options } = conversation;
  checkDraft(draft);
  if (current) checkFree(conversation, current);
  if (options.page?.online === false) {
    drafts.set(current?.key ?? null, draft);
    throw new UbikError('not-sent');
  }
  const { thread, ready } = ensureThread(conversation);
  const { key } = thread;
  drafts.send(key, draft, countQuestions(thread));
  // A thread that could not be made, or was deleted, is none: its text is that of the thread to be made.
  const giveBack = (error?: UbikError) => {
    const isMade = thread.id !== null || conversation.creating.has(key);
    const place = isMade && conversation.store.threads.has(key) ? key : null;
    // Browsers send a request again by themselves when its connection breaks: then the service is busy with this very message.
    drafts.giveBack(place, draft, error?.code === 'busy');
  };
  return conversation.order.start(thread, () => {
    try {
      checkFree(conversation, thread);
    } catch (error) {
      giveBack();
      throw error;
    }
    const outcome = { accepted: () => drafts.sent(key, draft), refused: giveBack };
    return startRun(conversation, planQuestion(conversation, thread, draft, outcome), ready);
  });
}

/** A message of the person at the end of a thread. `outcome` is told what becomes of it. */
export function planQuestion(
  conversation: ControllerContext,
  thread: Thread,
  draft: Draft,
  outcome: { accepted(): void; refused(error: UbikError): void },
): RunPlan {
  const { head: parent } = thread;
  const last = thread.messages.get(parent ?? '');
  const asked = last ? listPendingRequests(last).filter(({ level }) => level === 'agent') : [];
  return {
    ...planAnswer(conversation, thread, { parent }, draft),
    call: ['send', draft],
    answersRequest: asked.length > 0,
    onRejected: (error) => {
      outcome.refused(error);
    },
    onAccepted: () => {
      outcome.accepted();
      const [oldest] = asked;
      if (!last || !oldest) return [];
      return [
        ...closeRequests(last),
        ...answerRequest(last, oldest.key, { type: 'text', text: draft.text }),
        createFieldChange(last.key, null, 'status', 'complete'),
      ];
    },
  };
}

/** Sends another version of a message of the person. A reload in the middle makes its text the draft. */
export function edit(conversation: ControllerContext, key: Key, draft: Draft): Promise<void> {
  checkDraft(draft);
  const { drafts } = conversation;
  return beginBeside(conversation, key, (thread, message, id) => {
    if (message.role !== 'user') throw new UbikError('misuse', 'Only questions can be edited.');
    const plan = planAnswer(conversation, thread, besides(message, id), draft);
    drafts.keep(thread.key, draft, countQuestions(thread, message.parent));
    return {
      ...plan,
      call: ['edit', id, draft],
      onAccepted: () => {
        drafts.sent(thread.key, draft);
        return [];
      },
      // Whoever asked for the edit still has the text.
      onRejected: () => drafts.sent(thread.key, draft),
    };
  });
}

/** Asks for another answer. */
export function regenerate(conversation: ControllerContext, key: Key): Promise<void> {
  return beginBeside(conversation, key, (thread, message, id) => {
    const place = message.role === 'user' ? { parent: key } : besides(message, id);
    return { ...planAnswer(conversation, thread, place), call: ['regenerate', id] };
  });
}

/** Restores a checkpoint and starts a run from there. A name is resolved with the list of the service; a listed checkpoint sends no request but the restore. */
export async function restoreCheckpoint(
  conversation: ControllerContext,
  target: CheckpointInfo | string,
  hint: string | null,
): Promise<void> {
  const thread = findFreeThread(conversation);
  const checkpoint =
    typeof target === 'string'
      ? await findByName(conversation, target)
      : findListed(thread, target);
  const { name } = checkpoint;
  if (!checkpoint.restorable) {
    throw new UbikError('misuse', 'A newer checkpoint has this name.', { offender: name });
  }
  await conversation.order.start(thread, () => {
    checkFree(conversation, thread);
    const { parent } = findCheckpointMessage(thread, checkpoint) ?? { parent: thread.head };
    const origin = { checkpoint: name, hint };
    const plan = planAnswer(conversation, thread, { parent, restoredFrom: origin });
    return startRun(conversation, { ...plan, call: ['restoreCheckpoint', checkpoint, hint] });
  });
}

/** Loads the checkpoints and returns the restorable one of a name, else the first of that name. */
async function findByName(conversation: ControllerContext, name: string): Promise<CheckpointInfo> {
  const named = (await listCheckpoints(conversation)).filter((listed) => listed.name === name);
  const checkpoint = named.find(({ restorable }) => restorable) ?? named[0];
  if (!checkpoint) throw new UbikError('not-found', { offender: name });
  return checkpoint;
}

/** The state of a checkpoint in the loaded list, which may have been reloaded since the caller read it; without an entry, the argument. */
function findListed(thread: Thread, checkpoint: CheckpointInfo): CheckpointInfo {
  const identity = identify(checkpoint);
  const listed = [...thread.list('checkpoints').values()].map(
    (value) => value as Partial<CheckpointInfo> | null,
  );
  const matches = listed.filter((entry) => entry !== null && identify(entry) === identity);
  const isOutdated = matches.length > 0 && matches.every((entry) => entry?.restorable === false);
  return isOutdated ? { ...checkpoint, restorable: false } : checkpoint;
}

function identify({ name, taskId, createdAt, id }: Partial<CheckpointInfo>): string {
  return JSON.stringify([name, taskId, createdAt, id]);
}

/** Answers a request for input, once: one of a tool goes on in the message that asks, one of the agent in a message of its own. */
export function provideInput(
  conversation: ControllerContext,
  key: Key,
  request: Key,
  answer: InputAnswer,
): Promise<void> {
  const { current: thread } = conversation;
  if (!thread) throw new UbikError('misuse', 'No thread is open.');
  return conversation.order.start(thread, () =>
    beginAnswer(conversation, thread, { key, request, answer }),
  );
}

function beginAnswer(
  conversation: ControllerContext,
  thread: Thread,
  { key, request, answer }: { key: Key; request: Key; answer: InputAnswer },
): Promise<void> {
  const { closed, createKey, runs } = conversation;
  if (closed) throw new UbikError('aborted');
  const message = thread.messages.get(key);
  const part = message?.parts.get(request);
  if (!message || !isPending(part)) {
    throw new UbikError('misuse', 'This question is not open (any more).', { offender: request });
  }
  const session = runs.get(thread.key);
  // An act on its way must not be cut off by another one.
  if (session?.isLive && !session.isConfirmed && session.plan.call) throw new UbikError('busy');
  const isTool = part.level === 'tool';
  const plan = isTool
    ? planGoingOn(thread, message)
    : planAnswer(conversation, thread, { parent: key }, null, createKey());
  return startRun(conversation, {
    ...plan,
    call: ['provideInput', { ...part, message: key }, answer],
    onAccepted: () => {
      const asking = thread.messages.get(key);
      if (!asking) return [];
      const isDone = !isTool && listPendingRequests(asking).length === 1;
      const changes = answerRequest(asking, request, answer);
      return isDone ? [...changes, createFieldChange(key, null, 'status', 'complete')] : changes;
    },
    onRejected: ({ code }) => {
      if (code !== 'not-open') return;
      conversation.commit(thread.key, [createFieldChange(key, request, 'state', 'closed')]);
      if (!isTool) void refresh(conversation, thread);
    },
  });
}

/** Begins what is to stand beside a message of the current thread. Names come late: one without is looked for at the service. */
async function beginBeside(
  conversation: ControllerContext,
  key: Key,
  plan: (thread: Thread, message: Message, id: string) => RunPlan,
): Promise<void> {
  const thread = findFreeThread(conversation);
  await conversation.order.start(thread, async () => {
    checkFree(conversation, thread);
    if (thread.messages.get(key)?.id == null) {
      await refresh(conversation, thread);
      checkFree(conversation, thread);
    }
    const message = thread.messages.get(key);
    // An answer in which a tool asks is not stored yet.
    const isWaiting = thread.run.state === 'waiting';
    const isUnrecorded = conversation.unrecorded.get(thread.key)?.has(key);
    const code = isWaiting ? 'busy' : isUnrecorded ? 'not-recorded' : 'not-found';
    if (message?.id == null) throw new UbikError(code);
    await startRun(conversation, plan(thread, message, message.id));
  });
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
