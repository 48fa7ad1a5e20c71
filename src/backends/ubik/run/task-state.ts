import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { ACTIVITY } from '../../../model/part.js';
import { createEventLog } from '../../../transport/event-log.js';
import { findRow } from '../reducer/event-table.js';
import type { ReducerState } from '../reducer/message-reducer.js';
import { answerRequest, listAsking } from '../reducer/input-requests.js';
import { endStopped } from '../reducer/run-events.js';
import { replaceDraft, TaskReducer } from '../reducer/task-reducer.js';
import { instantOf, keyOf, sizeOf, type WireEvent } from '../events/wire-event.js';

/** What the memory of a task is made from. */
export interface TaskMemoryOptions {
  /** The message that it writes. */
  readonly message: Key;
  readonly maxEvents?: number | undefined;
  readonly maxEventText?: number | undefined;
  readonly maxText?: number | undefined;
  /** Events between two states to go back to: 256, or more when there are many parts. */
  readonly snapshotDistance?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
  /** How much is shown of it already that this memory has not made: the task is built out of sight until it is as much. */
  readonly shown?: number | undefined;
}

/** A task that is put together out of sight, until it is as much as what is shown. */
interface Hidden {
  readonly task: TaskReducer;
  /** What it must not fall short of, unless it knows a full content that the other does not. */
  readonly size: number;
  readonly fullContents: number;
}

/**
 * What is known of one task over all its connections. Each connection may replay it from its start; what was told before changes
 * nothing. A replay that was cut differently is put together out of sight.
 */
export class TaskMemory {
  readonly #options: TaskMemoryOptions;
  #shown: TaskReducer;
  #hidden: Hidden | null = null;
  /** The wish to stop was accepted: a plain end is the end. */
  #stopAccepted = false;
  #isFull = false;
  /** The present connection has brought no event of the task yet. */
  #isSilent = true;

  constructor(options: TaskMemoryOptions) {
    this.#options = options;
    const { maxEvents, maxEventText: maxSize, shown } = options;
    const log = createEventLog<WireEvent, ReducerState>({ maxEvents, maxSize, sizeOf });
    this.#shown = new TaskReducer(log, options);
    if (shown !== undefined) this.#hidden = { task: this.#shown, size: shown, fullContents: 0 };
  }

  /** How the run stands, as far as it is told. */
  get run(): TaskReducer['reducer']['run'] {
    return this.#current.reducer.run;
  }

  /** Whether something waits to be put in order. */
  get isDirty(): boolean {
    return this.#current.isDirty;
  }

  /** Whether the wish to stop was accepted, by the service's own word or by its answer to ours. */
  get isStopping(): boolean {
    return this.#stopAccepted || this.run.stopRequested;
  }

  /** A connection was made: what comes next may be a replay. */
  connect(): void {
    // What could not catch up is forgotten; what is shown stays to compare with.
    if (this.#current !== this.#shown) this.#hidden = null;
    this.#shown.log.connect();
    this.#isSilent = true;
  }

  /** Lets the next changes tell once more how the run stands: others may have noted something else meanwhile. */
  tellStanding(): void {
    if (!this.#hidden) this.#shown.reducer.tellStanding();
  }

  /** Takes an event of the present connection. */
  take(event: WireEvent): void {
    const row = findRow(event);
    if (!row) {
      this.#report('unknown-event', event);
      return;
    }
    if (this.run.ended) return;
    // An open connection says nothing about the run; its first event does.
    if (this.#isSilent) this.tellStanding();
    this.#isSilent = false;
    // The end is the end: whatever its time, nothing stands behind it.
    const instant = row.ends ? Infinity : instantOf(event);
    const key = keyOf(event);
    let answer = this.#current.log.add(key, instant, event);
    if (answer.status === 'foreign') {
      this.#report('foreign-replay', event);
      this.#rebuildHidden();
      answer = this.#current.log.add(key, instant, event);
    }
    if (answer.status === 'new') this.#current.take(answer.index, answer.late);
    if (answer.status === 'replay') this.#current.takeAgain(answer.entry, event);
    if (answer.status !== 'full') return;
    if (answer.isNew) this.#current.takeUnlogged(event, instant);
    if (!this.#isFull) this.#options.onDiagnostic(new UbikError('too-many-events'));
    this.#isFull = true;
  }

  /** What has changed. `settle`: puts in order what waits for it. */
  takeChanges(settle: boolean): Change[] {
    if (!this.#hidden) return settle ? this.#shown.rebuild() : this.#shown.reducer.takeChanges();
    const { task, size, fullContents } = this.#hidden;
    if (!settle && task.isDirty) return [];
    task.rebuild();
    const { run } = task.reducer;
    if (!run.ended && run.fullContents <= fullContents && extentOf(task) < size) return [];
    const before = task === this.#shown ? null : this.#shown.reducer;
    this.#shown = task;
    this.#hidden = null;
    return replaceDraft(before, task.reducer);
  }

  /** Adds the text that has come but is withheld because it is incomplete; null while the task is put together out of sight. */
  listIncompleteText(): Change[] | null {
    if (this.#hidden?.task === this.#shown) return null;
    const { message } = this.#options;
    return this.#shown.reducer.listHeld().flatMap(([parent, { text, tool, payload }]): Change[] => {
      const part = `@held:${parent ?? ''}`;
      const value = { kind: 'incomplete-activity', tool, payload } as const;
      return [
        { type: 'part', message, part, parent: ACTIVITY, before: null, value },
        { type: 'text', message, part, at: 0, text },
      ];
    });
  }

  /** The service has accepted the wish to stop. */
  acceptStop(): void {
    this.#stopAccepted = true;
  }

  /** The stream came to a plain end after a stop. */
  endStopped(): void {
    const { reducer } = this.#current;
    reducer.closeContent();
    endStopped(reducer);
  }

  /** The person answered a request; null: elsewhere, and how is not known. */
  answer(request: Key, answer: string | null): void {
    answerRequest(this.#current.reducer, request, answer);
  }

  /** The executions that ask, by the key of the question. */
  listAsking(): (readonly [Key, string])[] {
    return listAsking(this.#current.reducer);
  }

  get #current(): TaskReducer {
    return this.#hidden?.task ?? this.#shown;
  }

  /** From this connection alone. */
  #rebuildHidden(): void {
    const { log, reducer } = this.#shown;
    const task = new TaskReducer(log.fork(), this.#options, reducer);
    const { fullContents } = reducer.run;
    this.#hidden = { task, size: extentOf(this.#shown), fullContents };
  }

  #report(code: UbikError['code'], { type }: WireEvent): void {
    this.#options.onDiagnostic(new UbikError(code, { offender: type.slice(0, 80) }));
  }
}

/** How much there is to see: units of text, and parts. */
function extentOf({ reducer: { draft } }: TaskReducer): number {
  return draft.textLength + draft.size;
}
