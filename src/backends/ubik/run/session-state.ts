import type { DocumentInfo, InputRequest, RunRef } from '../../backend.js';
import type { Key } from '../../../model/json.js';
import type { TaskState } from './task-state.js';

/** The state of the runs of one session, as far as this page knows it. */
export interface SessionState {
  /** Tasks that were not released, by the key of the message that they write. */
  readonly runs: Map<Key, TaskState>;
  /**
   * Keys of the messages of runs that were requested to stop and are not released yet, and whether the service has accepted the request, so that
   * the end of the stream is the end of the run.
   */
  readonly stops: Map<Key, boolean>;
  /**
   * Tasks that have ended or whose message was loaded, with the size of that message, or 0 if it was not loaded: the number of its parts plus
   * the UTF-16 units of their texts, inputs and results. The task of a run that is requested later is not among them.
   */
  readonly taskSizes: Map<string, number>;
  /** Ids of known messages. While the service lags behind, its newest message is one of them. */
  readonly messageIds: Set<string>;
  /** The task that goes on because its tool was answered elsewhere, until this page rejoins a run; null when there is none. */
  continuedTask: string | null;
  /** The task whose tool waited for an answer when its message was loaded last; null when there is none. */
  waitingTask: string | null;
  /** The task and the size, as in `taskSizes`, of the newest loaded message if an assistant wrote it; null otherwise. */
  head: { readonly taskId: string | null; readonly size: number } | null;
  /**
   * The pending requests of the newest loaded message, by task, key and prompt; with the data that only the stream of its task contains,
   * if that was found.
   */
  requests: ReadonlyMap<string, InputRequest>;
  /** The files of answers that were uploaded and not sent yet, so that another attempt does not upload them again. */
  readonly uploads: Map<File, DocumentInfo>;
}

/** The states of all sessions, by id. */
export type SessionStates = Map<string, SessionState>;

/** Returns the state of a session; creates it when there is none. */
export function getSessionState(states: SessionStates, session: string): SessionState {
  const known = states.get(session) ?? {
    runs: new Map(),
    stops: new Map(),
    taskSizes: new Map(),
    messageIds: new Set(),
    continuedTask: null,
    waitingTask: null,
    head: null,
    requests: new Map(),
    uploads: new Map(),
  };
  states.set(session, known);
  return known;
}

/** Returns the task of a run; undefined when there is none, and when the task of its message has another id. */
export function findTask({ runs }: SessionState, { id, keys }: RunRef): TaskState | undefined {
  const task = runs.get(keys.answer);
  return id === null || (task?.status.taskId ?? id) === id ? task : undefined;
}

/** Records that a task has ended. */
export function markEnded({ taskSizes }: SessionState, taskId: string | null): void {
  if (taskId !== null && !taskSizes.has(taskId)) taskSizes.set(taskId, 0);
}

/** Releases the task that writes a message. */
export function releaseTask(state: SessionState, message: Key): void {
  markEnded(state, state.runs.get(message)?.status.taskId ?? null);
  state.runs.delete(message);
  state.stops.delete(message);
}
