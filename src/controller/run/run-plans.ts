import type { Draft } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { EMPTY_ANSWER, USER_TEXT, type Message, type MessageFields } from '../../model/message.js';
import { runIdOf, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import type { RunPlan } from './run-session.js';

/**
 * Plans a run whose answer is a new message. With a draft, a user message is added before the answer, and `fields` are the fields of
 * that message; without one, they are the fields of the answer. `user` is the key of the user message; without a draft, the plan does not add
 * that message, because it exists or the backend adds it.
 */
export function planAnswer(
  { createKey, environment }: ControllerContext,
  thread: Thread,
  fields: Partial<MessageFields>,
  draft: Draft | null = null,
  user: Key | null = draft && createKey(),
): RunPlan {
  const answer = createKey();
  const value: MessageFields = { ...EMPTY_ANSWER, createdAt: environment.now(), ...fields };
  const answerPosition = draft ? { parent: user, siblingIds: [] } : {};
  const optimisticChanges: Change[] = [
    { type: 'message', message: answer, value: { ...value, ...answerPosition } },
    { type: 'thread', set: { head: answer } },
  ];
  const rollbackChanges: Change[] = [
    { type: 'thread', set: { head: thread.head } },
    { type: 'remove', message: answer, part: null },
  ];
  if (draft && user !== null) {
    const { text, attachments } = draft;
    const part = { message: user, part: USER_TEXT };
    optimisticChanges.unshift(
      { type: 'message', message: user, value: { ...value, role: 'user', attachments } },
      { type: 'part', ...part, parent: null, before: null, value: { kind: 'text' } },
      { type: 'text', ...part, at: 0, text },
    );
    rollbackChanges.push({ type: 'remove', message: user, part: null });
  }
  return {
    thread,
    keys: { thread: thread.key, user, answer },
    optimisticChanges,
    rollbackChanges,
  };
}

/** Plans a run that continues in an existing answer. */
export function planContinuation(thread: Thread, message: Message): RunPlan {
  const { key, parent, status } = message;
  return {
    thread,
    id: runIdOf(thread, message),
    keys: { thread: thread.key, user: parent, answer: key },
    optimisticChanges: [createFieldChange(key, null, 'status', 'streaming')],
    rollbackChanges: [createFieldChange(key, null, 'status', status)],
  };
}
