import type { Json, Key } from './json.js';
import type { Message } from './message.js';

/**
 * The state of a run. The order of a run whose stream breaks once:
 *
 *     idle → sending → streaming → (stalled | broken) → rejoining → streaming → complete | waiting | stopped | failed | interrupted
 *
 * `stopping`: a stop request was sent. The state is another one while the stop is deferred until the run is confirmed, and, after the request,
 * while the connection is lost or once the run waits for input. docs/run-states.md has all transitions.
 */
export type RunState =
  | 'idle'
  | 'sending'
  | 'streaming'
  | 'stopping'
  | 'stalled'
  | 'broken'
  | 'rejoining'
  | 'complete'
  | 'waiting'
  | 'stopped'
  | 'failed'
  | 'interrupted';

/** The agent's work on one answer. */
export interface Run {
  readonly state: RunState;
  /** The service's id of the run; null until it is known. */
  readonly id: string | null;
  /** Key of the user message that the run answers; null when the run has none (regenerate, restore). */
  readonly user: Key | null;
  /** Key of the message that is being written. */
  readonly answer: Key | null;
  /** Whether this page has joined a run in progress, or rejoined one that was paused or interrupted. */
  readonly resumed: boolean;
  /** Number of the current attempt to rejoin, from 1; 0 when connected. */
  readonly attempt: number;
  /** When the next attempt is due, in ms since the epoch; null when none is scheduled. */
  readonly retryAt: number | null;
  /** The last error: code and English message. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The initial value of {@link Thread.run}. */
export const IDLE_RUN: Run = {
  state: 'idle',
  id: null,
  user: null,
  answer: null,
  resumed: false,
  attempt: 0,
  retryAt: null,
  error: null,
};

/** The fields of a thread, without its messages. */
export interface ThreadFields {
  /** The service's id; null until the service has created the thread. */
  readonly id: string | null;
  readonly title: string;
  /** Key of the last message of the shown branch; null when there is none. */
  readonly head: Key | null;
  readonly run: Run;
}

/** Names of the lists besides the messages. `threads` is global; each of the others belongs to a thread. */
export type ListName = 'threads' | 'checkpoints' | 'documents' | 'queue';

/** A thread: a tree of messages. Live: it changes with the model. */
export interface Thread extends ThreadFields {
  readonly key: Key;
  readonly messages: ReadonlyMap<Key, Message>;
  /** Returns the entries of a list by key, in the order in which they were first set. */
  list(name: ListName): ReadonlyMap<Key, Json>;
  /** Increases with each change in the thread. */
  readonly revision: number;
}

/** Whether the run waits for the user on the shown branch. A run that waits on another branch does not block the shown one. */
export function isWaiting({ head, run }: ThreadFields): boolean {
  return run.state === 'waiting' && run.answer === head;
}

/**
 * Whether this page knows the run of the shown answer only from the stored thread. False while the last run of this page may continue, also
 * when that run waits, or was interrupted and can be rejoined.
 */
export function isShownRunOnlyStored({ head, run }: ThreadFields): boolean {
  return ['idle', 'complete', 'stopped', 'failed'].includes(run.state) && run.answer !== head;
}

/** Returns the id of the run of an answer, null for any other message. The id of an active run is known before its message contains it. */
export function runIdOf({ run }: ThreadFields, { key, runId, role }: Message): string | null {
  if (role !== 'assistant') return null;
  return runId ?? (run.answer === key ? run.id : null);
}

/**
 * Returns the messages of the branch that ends with `head`, oldest first; by default the shown branch. Stops at a parent that is not
 * loaded and at a cycle.
 */
export function pathTo(thread: Thread, head: Key | null = thread.head): Message[] {
  const path: Message[] = [];
  const seen = new Set<Key>();
  for (let key = head; key !== null && !seen.has(key);) {
    seen.add(key);
    const message = thread.messages.get(key);
    if (!message) break;
    path.push(message);
    key = message.parent;
  }
  return path.reverse();
}
