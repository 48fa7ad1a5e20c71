import type { Lane } from '../fold/event-row.js';

/** The newest instant in each lane. */
export class LaneClock {
  #newest = new Map<Lane, number>();
  /** The newest event that belonged to all lanes. */
  #floor = -Infinity;
  /** The newest of all. */
  #ceiling = -Infinity;

  /** Whether nothing newer than this instant stands in any of the lanes. */
  isNewest(lanes: readonly Lane[], instant: number): boolean {
    return lanes.every((lane) => this.#read(lane) <= instant);
  }

  /** An event of these lanes was taken in. */
  note(lanes: readonly Lane[], instant: number): void {
    this.#ceiling = Math.max(this.#ceiling, instant);
    for (const lane of lanes) {
      if (lane === '*') this.#floor = Math.max(this.#floor, instant);
      else this.#newest.set(lane, Math.max(this.#newest.get(lane) ?? -Infinity, instant));
    }
  }

  /** Forgets everything, to be told again. */
  clear(): void {
    this.#newest = new Map();
    this.#floor = -Infinity;
    this.#ceiling = -Infinity;
  }

  #read(lane: Lane): number {
    if (lane === '*') return this.#ceiling;
    return Math.max(this.#floor, this.#newest.get(lane) ?? -Infinity);
  }
}
