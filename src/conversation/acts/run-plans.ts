import type { Draft, RunRef } from '../../backends/backend.js';
import { setField, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { EMPTY_ANSWER, type Message, type MessageFields } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import type { RunPlan } from '../run/run-session.js';

/** Key that the stored form of a question gives its one text, so that reading it again changes nothing. */
const QUESTION_TEXT: Key = '/0:text';

/** What is shown of a run from its beginning, and how that is taken back. */
type Shown = Pick<RunPlan, 'keys' | 'open' | 'back'>;

/** Where a new answer stands. */
interface Place extends Partial<MessageFields> {
  /** The message of the person. */
  readonly user: Key | null;
  /** What that message says, when it is shown at once; the fields are its own then, and the answer follows it. */
  readonly draft?: Draft;
}

/** A new answer, empty, as the newest message. */
export function planAnswer(
  { createKey, environment }: Conversation,
  thread: Thread,
  { user, draft, ...fields }: Place,
): Shown {
  const answer = createKey();
  const createdAt = environment.now();
  const open: Change[] = [];
  const back: Change[] = [
    { do: 'thread', set: { head: thread.head } },
    { do: 'remove', message: answer, part: null },
  ];
  let place: Partial<MessageFields> = fields;
  if (draft && user !== null) {
    const { text, attachments } = draft;
    const question = { message: user, part: QUESTION_TEXT };
    const asked = { ...EMPTY_ANSWER, createdAt, ...fields, role: 'user' as const, attachments };
    open.push(
      { do: 'message', message: user, value: asked },
      { do: 'part', ...question, parent: null, before: null, value: { kind: 'text' } },
      { do: 'text', ...question, at: 0, text },
    );
    back.push({ do: 'remove', message: user, part: null });
    place = { parent: user };
  }
  open.push(
    { do: 'message', message: answer, value: { ...EMPTY_ANSWER, createdAt, ...place } },
    { do: 'thread', set: { head: answer } },
  );
  return { keys: { thread: thread.key, user, answer }, open, back };
}

/** An answer that goes on where it is. */
export function planGoingOn(thread: Thread, { key, parent, status }: Message): Shown {
  return {
    keys: { thread: thread.key, user: parent, answer: key },
    open: [setField(key, null, 'status', 'streaming')],
    back: [setField(key, null, 'status', status)],
  };
}

/**
 * The run that a thread was left with: the service says that one may be on, or this browser kept a note of one that never came to
 * its end. Null when there is none. A note about an older message than the newest is outdated.
 */
export function findUnfinished(
  conversation: Conversation,
  thread: Thread,
  unfinished: RunRef | null,
  note: unknown,
): RunPlan | null {
  const last = pathTo(thread).at(-1);
  const { task } = Object(note) as { readonly task?: unknown };
  if (!last || (!unfinished && task === undefined)) return null;
  const id = unfinished?.id ?? (typeof task === 'string' ? task : null);
  if (last.role === 'user') {
    const place = { user: last.key, parent: last.key, createdAt: null };
    return { ...planAnswer(conversation, thread, place), id };
  }
  const isTheirs = id !== null && (last.taskId ?? id) === id;
  return unfinished || isTheirs ? { ...planGoingOn(thread, last), id } : null;
}
