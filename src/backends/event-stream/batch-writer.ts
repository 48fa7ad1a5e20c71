import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Environment } from '../../transport/environment.js';
import type { StreamedRun } from './streamed-run.js';

/** Between two empty batches, in ms. */
const HEARTBEAT_INTERVAL = 1000;

/** Where batches belong, and how often late events are sorted. */
export interface BatchOptions {
  readonly thread: Key;
  readonly environment: Pick<Environment, 'now' | 'monotonic'>;
  /** ms between two times that late events are sorted, which costs as much as the message is long: 250. */
  readonly rebuildInterval?: number | undefined;
}

/** A batch of changes that are made now. */
export function createBatch(
  { thread, environment }: BatchOptions,
  changes: readonly Change[],
): Batch {
  return { thread, time: environment.now(), changes };
}

/** Decides which changes of a run are emitted when. */
export class BatchWriter {
  readonly #run: StreamedRun;
  readonly #options: BatchOptions;
  #lastBatch = -Infinity;
  #lastRebuild = -Infinity;

  constructor(run: StreamedRun, options: BatchOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** ms until late events may be sorted again; 0 when they may now. */
  get rebuildDelay(): number {
    return Math.max(0, this.#rebuildTime - this.#options.environment.monotonic());
  }

  get #rebuildTime(): number {
    return this.#lastRebuild + (this.#options.rebuildInterval ?? 250);
  }

  /**
   * A batch of what has changed. When bytes came that change nothing, an empty batch as a heartbeat, at most one a second. With
   * `settle`, late events are sorted at once, and an empty batch is never emitted.
   */
  *write(settle: boolean): Iterable<Batch> {
    const now = this.#options.environment.monotonic();
    const settles = settle || now >= this.#rebuildTime;
    if (settles && this.#run.isDirty) this.#lastRebuild = now;
    const changes = this.#run.drainChanges(settles);
    if (changes.length === 0 && (settle || now - this.#lastBatch < HEARTBEAT_INTERVAL)) return;
    this.#lastBatch = now;
    yield createBatch(this.#options, changes);
  }
}
