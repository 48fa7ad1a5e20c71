import type { Gate, GatePoint } from '../../../demo/agent/run/gate.js';
import type { Bell } from './bell.js';

/** Holds the runs of one person and lets those of the others pass. */
export class PersonGates implements Gate {
  readonly #bell: Bell;
  readonly #points = new Map<string, GatePoint>();
  readonly #held = new Map<string, (() => void)[]>();

  /** @param bell rings when a run is held */
  constructor(bell: Bell) {
    this.#bell = bell;
  }

  /** Holds every run of a person that comes by this point. */
  hold(person: string, point: GatePoint): void {
    this.#points.set(person, point);
  }

  /** Lets the held runs of a person go on, and lets later ones pass. */
  release(person: string): void {
    this.#points.delete(person);
    const held = this.#held.get(person) ?? [];
    this.#held.delete(person);
    for (const go of held) go();
  }

  /** Whether a run of a person is held. */
  isHolding(person: string): boolean {
    return this.#held.has(person);
  }

  /** Lets everything go on. */
  close(): void {
    for (const person of [...this.#held.keys()]) this.release(person);
    this.#points.clear();
  }

  /** See {@link Gate}. */
  pass(owner: string | null, point: GatePoint): Promise<void> {
    const person = owner ?? '';
    if (this.#points.get(person) !== point) return Promise.resolve();
    return new Promise((resolve) => {
      this.#held.set(person, [...(this.#held.get(person) ?? []), resolve]);
      this.#bell.ring();
    });
  }
}
