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

/** A store of at most `limit` states. One more, and every second one goes: the distances grow with the length. */
export function createSnapshots<S>(limit: number): Snapshots<S> {
  return new SnapshotList<S>(limit);
}

class SnapshotList<S> implements Snapshots<S> {
  readonly #limit: number;
  #list: Snapshot<S>[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  set(index: number, state: S): void {
    const at = this.#countUpTo(index);
    const replaces = this.#list[at - 1]?.index === index;
    this.#list.splice(replaces ? at - 1 : at, replaces ? 1 : 0, { index, state });
    if (this.#list.length <= this.#limit) return;
    // From the end, so that the newest stays: it is the one that is needed most.
    const { length } = this.#list;
    this.#list = this.#list.filter((_, position) => (length - 1 - position) % 2 === 0);
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
}
