import type { Clock } from '../../dom/clock.js';

/** Options of `PendingDeletions`. */
export interface DeletionOptions {
  /** How long a deletion can be undone, in ms. */
  readonly undoTime: number;
  /** Sends the deletion. `isUnloading`: the page is being closed, so the request must outlive it. */
  send(id: string, isUnloading: boolean): void;
}

/**
 * Deletions that are sent after a delay, during which they can be undone. Until then, nothing is sent to the service, so that undoing a
 * deletion restores everything.
 */
export class PendingDeletions {
  /** By id, when the time to undo the deletion ends, in ms since the epoch. The deletion is sent within a second after that. */
  readonly #dueTimes = new Map<string, number>();
  readonly #clock: Clock;
  readonly #options: DeletionOptions;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, options: DeletionOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Whether a deletion is pending. */
  has(id: string): boolean {
    return this.#dueTimes.has(id);
  }

  /** Schedules a deletion. */
  add(id: string): void {
    this.#dueTimes.set(id, this.#clock.now() + this.#options.undoTime);
    this.#stopTimer ??= this.#clock.everySecond(() => {
      for (const [pending, time] of this.#dueTimes) {
        if (time <= this.#clock.now()) this.#send(pending, false);
      }
    });
  }

  /** Cancels a deletion. */
  undo(id: string): void {
    this.#dueTimes.delete(id);
    if (this.#dueTimes.size > 0) return;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** Immediately sends the pending deletions for which `isIncluded` returns true, by default all. */
  flush(isUnloading: boolean, isIncluded: (id: string) => boolean = () => true): void {
    for (const id of [...this.#dueTimes.keys()]) {
      if (isIncluded(id)) this.#send(id, isUnloading);
    }
  }

  #send(id: string, isUnloading: boolean): void {
    this.undo(id);
    this.#options.send(id, isUnloading);
  }
}
