import type { RunKeys, RunRef } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { MessageStatus } from '../../model/message.js';
import { IDLE_RUN, type Run, type RunState } from '../../model/thread.js';
import type { ControllerNotice } from '../controller-types.js';
import type { ConversationStore } from '../data/conversation-store.js';
import { toFailure } from './failure.js';
import type { KeptNotes } from '../data/kept-notes.js';

/** The states in which a run is over, as far as this page is concerned. */
export type EndState = 'complete' | 'waiting' | 'stopped' | 'failed' | 'interrupted';

/** What {@link RunRecord} is made from. */
export interface RunRecordOptions {
  readonly store: ConversationStore;
  readonly notes: KeptNotes;
  readonly notify: (notice: ControllerNotice) => void;
  readonly keys: RunKeys;
}

/** How one run stands in the data: its state, the status of its messages, its note in storage, and what is told of it. */
export class RunRecord {
  readonly keys: RunKeys;
  readonly #options: RunRecordOptions;
  /** `run-started` was told and nothing about its end yet. */
  #started = false;
  #noted: string | null | undefined;
  #lastId: string | null = null;
  #finishedRuns: readonly string[] = [];

  constructor(options: RunRecordOptions) {
    this.#options = options;
    this.keys = options.keys;
  }

  /** The run of the thread. */
  get run(): Run {
    return this.#options.store.thread(this.keys.thread)?.run ?? IDLE_RUN;
  }

  /** The server's id of the thread; empty while it has none. */
  get threadId(): string {
    return this.#options.store.thread(this.keys.thread)?.id ?? '';
  }

  /** What the backend needs to find the run again. */
  get ref(): RunRef {
    const { run, keys } = this;
    // The thread's run may be the next one already.
    const id = run.answer === keys.answer ? run.id : this.#lastId;
    return { id, keys, finishedRuns: this.#finishedRuns };
  }

  /** Begins: from now on the thread's run is this one. */
  open(state: 'sending' | 'rejoining', id: string | null, changes: readonly Change[]): void {
    this.#finishedRuns = this.#listFinishedRuns(id);
    const { user, answer } = this.keys;
    const run: Run = { ...IDLE_RUN, state, id, user, answer, resumed: state === 'rejoining' };
    this.change(changes, { ...run, attempt: state === 'rejoining' ? 1 : 0 });
    this.note();
  }

  /** Goes on after it was given up. */
  reopen(): void {
    const { answer, user } = this.keys;
    const changes: Change[] = [setStatus(answer, 'streaming')];
    changes.push({ do: 'set', message: answer, part: null, path: ['failure'], value: null });
    const messages = this.#options.store.thread(this.keys.thread)?.messages;
    if (user !== null && messages?.get(user)?.status === 'interrupted')
      changes.push(setStatus(user, 'streaming'));
    this.change(changes, { resumed: true, error: null });
    this.note();
  }

  /** Makes changes, fields of the run last. */
  change(changes: readonly Change[], run: Partial<Run> | null): void {
    const all: readonly Change[] = run ? [...changes, { do: 'thread', set: { run } }] : changes;
    this.#options.store.commit(this.keys.thread, all);
  }

  /** Keeps a note of the run once its thread is known to the server, and again when its own id is. */
  note(): void {
    const { id } = this.run;
    if (this.#noted === id || this.threadId === '') return;
    this.#noted = id;
    this.#lastId = id;
    this.#options.notes.write('run', this.threadId, { task: id });
  }

  /** The run is no longer unfinished. */
  dropNote(): void {
    this.#noted = undefined;
    if (this.threadId !== '') this.#options.notes.remove('run', this.threadId);
  }

  /** The question has arrived. */
  arrive(changes: readonly Change[]): readonly Change[] {
    const { user } = this.keys;
    return user !== null && this.#isOpen(user)
      ? [setStatus(user, 'complete'), ...changes]
      : changes;
  }

  /** Tells that the run is on, once, before its first batch: what that brings comes after. */
  tellStart(first: Batch): void {
    if (this.#started) return;
    this.#started = true;
    const id = first.changes.map(toRunId).find((found) => found != null) ?? this.run.id;
    const run = { ...this.run, id };
    this.#options.notify({ type: 'run-started', thread: this.keys.thread, run });
  }

  /** Brings run and messages to an end and tells it, when the start was told. What the backend has set already stays. */
  end(state: EndState, error: UbikError | null): void {
    const failure = error ? toFailure(error) : null;
    const run: Partial<Run> = {
      state,
      attempt: 0,
      retryAt: null,
      ...(error && { error: failure }),
    };
    this.change(this.#settleMessages(state, failure), run);
    if (state !== 'interrupted') this.dropNote();
    if (this.#started) this.#options.notify(this.#toNotice(state, error));
    else if (error) this.#options.notify({ type: 'error', error });
    this.#started = false;
  }

  #settleMessages(state: EndState, failure: Run['error']): Change[] {
    const { answer, user } = this.keys;
    const changes: Change[] = [];
    if (this.#isOpen(answer)) {
      changes.push(setStatus(answer, state));
      if (failure)
        changes.push({ do: 'set', message: answer, part: null, path: ['failure'], value: failure });
    }
    // Whether an interrupted question arrived is not known when nothing ever came back: it stays as it is.
    const arrived = this.#started || state !== 'interrupted';
    if (user !== null && this.#isOpen(user))
      changes.push(setStatus(user, arrived ? 'complete' : 'interrupted'));
    return changes;
  }

  /** Whether a message has not come to an end. */
  #isOpen(message: Key): boolean {
    const status = this.#options.store.thread(this.keys.thread)?.messages.get(message)?.status;
    return status === 'streaming' || status === 'waiting';
  }

  #toNotice(state: EndState, error: UbikError | null): ControllerNotice {
    const told = { thread: this.keys.thread, run: this.run };
    switch (state) {
      case 'complete':
        return { type: 'run-ended', ...told };
      case 'waiting':
        return { type: 'run-paused', ...told };
      case 'stopped':
        return { type: 'run-stopped', ...told };
      case 'failed':
      case 'interrupted':
        return { type: `run-${state}`, ...told, error: error ?? this.#recall() };
    }
  }

  /** The error that the backend left in the data. */
  #recall(): UbikError {
    const message = this.run.error?.message ?? 'The agent ended with an error.';
    return new UbikError('run-failed', message);
  }

  #listFinishedRuns(id: string | null): string[] {
    const runs = new Set<string>();
    const thread = this.#options.store.thread(this.keys.thread);
    for (const { taskId, key } of thread?.messages.values() ?? []) {
      if (taskId !== null && taskId !== id && key !== this.keys.answer) runs.add(taskId);
    }
    if (thread?.run.id != null && thread.run.id !== id) runs.add(thread.run.id);
    return [...runs];
  }
}

/** The change of a message's status. */
export function setStatus(message: Key, status: MessageStatus): Change {
  return { do: 'set', message, part: null, path: ['status'], value: status };
}

function toRunId(change: Change): string | null | undefined {
  return change.do === 'thread' ? change.set.run?.id : null;
}

/** The state as an end; null while the run is on. */
export function toEndState(state: RunState): EndState | null {
  switch (state) {
    case 'complete':
    case 'waiting':
    case 'stopped':
    case 'failed':
    case 'interrupted':
      return state;
    default:
      return null;
  }
}
