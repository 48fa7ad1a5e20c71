import type { RunRef } from '../../backend.js';
import type { Key } from '../../../model/json.js';
import type { TaskMemory } from './task-state.js';

/** What this page knows of the runs of one session. */
export interface SessionNotes {
  /** Runs that were not let go, by the message that they write. */
  readonly runs: Map<Key, TaskMemory>;
  /** Tasks that are over or whose message was read, with how much of that was there to see: a stream that brings one brings nothing new. */
  readonly tasks: Map<string, number>;
  /** Ids of messages that are known: the newest answer of a record that is behind may be one of them. */
  readonly names: Set<string>;
  /** The newest message that was read, when an assistant wrote it. */
  head: { readonly taskId: string | null; readonly size: number } | null;
}

/** Notes of all sessions. */
export type Notes = Map<string, SessionNotes>;

/** The notes of a session. */
export function notesOf(notes: Notes, session: string): SessionNotes {
  const known = notes.get(session) ?? {
    runs: new Map(),
    tasks: new Map(),
    names: new Set(),
    head: null,
  };
  notes.set(session, known);
  return known;
}

/** The memory of a run; undefined when there is none. */
export function findMemory({ runs }: SessionNotes, { id, keys }: RunRef): TaskMemory | undefined {
  const memory = runs.get(keys.answer);
  return id === null || (memory?.run.taskId ?? id) === id ? memory : undefined;
}

/** A task is over. */
export function noteOver({ tasks }: SessionNotes, taskId: string | null): void {
  if (taskId !== null && !tasks.has(taskId)) tasks.set(taskId, 0);
}

/** Lets the run go that writes a message. */
export function forgetRun(notes: SessionNotes, message: Key): void {
  noteOver(notes, notes.runs.get(message)?.run.taskId ?? null);
  notes.runs.delete(message);
}
