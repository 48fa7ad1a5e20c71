import type { RunRef } from '../../backend.js';
import type { Batch } from '../../../model/change.js';
import type { UbikContext } from '../requests/context.js';
import { createMemory } from './start-run.js';
import type { TaskRegistry } from './task-registry.js';
import { openTaskStream, readTaskStream } from './task-stream.js';

/** A run that is joined again. */
export interface RejoinOptions {
  readonly context: UbikContext;
  readonly registry: TaskRegistry;
  readonly session: string;
  readonly run: RunRef;
  readonly signal: AbortSignal;
}

/** Joins a run again by GET. What was told before is not told twice; without a memory of it, it is built out of sight first. */
export async function* rejoinRun(options: RejoinOptions): AsyncGenerator<Batch> {
  const { context, registry, session, run, signal } = options;
  const { keys } = run;
  const known = registry.find(session, run);
  const memory = known ?? createMemory(context, keys, registry.loadedSize(session, run.id));
  registry.keep(session, memory);
  if (memory.run.ended) {
    memory.connect();
    yield { thread: keys.thread, at: context.environment.now(), changes: memory.takeChanges(true) };
    return;
  }
  const taskId = run.id ?? memory.run.taskId;
  const body = await openTaskStream(context, session, { taskId }, signal);
  const stream = { context, registry, session, keys, memory, signal };
  yield* readTaskStream({ ...stream, expected: taskId, finished: run.finishedRuns }, body);
}
