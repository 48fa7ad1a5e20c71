import type { Clock } from '../../dom/clock.js';

/** What becomes of deletions. */
export interface DeletionActions {
  /** How long each can be taken back, in ms. */
  readonly undoTime: number;
  /** Deletes a thread now. `leaving`: the page is about to go. */
  send(id: string, leaving: boolean): void;
}

/** Threads that the person has deleted and may still take back. */
export class ThreadDeletions {
  /** When each is due. */
  readonly #due = new Map<string, number>();
  readonly #clock: Clock;
  readonly #acts: DeletionActions;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, acts: DeletionActions) {
    this.#clock = clock;
    this.#acts = acts;
  }

  /** Whether a thread is about to be deleted. */
  has(id: string): boolean {
    return this.#due.has(id);
  }

  /** Deletes a thread when the time to take it back is over. */
  add(id: string): void {
    this.#due.set(id, this.#clock.now() + this.#acts.undoTime);
    this.#stop ??= this.#clock.everySecond(() => {
      for (const [due, at] of this.#due) if (at <= this.#clock.now()) this.#send(due, false);
    });
  }

  /** Takes one back. */
  undo(id: string): void {
    this.#due.delete(id);
    if (this.#due.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Nobody can take them back any more: they are sent now. */
  flush(leaving: boolean): void {
    for (const id of [...this.#due.keys()]) this.#send(id, leaving);
  }

  #send(id: string, leaving: boolean): void {
    this.undo(id);
    this.#acts.send(id, leaving);
  }
}
