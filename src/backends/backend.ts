import type { UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type { Attachment, MessageFields, RestoreOrigin } from '../model/message.js';
import type {
  DeclinedAnswer,
  PartTree,
  RequestAnswer,
  RequestQuestion,
  ToolFile,
} from '../model/part.js';
import type { ThreadFields } from '../model/thread.js';

/** What a service can do. Elements show what is in here and nothing else. */
export type Capability =
  | 'threads'
  | 'rename'
  | 'delete'
  | 'stop'
  | 'rejoin'
  | 'input'
  | 'edit'
  | 'regenerate'
  | 'branches'
  | 'checkpoints'
  | 'documents'
  | 'upload'
  | 'link'
  | 'star'
  | 'citations'
  | 'tool-files'
  | 'onboarding';

/** Which part of a list is wanted; pages count from 1. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** One part of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** How many there are in all; null when the service does not say. */
  readonly total: number | null;
}

/** What may be uploaded; what is not named is up to the service. */
export interface UploadLimits {
  /** Documents in one thread. */
  readonly maxFiles?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** As in `accept` of a field for files: `.pdf`, `text/csv`, `image/*`. */
  readonly types?: readonly string[] | undefined;
}

/** What a service says before the first message. */
export interface Onboarding {
  readonly greeting: string | null;
  readonly starters: readonly string[];
  readonly uploadLimits?: UploadLimits | undefined;
}

/** A thread in a list. Times in ms since the epoch. */
export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  /** The tools that are active in it, where the service says so; not more than 100. */
  readonly tools?: readonly { readonly name: string; readonly description: string | null }[];
}

/** The service's own options for a new thread, handed through untouched. */
export interface NewThread {
  readonly title?: string;
  readonly options?: { readonly [name: string]: Json };
}

/**
 * A message as the server stores it. `parts` carry keys that are stable for the same content; the text of a user's message is one part
 * with the key `USER_TEXT`.
 */
export interface StoredMessage {
  readonly id: string;
  /** The server's id of the message before it; null for a root. */
  readonly parentId: string | null;
  readonly fields: Omit<MessageFields, 'id' | 'parent'>;
  readonly parts: readonly PartTree[];
  /** Requests in it that the server's history allows to arm, as activity of the message. */
  readonly requests: readonly InputRequest[];
}

/** A thread's active branch. */
export interface ThreadContent {
  readonly thread: Pick<ThreadFields, 'id' | 'title'>;
  /** Oldest first, along the way to the head. */
  readonly messages: readonly StoredMessage[];
  readonly headId: string | null;
  /** The run that is or may be unfinished, and is worth rejoining; null when there is none. */
  readonly unfinishedRun: RunRef | null;
}

/** What the person wants to send. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Where a run's changes go. */
export interface RunKeys {
  readonly thread: Key;
  /** The person's message. The controller has made it, or, for the answer to a request that the service keeps as one, the backend does. */
  readonly user: Key | null;
  /** The message that is written. The controller has made it, or the backend's first change does. */
  readonly answer: Key;
}

/** A run as far as it is known: enough to find it again. */
export interface RunRef {
  /** The service's id; null while it has not told one. */
  readonly id: string | null;
  readonly keys: RunKeys;
  /** Ids of other runs, such as those that ended before this one was asked for: a replay of one of them means that nothing was started. */
  readonly finishedRuns: readonly string[];
}

/** One question of the agent or of a tool. */
export interface InputRequest extends RequestQuestion {
  /** Key of its activity part. */
  readonly key: Key;
  /** The message that asks. */
  readonly message: Key;
}

/** What the person answered. */
export type InputAnswer = RequestAnswer<File> | DeclinedAnswer;

/** A point that the thread can be taken back to. */
export interface CheckpointInfo {
  readonly name: string;
  readonly taskId: string | null;
  readonly createdAt: number | null;
  /** The service's own id, when it has one beside the name. */
  readonly id: string | null;
  readonly metadata: Json;
  /** False for an older one of equal name: only the newest can be restored. */
  readonly restorable: boolean;
  /** Number of the step after which it was set, where the service says it. */
  readonly step?: number | null;
  /** What was done there, where the service says it. */
  readonly title?: string | null;
  /** Where the way on which it was set began, when that was another checkpoint and the service says it. */
  readonly restoredFrom?: RestoreOrigin | null;
}

/** A document of a thread. `status` is the service's word; known ones: `pending`, `processing`, `completed`, `failed`. */
export interface DocumentInfo {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly fileType: string | null;
  readonly error: string | null;
  readonly starred: boolean;
  readonly createdAt: number | null;
}

/** What a citation points to. */
export interface Passage {
  readonly id: string;
  readonly documentId: string;
  readonly documentName: string | null;
  readonly text: string;
  /** From 1; null when the document has no pages. */
  readonly page: number | null;
}

/**
 * The way of one run: batches of changes, an empty batch as a sign of life (at most one a second) for bytes that change nothing.
 * Returns normally with the run's state set to `complete`, `waiting`, `stopped` or `failed`; a return without one of these, or a
 * throw, is a break. Leaving the iteration detaches: the run goes on.
 *
 * The backend sets `run.state` and `run.id` and the answer's `status` for what the service said (`streaming`, `waiting`, and the
 * four ends); the controller sets what only it knows (`sending`, `stopping`, `broken`, `rejoining`, `interrupted`).
 */
export type RunStream = AsyncIterable<Batch>;

/**
 * What a service adapter fulfils. A third party writes one against this file alone; the suite in `test/conformance/` tells
 * whether it does. Every method rejects with a `UbikError`.
 *
 * A method that takes a `signal` rejects with `aborted` when the signal aborts, breaks off its requests and sends no further ones.
 */
export interface Backend {
  /** Name under which it is registered. */
  readonly name: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Silence, in ms, after which a stream counts as stalled. */
  readonly idleTimeout: number;
  /** What is found odd but changes nothing: malformed events, bounds, foreign replays. Set by the controller. */
  onDiagnostic?: ((error: UbikError) => void) | undefined;
  /** Another tab or client has changed a thread: what was read of it is outdated, a run may be on. Set by the controller. */
  onForeignChange?: ((threadId: string) => void) | undefined;
  loadOnboarding?(signal?: AbortSignal): Promise<Onboarding>;
  listThreads?(page: PageRequest, signal?: AbortSignal): Promise<Page<ThreadSummary>>;
  createThread(options?: NewThread, signal?: AbortSignal): Promise<ThreadSummary>;
  /** The active branch. */
  loadThread(id: string, signal?: AbortSignal): Promise<ThreadContent>;
  /** One message, such as another version that is not on the active branch. */
  loadMessage?(threadId: string, id: string, signal?: AbortSignal): Promise<StoredMessage>;
  /** Sends once: never repeated on its own, whatever happens. */
  send(threadId: string, draft: Draft, keys: RunKeys, signal: AbortSignal): RunStream;
  /**
   * Joins a run again; content that was already told is not told twice. A rejection with `not-found`, or with the HTTP status 204, says
   * that there is nothing to join: it is not tried again.
   */
  rejoin?(threadId: string, run: RunRef, signal: AbortSignal): RunStream;
  /**
   * The text of a run's message that has come, but is withheld because it is incomplete (a payload without its end tag, an unfinished
   * tag): changes that add it as parts of the kind `incomplete-activity`. Asked for when the run is given up, and added in place of what was
   * added before. Null when the backend has no memory of what is shown. Makes no request; what it returns is not told by a stream.
   */
  getIncompleteText?(threadId: string, run: RunRef): readonly Change[] | null;
  provideInput?(
    threadId: string,
    request: InputRequest,
    answer: InputAnswer,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  /** Resolves when the service has accepted the wish; the stream tells the end. */
  stop?(threadId: string, run: RunRef): Promise<void>;
  edit?(
    threadId: string,
    messageId: string,
    draft: Draft,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  regenerate?(threadId: string, messageId: string, keys: RunKeys, signal: AbortSignal): RunStream;
  /** Makes another branch the active one, then reads it. `signal` ends the reading: the wish itself is not called back. */
  switchBranch?(threadId: string, messageId: string, signal?: AbortSignal): Promise<ThreadContent>;
  listCheckpoints?(threadId: string, signal?: AbortSignal): Promise<readonly CheckpointInfo[]>;
  restoreCheckpoint?(
    threadId: string,
    checkpoint: CheckpointInfo,
    hint: string | null,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  listDocuments?(
    threadId: string,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<DocumentInfo>>;
  uploadDocument?(
    threadId: string,
    file: File,
    onProgress: (sent: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<DocumentInfo>;
  linkDocuments?(threadId: string, documentIds: readonly string[]): Promise<void>;
  unlinkDocument?(threadId: string, documentId: string): Promise<void>;
  starDocument?(threadId: string, documentId: string, starred: boolean): Promise<void>;
  loadDocument?(documentId: string, signal?: AbortSignal): Promise<DocumentInfo>;
  /** What a citation points to. */
  loadPassage?(id: string, signal: AbortSignal): Promise<Passage>;
  /** The files that the result of a tool names. Asks nothing of the network, and is called only with results of this backend. */
  findToolFiles?(result: string): readonly ToolFile[];
  /**
   * Bytes of a file of a tool, loaded with the person's rights. Rejects with `foreign-origin`, and asks for nothing, unless the
   * address is one of the routes that the service has for such files.
   */
  loadToolFile?(address: string, signal: AbortSignal): Promise<Blob>;
  renameThread?(threadId: string, title: string): Promise<void>;
  /** `leaving`: the page is about to go, so the request must outlive it and nobody can be asked for a token. */
  deleteThread?(threadId: string, leaving?: boolean): Promise<void>;
  /** Forgets what it keeps of a run, such as its event log. Called when the run is over or its thread is closed. */
  releaseRun?(threadId: string, run: RunRef): void;
}
