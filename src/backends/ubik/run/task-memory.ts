import { UbikError } from '../../../errors.js';
import type { Change } from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { createEventLog } from '../../../stream/event-log.js';
import { EVENT_TABLE } from '../fold/event-table.js';
import { closeContent, endStopped } from '../fold/rows/end-rows.js';
import { TaskFold, type FoldSnapshot, type TaskLog } from '../lanes/task-fold.js';
import { instantOf, keyOf, type WireEvent } from '../wire/wire-event.js';
import { HiddenTask, sizeOf, type ShownSize } from './hidden-task.js';

/** What the memory of a task is made from. */
export interface TaskMemoryOptions {
  /** The message that it writes. */
  readonly message: Key;
  readonly maxEvents?: number | undefined;
  readonly maxText?: number | undefined;
  /** Events between two states to go back to: 256, or more when there are many parts. */
  readonly snapshotDistance?: number | undefined;
  readonly onDiagnostic: (error: UbikError) => void;
  /** What is shown of it already and was not made by this memory: the task is built out of sight until it is as much. */
  readonly shown?: ShownSize | undefined;
}

/**
 * What is known of one task over all its connections. Each connection may replay it from its start; what was told before changes
 * nothing. A replay that was cut differently is put together out of sight.
 */
export class TaskMemory {
  readonly message: Key;
  readonly #options: TaskMemoryOptions;
  #shown: TaskFold;
  #hidden: HiddenTask | null = null;
  /** The wish to stop was accepted: a plain end is the end. */
  #stopAccepted = false;
  #isFull = false;

  constructor(options: TaskMemoryOptions) {
    this.#options = options;
    this.message = options.message;
    const log = createEventLog<WireEvent, FoldSnapshot>({ maxEvents: options.maxEvents });
    this.#shown = new TaskFold(log, options);
    if (options.shown) this.#hidden = new HiddenTask(this.#shown, options.shown);
  }

  /** How the run stands, as far as it is told. */
  get run(): TaskFold['fold']['run'] {
    return this.#current.fold.run;
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
    if (this.#hidden && this.#hidden.task !== this.#shown) this.#hidden = null;
    this.#shown.log.connect();
    if (!this.#hidden) this.#shown.fold.tellStanding();
  }

  /** Takes an event of the present connection. */
  take(event: WireEvent): void {
    const row = EVENT_TABLE.get(event.type);
    if (!row) {
      this.#report('unknown-event', 'The service sent an event of an unknown type.', event.type);
      return;
    }
    if (this.run.ended) return;
    // The end is the end: whatever its time, nothing stands behind it.
    const instant = row.ends?.(event) ? Infinity : instantOf(event);
    const key = keyOf(event);
    const answer = this.#current.log.add(key, instant, event);
    if (answer.status === 'new') this.#current.take(answer.index, answer.late);
    else if (answer.status === 'full') this.#reportFull(answer.error);
    else if (answer.status === 'foreign') this.#takeForeign(key, instant, event);
  }

  /** What has changed. `settle`: puts in order what waits for it. */
  takeChanges(settle: boolean): Change[] {
    const hidden = this.#hidden;
    if (!hidden) return settle ? this.#shown.rebuild() : this.#shown.fold.takeChanges();
    if (!settle && hidden.task.isDirty) return [];
    hidden.advance();
    if (!hidden.isCaughtUp()) return [];
    const shown = hidden.task === this.#shown ? null : this.#shown;
    this.#shown = hidden.task;
    this.#hidden = null;
    return hidden.reveal(shown);
  }

  /** The service has accepted the wish to stop. */
  acceptStop(): void {
    this.#stopAccepted = true;
  }

  /** The stream came to a plain end after a stop. */
  endStopped(): void {
    const { fold } = this.#current;
    closeContent(fold);
    endStopped(fold);
  }

  /** The person answered a request. */
  answer(request: Key, answer: string): void {
    const { fold } = this.#current;
    fold.requests.answer(request, answer);
    fold.updateWaiting();
  }

  get #current(): TaskFold {
    return this.#hidden?.task ?? this.#shown;
  }

  #takeForeign(key: string, instant: number | null, event: WireEvent): void {
    this.#report('foreign-replay', 'The service repeats the run in other pieces.', event.type);
    const log: TaskLog = this.#shown.log.fork();
    const task = new TaskFold(log, this.#options);
    task.fold.adoptFacts(this.#shown.fold);
    task.takeAll();
    this.#hidden = new HiddenTask(task, sizeOf(this.#shown));
    const answer = log.add(key, instant, event);
    if (answer.status === 'new') task.take(answer.index, answer.late);
  }

  #reportFull(error: UbikError): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#options.onDiagnostic(error);
  }

  #report(code: UbikError['code'], message: string, offender: string): void {
    this.#options.onDiagnostic(new UbikError(code, message, { offender: offender.slice(0, 80) }));
  }
}
