import { UbikError } from '../../../errors.js';
import type { Batch } from '../../../model/change.js';
import type { Environment } from '../../../stream/environment.js';
import type { ServerSentEvent } from '../../../stream/event-parser.js';
import { readEventPieces } from '../../../stream/server-sent-events.js';
import type { UbikContext } from '../requests/context.js';
import { createEventReader, type EventReader } from '../wire/event-reader.js';
import { readId } from '../wire/fields.js';
import type { WireEvent } from '../wire/wire-event.js';
import { BatchMaker } from './batch-maker.js';
import type { TaskMemory } from './task-memory.js';

/** One stream of a task. */
export interface ConnectionOptions {
  readonly context: UbikContext;
  readonly body: ReadableStream<Uint8Array>;
  readonly memory: TaskMemory;
  readonly thread: string;
  readonly signal: AbortSignal;
  /** Looks at the task that the service says this stream is about; throws when it is the wrong one. */
  readonly checkTask: (taskId: string) => void;
}

/**
 * Reads one stream into the memory of its task and tells what changes, in slices, so that no flood freezes the page. Returns at the
 * run's end, or when the stream ends; throws when it breaks. The stream is closed in any case.
 */
export async function* readConnection(options: ConnectionOptions): AsyncGenerator<Batch> {
  const { context, memory, thread } = options;
  const events = createEventReader({
    limits: context.limits.deltas,
    maxDepth: context.limits.depth,
    onDiagnostic: (error) => context.report(error),
  });
  const batches = new BatchMaker(context, thread, memory);
  memory.connect();
  const first = batches.take(false);
  if (first) yield first;
  try {
    yield* readPieces(options, events, batches);
  } finally {
    events.end();
  }
}

async function* readPieces(
  options: ConnectionOptions,
  events: EventReader,
  batches: BatchMaker,
): AsyncGenerator<Batch> {
  const { context, body, memory, signal } = options;
  const maxEventBytes = context.limits.eventBytes;
  const pieces = readEventPieces(body, { signal, maxEventBytes });
  try {
    let next = pieces.next();
    while (!memory.run.ended) {
      yield* settleWhileSilent(next, batches, context.environment);
      const { done, value } = await next;
      if (done) break;
      yield* takePiece(value, options, events, batches);
      if (!memory.run.ended) next = pieces.next();
    }
  } catch (error) {
    // What came before a break is shown before it is told.
    const last = memory.isDirty && !signal.aborted ? batches.take(true) : null;
    if (last) yield last;
    throw error;
  } finally {
    await pieces.return();
  }
  const last = memory.isDirty ? batches.take(true) : null;
  if (last) yield last;
}

async function* takePiece(
  records: readonly ServerSentEvent[],
  options: ConnectionOptions,
  events: EventReader,
  batches: BatchMaker,
): AsyncGenerator<Batch> {
  const { context, memory } = options;
  const { environment } = context;
  const budget = context.limits.sliceBudget ?? 8;
  let started = environment.monotonic();
  for (const record of records) {
    const event = events.read(record);
    if (event) takeEvent(event, options);
    if (memory.run.ended) break;
    if (environment.monotonic() - started < budget) continue;
    const batch = batches.take(false);
    if (batch) yield batch;
    await environment.pause();
    started = environment.monotonic();
  }
  const batch = batches.take(memory.run.ended);
  if (batch) yield batch;
}

function takeEvent(event: WireEvent, { memory, checkTask }: ConnectionOptions): void {
  if (event.type === 'connection_established') {
    const taskId = readId(event.fields, 'task_id');
    if (taskId !== null) checkTask(taskId);
  }
  memory.take(event);
}

/** A late event that waits is put in order in time, also when nothing more comes. */
async function* settleWhileSilent(
  next: Promise<unknown>,
  batches: BatchMaker,
  environment: Environment,
): AsyncGenerator<Batch> {
  const { wait } = batches;
  if (wait === null) return;
  let isSilent = false;
  await new Promise<void>((resolve) => {
    const timer = environment.setTimer(() => {
      isSilent = true;
      resolve();
    }, wait);
    const stop = (): void => {
      environment.clearTimer(timer);
      resolve();
    };
    next.then(stop, stop);
  });
  const batch = isSilent ? batches.take(true) : null;
  if (batch) yield batch;
}

/** The error of a stream that ended before its run did. */
export function createCutError(): UbikError {
  return new UbikError('interrupted', 'The stream ended before the answer did.');
}
