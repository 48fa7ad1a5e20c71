/** An entry of the log. */
export interface LoggedEvent<E> {
  /**
   * Fingerprint of the event. Equal events have equal keys; the n-th occurrence of a key is the same event on every connection.
   */
  readonly key: string;
  /**
   * Timestamp in µs since the epoch: the event's own, otherwise that of the event received before it on the connection; -Infinity when no
   * event so far has one.
   */
  readonly instant: number;
  readonly event: E;
}

/**
 * The result of adding an event.
 *
 * - `new`: the event was inserted at `index`; `late` when other events follow it.
 * - `replay`: the event is already logged, as `entry`; nothing changed.
 * - `rechunked`: the event is unknown, although this connection replays the run from its first event and has not yet repeated all
 *   logged events. So the server splits its events differently this time. The event is **not** logged. See {@link EventLog.fork}.
 * - `full`: a limit was exceeded, and the log accepts no more events. Further events are only counted. `isNew` is false for an event that
 *   was already counted on an earlier connection; this can be recognized only in a replay from the first event.
 */
export type AddResult<E> =
  | { readonly status: 'new'; readonly index: number; readonly late: boolean }
  | { readonly status: 'replay'; readonly entry: LoggedEvent<E> }
  | { readonly status: 'rechunked' }
  | { readonly status: 'full'; readonly isNew: boolean };

/** A saved state. */
export interface Snapshot<S> {
  /** Number of events in the state, which is the index of the first event to continue with. */
  readonly index: number;
  readonly state: S;
}

/** Options of {@link createEventLog}. */
export interface EventLogOptions<E = never> {
  /** Maximum number of events: 200,000. */
  readonly maxEvents?: number | undefined;
  /** Maximum total size of the events, as measured by `sizeOf`: 64 Mi. */
  readonly maxSize?: number | undefined;
  /** Measures an event; by default, every event has the size 0. */
  readonly sizeOf?: ((event: E) => number) | undefined;
  /** Maximum number of snapshots: 64. Beyond it, snapshots far from the end are thinned out, but the oldest one is never dropped. */
  readonly maxSnapshots?: number | undefined;
}

/**
 * All events of a run in order, received over any number of connections, each of which may replay them from the start. `S` is the type
 * of the snapshots from which the reader continues when an event is inserted before others.
 */
export interface EventLog<E, S> {
  /** Number of logged events. */
  readonly length: number;
  /** Starts a new connection: the next events may be a replay. */
  connect(): void;
  /** Declares that this connection replays the run from its start. Changes nothing once an event was received on the connection. */
  expectReplay(): void;
  /** Adds an event unless it is a replay. Takes constant time for a replay and for the newest event. */
  add(key: string, instant: number | null, event: E): AddResult<E>;
  /** Replaces an event, for example by a reduced form. Its key and position do not change. */
  replace(entry: LoggedEvent<E>, event: E): void;
  /** Returns the entry at an index; undefined beyond the last. */
  at(index: number): LoggedEvent<E> | undefined;
  /** Iterates over the entries from an index on. */
  from(index: number): IterableIterator<LoggedEvent<E>>;
  /**
   * Returns a log with only the events of this connection, without snapshots. The connection continues in the new log; this one is
   * left unchanged, so that the next connection can be compared with it.
   */
  fork(): EventLog<E, S>;
  /** Saves the state after the events before `index`. */
  setSnapshot(index: number, state: S): void;
  /** Returns the last snapshot at or before an index, or null. A late event drops the snapshots after its position. */
  snapshotBefore(index: number): Snapshot<S> | null;
}

/**
 * Creates the log of a run. An event is identified by its key and by how often the key has occurred on its connection. Events are
 * ordered by timestamp (without one, by that of the previous event on the connection), then by arrival.
 */
export function createEventLog<E, S = never>(options: EventLogOptions<E> = {}): EventLog<E, S> {
  return new RunEventLog(options);
}

class RunEventLog<E, S> implements EventLog<E, S> {
  readonly #options: EventLogOptions<E>;
  /** Entries by key. The n-th event of a key on a connection is the n-th entry of that key. */
  readonly #byKey = new Map<string, LoggedEvent<E>[]>();
  readonly #ordered: LoggedEvent<E>[] = [];
  /**
   * Sorted by index. Dense near the newest snapshot, with growing distances towards the oldest. Only a late event before the oldest drops it.
   */
  readonly #snapshots: Snapshot<S>[] = [];
  /** The event that was received first, whatever its timestamp. */
  #first: LoggedEvent<E> | null = null;
  /** Entries received on this connection, in order of arrival. */
  #received: LoggedEvent<E>[] = [];
  /** How often each key was received on this connection. */
  #keyCounts = new Map<string, number>();
  #size = 0;
  /** Whether this connection replays all events: it began with the first event of the run, or was declared to. */
  #isFullReplay = false;
  #isFull = false;
  /** Number of different events beyond the limits, over all connections. */
  #overflowTotal = 0;
  /** Number of events beyond the limits on this connection. */
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

  expectReplay(): void {
    this.#isFullReplay ||= this.#received.length === 0;
  }

  add(key: string, instant: number | null, event: E): AddResult<E> {
    const count = this.#keyCounts.get(key) ?? 0;
    const replayed = this.#byKey.get(key)?.[count];
    if (replayed) {
      this.#recordReceipt(replayed, count);
      return { status: 'replay', entry: replayed };
    }
    const ordered = this.#ordered;
    if (this.#isFullReplay && ordered.length > this.#received.length)
      return { status: 'rechunked' };
    // Nothing is stored for an event beyond the limits, so that a flood of events uses no memory.
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
    const log = new RunEventLog<E, S>(this.#options);
    for (const { key, instant, event } of this.#received) log.add(key, instant, event);
    return log;
  }

  setSnapshot(index: number, state: S): void {
    insertSnapshot(this.#snapshots, { index, state }, this.#options.maxSnapshots ?? 64);
  }

  snapshotBefore(index: number): Snapshot<S> | null {
    return this.#snapshots[countUpTo(this.#snapshots, 'index', index) - 1] ?? null;
  }

  /** Counts an event beyond the limits. Returns whether it is new. */
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
    // The first by arrival or by order, since a server may sort its replay.
    const isBeginning = entry === this.#first || entry === this.#ordered[0];
    if (this.#received.length === 0) this.#isFullReplay ||= isBeginning;
    this.#keyCounts.set(entry.key, count + 1);
    this.#received.push(entry);
  }

  #index(entry: LoggedEvent<E>): void {
    const same = this.#byKey.get(entry.key);
    // An array literal with one entry: a push to an empty array would make engines reserve space for many entries.
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

/** Inserts a snapshot, or replaces the one with the same index. Drops the most redundant one beyond the maximum. */
function insertSnapshot<S>(snapshots: Snapshot<S>[], snapshot: Snapshot<S>, max: number): void {
  const at = countUpTo(snapshots, 'index', snapshot.index - 1);
  snapshots.splice(at, snapshots[at]?.index === snapshot.index ? 1 : 0, snapshot);
  if (snapshots.length > max) snapshots.splice(findMostRedundant(snapshots), 1);
}

/**
 * Returns the number of items of a sorted list whose value is at most `max`. A binary search that tests the last item first, because
 * usually all items are counted.
 */
function countUpTo<K extends string>(
  list: readonly { readonly [name in K]: number }[],
  name: K,
  max: number,
): number {
  let low = 0;
  let high = list.length;
  for (let middle = high - 1; low < high; middle = (low + high) >>> 1) {
    if ((list[middle]?.[name] ?? Infinity) <= max) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the position of the snapshot whose removal leaves the smallest gap relative to its distance from the end, because most late
 * events are inserted near the end.
 */
function findMostRedundant(snapshots: readonly { readonly index: number }[]): number {
  const indexAt = (position: number) => snapshots[position]?.index ?? 0;
  const newest = indexAt(snapshots.length - 1);
  const relativeGap = (position: number) =>
    (indexAt(position + 1) - indexAt(position - 1)) / (newest - indexAt(position));
  let smallest = 1;
  for (let position = 2; position < snapshots.length - 1; position++) {
    if (relativeGap(position) < relativeGap(smallest)) smallest = position;
  }
  return smallest;
}
