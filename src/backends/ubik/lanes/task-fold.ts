import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { EventLog, LoggedEvent } from '../../../stream/event-log.js';
import { toFoldEvent, type Lane } from '../fold/event-row.js';
import { findRow } from '../fold/event-table.js';
import {
  MAX_TEXT,
  MessageFold,
  type FoldState,
  type MessageFoldOptions,
} from '../fold/message-fold.js';
import { sizeOf, withoutContent, type WireEvent } from '../wire/wire-event.js';
import { replaceFold } from './replace-fold.js';

/** The log of one task. */
export type TaskLog = EventLog<WireEvent, FoldState>;

/** What a fold of a log is made from. */
export interface TaskFoldOptions extends MessageFoldOptions {
  /** Events between two kept states, at least: 256. */
  readonly snapshotDistance?: number | undefined;
}

/** Parts that a message may have for an event past the bound of the log to open another one. */
const MAX_PARTS_UNLOGGED = 1000;

/**
 * The fold of a log that grows, mostly at its end.
 *
 *     newest ───────────────────────────────► appended
 *     late, newest in its lanes, opens nothing ► appended
 *     late otherwise ───────────────────────► waits; `rebuild` folds again from the nearest state before it
 *     past the bound of the log ────────────► appended, in the order of arrival
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
  /** Events that hold a full content, and how much all of them hold. */
  readonly #contents = new Set<LoggedEvent<WireEvent>>();
  #heldUnits = 0;
  /** The one that this connection has brought back last. */
  #restored: LoggedEvent<WireEvent> | null = null;

  /** Takes in all that is logged. `like`: a fold of the same message, for what it knows beside its events. */
  constructor(log: TaskLog, options: TaskFoldOptions, like?: MessageFold) {
    this.log = log;
    this.#options = options;
    this.#fold = new MessageFold(options, like);
    this.#takeFrom(0);
  }

  /** What is shown. Another one after a rebuild. */
  get fold(): MessageFold {
    return this.#fold;
  }

  /** Whether an event waits for a rebuild. */
  get isDirty(): boolean {
    return this.#dirtyFrom !== null;
  }

  /** Takes in the event that has just come to stand at `index`. */
  take(index: number, isLate: boolean): void {
    const fold = this.#fold;
    const entry = this.log.at(index);
    const row = entry && findRow(entry.event);
    if (!row || fold.run.ended) return;
    const event = toFoldEvent(entry.event, entry.instant);
    const lanes = row.lanes(event, fold);
    const mayAppend = !isLate || this.#isNewest(lanes, entry.instant);
    for (const lane of lanes) {
      this.#newest.set(lane, Math.max(entry.instant, this.#newest.get(lane) ?? -Infinity));
    }
    const part = row.part?.(event);
    // Text may have shown as text what this event tells of: both are one thing.
    if (part && fold.expect(part)) this.#dirtyFrom = 0;
    else if (mayAppend) {
      const before = fold.crossings;
      const { fullContents } = fold.run;
      row.reduce(event, fold);
      if (fold.run.fullContents > fullContents) this.#holdContent(entry, index);
      if (isLate && fold.crossings !== before) this.#wait(index, event);
      this.#keepState(isLate ? this.log.length : index + 1);
    } else this.#wait(index, event);
  }

  /**
   * Takes in an event that the log did not take, so that a run past the bound goes on and ends. It cannot be folded again: what waits
   * for that is put in order before.
   */
  takeUnlogged(wireEvent: WireEvent, instant: number | null): void {
    if (this.isDirty) for (const change of this.rebuild()) this.#fold.outline.tell(change);
    const fold = this.#fold;
    const row = findRow(wireEvent);
    if (!row || fold.run.ended) return;
    const event = toFoldEvent(wireEvent, instant ?? -Infinity);
    const lanes = row.lanes(event, fold);
    const mayOpen = lanes.includes('opens') && !lanes.includes('*');
    if (mayOpen && fold.outline.size >= MAX_PARTS_UNLOGGED) return;
    const part = row.part?.(event);
    if (part) fold.expect(part);
    row.reduce(event, fold);
  }

  /**
   * A known event came once more. A full content that was let go is kept again: should this connection turn out to be cut in
   * other pieces, it may be the last one.
   */
  takeAgain(entry: LoggedEvent<WireEvent>, event: WireEvent): void {
    if (!entry.event.isReplaced) return;
    if (this.#restored) this.#letGo(this.#restored);
    this.#restored = entry;
    this.log.replace(entry, event);
    this.#contents.add(entry);
    this.#heldUnits += sizeOf(event);
  }

  /** Folds what waits again, from the nearest state before it, out of sight. Tells what differs from what is shown. */
  rebuild(): Change[] {
    const shown = this.#fold;
    if (this.#dirtyFrom === null) return shown.takeChanges();
    const kept = this.log.snapshotBefore(this.#dirtyFrom);
    const from = kept?.state.generation === shown.facts.generation ? kept : null;
    this.#fold = new MessageFold(this.#options, shown, from?.state);
    this.#dirtyFrom = null;
    this.#takeFrom(from?.index ?? 0);
    return replaceFold(shown, this.#fold);
  }

  #takeFrom(first: number): void {
    this.#lastSnapshot = first;
    for (let index = first; index < this.log.length; index++) this.take(index, false);
  }

  /** A full content replaces what stands before it. Of older ones only so much is kept as a message may have, for what comes late. */
  #holdContent(entry: LoggedEvent<WireEvent>, index: number): void {
    const { maxText = MAX_TEXT } = this.#options;
    const held = this.#contents;
    if (!held.has(entry)) this.#heldUnits += sizeOf(entry.event);
    held.add(entry);
    if (index < this.log.length - 1) return;
    for (const other of held) {
      if (this.#heldUnits <= maxText || other === entry) break;
      this.#letGo(other);
    }
  }

  #letGo(entry: LoggedEvent<WireEvent>): void {
    if (!this.#contents.delete(entry)) return;
    this.#heldUnits -= sizeOf(entry.event);
    this.log.replace(entry, withoutContent(entry.event));
  }

  #isNewest(lanes: readonly Lane[], instant: number): boolean {
    return ['*' as const, ...lanes].every(
      (lane) => lane !== 'opens' && (this.#newest.get(lane) ?? -Infinity) <= instant,
    );
  }

  #wait(index: number, { type: offender }: WireEvent): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom ?? index, index);
    this.#options.onDiagnostic(new UbikError('late-event', { offender }));
  }

  #keepState(length: number): void {
    const distance = this.#options.snapshotDistance ?? Math.max(256, this.#fold.outline.size);
    if (this.#dirtyFrom !== null || length - this.#lastSnapshot < distance) return;
    this.#lastSnapshot = length;
    this.log.setSnapshot(length, this.#fold.snapshot());
  }
}
