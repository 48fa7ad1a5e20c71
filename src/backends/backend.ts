import type { UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type {
  Attachment,
  MessageFields,
  MessageSettings,
  RestoreOrigin,
} from '../model/message.js';
import type {
  ActivityFields,
  DeclinedAnswer,
  PartTree,
  RequestAnswer,
  RequestQuestion,
  ToolFile,
} from '../model/part.js';
import type { Thread } from '../model/thread.js';

/**
 * A feature that a service may have. Elements render a control only if the service has its feature; `backend-methods.ts` maps methods to
 * capabilities. Two have no methods: with `context`, messages are sent with a context of the host page; with `times`, stored messages contain
 * the times of steps and tools.
 */
export type Capability =
  | 'threads'
  | 'rename'
  | 'delete'
  | 'mark-read'
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
  | 'onboarding'
  | 'context'
  | 'times';

/** The page of a list that is requested. Pages count from 1. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Number of items on all pages; null when the service does not say. */
  readonly total: number | null;
}

/** Limits for uploads. A limit that is not set is left to the service. */
export interface UploadLimits {
  /**
   * Maximum number of documents in one thread that this page knows of: uploaded here, or listed by `<ubik-documents>`. The service has to
   * enforce a total.
   */
  readonly maxFiles?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** As in the `accept` attribute of a file input: `.pdf`, `text/csv`, `image/*`. */
  readonly types?: readonly string[] | undefined;
}

/** The data that a chat needs before the first message: a greeting, starter questions, and the options of messages. */
export interface Onboarding {
  /** Markdown; null for none. */
  readonly greeting: string | null;
  readonly starters: readonly string[];
  /** Name of the agent for the user; undefined when the service does not send one. */
  readonly agentName?: string | undefined;
  readonly uploadLimits?: UploadLimits | undefined;
  /**
   * JSON Schema of the `options` that a {@link Draft} can have: an object with one property for each option. Undefined when the service has
   * no options. Composers render a toggle for a boolean, a menu for an `enum`, and a form for the first object with `properties`. `default`
   * is the service's behaviour without the option.
   */
  readonly messageOptions?: Json | undefined;
}

/** A thread in a list. Times in ms since the epoch. */
export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  /** Tools that are active in the thread, when the service lists them; at most 100. */
  readonly tools?: readonly { readonly name: string; readonly description: string | null }[];
  /** Whether a run is in progress in the thread; undefined when the service does not report it. */
  readonly isRunning?: boolean;
  /** Whether the thread has messages that the user has not read; undefined when the service does not report it. */
  readonly isUnread?: boolean;
  /** Whether the last run of the thread has failed; undefined when the service does not report it. */
  readonly hasFailed?: boolean;
}

/** Settings of a new thread. `options` are passed to the service; the backend for UBIK converts their names to snake case. */
export interface NewThread {
  readonly title?: string;
  readonly options?: { readonly [name: string]: Json };
}

/**
 * A message as the service stores it. The keys in `parts` are stable: each load of the same content returns the same keys. The text of a
 * user's message is one part with the key `USER_TEXT`.
 */
export interface StoredMessage {
  readonly id: string;
  /** The service's id of the parent message; null for a root. */
  readonly parentId: string | null;
  readonly fields: Omit<MessageFields, 'id' | 'parent'>;
  readonly parts: readonly PartTree[];
  /** Input requests that are pending according to the service's history. The controller adds them as activity of the message. */
  readonly requests: readonly InputRequest[];
  /**
   * True when it could not be looked up whether all requests are pending, so that `requests` may lack some. A message that is shown as waiting
   * then stays as it is.
   */
  readonly lacksRequests?: boolean;
  /**
   * Data that the service stores about tools and steps in addition to the content, such as their times. The keys are those of the activity
   * in the live run. Most services store none.
   */
  readonly activity?: readonly { readonly key: Key; readonly fields: ActivityFields }[];
}

/** The active branch of a thread. */
export interface ThreadContent {
  readonly thread: Pick<Thread, 'id' | 'title'>;
  /** From the root to the head. */
  readonly messages: readonly StoredMessage[];
  readonly headId: string | null;
  /** A run that may still be in progress; null when there is none. The controller rejoins it, and uses its own keys instead of these. */
  readonly unfinishedRun: RunRef | null;
}

/** A message to be sent. `options` have the shape that {@link Onboarding.messageOptions} describes. */
export interface Draft extends MessageSettings {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Keys of the messages that a run changes. */
export interface RunKeys {
  readonly thread: Key;
  /**
   * The user's message. Created by the controller; for `provideInput` by the backend, if the service stores the user's input as a message.
   * Null when the run has no user message.
   */
  readonly user: Key | null;
  /** The agent's message. Created by the controller; a run that continues uses the existing one. */
  readonly answer: Key;
}

/** Identifies a run at the service. */
export interface RunRef {
  /** The service's id; null while it is unknown. */
  readonly id: string | null;
  readonly keys: RunKeys;
  /**
   * Ids of other runs as far as this page knows, such as those that ended before this run was requested. A stream that replays one of them
   * suggests that the request has started no run.
   */
  readonly otherRunIds: readonly string[];
}

/** An input request of the agent or of a tool. */
export interface InputRequest extends RequestQuestion {
  /** Key of its activity part. */
  readonly key: Key;
  /** Key of the message that contains it; ignored in {@link StoredMessage.requests}. */
  readonly message: Key;
}

/** The user's answer to an input request. */
export type InputAnswer = RequestAnswer<File> | DeclinedAnswer;

/** A point of a run that the service can restore. */
export interface CheckpointInfo {
  readonly name: string;
  readonly runId: string | null;
  readonly createdAt: number | null;
  /** The service's id; null when checkpoints are identified by their name. */
  readonly id: string | null;
  readonly metadata: Json;
  /** Whether it can be restored: of checkpoints with equal names, only the newest one can. */
  readonly restorable: boolean;
  /** Number of the step after which it was created; null or undefined when the service does not send it. */
  readonly step?: number | null;
  /** Description of the work that was done before it; null or undefined when the service does not send it. */
  readonly title?: string | null;
  /**
   * The checkpoint that the branch was restored from; null for a branch that was not restored, undefined when the service does not send it.
   */
  readonly restoredFrom?: RestoreOrigin | null;
}

/** A document of a thread. `status` is the service's value; known ones are `pending`, `processing`, `completed` and `failed`. */
export interface DocumentInfo {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly fileType: string | null;
  readonly error: string | null;
  readonly starred: boolean;
  readonly createdAt: number | null;
}

/** The passage of a document that a citation refers to. */
export interface Passage {
  readonly id: string;
  /** Empty when it is unknown; the id of the passage when the passage is a whole document. */
  readonly documentId: string;
  readonly documentName: string | null;
  readonly text: string;
  /** From 1; null when the document has no pages. */
  readonly page: number | null;
}

/**
 * A run, as batches of changes. An empty batch is a heartbeat: bytes arrived that change nothing; emitted at most once a second.
 *
 * The iteration ends normally after a batch that sets the state of the run to `complete`, `waiting`, `stopped` or `failed`. Any other end,
 * or a rejection, means that the stream broke. Leaving the iteration detaches: the run continues on the service.
 *
 * The backend sets `run.state`, `run.id` and the `status` of the answer as the service has sent them: `streaming`, `waiting` and the final
 * states. The controller sets the states that only it knows: `sending`, `stopping`, `stalled`, `broken`, `rejoining`, `interrupted`.
 */
export type RunStream = AsyncIterable<Batch>;

/**
 * The contract between the controller and a service. The types that an implementation names are exported by `ubik-elements/controller.js`,
 * those of activity as `FieldsOf<'run-activity'>` and so on; the suite in `test/conformance/` tests an implementation. All asynchronous
 * methods reject with a `UbikError`.
 *
 * When a `signal` aborts, the method rejects with `aborted`, aborts its requests and sends no further ones.
 */
export interface Backend {
  /** Name under which it is registered. */
  readonly name: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Time without bytes, in ms, after which a stream counts as stalled. */
  readonly idleTimeout: number;
  /**
   * Called with a diagnostic, after which the run continues: data was skipped or truncated (malformed or unknown events, exceeded limits), or
   * the stream is unusual (late events, rechunked replays, a proxy that buffers). Set by the controller.
   */
  onDiagnostic?: ((error: UbikError) => void) | undefined;
  /**
   * Called when another tab or client has changed a thread: loaded content is outdated, and a run may be in progress. Set by the
   * controller.
   */
  onExternalChange?: ((threadId: string) => void) | undefined;

  /**
   * Loads ahead of time, with one attempt, the code and the token that the first request needs. Called often, for example for each character
   * that the user writes. Resolves when the code is loaded or could not be loaded, so that callers can load less urgent code
   * afterwards. Never rejects, because the first request tries again.
   */
  prepare?(): Promise<void>;
  /**
   * Drops the token that the backend keeps, because the user of the page may have changed. The next request asks the host page for a new
   * one.
   */
  forgetToken?(): void;
  /** Loads the greeting, the starters and the message options. */
  loadOnboarding?(signal?: AbortSignal): Promise<Onboarding>;
  /** Lists threads. */
  listThreads?(page: PageRequest, signal?: AbortSignal): Promise<Page<ThreadSummary>>;
  /** Creates a thread. */
  createThread(options?: NewThread, signal?: AbortSignal): Promise<ThreadSummary>;
  /** Loads the active branch of a thread. Rejects with `not-found` when there is no such thread. */
  loadThread(id: string, signal?: AbortSignal): Promise<ThreadContent>;
  /** Loads one message, such as a version that is not on the active branch. Does not change which branch is active. */
  loadMessage?(threadId: string, id: string, signal?: AbortSignal): Promise<StoredMessage>;
  /** Renames a thread. */
  renameThread?(threadId: string, title: string): Promise<void>;
  /** Deletes a thread. With `keepalive`, the request outlives the page, and the host page is not asked for a new token. */
  deleteThread?(threadId: string, keepalive?: boolean): Promise<void>;
  /**
   * Marks the messages of a thread as read, up to the last one that this backend has loaded or received. Called when the thread is opened,
   * when a run ends in the shown thread, and when the user returns to the page; not while the page is hidden.
   */
  markThreadRead?(threadId: string): Promise<void>;
  /** Makes the branch of a message the active one, then loads it. The signal aborts the loading only. */
  switchBranch?(threadId: string, messageId: string, signal?: AbortSignal): Promise<ThreadContent>;

  /**
   * Sends a message, which starts a run. The controller never repeats the call, and the backend must not repeat the request, because each
   * one starts a run.
   */
  send(threadId: string, draft: Draft, keys: RunKeys, signal: AbortSignal): RunStream;
  /** Starts a run with another version of a user's message. Without the capability `branches`, the service replaces the stored version. */
  edit?(
    threadId: string,
    messageId: string,
    draft: Draft,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  /**
   * Starts a run that writes another version of an agent's message. Without the capability `branches`, the service replaces the stored
   * version. Without settings, those of the last message apply, as far as the backend knows them.
   */
  regenerate?(
    threadId: string,
    messageId: string,
    settings: MessageSettings,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  /** Answers an input request. An answer to a tool continues its run; an answer to the agent starts another run. */
  provideInput?(
    threadId: string,
    request: InputRequest,
    answer: InputAnswer,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  /** Starts a run from a checkpoint. `hint` is the user's instruction about what should change this time. */
  restoreCheckpoint?(
    threadId: string,
    checkpoint: CheckpointInfo,
    hint: string | null,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream;
  /**
   * Reads the stream of a run again. Does not emit content a second time. A rejection with `not-found`, or with the HTTP status 204, means that
   * there is no stream to rejoin, or none for now; with `not-sent`, that the request has started no run. After these, the controller does not
   * try again automatically.
   */
  rejoin?(threadId: string, run: RunRef, signal: AbortSignal): RunStream;
  /** Resolves when the service has accepted the request to stop. The stream reports the end of the run. */
  stop?(threadId: string, run: RunRef): Promise<void>;
  /**
   * Returns changes that show withheld, incomplete text (a payload without its end tag, an unfinished tag) as `incomplete-activity` parts.
   * Called when the run is interrupted; the controller first removes the parts of an earlier call. Null when the backend knows nothing of the
   * shown answer. Sends no request.
   */
  getIncompleteText?(threadId: string, run: RunRef): readonly Change[] | null;
  /** Releases the state of a run, such as its event log. Called when the run has ended, another one has replaced it, or its thread is closed. */
  releaseRun?(threadId: string, run: RunRef): void;

  /** Lists the checkpoints of a thread. */
  listCheckpoints?(threadId: string, signal?: AbortSignal): Promise<readonly CheckpointInfo[]>;
  /** Lists the documents of a thread. */
  listDocuments?(
    threadId: string,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<DocumentInfo>>;
  /** Loads one document, for example to read its processing status. */
  loadDocument?(documentId: string, signal?: AbortSignal): Promise<DocumentInfo>;
  /** Uploads a file to a thread. `onProgress` is called with the number of bytes sent and their total, which is 0 when unknown. */
  uploadDocument?(
    threadId: string,
    file: File,
    onProgress: (sent: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<DocumentInfo>;
  /** Links documents to a thread. */
  linkDocuments?(threadId: string, documentIds: readonly string[]): Promise<void>;
  /** Removes a document from a thread. The service keeps the document. `keepalive`: as in `deleteThread`. */
  unlinkDocument?(threadId: string, documentId: string, keepalive?: boolean): Promise<void>;
  /** Stars a document in a thread, or removes its star. */
  starDocument?(threadId: string, documentId: string, starred: boolean): Promise<void>;
  /** Loads the passage that a citation refers to. With the id of a document, loads the whole text of the document as one passage. */
  loadPassage?(id: string, signal: AbortSignal): Promise<Passage>;
  /** Returns the files that are named in the result of a tool. Called only with results of this backend. Sends no request. */
  findToolFiles?(result: string): readonly ToolFile[];
  /**
   * Whether the service itself adds this field, such as the id of a call, to the data that tools send. Views do not show such a field,
   * because it means nothing to users. Sends no request.
   */
  isInternalField?(name: string): boolean;
  /**
   * Loads a file of a tool with the user's credentials. Rejects with `foreign-origin`, without a request, unless the URL is one of the
   * service's routes for such files.
   */
  loadToolFile?(address: string, signal: AbortSignal): Promise<Blob>;
}
