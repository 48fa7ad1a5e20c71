import { UbikError } from '../errors.js';
import { createSnapshots, type Snapshot, type Snapshots } from './snapshots.js';

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
 * - `replay`: it was known; nothing changed.
 * - `foreign`: it is unknown, although this connection replays the task from its first event and has not yet brought all that is
 *   logged: the server has cut its events differently this time. It is **not** in the log. See {@link EventLog.fork} and
 *   {@link EventLog.acceptForeign}.
 * - `full`: the bound was passed; it is not in the log.
 */
export type LogAnswer =
  | { readonly status: 'new'; readonly index: number; readonly late: boolean }
  | { readonly status: 'replay' }
  | { readonly status: 'foreign' }
  | { readonly status: 'full'; readonly error: UbikError };

/** What a log is made from. */
export interface EventLogOptions {
  /** Events of one task: 200,000. */
  readonly maxEvents?: number | undefined;
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
  /** How many of them this connection has not brought yet. */
  readonly missing: number;
  /** A new connection: what comes next may be a replay. */
  connect(): void;
  /** Tells whether an event is new, and where it stands. Constant cost when it is the newest, or a replay. */
  add(key: string, instant: number | null, event: E): LogAnswer;
  /** The event at an index; undefined behind the last. */
  at(index: number): LoggedEvent<E> | undefined;
  /** The events in order, from an index on. The log must not change meanwhile. */
  from(index: number): IterableIterator<LoggedEvent<E>>;
  /** For the rest of this connection, an unknown event is new and nothing is foreign. */
  acceptForeign(): void;
  /**
   * A log of what this connection has brought so far and nothing else, with its snapshots still to be made. The same connection
   * goes on in it; this log stays as it is, to compare the next connection with.
   */
  fork(): EventLog<E, S>;
  /** Keeps what the reader knows after the events before `index`. */
  setSnapshot(index: number, state: S): void;
  /** The nearest kept state at or before an index; null when there is none. A late event drops the states after its place. */
  snapshotBefore(index: number): Snapshot<S> | null;
  /** Forgets everything. */
  clear(): void;
}

/** All events of one key. The n-th of them on a connection is the n-th that is known. */
interface Occurrences<E> {
  readonly entries: LoggedEvent<E>[];
  /** How many this connection has brought. */
  seen: number;
  connection: number;
}

const REPLAY: LogAnswer = { status: 'replay' };
const FOREIGN: LogAnswer = { status: 'foreign' };

/**
 * The log of one task. An event is known by the pair (its key, how often the key has come on this connection); the order is
 * (instant, else that of the event before it on its connection; then arrival).
 */
export function createEventLog<E, S = never>(options: EventLogOptions = {}): EventLog<E, S> {
  return new OrderedEventLog<E, S>(options);
}

class OrderedEventLog<E, S> implements EventLog<E, S> {
  readonly #options: EventLogOptions;
  readonly #maxEvents: number;
  readonly #snapshots: Snapshots<S>;
  readonly #known = new Map<string, Occurrences<E>>();
  #ordered: LoggedEvent<E>[] = [];
  /** The event that came first of all, whatever its instant. */
  #first: LoggedEvent<E> | null = null;
  #connection = 0;
  /** What this connection has brought, in the order of its arrival. */
  #brought: LoggedEvent<E>[] = [];
  /** This connection began with the task's first event, so it replays the whole task. */
  #fromStart = false;
  #foreignAccepted = false;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#maxEvents = options.maxEvents ?? 200_000;
    this.#snapshots = createSnapshots<S>(options.maxSnapshots ?? 64);
  }

  get length(): number {
    return this.#ordered.length;
  }

  get missing(): number {
    return this.#ordered.length - this.#brought.length;
  }

  connect(): void {
    this.#connection++;
    this.#brought = [];
    this.#fromStart = false;
    this.#foreignAccepted = false;
  }

  add(key: string, instant: number | null, event: E): LogAnswer {
    const occurrences = this.#occurrencesOf(key);
    const known = occurrences?.entries[occurrences.seen];
    if (occurrences && known) {
      if (this.#brought.length === 0) this.#fromStart = this.#isFirst(known);
      occurrences.seen++;
      this.#brought.push(known);
      return REPLAY;
    }
    if (this.#isForeign()) return FOREIGN;
    if (this.#ordered.length >= this.#maxEvents)
      return { status: 'full', error: createFullError() };
    const entry = { key, instant: instant ?? this.#previousInstant(), event };
    this.#remember(occurrences, entry);
    return this.#insert(entry);
  }

  at(index: number): LoggedEvent<E> | undefined {
    return this.#ordered[index];
  }

  *from(index: number): IterableIterator<LoggedEvent<E>> {
    for (let at = index; at < this.#ordered.length; at++) {
      const entry = this.#ordered[at];
      if (entry) yield entry;
    }
  }

  acceptForeign(): void {
    this.#foreignAccepted = true;
  }

  fork(): EventLog<E, S> {
    const log = new OrderedEventLog<E, S>(this.#options);
    for (const { key, instant, event } of this.#brought) log.add(key, instant, event);
    return log;
  }

  setSnapshot(index: number, state: S): void {
    this.#snapshots.set(index, state);
  }

  snapshotBefore(index: number): Snapshot<S> | null {
    return this.#snapshots.before(index);
  }

  clear(): void {
    this.#known.clear();
    this.#ordered = [];
    this.#first = null;
    this.#snapshots.dropAfter(-1);
    this.connect();
  }

  /** Only what enters the log is remembered: a flood of unknown events beyond the bound leaves nothing behind. */
  #remember(occurrences: Occurrences<E> | undefined, entry: LoggedEvent<E>): void {
    this.#first ??= entry;
    this.#brought.push(entry);
    if (occurrences) {
      occurrences.entries.push(entry);
      occurrences.seen++;
    } else this.#known.set(entry.key, { entries: [entry], seen: 1, connection: this.#connection });
  }

  #insert(entry: LoggedEvent<E>): LogAnswer {
    const index = this.#place(entry.instant);
    const late = index < this.#ordered.length;
    if (late) {
      this.#ordered.splice(index, 0, entry);
      this.#snapshots.dropAfter(index);
    } else this.#ordered.push(entry);
    return { status: 'new', index, late };
  }

  /** Behind every event that is not later. */
  #place(instant: number): number {
    const last = this.#ordered[this.#ordered.length - 1];
    if (!last || last.instant <= instant) return this.#ordered.length;
    let low = 0;
    let high = this.#ordered.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ordered[middle]?.instant ?? Infinity) <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isForeign(): boolean {
    return this.#fromStart && !this.#foreignAccepted && this.missing > 0;
  }

  /** First by arrival or first in order: a server may sort its replay. */
  #isFirst(entry: LoggedEvent<E>): boolean {
    return entry === this.#first || entry === this.#ordered[0];
  }

  #previousInstant(): number {
    return this.#brought[this.#brought.length - 1]?.instant ?? -Infinity;
  }

  /** Counters restart with each connection; each is reset when it is next needed, so that connecting costs nothing. */
  #occurrencesOf(key: string): Occurrences<E> | undefined {
    const known = this.#known.get(key);
    if (known && known.connection !== this.#connection) {
      known.connection = this.#connection;
      known.seen = 0;
    }
    return known;
  }
}

function createFullError(): UbikError {
  return new UbikError(
    'too-many-events',
    'This run has more events than are kept; the rest is left out.',
  );
}
