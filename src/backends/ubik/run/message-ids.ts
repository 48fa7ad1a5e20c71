import { createFieldChange, type Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import { loadActiveBranch, type SessionMessage } from '../api/messages.js';
import type { RunContext } from './ubik-run.js';

/** Longest time, in ms, that the end of a run is delayed to load ids which only later actions need. */
const TIMEOUT = 4000;

/** Ids of an answer that events have reported. */
interface KnownIds {
  readonly taskId: string | null;
  readonly messageId: string | null;
}

/** Creates the changes that set the service's ids of a message and of its versions, and its time. */
export function createIdChanges(key: Key, { id, siblingIds, createdAt }: SessionMessage): Change[] {
  const setField = (name: string, value: Json) => createFieldChange(key, null, name, value);
  const changes = [setField('id', id), setField('siblingIds', siblingIds)];
  return createdAt === null ? changes : [...changes, setField('createdAt', createdAt)];
}

/**
 * Loads the service's ids of a run's messages and of their versions, and their times; never content (UBIK R13). Empty when they cannot be loaded;
 * they are then set when the thread is loaded the next time. If the user's message follows a message that this page has never loaded,
 * another client has added that message, which is reported as an external change.
 */
export async function loadMessageIds(context: RunContext, known: KnownIds): Promise<Change[]> {
  const { client, session, signal, keys, state } = context;
  const items = await loadActiveBranch(client, session, { signal, timeout: TIMEOUT }).catch(
    () => [],
  );
  const answers = items.filter(({ role }) => role === 'assistant').reverse();
  // The answer with the known id, else that of the known task; else the newest message if it is of no other task and was not known before:
  // stored messages may lag behind.
  const answer =
    answers.find(({ id }) => id === known.messageId) ??
    answers.find(({ taskId }) => taskId !== null && taskId === known.taskId) ??
    answers.find(
      (item) =>
        item === items.at(-1) &&
        !state.messageIds.has(item.id) &&
        (item.taskId === null || known.taskId === null),
    );
  if (!answer) return [];
  state.messageIds.add(answer.id);
  const user = items.find(({ id, role }) => id === answer.parentId && role === 'user');
  const before = items.find(({ id }) => id === user?.parentId);
  if (before && before.role !== 'system' && !state.messageIds.has(before.id)) {
    client.reportExternalChange(session);
  }
  const ofUser = user && keys.user !== null ? createIdChanges(keys.user, user) : [];
  return [...createIdChanges(keys.answer, answer), ...ofUser];
}
