import { isUbikError, UbikError } from '../../../errors.js';
import type { Batch } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { getExecution } from '../requests/executions.js';
import { getBranch } from '../requests/messages.js';
import type { Run, RunPlace } from './run.js';

/** Whether an execution that has asked asks no more. What cannot be read tells nothing. */
async function isAnswered({ service, signal }: RunPlace, executionId: string): Promise<boolean> {
  const execution = await getExecution(service, executionId, signal).catch(() => null);
  return execution !== null && execution.status !== 'waiting_for_input';
}

/**
 * Batches of a run that was joined. A stream tells what tools have asked, but not that somebody has answered while another tool
 * still asks: each question that was asked before is looked up, once, before it is shown.
 */
export async function* closeAnswered(
  { memory, place, batch }: Run,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  const known = new Set<Key>();
  for await (const told of batches) {
    const asking = memory.listAsking().filter(([key]) => !known.has(key));
    for (const [key] of asking) known.add(key);
    const answered = await Promise.all(
      asking.map(async ([key, id]) => ((await isAnswered(place, id)) ? key : [])),
    );
    for (const key of answered.flat()) memory.answer(key, null);
    const isChanged = answered.flat().length > 0;
    yield isChanged ? batch([...told.changes, ...memory.takeChanges(false)]) : told;
  }
}

/** Why an execution does not take an answer: when it asks no more, somebody was quicker. */
export async function explainRefusal(
  place: RunPlace,
  executionId: string,
  error: unknown,
): Promise<unknown> {
  const isRefusal = isUbikError(error) && (error.status === 409 || error.status === 404);
  if (!isRefusal || !(await isAnswered(place, executionId))) return error;
  return new UbikError('not-open', { cause: error });
}

/**
 * Rejects when an agent's question, asked in a message, was answered from elsewhere: then the conversation has gone on behind it, and
 * the answer would be a message that nobody has asked for. What cannot be read tells nothing.
 */
export async function checkOpen(place: RunPlace, message: Key): Promise<void> {
  const { service, session, notes, signal } = place;
  const task = notes.runs.get(message)?.run.taskId ?? notes.head?.taskId;
  if (task == null) return;
  const items = await getBranch(service, session, { signal }).catch(() => []);
  const at = items.map(({ taskId }) => taskId).lastIndexOf(task);
  const later = at < 0 ? [] : items.slice(at + 1);
  if (later.some(({ role }) => role === 'user')) throw new UbikError('not-open');
}
