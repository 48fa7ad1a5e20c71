import type { StoredMessage, ThreadContent } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { PartTree } from '../../../model/part.js';
import { loadActiveBranch, toStoredMessages, type SessionMessage } from '../api/messages.js';
import type { UbikClient } from '../api/client.js';
import { loadSession } from '../api/threads.js';
import type { SessionState } from './session-state.js';

/** Loads the active branch of a session, with the requests that are pending according to the service's history (UBIK R7). */
export async function loadThread(
  client: UbikClient,
  state: SessionState,
  session: string,
  signal?: AbortSignal,
): Promise<ThreadContent> {
  const [items, { title }] = await Promise.all([
    loadActiveBranch(client, session, { signal }),
    loadSession(client, session, signal),
  ]);
  const messages = await toStoredMessages(client, items);
  const head = messages.at(-1);
  if (head && mayWait(head)) {
    // If this code cannot be loaded, the history is shown without its requests.
    const module = await import('./stored-requests.js').catch(() => null);
    const completed = await module?.addPendingRequests(client, state, { session, head, signal });
    messages.splice(-1, 1, completed ?? { ...head, lacksRequests: true });
  }
  if (signal?.aborted) throw new UbikError('aborted');
  recordTasks(state, messages);
  return {
    thread: { id: session, title },
    messages,
    headId: head?.id ?? null,
    unfinishedRun: messages.at(-1)?.requests.length
      ? null
      : findUnfinishedRun(state, session, items),
  };
}

/**
 * Returns the run of a user's message without an answer, or of a message that is unfinished according to the state of this page (UBIK 3.4).
 */
function findUnfinishedRun(
  { runs, continuedTask }: SessionState,
  session: string,
  items: readonly SessionMessage[],
): ThreadContent['unfinishedRun'] {
  const newest = items.at(-1);
  if (!newest) return null;
  const { id, role, taskId } = newest;
  const isInProgress =
    taskId === continuedTask ||
    [...runs.values()].some(({ status }) => !status.ended && status.taskId === taskId);
  if (role !== 'user' && (role === 'system' || taskId === null || !isInProgress)) return null;
  const others = items.map((item) => item.taskId).filter((other) => other !== taskId);
  return {
    id: taskId,
    // Placeholders: the newest message may be a question without an answer, and the controller uses its own keys.
    keys: { thread: session, user: null, answer: id },
    otherRunIds: others.filter((other) => other !== null),
  };
}

/** Records the ids of the messages, the task and size of each assistant message, and the head. */
function recordTasks(state: SessionState, messages: readonly StoredMessage[]): void {
  state.head = null;
  for (const { id, fields, parts } of messages) {
    const { runId: taskId } = fields;
    state.messageIds.add(id);
    const size = measureParts(parts);
    state.head = fields.role === 'assistant' ? { taskId, size } : null;
    if (state.head && taskId !== null) state.taskSizes.set(taskId, size);
  }
}

/** Returns the size of parts, in the unit of `SessionState.taskSizes`. */
function measureParts(parts: readonly PartTree[]): number {
  let size = 0;
  for (const part of parts) {
    size += 1 + (part.text?.length ?? 0);
    if (part.kind === 'tool') size += (part.input?.length ?? 0) + (part.result?.length ?? 0);
    if (part.parts) size += measureParts(part.parts);
  }
  return size;
}

/** Whether a message has an unanswered request or an unfinished tool, so that it may wait for the user. */
function mayWait({ fields, parts }: StoredMessage): boolean {
  return fields.role === 'assistant' && parts.some(isUnfinished);
}

function isUnfinished(part: PartTree): boolean {
  if (part.kind === 'input-request') return part.answer === null;
  return (part.kind === 'tool' && part.state !== 'done') || part.parts?.some(isUnfinished) === true;
}
