import type { RunRef, RunStream, StoredMessage } from '../../backends/backend.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { textOf, textOfMessage } from '../messages/message-text.js';

/** A run whose request was sent and whose response was lost. */
export interface LostRun {
  readonly thread: Thread;
  readonly ref: RunRef;
  /** The user's message that started it. */
  readonly question: Message;
}

/**
 * Joins a run whose id is unknown because the response to its request was lost. Finds the run by the stored user message that started
 * it, because the newest run may belong to another client.
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
  // A parent without an id cannot be compared.
  const hasSameParent = ({ parentId }: StoredMessage) =>
    parent?.id === null || (parent?.id ?? null) === parentId;
  // If the stored messages cannot be loaded, the backend locates the run by `ref` alone.
  const load = async () => backend.loadThread(thread.id ?? '', signal);
  const content = await load().catch(() => null);
  const shown = [...thread.messages.values()];
  const known = new Set(shown.map(({ id }) => id));
  const knownRuns = new Set([...shown.map(({ runId }) => runId), ...ref.otherRunIds]);
  const newest = [...(content?.messages ?? [])].reverse();
  const runIdOf = ({ fields }: StoredMessage) => fields.runId ?? [];
  /** The run ids of a message and of the answer after it. */
  const listRunIds = (at: number) =>
    newest
      .slice(Math.max(0, at - 1), at + 1)
      .reverse()
      .flatMap(runIdOf);
  // A service without branches stores an edited message under its old id; then only its run is new.
  const isReplaced = (at: number) =>
    !backend.capabilities.has('branches') && listRunIds(at).some((id) => !knownRuns.has(id));
  const at = newest.findIndex(
    (stored, index) =>
      stored.fields.role === 'user' &&
      (!known.has(stored.id) || isReplaced(index)) &&
      hasSameParent(stored) &&
      textOf(stored.parts) === text,
  );
  if (at < 0) return { ...ref, otherRunIds: [...ref.otherRunIds, ...newest.flatMap(runIdOf)] };
  const [id = null] = listRunIds(at);
  return { ...ref, id };
}
