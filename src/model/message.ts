import type { Json, Key } from './json.js';
import type { Part } from './part.js';

/**
 * The state of a message. `waiting`: it has a pending input request. `interrupted`: the rest of the answer is not known, because the
 * stream broke and was not rejoined, or because the service no longer has the thread.
 */
export type MessageStatus =
  | 'complete'
  | 'streaming'
  | 'waiting'
  | 'stopped'
  | 'interrupted'
  | 'failed';

/** A document that was sent with a message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
}

/** Data of the host page that a message is about, such as what the user has selected there. */
export interface ApplicationContext {
  /** Shown to the user. */
  readonly title: string;
  readonly data: Json;
}

/** Settings that are sent with a message, in addition to its text and attachments. */
export interface MessageSettings {
  /** The service's own options, such as a model; passed on unchanged. The onboarding of the service describes them. */
  readonly options?: { readonly [name: string]: Json };
  /**
   * The context, for backends with the capability `context`. Null sends none, even if the backend has a default; undefined sends the
   * default of the backend.
   */
  readonly context?: ApplicationContext | null;
}

/** The checkpoint from which a branch was restored, and the hint that was given with it. */
export interface RestoreOrigin {
  readonly checkpoint: string;
  readonly hint: string | null;
}

/** Duration and tokens of an answer, as far as the service reports them. */
export interface MessageUsage {
  /** Duration of the run in seconds. */
  readonly seconds: number | null;
  readonly tokens: number | null;
  /** Time from the question to the first token, in ms. */
  readonly firstTokenMs: number | null;
}

/** The fields of a message, without its parts. */
export interface MessageFields {
  /** The service's id; null until it is known. It can change. */
  readonly id: string | null;
  /** Id of the run that writes or wrote this message; UBIK calls it a task. Null when unknown. */
  readonly runId: string | null;
  /** `system`: a message of the service that is neither shown nor exported; its children are shown below its parent. */
  readonly role: 'user' | 'assistant' | 'system';
  /** Key of the message before this one; null for a root. */
  readonly parent: Key | null;
  /** The service's ids of all versions of this message, its own included, as far as the service has listed them; empty when it lists none. */
  readonly siblingIds: readonly string[];
  /** In ms since the epoch; null while unknown. */
  readonly createdAt: number | null;
  readonly status: MessageStatus;
  readonly attachments: readonly Attachment[];
  /** Title of the application context that a user's message was sent with; undefined when it has none or the service stores none. */
  readonly contextTitle?: string;
  /** Set on the first message of a branch that was restored from a checkpoint. */
  readonly restoredFrom: RestoreOrigin | null;
  /** Why it failed or was interrupted: error code and English message. Null for other statuses. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Undefined until the service reports it. */
  readonly usage?: MessageUsage;
  /** Questions that the service suggests for the user to ask next. */
  readonly followUps?: readonly string[];
  /** Additional data of the service for the host page; not shown by the elements. */
  readonly extra?: Json;
}

/** The fields of a message that has no content yet: by default one of the agent, streaming. */
export const EMPTY_ANSWER: MessageFields = {
  id: null,
  runId: null,
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

/** The parts of a message, by key and by parent. Live: it changes with the message. */
export interface PartIndex {
  /** Returns the part with a key. */
  get(key: Key): Part | undefined;
  /** Returns the keys of the direct children of `parent`, in order. `parent` is null for the top level, `ACTIVITY` for activity. */
  children(parent: Key | null): readonly Key[];
  /**
   * Returns a number that increases with each change in or below a part, and never decreases, even if the part is removed and added again.
   */
  revision(key: Key): number;
  /** Number of parts, including activity. */
  readonly size: number;
}

/** A message. The object is replaced when a field changes; `parts` stays the same live object. */
export interface Message extends MessageFields {
  readonly key: Key;
  readonly parts: PartIndex;
}
