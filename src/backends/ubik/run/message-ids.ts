import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import { loadActiveBranch, type WireMessage } from '../api/messages.js';
import type { RunContext } from './ubik-run.js';

/** The person does not wait longer for names that only later acts need. */
const TIMEOUT = 4000;

/** What is known of an answer: its own id, that of its task. */
interface KnownIds {
  readonly taskId: string | null;
  readonly messageId: string | null;
}

/** One field of a message. */
export function setField(message: Key, name: string, value: Json): Change {
  return { type: 'set', message, part: null, path: [name], value };
}

/** The changes that tell what the service calls a message. */
export function createIdChanges(key: Key, { id, siblingIds, createdAt }: WireMessage): Change[] {
  const named = [setField(key, 'id', id), setField(key, 'siblingIds', siblingIds)];
  return createdAt === null ? named : [...named, setField(key, 'createdAt', createdAt)];
}

/**
 * What the service calls the messages of a run, and where they stand in its tree: changes of ids and siblings, never of content
 * (R3). Nothing when it cannot be read: it is read again with the thread. When the question follows a message that this page has
 * never read, another client has added it, which is reported.
 */
export async function loadMessageIds(context: RunContext, known: KnownIds): Promise<Change[]> {
  const { client, session, signal, keys, state } = context;
  const items = await loadActiveBranch(client, session, { signal, timeout: TIMEOUT }).catch(
    () => [],
  );
  const answers = items.filter(({ role }) => role === 'assistant').reverse();
  // By its id, by its task, else the newest message of all, which a record that is behind has told before.
  const answer =
    answers.find(({ id }) => id === known.messageId) ??
    answers.find(({ taskId }) => taskId !== null && taskId === known.taskId) ??
    answers.find((item) => item === items.at(-1) && !state.messageIds.has(item.id));
  if (!answer) return [];
  state.messageIds.add(answer.id);
  const user = items.find(({ id, role }) => id === answer.parentId && role === 'user');
  const before = items.find(({ id }) => id === user?.parentId);
  if (before && before.role !== 'system' && !state.messageIds.has(before.id)) {
    client.reportForeignChange(session);
  }
  const ofUser = user && keys.user !== null ? createIdChanges(keys.user, user) : [];
  return [...createIdChanges(keys.answer, answer), ...ofUser];
}
