import type { Json, Key } from './json.js';
import type { Message } from './message.js';

/**
 * How the run of a thread stands:
 *
 *     idle → sending → streaming → (stalled | broken) → rejoining → streaming → complete | waiting | stopped | failed | interrupted
 *
 * `stopping` is `streaming` after the person asked for the end.
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

/** One task of the agent. */
export interface Run {
  readonly state: RunState;
  /** The service's id of the task; null while it has not told one. */
  readonly id: string | null;
  /** The question; null when the run was not started by one of ours. */
  readonly user: Key | null;
  /** The message that is being written. */
  readonly answer: Key | null;
  /** Whether this page joined a run that was already on. */
  readonly resumed: boolean;
  /** Number of the present try to rejoin, from 1; 0 when connected. */
  readonly attempt: number;
  /** When the next try is due, ms since the epoch; null when none is planned. */
  readonly retryAt: number | null;
  /** What went wrong last: code and English sentence. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The run of a thread on which nothing runs. */
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

/** What is known of a thread apart from its messages. */
export interface ThreadFields {
  /** The server's id; null until the thread exists there. */
  readonly id: string | null;
  readonly title: string;
  /** The newest message of the way that is shown. */
  readonly head: Key | null;
  readonly run: Run;
}

/** Lists beside the messages. `threads` belongs to no thread; the others to one each. */
export type ListName = 'threads' | 'checkpoints' | 'documents' | 'queue';

/** A conversation, as readers see it: a tree of messages. Live. */
export interface Thread extends ThreadFields {
  readonly key: Key;
  readonly messages: ReadonlyMap<Key, Message>;
  /** Entries of a list by key, in the order they were first set. */
  list(name: ListName): ReadonlyMap<Key, Json>;
  /** Rises with each change of or in the thread. */
  readonly version: number;
}

/**
 * The way from the first message to `head` (the thread's own by default), oldest first. A parent that is missing or that would
 * close a circle ends the way.
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
