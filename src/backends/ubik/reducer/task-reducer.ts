import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import { equalJson } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import type { EventLog, LoggedEvent } from '../../../transport/event-log.js';
import { measureEvent, type WireEvent, dropContent } from '../events/wire-event.js';
import { toReducerEvent, type OrderingGroup } from './event-handler.js';
import { findEventHandler } from './event-table.js';
import type { MessageDraft } from './message-draft.js';
import {
  MAX_TEXT,
  MessageReducer,
  type MessageReducerOptions,
  type ReducerState,
} from './message-reducer.js';

/** The log of one task. */
export type TaskLog = EventLog<WireEvent, ReducerState>;

/** What a reducer of a log is made from. */
export interface TaskReducerOptions extends MessageReducerOptions {
  /** Events between two kept states, at least: 256. */
  readonly snapshotDistance?: number | undefined;
}

/** Parts that a message may have for an event past the bound of the log to open another one. */
const MAX_PARTS_UNLOGGED = 1000;

/**
 * The reducer of a log that grows, mostly at its end.
 *
 *     newest ───────────────────────────────► appended
 *     late, newest in its groups, opens nothing ► appended
 *     late otherwise ───────────────────────► waits; `rebuild` reduces again from the nearest state before it
 *     past the bound of the log ────────────► appended, in the order of arrival
 */
export class TaskReducer {
  readonly log: TaskLog;
  readonly #options: TaskReducerOptions;
  #reducer: MessageReducer;
  /** The newest instant in each group. */
  readonly #newestTimes = new Map<OrderingGroup, number>();
  /** The lowest place in the log of an event that waits; null when none does. */
  #dirtyFrom: number | null = null;
  #lastSnapshot = 0;
  /** Events that hold a full content, and how much all of them hold. */
  readonly #contents = new Set<LoggedEvent<WireEvent>>();
  #retainedUnits = 0;
  /** The one that this connection has brought back last. */
  #restored: LoggedEvent<WireEvent> | null = null;

  /** Takes in all that is logged. `like`: a reducer of the same message, for what it knows beside its events. */
  constructor(log: TaskLog, options: TaskReducerOptions, like?: MessageReducer) {
    this.log = log;
    this.#options = options;
    this.#reducer = new MessageReducer(options, like);
    this.#applyFrom(0);
  }

  /** What is shown. Another one after a rebuild. */
  get reducer(): MessageReducer {
    return this.#reducer;
  }

  /** Whether an event waits for a rebuild. */
  get isDirty(): boolean {
    return this.#dirtyFrom !== null;
  }

  /** Takes in the event that has just come to stand at `index`. */
  apply(index: number, isLate: boolean): void {
    const reducer = this.#reducer;
    const entry = this.log.at(index);
    const row = entry && findEventHandler(entry.event);
    if (!row || reducer.status.ended) return;
    const event = toReducerEvent(entry.event, entry.instant);
    const groups = row.groups(event, reducer);
    const mayAppend = !isLate || this.#isNewest(groups, entry.instant);
    for (const group of groups) {
      this.#newestTimes.set(
        group,
        Math.max(entry.instant, this.#newestTimes.get(group) ?? -Infinity),
      );
    }
    const part = row.part?.(event);
    // Text may have shown as text what this event tells of: both are one thing.
    if (part && reducer.expectPart(part)) this.#dirtyFrom = 0;
    else if (mayAppend) {
      const before = reducer.orderSensitiveOps;
      const { fullContents } = reducer.status;
      row.reduce(event, reducer);
      if (reducer.status.fullContents > fullContents) this.#retainContent(entry, index);
      if (isLate && reducer.orderSensitiveOps !== before) this.#markDirty(index, event);
      this.#saveSnapshot(isLate ? this.log.length : index + 1);
    } else this.#markDirty(index, event);
  }

  /**
   * Takes in an event that the log did not take, so that a run past the bound goes on and ends. It cannot be folded again: what waits
   * for that is put in order before.
   */
  applyUnlogged(wireEvent: WireEvent, instant: number | null): void {
    if (this.isDirty) for (const change of this.rebuild()) this.#reducer.draft.record(change);
    const reducer = this.#reducer;
    const row = findEventHandler(wireEvent);
    if (!row || reducer.status.ended) return;
    const event = toReducerEvent(wireEvent, instant ?? -Infinity);
    const groups = row.groups(event, reducer);
    const mayOpen = groups.includes('opens') && !groups.includes('*');
    if (mayOpen && reducer.draft.size >= MAX_PARTS_UNLOGGED) return;
    const part = row.part?.(event);
    if (part) reducer.expectPart(part);
    row.reduce(event, reducer);
  }

  /**
   * A known event came once more. A full content that was let go is kept again: should this connection turn out to be cut in
   * other pieces, it may be the last one.
   */
  restoreContent(entry: LoggedEvent<WireEvent>, event: WireEvent): void {
    if (!entry.event.hasDroppedContent) return;
    if (this.#restored) this.#dropContent(this.#restored);
    this.#restored = entry;
    this.log.replace(entry, event);
    this.#contents.add(entry);
    this.#retainedUnits += measureEvent(event);
  }

  /** Folds what waits again, from the nearest state before it, out of sight. Tells what differs from what is shown. */
  rebuild(): Change[] {
    const shown = this.#reducer;
    if (this.#dirtyFrom === null) return shown.drainChanges();
    const kept = this.log.snapshotBefore(this.#dirtyFrom);
    const from = kept?.state.generation === shown.carried.generation ? kept : null;
    this.#reducer = new MessageReducer(this.#options, shown, from?.state);
    this.#dirtyFrom = null;
    this.#applyFrom(from?.index ?? 0);
    return createReplacementChanges(shown, this.#reducer);
  }

  #applyFrom(first: number): void {
    this.#lastSnapshot = first;
    for (let index = first; index < this.log.length; index++) this.apply(index, false);
  }

  /** A full content replaces what stands before it. Of older ones only so much is kept as a message may have, for what comes late. */
  #retainContent(entry: LoggedEvent<WireEvent>, index: number): void {
    const { maxText = MAX_TEXT } = this.#options;
    const held = this.#contents;
    if (!held.has(entry)) this.#retainedUnits += measureEvent(entry.event);
    held.add(entry);
    if (index < this.log.length - 1) return;
    for (const other of held) {
      if (this.#retainedUnits <= maxText || other === entry) break;
      this.#dropContent(other);
    }
  }

  #dropContent(entry: LoggedEvent<WireEvent>): void {
    if (!this.#contents.delete(entry)) return;
    this.#retainedUnits -= measureEvent(entry.event);
    this.log.replace(entry, dropContent(entry.event));
  }

  #isNewest(groups: readonly OrderingGroup[], instant: number): boolean {
    return ['*' as const, ...groups].every(
      (group) => group !== 'opens' && (this.#newestTimes.get(group) ?? -Infinity) <= instant,
    );
  }

  #markDirty(index: number, { type: offender }: WireEvent): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom ?? index, index);
    this.#options.onDiagnostic(new UbikError('late-event', { offender }));
  }

  #saveSnapshot(length: number): void {
    const distance = this.#options.snapshotDistance ?? Math.max(256, this.#reducer.draft.size);
    if (this.#dirtyFrom !== null || length - this.#lastSnapshot < distance) return;
    this.#lastSnapshot = length;
    this.log.setSnapshot(length, this.#reducer.snapshot());
  }
}

/** The changes that put what was built out of sight in the place of what is shown; without that, of whatever is there. */
export function createReplacementChanges(
  shown: MessageReducer | null,
  built: MessageReducer,
): Change[] {
  const told = shown?.drainChanges() ?? [];
  built.draft.drainChanges();
  if (shown) built.adoptCarriedState(shown);
  else built.repeatStatus();
  const { message } = built.draft;
  return [
    ...told,
    { type: 'content', message, parts: built.draft.toTrees() },
    ...diffActivity(shown?.draft, built.draft),
    ...built.drainChanges(),
  ];
}

function diffActivity(shown: MessageDraft | undefined, built: MessageDraft): Change[] {
  const { message } = built;
  const changes: Change[] = [];
  for (const [part, { parent }] of shown?.activity ?? []) {
    const isGone = !built.has(part) && (parent === ACTIVITY || built.has(parent ?? ''));
    if (isGone) changes.push({ type: 'remove', message, part });
  }
  const parts = [...built.activity];
  parts.forEach(([part, { parent, fields: value, text }], index) => {
    const known = shown?.activity.get(part);
    if (!equalJson(known?.fields, value)) {
      const next = parts
        .slice(index)
        .find(([key, entry]) => entry.parent === parent && shown?.has(key));
      const before = (!known && next?.[0]) || null;
      changes.push({ type: 'part', message, part, parent, before, value });
    }
    const old = known?.text ?? '';
    const at = text.startsWith(old) ? old.length : 0;
    if (text !== old) changes.push({ type: 'text', message, part, at, text: text.slice(at) });
  });
  return changes;
}
