/** A state that was kept. */
export interface Snapshot<S> {
  /** How many events it has taken in: the first one to go on with. */
  readonly index: number;
  readonly state: S;
}

/** Kept states by index, ascending, few. */
export interface Snapshots<S> {
  /** Keeps a state; one of the same index is replaced. */
  set(index: number, state: S): void;
  /** The nearest at or before an index. */
  before(index: number): Snapshot<S> | null;
  /** Drops those after an index. */
  dropAfter(index: number): void;
}

/** A store of at most `limit` states (3 or more): dense near the newest, ever wider apart towards the oldest, which stays. */
export function createSnapshots<S>(limit: number): Snapshots<S> {
  return new SnapshotList<S>(limit);
}

class SnapshotList<S> implements Snapshots<S> {
  readonly #limit: number;
  readonly #list: Snapshot<S>[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  set(index: number, state: S): void {
    const at = this.#countUpTo(index);
    const replaces = this.#list[at - 1]?.index === index;
    this.#list.splice(replaces ? at - 1 : at, replaces ? 1 : 0, { index, state });
    if (this.#list.length > this.#limit) this.#list.splice(this.#findLeastNeeded(), 1);
  }

  before(index: number): Snapshot<S> | null {
    return this.#list[this.#countUpTo(index) - 1] ?? null;
  }

  dropAfter(index: number): void {
    this.#list.length = this.#countUpTo(index);
  }

  /** How many lie at or before an index. From the end: new states and late events are mostly near it. */
  #countUpTo(index: number): number {
    let count = this.#list.length;
    while (count > 0 && (this.#list[count - 1]?.index ?? -1) > index) count--;
    return count;
  }

  /** The one whose loss widens a gap least, for its distance from the end: late events mostly land near it. */
  #findLeastNeeded(): number {
    const indexes = this.#list.map(({ index }) => index);
    const newest = indexes[indexes.length - 1] ?? 0;
    let least = { position: 1, need: Infinity };
    for (let position = 1; position < indexes.length - 1; position++) {
      const gap = (indexes[position + 1] ?? 0) - (indexes[position - 1] ?? 0);
      const need = gap / (newest - (indexes[position] ?? 0));
      if (need < least.need) least = { position, need };
    }
    return least.position;
  }
}
