import { UbikError } from '../errors.js';

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
 * - `full`: the bound was passed; it is not in the log.
 */
export type LogAnswer<E> =
  | { readonly status: 'new'; readonly index: number; readonly late: boolean }
  | { readonly status: 'replay'; readonly entry: LoggedEvent<E> }
  | { readonly status: 'foreign' }
  | { readonly status: 'full'; readonly error: UbikError };

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
  add(key: string, instant: number | null, event: E): LogAnswer<E>;
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
  const { maxEvents = 200_000, maxSize = 1 << 26, maxSnapshots = 64, sizeOf = () => 0 } = options;
  /** All events of one key. The n-th of them on a connection is the n-th that is known. */
  const known = new Map<string, LoggedEvent<E>[]>();
  const ordered: LoggedEvent<E>[] = [];
  /** By index, ascending, few: dense near the newest, ever wider apart towards the oldest, which stays. */
  const snapshots: Snapshot<S>[] = [];
  /** The event that came first of all, whatever its instant. */
  let first: LoggedEvent<E> | null = null;
  /** What this connection has brought, in the order of its arrival, and how often each key was among it. */
  let brought: LoggedEvent<E>[] = [];
  let counts = new Map<string, number>();
  let size = 0;
  /** This connection began with the task's first event, so it replays the whole task. */
  let isFromStart = false;

  const bring = (entry: LoggedEvent<E>, count: number) => {
    // First by arrival or first in order: a server may sort its replay.
    if (brought.length === 0) isFromStart = entry === first || entry === ordered[0];
    counts.set(entry.key, count + 1);
    brought.push(entry);
  };

  return {
    get length() {
      return ordered.length;
    },
    connect() {
      brought = [];
      counts = new Map();
      isFromStart = false;
    },
    add(key, instant, event) {
      const same = known.get(key);
      const count = counts.get(key) ?? 0;
      const replayed = same?.[count];
      if (replayed) {
        bring(replayed, count);
        return { status: 'replay', entry: replayed };
      }
      if (isFromStart && ordered.length > brought.length) return { status: 'foreign' };
      // Only what enters the log is remembered: a flood beyond the bound leaves nothing behind.
      const more = sizeOf(event);
      if (ordered.length >= maxEvents || size + more > maxSize) {
        return { status: 'full', error: new UbikError('too-many-events') };
      }
      const entry = { key, instant: instant ?? brought.at(-1)?.instant ?? -Infinity, event };
      // A list that begins empty keeps room for many more.
      if (same) same.push(entry);
      else known.set(key, [entry]);
      first ??= entry;
      size += more;
      bring(entry, count);
      const index = countUpTo(ordered, 'instant', entry.instant);
      const late = index < ordered.length;
      ordered.splice(index, 0, entry);
      snapshots.length = countUpTo(snapshots, 'index', index);
      return { status: 'new', index, late };
    },
    replace(entry, event) {
      size += sizeOf(event) - sizeOf(entry.event);
      (entry as { event: E }).event = event;
    },
    at: (index) => ordered[index],
    from: (index) => ordered.slice(index).values(),
    fork: () => fill(createEventLog<E, S>(options), brought),
    setSnapshot: (index, state) => keepSnapshot(snapshots, { index, state }, maxSnapshots),
    snapshotBefore: (index) => snapshots[countUpTo(snapshots, 'index', index) - 1] ?? null,
  };
}

function fill<E, S>(log: EventLog<E, S>, entries: readonly LoggedEvent<E>[]): EventLog<E, S> {
  for (const { key, instant, event } of entries) log.add(key, instant, event);
  return log;
}

/** One of the same index is replaced. */
function keepSnapshot<S>(snapshots: Snapshot<S>[], snapshot: Snapshot<S>, most: number): void {
  const at = countUpTo(snapshots, 'index', snapshot.index - 1);
  snapshots.splice(at, snapshots[at]?.index === snapshot.index ? 1 : 0, snapshot);
  if (snapshots.length > most) snapshots.splice(findLeastNeeded(snapshots), 1);
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
function findLeastNeeded(snapshots: readonly { readonly index: number }[]): number {
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
