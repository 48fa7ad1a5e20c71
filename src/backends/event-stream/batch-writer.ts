import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Environment } from '../../transport/environment.js';
import type { StreamedRun } from './streamed-run.js';

/** Minimum interval, in ms, between the last batch and a heartbeat. */
const HEARTBEAT_INTERVAL = 1000;

/** The thread that batches belong to, the source of their times, and how often messages are rebuilt with late events. */
export interface BatchOptions {
  readonly thread: Key;
  readonly environment: Pick<Environment, 'now' | 'monotonic'>;
  /**
   * Minimum interval, in ms, between two rebuilds, which sort late events into the message in time proportional to its length; 250 by
   * default.
   */
  readonly rebuildInterval?: number | undefined;
}

/** Creates a batch of changes at the current time. */
export function createBatch(
  { thread, environment }: BatchOptions,
  changes: readonly Change[],
): Batch {
  return { thread, time: environment.now(), changes };
}

/** Decides when the changes of a run are emitted. */
export class BatchWriter {
  readonly #run: StreamedRun;
  readonly #options: BatchOptions;
  #lastBatch = -Infinity;
  #lastRebuild = -Infinity;

  constructor(run: StreamedRun, options: BatchOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Time until late events may be sorted again, in ms; 0 when they may be sorted now. */
  get rebuildDelay(): number {
    return Math.max(0, this.#rebuildTime - this.#options.environment.monotonic());
  }

  get #rebuildTime(): number {
    return this.#lastRebuild + (this.#options.rebuildInterval ?? 250);
  }

  /**
   * Returns a batch of the changes since the last call. Without changes, returns an empty batch as a heartbeat, at most once a second, else
   * null. With `sortLate`, late events are sorted at once, and there is no heartbeat.
   */
  write(sortLate: boolean): Batch | null {
    const now = this.#options.environment.monotonic();
    const sorts = sortLate || now >= this.#rebuildTime;
    if (sorts && this.#run.isDirty) this.#lastRebuild = now;
    const changes = this.#run.drainChanges(sorts);
    if (changes.length === 0 && (sortLate || now - this.#lastBatch < HEARTBEAT_INTERVAL))
      return null;
    this.#lastBatch = now;
    return createBatch(this.#options, changes);
  }
}
