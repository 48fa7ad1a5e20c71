import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import { equalJson } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import type { EventLog, LoggedEvent } from '../../../transport/event-log.js';
import { measureEvent, type WireEvent, dropContent } from '../events/wire-event.js';
import { toReducerEvent, type OrderingGroup } from './event-handler.js';
import { findEventHandler } from './event-table.js';
import type { MessageBuilder } from './message-builder.js';
import {
  MAX_TEXT,
  MessageReducer,
  type MessageReducerOptions,
  type ReducerState,
} from './message-reducer.js';

/** The event log of one task. */
export type TaskLog = EventLog<WireEvent, ReducerState>;

/** Options of a task reducer. */
export interface TaskReducerOptions extends MessageReducerOptions {
  /** Minimum number of events between two snapshots; by default 256, or the number of parts if that is greater. */
  readonly snapshotDistance?: number | undefined;
}

/** An event beyond the limit of the log is dropped if it may add a part to a message that has this many parts. */
const MAX_PARTS_UNLOGGED = 1000;

/**
 * Reduces a log, which mostly grows at its end (UBIK R4):
 *
 *     newest ──────────────────────────────────► appended
 *     late, newest in its groups, adds no part ► appended
 *     late otherwise ──────────────────────────► waits; `rebuild` reduces again from the nearest snapshot before it
 *     beyond the limit of the log ─────────────► appended, in the order of arrival
 */
export class TaskReducer {
  readonly log: TaskLog;
  readonly #options: TaskReducerOptions;
  #reducer: MessageReducer;
  /** The newest time in each group, in µs. */
  readonly #newestTimes = new Map<OrderingGroup, number>();
  /** The index from which a rebuild reduces the events again; null when none is needed. */
  #dirtyFrom: number | null = null;
  /** Number of events before the last snapshot. */
  #lastSnapshot = 0;
  /** Events whose full content is retained, in the order in which they were applied. */
  readonly #contents = new Set<LoggedEvent<WireEvent>>();
  /** Total length of the text in these events, in UTF-16 units. */
  #retainedUnits = 0;
  /** The event whose content was restored last. */
  #restored: LoggedEvent<WireEvent> | null = null;

  /**
   * Applies all events of the log.
   *
   * @param predecessor a reducer of the same message, whose carried state is adopted
   */
  constructor(log: TaskLog, options: TaskReducerOptions, predecessor?: MessageReducer) {
    this.log = log;
    this.#options = options;
    this.#reducer = new MessageReducer(options, predecessor);
    this.#applyFrom(0);
  }

  /** The current reducer of the message. A rebuild replaces it. */
  get reducer(): MessageReducer {
    return this.#reducer;
  }

  /** Whether a rebuild is needed. */
  get isDirty(): boolean {
    return this.#dirtyFrom !== null;
  }

  /** Applies the event that was added to the log at `index`. The log of a run that has ended gets no further events (UBIK R3). */
  apply(index: number, isLate: boolean): void {
    const reducer = this.#reducer;
    const entry = this.log.at(index);
    const handler = entry && findEventHandler(entry.event);
    if (!handler) return;
    const event = toReducerEvent(entry.event, entry.instant);
    const groups = handler.groups(event, reducer);
    const mayAppend = !isLate || this.#isNewest(groups, entry.instant);
    for (const group of groups) {
      this.#newestTimes.set(
        group,
        Math.max(entry.instant, this.#newestTimes.get(group) ?? -Infinity),
      );
    }
    const part = handler.part?.(event);
    // The text before this event has shown the construct as text, so rebuild it (UBIK R7).
    if (part && reducer.expectPart(part)) this.#dirtyFrom = 0;
    else if (mayAppend) {
      const before = reducer.orderSensitiveOps;
      const { fullContents } = reducer.status;
      handler.reduce(event, reducer);
      if (reducer.status.fullContents > fullContents) this.#retainContent(entry, index);
      if (isLate && reducer.orderSensitiveOps !== before) this.#markDirty(index, event);
      // Once a late event is applied, the state contains all events of the log.
      this.#saveSnapshot(isLate ? this.log.length : index + 1);
    } else this.#markDirty(index, event);
  }

  /**
   * Applies an event that the full log has rejected, so that a run beyond the limit continues and ends. Rebuilds first, because such an
   * event cannot be reduced again.
   */
  applyUnlogged(wireEvent: WireEvent, instant: number | null): void {
    if (this.isDirty) for (const change of this.rebuild()) this.#reducer.builder.record(change);
    const reducer = this.#reducer;
    const handler = findEventHandler(wireEvent);
    if (!handler) return;
    const event = toReducerEvent(wireEvent, instant ?? -Infinity);
    const groups = handler.groups(event, reducer);
    // A full content (group `*`) replaces the parts instead of adding to them.
    const mayOpen = groups.includes('opens') && !groups.includes('*');
    if (mayOpen && reducer.builder.size >= MAX_PARTS_UNLOGGED) return;
    const part = handler.part?.(event);
    if (part) reducer.expectPart(part);
    handler.reduce(event, reducer);
  }

  /**
   * Handles a replayed event. Restores its full content if that was dropped: if this connection turns out to have other event boundaries,
   * the message is rebuilt from the events of this connection, and this full content may be the last one among them.
   */
  restoreContent(entry: LoggedEvent<WireEvent>, event: WireEvent): void {
    if (!entry.event.hasDroppedContent) return;
    if (this.#restored) this.#dropContent(this.#restored);
    this.#restored = entry;
    this.log.replace(entry, event);
    this.#contents.add(entry);
    this.#retainedUnits += measureEvent(event);
  }

  /** Reduces again, off screen, from the nearest snapshot before the first waiting event. Returns the changes to the shown message. */
  rebuild(): Change[] {
    const shown = this.#reducer;
    if (this.#dirtyFrom === null) return shown.drainChanges();
    const saved = this.log.snapshotBefore(this.#dirtyFrom);
    const snapshot = saved?.state.generation === shown.carried.generation ? saved : null;
    this.#reducer = new MessageReducer(this.#options, shown, snapshot?.state);
    this.#dirtyFrom = null;
    this.#applyFrom(snapshot?.index ?? 0);
    return createReplacementChanges(shown, this.#reducer);
  }

  #applyFrom(first: number): void {
    this.#lastSnapshot = first;
    for (let index = first; index < this.log.length; index++) this.apply(index, false);
  }

  /**
   * Retains the full content of an event for late events. Drops the oldest retained contents, which this one has replaced, while all of them
   * together exceed the limit of one message.
   */
  #retainContent(entry: LoggedEvent<WireEvent>, index: number): void {
    const { maxText = MAX_TEXT } = this.#options;
    const contents = this.#contents;
    if (!contents.has(entry)) this.#retainedUnits += measureEvent(entry.event);
    contents.add(entry);
    // Later events may be full contents that replace this one, so only the newest event drops others.
    if (index < this.log.length - 1) return;
    for (const other of contents) {
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
    const distance = this.#options.snapshotDistance ?? Math.max(256, this.#reducer.builder.size);
    if (this.#dirtyFrom !== null || length - this.#lastSnapshot < distance) return;
    this.#lastSnapshot = length;
    this.log.setSnapshot(length, this.#reducer.snapshot());
  }
}

/**
 * Returns the changes that replace the shown message with one that was built off screen; with `shown` null, changes that replace any
 * content.
 */
export function createReplacementChanges(
  shown: MessageReducer | null,
  built: MessageReducer,
): Change[] {
  const earlier = shown?.drainChanges() ?? [];
  built.builder.drainChanges();
  if (shown) built.adoptCarriedState(shown);
  else built.repeatStatus();
  const { message } = built.builder;
  return [
    ...earlier,
    { type: 'content', message, parts: built.builder.toTrees() },
    ...diffActivity(shown?.builder, built.builder),
    ...built.drainChanges(),
  ];
}

/** Returns the changes that turn the shown activity into the built one. The children of a removed part are removed with it. */
function diffActivity(shown: MessageBuilder | undefined, built: MessageBuilder): Change[] {
  const { message } = built;
  const changes: Change[] = [];
  for (const [part, { parent }] of shown?.activity ?? []) {
    const isRemoved = !built.has(part) && (parent === ACTIVITY || built.has(parent ?? ''));
    if (isRemoved) changes.push({ type: 'remove', message, part });
  }
  const parts = [...built.activity];
  parts.forEach(([part, { parent, fields: value, text }], index) => {
    const known = shown?.activity.get(part);
    if (!equalJson(known?.fields, value)) {
      // A new part is inserted before the next sibling that is already shown.
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
