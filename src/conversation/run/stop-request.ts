import type { Backend, RunKeys, RunRef } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Batch, Change } from '../../model/change.js';
import type { Json } from '../../model/json.js';
import { toUbikError } from './failure.js';

/** The run that is to be stopped. */
export interface StoppableRun {
  readonly threadId: string;
  readonly ref: RunRef;
  /** Whether its end is still to come. */
  readonly active: boolean;
  /** Resolves when the service has taken the act, or when it is over without that. */
  readonly begun: Promise<unknown>;
  /** Resolves when it is over. */
  readonly over: Promise<unknown>;
  /** Shows that the end is awaited, or no longer. */
  showStopping(stopping: boolean): void;
}

/** The person's wish to end a run: told to the service once, however often it is uttered. A wish that failed is none. */
export class StopRequest {
  readonly #backend: Backend;
  #wish: Promise<void> | null = null;
  #told = false;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Whether the service was asked: however the run ends now, it was stopped. */
  get told(): boolean {
    return this.#told;
  }

  /** Asks, and waits for the end. */
  ask(run: StoppableRun): Promise<void> {
    this.#wish ??= this.#ask(run).catch((error: unknown) => {
      this.#wish = null;
      throw toUbikError(error);
    });
    return this.#wish;
  }

  async #ask(run: StoppableRun): Promise<void> {
    if (!this.#backend.stop) throw new UbikError('unsupported', 'This service cannot stop a run.');
    // A stop that overtakes its run on the way would stop nothing.
    await run.begun;
    if (!run.active) return;
    this.#told = true;
    run.showStopping(true);
    try {
      await this.#backend.stop(run.threadId, run.ref);
    } catch (error) {
      // It has ended meanwhile: that is what was asked for.
      if (!run.active) return;
      this.#told = false;
      run.showStopping(false);
      throw error;
    }
    await run.over;
  }
}

/**
 * A batch of a run that was asked to stop: which end event follows a stop is the service's choice, so an end of it is `stopped`,
 * be it told as complete or as an error.
 */
export function asStopped(batch: Batch, keys: RunKeys): Batch {
  if (batch.thread !== keys.thread) return batch;
  return { ...batch, changes: batch.changes.flatMap((change) => toStopped(change, keys)) };
}

function toStopped(change: Change, keys: RunKeys): readonly Change[] {
  if (change.do === 'thread' && isOtherEnd(change.set.run?.state)) {
    const run = { ...change.set.run, state: 'stopped', error: null } as const;
    return [{ do: 'thread', set: { ...change.set, run } }];
  }
  if (
    change.do === 'message' &&
    change.message === keys.answer &&
    isOtherEnd(change.value.status)
  ) {
    return [{ ...change, value: { ...change.value, status: 'stopped', failure: null } }];
  }
  if (change.do === 'set' && change.message === keys.answer && change.part === null) {
    if (change.path[0] === 'failure') return [];
    if (change.path[0] === 'status' && isOtherEnd(change.value)) {
      return [{ ...change, value: 'stopped' }];
    }
  }
  return [change];
}

function isOtherEnd(state: Json | undefined): boolean {
  return state === 'complete' || state === 'failed';
}
