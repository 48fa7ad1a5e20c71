import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import { createEventLog } from '../../../transport/event-log.js';
import { findEventHandler } from '../reducer/event-table.js';
import type { ReducerState } from '../reducer/message-reducer.js';
import { answerRequest, listPendingExecutions } from '../reducer/input-requests.js';
import { endAsStopped, recordIds } from '../reducer/run-events.js';
import { createReplacementChanges, TaskReducer } from '../reducer/task-reducer.js';
import { getEventTime, getEventKey, measureEvent, type WireEvent } from '../events/wire-event.js';

/** Options of the state of a task. */
export interface TaskStateOptions {
  /** Key of the message that the task writes. */
  readonly message: Key;
  /** As in `UbikLimits`. */
  readonly maxEvents?: number | undefined;
  /** As in `UbikLimits`. */
  readonly maxEventText?: number | undefined;
  /** As `maxMessageText` in `UbikLimits`. */
  readonly maxText?: number | undefined;
  /** Minimum number of events between two snapshots; by default 256, or the number of parts if that is greater. */
  readonly snapshotDistance?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
  /** Size of the message, as in `SessionState.taskSizes`, if it is shown but was not built here. It is then built off screen until it is as large. */
  readonly shownSize?: number | undefined;
}

/**
 * State of one task over all its connections (UBIK R5). Each connection may replay the task from its start; events that were applied before
 * change nothing. A replay with other event boundaries is built off screen.
 */
export class TaskState {
  readonly #options: TaskStateOptions;
  /** The task whose message is shown; while `#storedSize` is set, the one that is built off screen to replace the stored message. */
  #task: TaskReducer;
  /** Size of the stored message that is shown in place of `#task`; null once `#task` is shown. */
  #storedSize: number | null;
  /** The task of a replay with other event boundaries, which is built off screen to replace `#task`. Null while `#storedSize` is set. */
  #candidate: TaskReducer | null = null;
  #hasReportedOverflow = false;
  /** Whether no event of the task was received on this connection yet. */
  #awaitsFirstEvent = true;

  constructor(options: TaskStateOptions) {
    this.#options = options;
    const { maxEvents, maxEventText: maxSize, shownSize = null } = options;
    const log = createEventLog<WireEvent, ReducerState>({
      maxEvents,
      maxSize,
      sizeOf: measureEvent,
    });
    this.#task = new TaskReducer(log, options);
    this.#storedSize = shownSize;
  }

  /** Status of the run according to the events so far. */
  get status(): TaskReducer['reducer']['status'] {
    return this.#current.reducer.status;
  }

  /** Whether late events have to be sorted. */
  get isDirty(): boolean {
    return this.#current.isDirty;
  }

  /** Starts a new connection, which may replay the task. */
  connect(): void {
    // A candidate that is still too small is dropped; the next replay is compared with the shown task.
    this.#candidate = null;
    this.#task.log.connect();
    this.#awaitsFirstEvent = true;
  }

  /** Includes the status in the next changes again, because the controller may have set another one meanwhile. */
  repeatStatus(): void {
    if (this.#isCurrentShown) this.#current.reducer.repeatStatus();
  }

  /** Applies an event of this connection. */
  apply(event: WireEvent): void {
    const handler = findEventHandler(event);
    if (!handler) {
      this.#report('unknown-event', event);
      return;
    }
    if (this.status.ended) return;
    // Only the first event shows that the run is in progress; an open connection does not.
    if (this.#awaitsFirstEvent) this.repeatStatus();
    this.#awaitsFirstEvent = false;
    // `connection_established` belongs to its connection, so it is not compared with that of the first connection: the run is replayed even if
    // that connection had none or another one (UBIK R5).
    if (event.type === 'connection_established') {
      this.#current.log.expectReplay();
      recordIds(event, this.#current.reducer);
      return;
    }
    // An end event comes after all others, whatever its time (UBIK R3).
    const instant = handler.endsMessage ? Infinity : getEventTime(event);
    const key = getEventKey(event);
    let result = this.#current.log.add(key, instant, event);
    if (result.status === 'rechunked') {
      this.#report('rechunked-replay', event);
      this.#startCandidate();
      result = this.#current.log.add(key, instant, event);
    }
    if (result.status === 'new') this.#current.apply(result.index, result.late);
    if (result.status === 'replay') this.#current.restoreContent(result.entry, event);
    if (result.status !== 'full') return;
    if (result.isNew) this.#current.applyUnlogged(event, instant);
    if (!this.#hasReportedOverflow) this.#options.onDiagnostic(new UbikError('too-many-events'));
    this.#hasReportedOverflow = true;
  }

  /** Returns the changes since the last call. With `sortLate`, sorts late events first. */
  drainChanges(sortLate: boolean): Change[] {
    const task = this.#current;
    if (this.#isCurrentShown) return sortLate ? task.rebuild() : task.reducer.drainChanges();
    if (!sortLate && task.isDirty) return [];
    task.rebuild();
    if (!this.#mayReplaceShown(task)) return [];
    const before = this.#storedSize === null ? this.#task.reducer : null;
    this.#task = task;
    this.#storedSize = null;
    this.#candidate = null;
    return createReplacementChanges(before, task.reducer);
  }

  /** Returns changes that add the withheld text of the shown message (UBIK R12); null while that message was not built here. */
  createIncompleteTextChanges(): Change[] | null {
    if (this.#storedSize !== null) return null;
    const { message } = this.#options;
    return this.#task.reducer
      .listWithheldText()
      .flatMap(([parent, { text, tool, payload }]): Change[] => {
        const part = `@incomplete:${parent ?? ''}`;
        const value = { kind: 'incomplete-activity', tool, payload } as const;
        return [
          { type: 'part', message, part, parent: ACTIVITY, before: null, value },
          { type: 'text', message, part, at: 0, text },
        ];
      });
  }

  /** Closes the content and ends the task as stopped. Called when, after a stop, the stream has ended without an end event. */
  endAsStopped(): void {
    const { reducer } = this.#current;
    reducer.closeContent();
    endAsStopped(reducer);
  }

  /**
   * Records the answer to a request; null when it was given elsewhere and is unknown. Records it in the shown task, too, because a candidate may
   * be dropped.
   */
  recordAnswer(request: Key, answer: string | null): void {
    for (const { reducer } of new Set([this.#task, this.#current]))
      answerRequest(reducer, request, answer);
  }

  /** Lists the pending requests of executions: the key of each, with the id of its execution. */
  listPendingExecutions(): (readonly [Key, string])[] {
    return listPendingExecutions(this.#current.reducer);
  }

  /** The task that gets the events of this connection. */
  get #current(): TaskReducer {
    return this.#candidate ?? this.#task;
  }

  get #isCurrentShown(): boolean {
    return this.#candidate === null && this.#storedSize === null;
  }

  /** Whether a task that is built off screen has ended, has received more full contents than the shown message, or is as large. */
  #mayReplaceShown(task: TaskReducer): boolean {
    const { ended, fullContents } = task.reducer.status;
    if (ended) return true;
    // The size of a stored message counts no requests. A message that was built here is shown until the task also has as many requests.
    // Other activity is not measured, because a replay may lack it.
    if (this.#storedSize !== null)
      return fullContents > 0 || measureContent(task) >= this.#storedSize;
    const shown = this.#task;
    return (
      fullContents > shown.reducer.status.fullContents || measureTask(task) >= measureTask(shown)
    );
  }

  /** Builds the task from the events of this connection only. */
  #startCandidate(): void {
    const { log, reducer } = this.#task;
    const task = new TaskReducer(log.fork(), this.#options, reducer);
    // While a stored message is shown, `#task` is not, so it is replaced at once.
    if (this.#storedSize === null) this.#candidate = task;
    else this.#task = task;
  }

  #report(code: UbikError['code'], { type }: WireEvent): void {
    this.#options.onDiagnostic(new UbikError(code, { offender: type.slice(0, 80) }));
  }
}

/** Returns the size of the content, in the unit of `SessionState.taskSizes`. */
function measureContent({ reducer: { builder } }: TaskReducer): number {
  return builder.textLength + builder.content.size;
}

/** Returns the size of the content, as {@link measureContent} does, plus the number of requests. */
function measureTask(task: TaskReducer): number {
  return measureContent(task) + task.reducer.builder.list('request-activity').length;
}
