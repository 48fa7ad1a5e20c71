import { isUbikError, UbikError } from '../../errors.js';
import type { Batch, Change } from '../../model/change.js';
import type { Environment, Timer } from '../../transport/environment.js';
import { readEventChunks, type ServerSentEvent } from '../../transport/sse.js';
import { BatchWriter, createBatch, type BatchOptions } from './batch-writer.js';
import type { StreamedRun } from './streamed-run.js';

/** Options of {@link followStream}. */
export interface FollowOptions extends BatchOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Longest time, in ms, that events are applied for before yielding to the event loop; 8 by default. */
  readonly sliceBudget?: number | undefined;
  /** Maximum size of one event, in bytes: see `readServerSentEvents`. */
  readonly maxEventBytes?: number | undefined;
  /** Whether a last event without a final blank line counts: see `readServerSentEvents`. */
  readonly flushAtEnd?: boolean | undefined;
}

/**
 * Reads the stream of a run to the end of the run, and emits its changes: see `RunStream` for the meaning of batches.
 *
 * @throws {UbikError} The error that broke the stream; `interrupted` when the stream ends before the run, and in place of `network` after the
 * service has set a reconnection time (`retry:`). That time is the `retryAfter` of the error. Events received before are emitted first, except
 * after an abort.
 */
export async function* followStream(
  body: ReadableStream<Uint8Array>,
  run: StreamedRun,
  options: FollowOptions,
): AsyncGenerator<Batch, void, undefined> {
  const { signal } = options;
  const writer = new BatchWriter(run, options);
  const reader = new StreamReader(body, run, writer, options);
  let failure: Error | null = null;
  try {
    yield* reader.read();
  } catch (error) {
    failure = error as Error;
  }
  if (run.isWaiting && !signal.aborted) yield* finishLookups(run, options);
  // Nobody reads this stream any more. Changes that were applied but not emitted are emitted by the next connection.
  if (signal.aborted) throw failure ?? new UbikError('aborted');
  const isOver = run.isEnded || run.isWaiting;
  if (!isOver && (failure || !run.tryEndWithoutEvent())) {
    const last = writer.write(true);
    if (last) yield last;
    throw addReconnectionTime(failure, reader.reconnectionTime);
  }
  yield* endRun(run, options);
}

/** Returns the error of a stream that has ended or broken, with the delay after which the service wants it to be opened again. */
function addReconnectionTime(failure: Error | null, retryAfter: number | undefined): Error {
  const isBroken = !failure || (isUbikError(failure) && failure.code === 'network');
  if (failure && (retryAfter === undefined || !isBroken)) return failure;
  return new UbikError('interrupted', { cause: failure ?? undefined, retryAfter });
}

/** Emits the end of a run after everything else, including the ids of its messages, because the consumer stops reading at the end. */
export async function* endRun(
  run: Pick<StreamedRun, 'drainChanges' | 'onEnd' | 'loadFinalChanges'>,
  options: BatchOptions,
): AsyncGenerator<Batch, void, undefined> {
  run.onEnd();
  const changes = run.drainChanges(true);
  yield createBatch(options, changes.filter(isOfMessage));
  const finalChanges = await run.loadFinalChanges();
  yield createBatch(options, [
    ...finalChanges,
    ...changes.filter((change) => !isOfMessage(change)),
  ]);
}

/** Waits for the lookups, which decide whether the run waits for input. All other changes are emitted before, in case a response is late. */
async function* finishLookups(run: StreamedRun, options: FollowOptions): AsyncGenerator<Batch> {
  const { lookups } = run;
  await lookups?.start();
  if (!lookups?.next || options.signal.aborted) return;
  yield createBatch(options, run.drainChanges(true).filter(isOfMessage));
  await lookups.done();
  run.repeatStatus();
}

/** The state of the run is a change of the thread; all other changes concern messages and lists. */
function isOfMessage({ type }: Change): boolean {
  return type !== 'thread';
}

/** Reads one stream in slices, so that many events do not block the page. */
class StreamReader {
  readonly #body: ReadableStream<Uint8Array>;
  readonly #run: StreamedRun;
  readonly #writer: BatchWriter;
  readonly #options: FollowOptions;
  /** The reconnection time that the service has set (`retry:` of server-sent events), in ms. */
  reconnectionTime: number | undefined;
  /** Time, in ms, that events were applied for since the last yield to the event loop. */
  #worked = 0;
  /** When chunks were last parsed, or will be parsed after the current pause, by the monotonic clock. */
  #parsedAt = -Infinity;

  constructor(
    body: ReadableStream<Uint8Array>,
    run: StreamedRun,
    writer: BatchWriter,
    options: FollowOptions,
  ) {
    this.#body = body;
    this.#run = run;
    this.#writer = writer;
    this.#options = options;
  }

  /** Emits batches until the run or the stream ends, then closes the stream. */
  async *read(): AsyncGenerator<Batch> {
    const { environment, signal, maxEventBytes, flushAtEnd, sliceBudget = 8 } = this.#options;
    const run = this.#run;
    const { lookups } = run;
    const onRetry = (ms: number): void => {
      this.reconnectionTime = ms;
    };
    const chunks = readEventChunks(this.#body, {
      ...{ signal, maxEventBytes, flushAtEnd, onRetry },
      pause: this.#pause,
    });
    try {
      while (!run.isEnded) {
        const next = chunks.next();
        if (run.isDirty || lookups?.next) yield* this.#writeWhilePending(next);
        const { done, value } = await next;
        if (done) break;
        let applied = 0;
        do {
          applied = this.#applySlice(value, applied, sliceBudget);
          if (run.isEnded) break;
          if (lookups) await lookups.start();
          if (signal.aborted) return;
          const batch = this.#writer.write(false);
          if (batch) yield batch;
          if (this.#worked < sliceBudget) continue;
          await environment.yieldToEventLoop();
          this.#worked = 0;
        } while (applied < value.length && !signal.aborted);
      }
    } finally {
      run.onStreamClosed();
      await chunks.return();
    }
  }

  /** Resolves when the `readInterval` of the environment has passed since chunks were last parsed; null when it already has. */
  readonly #pause = (): Promise<void> | null => {
    const { environment } = this.#options;
    const now = environment.monotonic();
    this.#parsedAt = Math.max(now, this.#parsedAt + environment.readInterval());
    const left = this.#parsedAt - now;
    return left > 0 ? new Promise((resolve) => environment.setTimer(resolve, left)) : null;
  };

  /** Applies events from an index on until the run ends or the time of the slice is used up. Returns the index of the next event. */
  #applySlice(events: readonly ServerSentEvent[], from: number, budget: number): number {
    const { environment } = this.#options;
    const started = environment.monotonic() - this.#worked;
    let at = from;
    for (const event of events.slice(from)) {
      at += 1;
      this.#run.apply(event);
      if (this.#run.isEnded || environment.monotonic() - started >= budget) break;
    }
    this.#worked = environment.monotonic() - started;
    return at;
  }

  /** While the service sends nothing, emits late events when they are due, and the responses of lookups. */
  async *#writeWhilePending(next: Promise<unknown>): AsyncGenerator<Batch> {
    const { environment, signal } = this.#options;
    for (;;) {
      const lookup = this.#run.lookups?.next;
      if (!this.#run.isDirty && !lookup) return;
      const arrived = () => 'arrived' as const;
      const outcomes: Promise<'arrived' | 'due' | 'looked-up'>[] = [next.then(arrived, arrived)];
      let timer: Timer | undefined;
      if (this.#run.isDirty) {
        const due = new Promise<'due'>((resolve) => {
          timer = environment.setTimer(() => resolve('due'), this.#writer.rebuildDelay);
        });
        outcomes.push(due);
      }
      if (lookup) outcomes.push(lookup.then(() => 'looked-up'));
      const first = await Promise.race(outcomes);
      if (timer) environment.clearTimer(timer);
      if (first === 'arrived' || signal.aborted) return;
      const batch = this.#writer.write(first === 'due');
      if (batch) yield batch;
    }
  }
}
