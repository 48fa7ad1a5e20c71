import type { RunRef, RunStream, StoredMessage } from '../../backends/backend.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { textOf, textOfMessage } from '../threads/merge-thread-content.js';

/** A run that was requested and whose response was lost. */
export interface LostRun {
  readonly thread: Thread;
  readonly ref: RunRef;
  /** The user's message that started it. */
  readonly question: Message;
}

/**
 * Joins a run whose id is not known because the response to its request was lost. The stored messages tell which run the question has
 * started: the newest run may belong to another client, even with the same text in another place.
 */
export async function* joinLostRun(
  context: ControllerContext,
  lost: LostRun,
  signal: AbortSignal,
): RunStream {
  const rejoin = context.requireMethod('rejoin');
  yield* rejoin(lost.thread.id ?? '', await locateRun(context, lost, signal), signal);
}

async function locateRun(
  { backend }: ControllerContext,
  { thread, ref, question }: LostRun,
  signal: AbortSignal,
): Promise<RunRef> {
  const text = textOfMessage(question);
  const parent = thread.messages.get(question.parent ?? '');
  // A parent that has no id yet cannot be compared.
  const isHere = ({ parentId }: StoredMessage) =>
    parent?.id === null || (parent?.id ?? null) === parentId;
  // Without the stored messages the run is joined by what is known of it.
  const content = await backend.loadThread(thread.id ?? '', signal).catch(() => null);
  const shown = [...thread.messages.values()];
  const known = new Set(shown.map(({ id }) => id));
  const knownTasks = new Set([...shown.map(({ taskId }) => taskId), ...ref.finishedRuns]);
  const newest = [...(content?.messages ?? [])].reverse();
  const taskOf = ({ fields }: StoredMessage) => fields.taskId ?? [];
  /** The tasks of a message and of the answer after it. */
  const listTasks = (at: number) =>
    newest
      .slice(Math.max(0, at - 1), at + 1)
      .reverse()
      .flatMap(taskOf);
  // Without branches, an edited question is stored under its old id: only its run is new.
  const isReplaced = (at: number) =>
    !backend.capabilities.has('branches') && listTasks(at).some((task) => !knownTasks.has(task));
  const at = newest.findIndex(
    (stored, index) =>
      stored.fields.role === 'user' &&
      (!known.has(stored.id) || isReplaced(index)) &&
      isHere(stored) &&
      textOf(stored.parts) === text,
  );
  if (at < 0) return { ...ref, finishedRuns: [...ref.finishedRuns, ...newest.flatMap(taskOf)] };
  const [task = null] = listTasks(at);
  return { ...ref, id: task };
}
