import type { Json, Key } from './json.js';
import type { Part } from './part.js';

/** How a message stands. `interrupted`: it ended without its end. */
export type MessageStatus =
  | 'complete'
  | 'streaming'
  | 'waiting'
  | 'stopped'
  | 'interrupted'
  | 'failed';

/** A file that went with a message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
}

/** The checkpoint, and the hint, that a restored way began with. */
export interface RestoreOrigin {
  readonly checkpoint: string;
  readonly hint: string | null;
}

/** What is known of a message apart from its parts. */
export interface MessageFields {
  /** The server's id. May come late, may change. */
  readonly id: string | null;
  /** The task that writes or wrote this message. */
  readonly taskId: string | null;
  readonly role: 'user' | 'assistant' | 'system';
  /** The message before this one; null for a root. */
  readonly parent: Key | null;
  /** Ids of the other versions at this place, as far as the service named them. */
  readonly siblingIds: readonly string[];
  /** ms since the epoch; null while unknown. */
  readonly createdAt: number | null;
  readonly status: MessageStatus;
  readonly attachments: readonly Attachment[];
  readonly restoredFrom: RestoreOrigin | null;
  /** Why it failed or was interrupted: the error's code and English sentence. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** More that a service knows and a host may want; never shown by itself. */
  readonly extra?: Json;
}

/** An answer that says nothing yet. */
export const EMPTY_ANSWER: MessageFields = {
  id: null,
  taskId: null,
  role: 'assistant',
  parent: null,
  siblingIds: [],
  createdAt: null,
  status: 'streaming',
  attachments: [],
  restoredFrom: null,
  failure: null,
};

/**
 * Key of the text of a user's message, its only part. The controller shows a new message under this key and backends return stored
 * messages with it, so that loading a message again changes nothing.
 */
export const USER_TEXT: Key = 'text';

/** The parts of a message: found by key, listed by parent in order. Live. */
export interface PartIndex {
  /** The part under a key. */
  get(key: Key): Part | undefined;
  /** Keys of the parts in `parent`, in order: null for the message's own, `ACTIVITY` for its activity. */
  children(parent: Key | null): readonly Key[];
  /** Rises with each change in or under a part, and never falls, also when the part goes and comes back. */
  version(key: Key): number;
  /** Number of parts, activity included. */
  readonly size: number;
}

/** A message as readers see it: replaced when a field changes, its `parts` stay the same live object. */
export interface Message extends MessageFields {
  readonly key: Key;
  readonly parts: PartIndex;
}
