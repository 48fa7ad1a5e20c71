import type { Gate } from './gate.js';

/** Longest time that timers can wait, in ms. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** Calls back when the time for an answer has run out. */
export class Deadlines {
  readonly #gate: Gate;
  readonly #now: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  /** @param now Tells the time in microseconds since 1970. */
  constructor(gate: Gate, now: () => number) {
    this.#gate = gate;
    this.#now = now;
  }

  /** Calls back at a time (microseconds since 1970), or at once when it is over. Further away than timers go, nobody waits. */
  set(owner: string | null, at: number, ring: () => void): void {
    const wait = Math.max(0, (at - this.#now()) / 1000);
    if (this.#closed || wait > LONGEST_WAIT) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#gate.pass(owner, 'deadline').then(() => {
        if (!this.#closed) ring();
      });
    }, wait);
    this.#timers.add(timer);
  }

  /** Calls nobody any more. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
