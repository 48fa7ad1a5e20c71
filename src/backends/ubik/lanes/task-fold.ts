import type { Change } from '../../../model/change.js';
import { UbikError } from '../../../errors.js';
import type { EventLog, LoggedEvent } from '../../../stream/event-log.js';
import { toFoldEvent, type FoldEvent } from '../fold/fold-event.js';
import type { EventRow } from '../fold/event-row.js';
import { EVENT_TABLE } from '../fold/event-table.js';
import { MessageFold, type FoldState, type MessageFoldOptions } from '../fold/message-fold.js';
import type { WireEvent } from '../wire/wire-event.js';
import { differenceOf } from './difference.js';
import { LaneClock } from './lane-clock.js';
import { ModelMirror } from './model-mirror.js';

/** The log of one task. */
export type TaskLog = EventLog<WireEvent, FoldSnapshot>;

/** A state of the fold behind a number of events. */
export interface FoldSnapshot {
  readonly state: FoldState;
  /** States of an older one show as text what is a part by now. */
  readonly generation: number;
}

/** What a fold of a log is made from. */
export interface TaskFoldOptions extends MessageFoldOptions {
  /** Events between two kept states, at least: 256. */
  readonly snapshotDistance?: number | undefined;
}

/**
 * The fold of a log that grows, mostly at its end.
 *
 *     newest ───────────────────────────────► appended
 *     late, newest in its lanes, opens nothing ► appended
 *     late otherwise ───────────────────────► waits; `rebuild` folds again from the nearest state before it
 */
export class TaskFold {
  readonly fold: MessageFold;
  readonly log: TaskLog;
  readonly #options: TaskFoldOptions;
  readonly #clock = new LaneClock();
  readonly #start: FoldState;
  /** What is shown, in the order in which it was taken in. */
  #applied: LoggedEvent<WireEvent>[] = [];
  /** The lowest place in the log of an event that waits; null when none does. */
  #dirtyFrom: number | null = null;
  #lastSnapshot = 0;
  #generation = 0;
  /** Constructs that text spelled out before their event came: from the next rebuild on they give way to it. */
  readonly #awaited: NonNullable<ReturnType<NonNullable<EventRow['construct']>>>[] = [];

  constructor(log: TaskLog, options: TaskFoldOptions) {
    this.log = log;
    this.#options = options;
    this.fold = new MessageFold(options);
    this.#start = this.fold.snapshot();
  }

  /** Whether an event waits for a rebuild. */
  get isDirty(): boolean {
    return this.#dirtyFrom !== null;
  }

  /** Takes in all that is logged. */
  takeAll(): void {
    for (let index = 0; index < this.log.length; index += 1) this.take(index, false);
  }

  /** Takes in the event that has just come to stand at `index`. */
  take(index: number, isLate: boolean): void {
    const entry = this.log.at(index);
    const row = entry && EVENT_TABLE.get(entry.event.type);
    if (!entry || this.fold.run.ended) return;
    if (!row) {
      this.#applied.push(entry);
      return;
    }
    const event = toFoldEvent(entry.event, entry.instant);
    if (
      this.#hidesBehindText(row, event) ||
      (isLate && !this.#mayAppend(row, event, entry.instant))
    ) {
      this.#clock.note(row.lanes(event, this.fold), entry.instant);
      this.#wait(index, isLate);
      return;
    }
    this.#append(row, event, entry, isLate ? index : null);
  }

  /** Folds what waits again, from the nearest state before it, out of sight. Tells what differs from what is shown. */
  rebuild(): Change[] {
    const told = this.fold.takeChanges();
    if (this.#dirtyFrom === null) return told;
    const found = this.log.snapshotBefore(this.#dirtyFrom);
    const from = found?.state.generation === this.#generation ? found : null;
    const changes = this.#rebuildFrom(from?.index ?? 0, from?.state.state ?? this.#start);
    return [...told, ...(changes ?? this.#rebuildFrom(0, this.#start) ?? [])];
  }

  /** All that was taken in, told to a mirror of its own. */
  mirror(): ModelMirror {
    const twin = new TaskFold(this.log, this.#options);
    const mirror = new ModelMirror(this.fold.message, null);
    twin.fold.adoptFacts(this.fold);
    for (const entry of this.#applied) twin.#fold(entry);
    mirror.take(twin.fold.takeChanges());
    return mirror;
  }

  #append(
    row: EventRow,
    event: FoldEvent,
    entry: LoggedEvent<WireEvent>,
    lateAt: number | null,
  ): void {
    const { fold } = this;
    const before = fold.orderMatters;
    this.#applied.push(entry);
    this.#clock.note(row.lanes(event, fold), entry.instant);
    row.reduce(event, fold);
    if (lateAt !== null && fold.orderMatters !== before) this.#wait(lateAt, true);
    this.#keepState(this.log.length);
  }

  /** Text has shown as text what this event tells of: both are one thing. */
  #hidesBehindText(row: EventRow, event: FoldEvent): boolean {
    const { constructs } = this.fold;
    const name = row.construct?.(event) ?? null;
    if (!name || constructs.isExpected(name)) return false;
    if (constructs.isLiteral(name)) this.#awaited.push(name);
    else constructs.expect(name);
    return constructs.isLiteral(name);
  }

  #mayAppend(row: EventRow, event: FoldEvent, instant: number): boolean {
    if (row.ends?.(event)) return true;
    const { fold } = this;
    return row.isAppend(event, fold) && this.#clock.isNewest(row.lanes(event, fold), instant);
  }

  #wait(index: number, isLate: boolean): void {
    // What text has shown lies before the event: any place before it will do, and the beginning always does.
    const from = isLate && this.#awaited.length === 0 ? index : 0;
    this.#dirtyFrom = Math.min(this.#dirtyFrom ?? Infinity, from);
    if (!isLate) return;
    const message = 'An event came late; the answer was put together again.';
    this.#options.onDiagnostic(
      new UbikError('late-event', message, { offender: this.log.at(index)?.event.type }),
    );
  }

  #rebuildFrom(index: number, state: FoldState): Change[] | null {
    const { fold, log } = this;
    const message = fold.message;
    fold.restore(state);
    const shown = new ModelMirror(message, state.outline);
    for (let at = index; at < this.#applied.length; at += 1) {
      const entry = this.#applied[at];
      if (entry) this.#fold(entry);
    }
    shown.take(fold.takeChanges());
    if (this.#awaited.length > 0) this.#generation += 1;
    for (const name of this.#awaited.splice(0)) fold.constructs.expect(name);
    fold.restore(state);
    const built = new ModelMirror(message, state.outline);
    this.#applied.length = index;
    this.#dirtyFrom = null;
    this.#lastSnapshot = index;
    for (const entry of log.from(index)) {
      this.#applied.push(entry);
      this.#fold(entry);
      this.#keepState(this.#applied.length);
    }
    built.take(fold.takeChanges());
    return differenceOf(shown, built);
  }

  #fold(entry: LoggedEvent<WireEvent>): void {
    if (this.fold.run.ended) return;
    const row = EVENT_TABLE.get(entry.event.type);
    if (!row) return;
    const event = toFoldEvent(entry.event, entry.instant);
    // Its lanes may be others than before: in another order another chunk opens a step.
    this.#clock.note(row.lanes(event, this.fold), entry.instant);
    row.reduce(event, this.fold);
  }

  #keepState(length: number): void {
    if (this.#dirtyFrom !== null || this.#applied.length !== length) return;
    const distance = this.#options.snapshotDistance ?? Math.max(256, this.fold.outline.size);
    if (length - this.#lastSnapshot < distance) return;
    this.#lastSnapshot = length;
    this.log.setSnapshot(length, { state: this.fold.snapshot(), generation: this.#generation });
  }
}
