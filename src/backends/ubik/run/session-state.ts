import type { RunRef } from '../../backend.js';
import type { Key } from '../../../model/json.js';
import type { TaskState } from './task-state.js';

/** What this page knows of the runs of one session. */
export interface SessionState {
  /** Runs that were not let go, by the message that they write. */
  readonly runs: Map<Key, TaskState>;
  /** Tasks that are over or whose message was read, with how much of that was there to see: a stream that brings one brings nothing new. */
  readonly tasks: Map<string, number>;
  /** Ids of messages that are known: the newest answer of a record that is behind may be one of them. */
  readonly messageIds: Set<string>;
  /** The newest message that was read, when an assistant wrote it. */
  head: { readonly taskId: string | null; readonly size: number } | null;
}

/** Notes of all sessions. */
export type SessionStates = Map<string, SessionState>;

/** The notes of a session. */
export function getSessionState(state: SessionStates, session: string): SessionState {
  const known = state.get(session) ?? {
    runs: new Map(),
    tasks: new Map(),
    messageIds: new Set(),
    head: null,
  };
  state.set(session, known);
  return known;
}

/** The memory of a run; undefined when there is none. */
export function findTask({ runs }: SessionState, { id, keys }: RunRef): TaskState | undefined {
  const memory = runs.get(keys.answer);
  return id === null || (memory?.status.taskId ?? id) === id ? memory : undefined;
}

/** A task is over. */
export function markEnded({ tasks }: SessionState, taskId: string | null): void {
  if (taskId !== null && !tasks.has(taskId)) tasks.set(taskId, 0);
}

/** Lets the run go that writes a message. */
export function releaseTask(state: SessionState, message: Key): void {
  markEnded(state, state.runs.get(message)?.status.taskId ?? null);
  state.runs.delete(message);
}
