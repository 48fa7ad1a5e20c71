import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import { createEventLog } from '../../../transport/event-log.js';
import { findEventHandler } from '../reducer/event-table.js';
import type { ReducerState } from '../reducer/message-reducer.js';
import { answerRequest, listPendingExecutions } from '../reducer/input-requests.js';
import { endAsStopped } from '../reducer/run-events.js';
import { createReplacementChanges, TaskReducer } from '../reducer/task-reducer.js';
import { getEventTime, getEventKey, measureEvent, type WireEvent } from '../events/wire-event.js';

/** What the memory of a task is made from. */
export interface TaskStateOptions {
  /** The message that it writes. */
  readonly message: Key;
  readonly maxEvents?: number | undefined;
  readonly maxEventText?: number | undefined;
  readonly maxText?: number | undefined;
  /** Events between two states to go back to: 256, or more when there are many parts. */
  readonly snapshotDistance?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
  /** How much is shown of it already that this memory has not made: the task is built out of sight until it is as much. */
  readonly shownSize?: number | undefined;
}

/** A task that is put together out of sight, until it is as much as what is shown. */
interface Candidate {
  readonly task: TaskReducer;
  /** What it must not fall short of, unless it knows a full content that the other does not. */
  readonly size: number;
  readonly fullContents: number;
}

/**
 * What is known of one task over all its connections. Each connection may replay it from its start; what was told before changes
 * nothing. A replay that was cut differently is put together out of sight.
 */
export class TaskState {
  readonly #options: TaskStateOptions;
  #shown: TaskReducer;
  #candidate: Candidate | null = null;
  /** The wish to stop was accepted: a plain end is the end. */
  #isStopConfirmed = false;
  #hasReportedOverflow = false;
  /** The present connection has brought no event of the task yet. */
  #awaitsFirstEvent = true;

  constructor(options: TaskStateOptions) {
    this.#options = options;
    const { maxEvents, maxEventText: maxSize, shownSize: shown } = options;
    const log = createEventLog<WireEvent, ReducerState>({
      maxEvents,
      maxSize,
      sizeOf: measureEvent,
    });
    this.#shown = new TaskReducer(log, options);
    if (shown !== undefined) this.#candidate = { task: this.#shown, size: shown, fullContents: 0 };
  }

  /** How the run stands, as far as it is told. */
  get status(): TaskReducer['reducer']['status'] {
    return this.#current.reducer.status;
  }

  /** Whether something waits to be put in order. */
  get isDirty(): boolean {
    return this.#current.isDirty;
  }

  /** Whether the wish to stop was accepted, by the service's own word or by its answer to ours. */
  get isStopping(): boolean {
    return this.#isStopConfirmed || this.status.stopRequested;
  }

  /** A connection was made: what comes next may be a replay. */
  connect(): void {
    // What could not catch up is forgotten; what is shown stays to compare with.
    if (this.#current !== this.#shown) this.#candidate = null;
    this.#shown.log.connect();
    this.#awaitsFirstEvent = true;
  }

  /** Lets the next changes tell once more how the run stands: others may have noted something else meanwhile. */
  repeatStatus(): void {
    if (!this.#candidate) this.#shown.reducer.repeatStatus();
  }

  /** Takes an event of the present connection. */
  apply(event: WireEvent): void {
    const row = findEventHandler(event);
    if (!row) {
      this.#report('unknown-event', event);
      return;
    }
    if (this.status.ended) return;
    // An open connection says nothing about the run; its first event does.
    if (this.#awaitsFirstEvent) this.repeatStatus();
    this.#awaitsFirstEvent = false;
    // The end is the end: whatever its time, nothing stands behind it.
    const instant = row.ends ? Infinity : getEventTime(event);
    const key = getEventKey(event);
    let recordAnswer = this.#current.log.add(key, instant, event);
    if (recordAnswer.status === 'foreign') {
      this.#report('foreign-replay', event);
      this.#startCandidate();
      recordAnswer = this.#current.log.add(key, instant, event);
    }
    if (recordAnswer.status === 'new') this.#current.apply(recordAnswer.index, recordAnswer.late);
    if (recordAnswer.status === 'replay') this.#current.restoreContent(recordAnswer.entry, event);
    if (recordAnswer.status !== 'full') return;
    if (recordAnswer.isNew) this.#current.applyUnlogged(event, instant);
    if (!this.#hasReportedOverflow) this.#options.onDiagnostic(new UbikError('too-many-events'));
    this.#hasReportedOverflow = true;
  }

  /** What has changed. `settle`: puts in order what waits for it. */
  drainChanges(settle: boolean): Change[] {
    if (!this.#candidate)
      return settle ? this.#shown.rebuild() : this.#shown.reducer.drainChanges();
    const { task, size, fullContents } = this.#candidate;
    if (!settle && task.isDirty) return [];
    task.rebuild();
    const { status: run } = task.reducer;
    if (!run.ended && run.fullContents <= fullContents && measureTask(task) < size) return [];
    const before = task === this.#shown ? null : this.#shown.reducer;
    this.#shown = task;
    this.#candidate = null;
    return createReplacementChanges(before, task.reducer);
  }

  /** Adds the text that has come but is withheld because it is incomplete; null while the task is put together out of sight. */
  createIncompleteTextChanges(): Change[] | null {
    if (this.#candidate?.task === this.#shown) return null;
    const { message } = this.#options;
    return this.#shown.reducer
      .listHeldText()
      .flatMap(([parent, { text, tool, payload }]): Change[] => {
        const part = `@held:${parent ?? ''}`;
        const value = { kind: 'incomplete-activity', tool, payload } as const;
        return [
          { type: 'part', message, part, parent: ACTIVITY, before: null, value },
          { type: 'text', message, part, at: 0, text },
        ];
      });
  }

  /** The service has accepted the wish to stop. */
  confirmStop(): void {
    this.#isStopConfirmed = true;
  }

  /** The stream came to a plain end after a stop. */
  endAsStopped(): void {
    const { reducer } = this.#current;
    reducer.closeContent();
    endAsStopped(reducer);
  }

  /** The person answered a request; null: elsewhere, and how is not known. */
  answer(request: Key, answer: string | null): void {
    answerRequest(this.#current.reducer, request, answer);
  }

  /** The executions that ask, by the key of the question. */
  listPendingExecutions(): (readonly [Key, string])[] {
    return listPendingExecutions(this.#current.reducer);
  }

  get #current(): TaskReducer {
    return this.#candidate?.task ?? this.#shown;
  }

  /** From this connection alone. */
  #startCandidate(): void {
    const { log, reducer } = this.#shown;
    const task = new TaskReducer(log.fork(), this.#options, reducer);
    const { fullContents } = reducer.status;
    this.#candidate = { task, size: measureTask(this.#shown), fullContents };
  }

  #report(code: UbikError['code'], { type }: WireEvent): void {
    this.#options.onDiagnostic(new UbikError(code, { offender: type.slice(0, 80) }));
  }
}

/** How much there is to see: units of text, and parts. */
function measureTask({ reducer: { draft } }: TaskReducer): number {
  return draft.textLength + draft.size;
}
