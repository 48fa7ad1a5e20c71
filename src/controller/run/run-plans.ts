import type { Draft, RunRef } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { EMPTY_ANSWER, USER_TEXT, type Message, type MessageFields } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import type { RunPlan } from './run-session.js';

/**
 * A new answer, empty, as the newest message. A draft is shown before it as the question; then the fields are those of the
 * question. `user` is the key of the person's message.
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
  const place = draft ? { parent: user, siblingIds: [] } : {};
  const open: Change[] = [
    { type: 'message', message: answer, value: { ...value, ...place } },
    { type: 'thread', set: { head: answer } },
  ];
  const back: Change[] = [
    { type: 'thread', set: { head: thread.head } },
    { type: 'remove', message: answer, part: null },
  ];
  if (draft && user !== null) {
    const { text, attachments } = draft;
    const part = { message: user, part: USER_TEXT };
    open.unshift(
      { type: 'message', message: user, value: { ...value, role: 'user', attachments } },
      { type: 'part', ...part, parent: null, before: null, value: { kind: 'text' } },
      { type: 'text', ...part, at: 0, text },
    );
    back.push({ type: 'remove', message: user, part: null });
  }
  return {
    thread,
    keys: { thread: thread.key, user, answer },
    optimisticChanges: open,
    rollbackChanges: back,
  };
}

/** An answer that goes on where it is. */
export function planGoingOn(thread: Thread, { key, parent, status }: Message): RunPlan {
  return {
    thread,
    keys: { thread: thread.key, user: parent, answer: key },
    optimisticChanges: [createFieldChange(key, null, 'status', 'streaming')],
    rollbackChanges: [createFieldChange(key, null, 'status', status)],
  };
}

/**
 * The run that a thread was left with: the service says that one may be on, or this browser kept a note of one that never came to
 * its end. Null when there is none. A note about an older message than the newest is outdated.
 */
export function findUnfinished(
  conversation: ControllerContext,
  thread: Thread,
  unfinished: RunRef | null,
  note: unknown,
): RunPlan | null {
  const last = pathTo(thread).at(-1);
  const { task } = Object(note) as { readonly task?: unknown };
  if (!last || (!unfinished && task === undefined)) return null;
  const id = unfinished?.id ?? (typeof task === 'string' ? task : null);
  if (last.role === 'user') {
    const place = { parent: last.key, createdAt: null };
    return { ...planAnswer(conversation, thread, place, null, last.key), id };
  }
  const isTheirs = id !== null && (last.taskId ?? id) === id;
  return unfinished || isTheirs ? { ...planGoingOn(thread, last), id } : null;
}
