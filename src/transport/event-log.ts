/** An event in the log. */
export interface LoggedEvent<E> {
  /** What names it: equal keys mean equal events. */
  readonly key: string;
  /** µs since the epoch: its own instant, else that of the event that came before it; -Infinity when no time was known yet. */
  readonly instant: number;
  readonly event: E;
}

/**
 * What the log says to an event.
 *
 * - `new`: it stands at `index` now; `late` when events stand after it.
 * - `replay`: it was known, as `entry`; nothing changed.
 * - `foreign`: it is unknown, although this connection replays the task from its first event and has not yet brought all that is
 *   logged: the server has cut its events differently this time. It is **not** in the log. See {@link EventLog.fork}.
 * - `full`: the bound was passed, and the log takes nothing more. Such events are only counted: `isNew` is false for those that an
 *   earlier connection, which began with the task's first event like this one, has brought already.
 */
export type AddResult<E> =
  | { readonly status: 'new'; readonly index: number; readonly late: boolean }
  | { readonly status: 'replay'; readonly entry: LoggedEvent<E> }
  | { readonly status: 'foreign' }
  | { readonly status: 'full'; readonly isNew: boolean };

/** A state that was kept. */
export interface Snapshot<S> {
  /** How many events it has taken in: the first one to go on with. */
  readonly index: number;
  readonly state: S;
}

/** What a log is made from. */
export interface EventLogOptions<E = never> {
  /** Events of one task: 200,000. */
  readonly maxEvents?: number | undefined;
  /** What all of its events together may hold, by the measure of `sizeOf`: 64 Mi. */
  readonly maxSize?: number | undefined;
  /** How much an event holds: nothing when this is not given. */
  readonly sizeOf?: ((event: E) => number) | undefined;
  /** Snapshots kept: 64, dense near the end, the oldest always among them. */
  readonly maxSnapshots?: number | undefined;
}

/**
 * All events of one task in order, over any number of connections, each of which may replay them from the start. `S` is whatever
 * the reader of the log wants to go on from when an event lands before others.
 */
export interface EventLog<E, S> {
  /** How many events it holds. */
  readonly length: number;
  /** A new connection: what comes next may be a replay. */
  connect(): void;
  /** Tells whether an event is new, and where it stands. Constant cost when it is the newest, or a replay. */
  add(key: string, instant: number | null, event: E): AddResult<E>;
  /** Keeps something else in the place of an event, such as what is left of it. Its key and its place stay. */
  replace(entry: LoggedEvent<E>, event: E): void;
  /** The event at an index; undefined behind the last. */
  at(index: number): LoggedEvent<E> | undefined;
  /** The events in order, from an index on. */
  from(index: number): IterableIterator<LoggedEvent<E>>;
  /**
   * A log of what this connection has brought so far and nothing else, with its snapshots still to be made. The same connection
   * goes on in it; this log stays as it is, to compare the next connection with.
   */
  fork(): EventLog<E, S>;
  /** Keeps what the reader knows after the events before `index`. */
  setSnapshot(index: number, state: S): void;
  /** The nearest kept state at or before an index; null when there is none. A late event drops the states after its place. */
  snapshotBefore(index: number): Snapshot<S> | null;
}

/**
 * The log of one task. An event is known by the pair (its key, how often the key has come on this connection); the order is
 * (instant, else that of the event before it on its connection; then arrival).
 */
export function createEventLog<E, S = never>(options: EventLogOptions<E> = {}): EventLog<E, S> {
  return new TaskLog(options);
}

class TaskLog<E, S> implements EventLog<E, S> {
  readonly #options: EventLogOptions<E>;
  /** All events of one key. The n-th of them on a connection is the n-th that is known. */
  readonly #byKey = new Map<string, LoggedEvent<E>[]>();
  readonly #ordered: LoggedEvent<E>[] = [];
  /** By index, ascending, few: dense near the newest, ever wider apart towards the oldest, which stays. */
  readonly #snapshots: Snapshot<S>[] = [];
  /** The event that came first of all, whatever its instant. */
  #first: LoggedEvent<E> | null = null;
  /** What this connection has brought, in the order of its arrival, and how often each key was among it. */
  #received: LoggedEvent<E>[] = [];
  #keyCounts = new Map<string, number>();
  #size = 0;
  /** This connection began with the task's first event, so it replays the whole task. */
  #isFullReplay = false;
  #isFull = false;
  /** Events past the bound: of all connections together, and of this one. */
  #overflowTotal = 0;
  #overflowReceived = 0;

  constructor(options: EventLogOptions<E>) {
    this.#options = options;
  }

  get length(): number {
    return this.#ordered.length;
  }

  connect(): void {
    this.#received = [];
    this.#keyCounts = new Map();
    this.#isFullReplay = false;
    this.#overflowReceived = 0;
  }

  add(key: string, instant: number | null, event: E): AddResult<E> {
    const count = this.#keyCounts.get(key) ?? 0;
    const replayed = this.#byKey.get(key)?.[count];
    if (replayed) {
      this.#recordReceipt(replayed, count);
      return { status: 'replay', entry: replayed };
    }
    const ordered = this.#ordered;
    if (this.#isFullReplay && ordered.length > this.#received.length) return { status: 'foreign' };
    // Only what enters the log is remembered: a flood beyond the bound leaves nothing behind.
    const size = this.#size + this.#sizeOf(event);
    const { maxEvents = 200_000, maxSize = 1 << 26 } = this.#options;
    this.#isFull ||= ordered.length >= maxEvents || size > maxSize;
    if (this.#isFull) return { status: 'full', isNew: this.#countOverflow() };
    this.#size = size;
    const entry = { key, instant: instant ?? this.#received.at(-1)?.instant ?? -Infinity, event };
    this.#first ??= entry;
    this.#index(entry);
    this.#recordReceipt(entry, count);
    return this.#insert(entry);
  }

  replace(entry: LoggedEvent<E>, event: E): void {
    this.#size += this.#sizeOf(event) - this.#sizeOf(entry.event);
    (entry as { event: E }).event = event;
  }

  at(index: number): LoggedEvent<E> | undefined {
    return this.#ordered[index];
  }

  from(index: number): IterableIterator<LoggedEvent<E>> {
    return this.#ordered.slice(index).values();
  }

  fork(): EventLog<E, S> {
    const log = new TaskLog<E, S>(this.#options);
    for (const { key, instant, event } of this.#received) log.add(key, instant, event);
    return log;
  }

  setSnapshot(index: number, state: S): void {
    insertSnapshot(this.#snapshots, { index, state }, this.#options.maxSnapshots ?? 64);
  }

  snapshotBefore(index: number): Snapshot<S> | null {
    return this.#snapshots[countUpTo(this.#snapshots, 'index', index) - 1] ?? null;
  }

  /** Counts an event past the bound. Returns whether it is new. */
  #countOverflow(): boolean {
    this.#overflowReceived += 1;
    if (this.#isFullReplay && this.#overflowReceived <= this.#overflowTotal) return false;
    this.#overflowTotal += 1;
    return true;
  }

  #sizeOf(event: E): number {
    return this.#options.sizeOf?.(event) ?? 0;
  }

  #recordReceipt(entry: LoggedEvent<E>, count: number): void {
    const isBeginning = entry === this.#first || entry === this.#ordered[0];
    // First by arrival or first in order: a server may sort its replay.
    if (this.#received.length === 0) this.#isFullReplay = isBeginning;
    this.#keyCounts.set(entry.key, count + 1);
    this.#received.push(entry);
  }

  #index(entry: LoggedEvent<E>): void {
    const same = this.#byKey.get(entry.key);
    // A list that begins empty keeps room for many more.
    if (same) same.push(entry);
    else this.#byKey.set(entry.key, [entry]);
  }

  #insert(entry: LoggedEvent<E>): AddResult<E> {
    const index = countUpTo(this.#ordered, 'instant', entry.instant);
    const late = index < this.#ordered.length;
    this.#ordered.splice(index, 0, entry);
    this.#snapshots.length = countUpTo(this.#snapshots, 'index', index);
    return { status: 'new', index, late };
  }
}

/** One of the same index is replaced. */
function insertSnapshot<S>(snapshots: Snapshot<S>[], snapshot: Snapshot<S>, most: number): void {
  const at = countUpTo(snapshots, 'index', snapshot.index - 1);
  snapshots.splice(at, snapshots[at]?.index === snapshot.index ? 1 : 0, snapshot);
  if (snapshots.length > most) snapshots.splice(findMostRedundant(snapshots), 1);
}

/** How many items of a rising list are not behind `most`; first of all, whether all are. */
function countUpTo<K extends string>(
  list: readonly { readonly [name in K]: number }[],
  name: K,
  most: number,
): number {
  let low = 0;
  let high = list.length;
  for (let middle = high - 1; low < high; middle = (low + high) >>> 1) {
    if ((list[middle]?.[name] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The one whose loss widens a gap least, for its distance from the end: late events mostly land near it. */
function findMostRedundant(snapshots: readonly { readonly index: number }[]): number {
  const indexAt = (position: number) => snapshots[position]?.index ?? 0;
  const newest = indexAt(snapshots.length - 1);
  const needOf = (position: number) =>
    (indexAt(position + 1) - indexAt(position - 1)) / (newest - indexAt(position));
  let least = 1;
  for (let position = 2; position < snapshots.length - 1; position++) {
    if (needOf(position) < needOf(least)) least = position;
  }
  return least;
}
