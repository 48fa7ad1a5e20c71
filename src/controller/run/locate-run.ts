import type { RunRef, RunStream, StoredMessage } from '../../backends/backend.js';
import { textOf, textOfMessage } from '../data/adopt-content.js';
import type { Message } from '../../model/message.js';
import { findMethod } from '../find-method.js';
import { refOf, type RunSession } from './run-session.js';

/**
 * The stream of a run that is joined. When the answer to a question was lost, the stored messages tell which run it has started:
 * the newest one may be somebody else's, even with the same text at another place.
 */
export function openRun(session: RunSession, signal: AbortSignal): RunStream {
  const { call: act, conversation, keys, pending, thread } = session;
  const rejoin = findMethod(conversation.backend, 'rejoin');
  const [id, ref] = refOf(session);
  const question = thread.messages.get(keys.user ?? '');
  if (!act || !pending || ref.id !== null || !question) return rejoin(id, ref, signal);
  return (async function* () {
    yield* rejoin(id, await findRun(session, ref, question, signal), signal);
  })();
}

async function findRun(
  { conversation, thread }: RunSession,
  ref: RunRef,
  question: Message,
  signal: AbortSignal,
): Promise<RunRef> {
  const text = textOfMessage(question);
  const parent = thread.messages.get(question.parent ?? '');
  // A parent that has no name yet cannot be compared.
  const isHere = ({ parentId }: StoredMessage) =>
    parent?.id === null || (parent?.id ?? null) === parentId;
  // What cannot be read tells nothing.
  const content = await conversation.backend.loadThread(thread.id ?? '', signal).catch(() => null);
  const known = new Set([...thread.messages.values()].map(({ id }) => id));
  const newest = [...(content?.messages ?? [])].reverse();
  const at = newest.findIndex(
    (stored) =>
      stored.fields.role === 'user' &&
      !known.has(stored.id) &&
      isHere(stored) &&
      textOf(stored.parts) === text,
  );
  const taskOf = ({ fields }: StoredMessage) => fields.taskId ?? [];
  if (at < 0) return { ...ref, finishedRuns: [...ref.finishedRuns, ...newest.flatMap(taskOf)] };
  const [task = null] = newest
    .slice(Math.max(0, at - 1), at + 1)
    .reverse()
    .flatMap(taskOf);
  return { ...ref, id: task };
}
