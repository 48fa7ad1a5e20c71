import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { EventLog, LoggedEvent } from '../../../stream/event-log.js';
import { toFoldEvent, type EventRow, type FoldEvent, type Lane } from '../fold/event-row.js';
import { EVENT_TABLE } from '../fold/event-table.js';
import { MessageFold, type FoldState, type MessageFoldOptions } from '../fold/message-fold.js';
import type { WireEvent } from '../wire/wire-event.js';
import { replaceFold } from './replace-fold.js';

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
  readonly log: TaskLog;
  readonly #options: TaskFoldOptions;
  #fold: MessageFold;
  /** The newest instant in each lane. */
  readonly #newest = new Map<Lane, number>();
  /** The lowest place in the log of an event that waits; null when none does. */
  #dirtyFrom: number | null = null;
  #lastSnapshot = 0;
  #generation = 0;

  constructor(log: TaskLog, options: TaskFoldOptions) {
    this.log = log;
    this.#options = options;
    this.#fold = new MessageFold(options);
  }

  /** What is shown. Another one after a rebuild. */
  get fold(): MessageFold {
    return this.#fold;
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
    const fold = this.#fold;
    const entry = this.log.at(index);
    const row = entry && EVENT_TABLE.get(entry.event.type);
    if (!row || fold.run.ended) return;
    const event = toFoldEvent(entry.event, entry.instant);
    const lanes = row.lanes(event, fold);
    const name = row.construct?.(event) ?? null;
    const mayAppend = !isLate || this.#mayAppend(row, event, lanes, entry.instant);
    this.#note(lanes, entry.instant);
    if (name !== null && fold.isLiteral(name)) {
      // Text has shown as text what this event tells of: both are one thing.
      this.#generation += 1;
      this.#dirtyFrom = 0;
    } else if (mayAppend) {
      const before = fold.crossings;
      row.reduce(event, fold);
      if (isLate && fold.crossings !== before) this.#wait(index, event);
      this.#keepState(this.log.length);
    } else this.#wait(index, event);
  }

  /** Folds what waits again, from the nearest state before it, out of sight. Tells what differs from what is shown. */
  rebuild(): Change[] {
    const shown = this.#fold;
    if (this.#dirtyFrom === null) return shown.takeChanges();
    const kept = this.log.snapshotBefore(this.#dirtyFrom);
    const from = kept?.state.generation === this.#generation ? kept : null;
    let index = from?.index ?? 0;
    this.#fold = new MessageFold(this.#options, from?.state.state);
    this.#fold.adoptFacts(shown);
    this.#dirtyFrom = null;
    this.#lastSnapshot = index;
    for (const entry of this.log.from(index)) {
      this.#reduce(entry);
      this.#keepState((index += 1));
    }
    return replaceFold(shown, this.#fold);
  }

  #mayAppend(row: EventRow, event: FoldEvent, lanes: readonly Lane[], instant: number): boolean {
    const isNewest = ['*' as const, ...lanes].every(
      (lane) => (this.#newest.get(lane) ?? -Infinity) <= instant,
    );
    return isNewest && row.isAppend?.(event, this.#fold) === true;
  }

  #note(lanes: readonly Lane[], instant: number): void {
    for (const lane of lanes) {
      this.#newest.set(lane, Math.max(instant, this.#newest.get(lane) ?? instant));
    }
  }

  #wait(index: number, { type: offender }: WireEvent): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom ?? index, index);
    this.#options.onDiagnostic(new UbikError('late-event', { offender }));
  }

  #reduce({ event: logged, instant }: LoggedEvent<WireEvent>): void {
    const row = EVENT_TABLE.get(logged.type);
    if (!row || this.#fold.run.ended) return;
    const event = toFoldEvent(logged, instant);
    // Its lanes may be others than before: in another order another chunk opens a step.
    this.#note(row.lanes(event, this.#fold), instant);
    row.reduce(event, this.#fold);
  }

  #keepState(length: number): void {
    const distance = this.#options.snapshotDistance ?? Math.max(256, this.#fold.outline.size);
    if (this.#dirtyFrom !== null || length - this.#lastSnapshot < distance) return;
    this.#lastSnapshot = length;
    const state = this.#fold.snapshot();
    this.log.setSnapshot(length, { state, generation: this.#generation });
  }
}
