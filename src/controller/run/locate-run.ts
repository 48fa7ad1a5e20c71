import type { RunRef, RunStream, StoredMessage } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { textOf, textOfMessage } from '../messages/message-text.js';
import { hasNothingToJoin, toUbikError } from './classify-error.js';

/** A run whose request was sent and whose response was lost. */
export interface LostRun {
  readonly thread: Thread;
  readonly ref: RunRef;
  /** The user's message that started it; or its answer, if that was loaded since and so has an id. */
  readonly message: Message;
  /** Whether the run is confirmed: then the first batch must contain the id of the run. */
  readonly isConfirmed: boolean;
  /** Whether a stop request is sent as soon as the run is confirmed. It contains the id of the run, so the first batch must contain that id. */
  readonly isStopDeferred: boolean;
}

/**
 * Joins a run whose id is unknown because the response to its request was lost. Finds the run by the stored user message that started
 * it, because the newest run may belong to another client. A stored message proves that the run exists, even if the service has no stream of
 * it: the first batch reports that.
 */
export async function* joinLostRun(
  context: ControllerContext,
  lost: LostRun,
  signal: AbortSignal,
): RunStream {
  const { thread, message } = lost;
  const rejoin = context.requireMethod('rejoin');
  const [ref, id] = await locateRun(context, lost, signal);
  const changes: readonly Change[] = [
    createFieldChange(message.key, null, 'id', id),
    { type: 'thread', set: { run: { id: ref.id } } },
  ];
  const isReported = id !== null && (ref.id !== null || !(lost.isConfirmed || lost.isStopDeferred));
  if (isReported) yield { thread: thread.key, time: context.environment.now(), changes };
  try {
    yield* rejoin(thread.id ?? '', ref, signal);
  } catch (error) {
    const isStored = id !== null && !lost.isConfirmed && !isReported;
    // The message is not taken back; another search may find the id of its run.
    if (isStored && hasNothingToJoin(toUbikError(error)))
      throw new UbikError('interrupted', { cause: error });
    throw error;
  }
}

/** Returns the reference to the run, and the service's id of the message that started it; null while that id is unknown. */
async function locateRun(
  { backend }: ControllerContext,
  { thread, ref, message: question }: LostRun,
  signal: AbortSignal,
): Promise<readonly [RunRef, string | null]> {
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
  const at = newest.findIndex((stored, index) =>
    question.id === null
      ? stored.fields.role === 'user' &&
        (!known.has(stored.id) || isReplaced(index)) &&
        hasSameParent(stored) &&
        textOf(stored.parts) === text
      : stored.id === question.id,
  );
  const stored = newest[at];
  if (!stored) {
    const otherRunIds = [...ref.otherRunIds, ...newest.flatMap(runIdOf)];
    return [{ ...ref, otherRunIds }, question.id];
  }
  const [id = null] = listRunIds(at);
  return [{ ...ref, id }, stored.id];
}
