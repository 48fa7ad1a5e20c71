import type { Batch, Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import type { UbikContext } from '../requests/context.js';
import type { TaskMemory } from './task-memory.js';

/** Between two signs of life. */
const LIFE_SIGN = 1000;

/** Makes batches of what a task's memory has to tell: late events put in order not too often, signs of life not too many. */
export class BatchMaker {
  readonly #context: UbikContext;
  readonly #thread: Key;
  readonly #memory: TaskMemory;
  #lastBatch = -Infinity;
  #lastRebuild = -Infinity;

  constructor(context: UbikContext, thread: Key, memory: TaskMemory) {
    this.#context = context;
    this.#thread = thread;
    this.#memory = memory;
  }

  /** ms until what waits may be put in order; null when nothing waits. */
  get wait(): number | null {
    if (!this.#memory.isDirty) return null;
    const pause = this.#context.limits.rebuildPause ?? 250;
    return Math.max(0, this.#lastRebuild + pause - this.#now());
  }

  /** What has changed; an empty batch when nothing has and a sign of life is due; else null. `settle`: whatever waits, now. */
  take(settle: boolean): Batch | null {
    const isDue = settle || this.wait === 0;
    if (isDue && this.#memory.isDirty) this.#lastRebuild = this.#now();
    const changes = this.#memory.takeChanges(isDue);
    return changes.length > 0 || this.#now() - this.#lastBatch >= LIFE_SIGN
      ? this.make(changes)
      : null;
  }

  /** A batch of these changes. */
  make(changes: readonly Change[]): Batch {
    this.#lastBatch = this.#now();
    return { thread: this.#thread, at: this.#context.environment.now(), changes };
  }

  #now(): number {
    return this.#context.environment.monotonic();
  }
}
