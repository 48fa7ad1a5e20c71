import type { RunKeys } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { readContentKind } from '../../../stream/content-kind.js';
import { encodePath } from '../../../stream/http.js';
import type { UbikContext } from '../requests/context.js';
import { readIdentity } from './after-run.js';
import { createCutError, readConnection } from './read-connection.js';
import type { TaskMemory } from './task-memory.js';
import type { TaskRegistry } from './task-registry.js';

/** Where a stream of events belongs. */
export interface TaskStreamOptions {
  readonly context: UbikContext;
  readonly registry: TaskRegistry;
  readonly session: string;
  readonly keys: RunKeys;
  readonly memory: TaskMemory;
  readonly signal: AbortSignal;
  /** The task that is expected; null when any that is not known is the right one. */
  readonly expected: string | null;
  /** Tasks that ended before; null for the stream that our own POST has opened, which is about nothing else. */
  readonly finished: readonly string[] | null;
}

/** Opens the stream of a task; of the newest one when there is no id. */
export async function openTaskStream(
  context: UbikContext,
  session: string,
  target: { readonly taskId: string | null; readonly url?: string | null },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { taskId, url } = target;
  const response = await context.http.request({
    method: 'GET',
    ...(url
      ? { url }
      : {
          path: encodePath`/agent-sessions/${session}/stream`,
          query: { task_id: taskId },
        }),
    accept: 'text/event-stream',
    signal,
    timeout: context.limits.timeout ?? 30_000,
    ...(context.tokenParameter === undefined ? {} : { tokenParameter: context.tokenParameter }),
  });
  const { kind, body } = await readContentKind(response);
  if (kind === 'events' || kind === 'unknown') return body;
  await body.cancel();
  throw new UbikError('not-an-api', 'The service answered with something else than events.');
}

/** Reads one stream of a run to the run's end; at the end come the names of its messages, and last of all the run's own end. */
export async function* readTaskStream(
  options: TaskStreamOptions,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Batch> {
  const { context, memory, keys, signal } = options;
  const held: Change[] = [];
  const connection = readConnection({
    context,
    body,
    memory,
    thread: keys.thread,
    signal,
    checkTask: (taskId) => checkTask(options, taskId),
  });
  try {
    for await (const batch of connection) yield holdEnd(batch, memory, held);
  } catch (error) {
    // The question is what the person sees; the stream is not needed until it is answered.
    if (memory.run.state !== 'waiting' || signal.aborted) throw error;
  }
  if (!memory.run.ended && memory.run.state !== 'waiting') {
    if (!memory.isStopping) throw createCutError();
    memory.endStopped();
    yield holdEnd(makeBatch(options, memory.takeChanges(true)), memory, held);
  }
  yield* endRun(options, held);
}

async function* endRun(options: TaskStreamOptions, held: readonly Change[]): AsyncGenerator<Batch> {
  const { context, registry, session, keys, memory, signal } = options;
  const { taskId, state } = memory.run;
  if (taskId !== null && state !== 'waiting') registry.noteKnown(session, taskId);
  const names = await readIdentity(context, session, keys, memory.run, signal);
  yield makeBatch(options, [...names, ...held]);
}

/** The end of the run is told after everything else: whoever hears of it closes the stream. */
function holdEnd(batch: Batch, memory: TaskMemory, held: Change[]): Batch {
  if (!memory.run.ended) return batch;
  held.push(...batch.changes.filter((change) => change.do === 'thread'));
  return { ...batch, changes: batch.changes.filter((change) => change.do !== 'thread') };
}

function makeBatch({ context, keys }: TaskStreamOptions, changes: readonly Change[]): Batch {
  return { thread: keys.thread, at: context.environment.now(), changes };
}

/** A stream about another task is not shown: it is the replay of an old one. */
function checkTask(options: TaskStreamOptions, taskId: string): void {
  const { expected, finished, registry, session, memory } = options;
  const known = expected ?? memory.run.taskId;
  if (known !== null) {
    if (known === taskId) return;
    throw new UbikError('interrupted', 'The service streams another run than the one asked for.');
  }
  if (finished === null) return;
  if (!finished.includes(taskId) && !registry.isKnown(session, taskId)) return;
  throw new UbikError('not-sent', 'The message did not reach the service; the text is kept.');
}
