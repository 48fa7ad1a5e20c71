import type {
  Backend,
  CheckpointInfo,
  DocumentInfo,
  Draft,
  InputAnswer,
  NewThread,
  Onboarding,
  Page,
  PageRequest,
  ThreadSummary,
  UploadLimits,
} from '../backends/backend.js';
import type { UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type { MessageSettings } from '../model/message.js';
import type { ListName, Run, Thread } from '../model/thread.js';
import type { Environment } from '../transport/environment.js';

/** Options of `createStreamController`. */
export interface ControllerOptions {
  readonly backend: Backend;
  /** Clock, random numbers, network and storage. Default: those of the platform. */
  readonly environment?: Environment;
  readonly limits?: ControllerLimits;
  /**
   * Identifies the user. Drafts and the other stored records are kept per user; without a key, or with an empty one, they last as long
   * as the tab.
   */
  readonly userKey?: string | null;
  /**
   * Whether drafts and queued messages are stored. Default: true. With false they last as long as the controller, and those that were
   * stored before are removed when they are looked up.
   */
  readonly persistDrafts?: boolean;
  /** Prefix of all storage keys, such as the address of the service. Default: the name of the backend. */
  readonly storageScope?: string;
  /**
   * Identifies one of several chats of a host page. The last open thread and the draft of a thread that does not exist yet are stored
   * per key; controllers with the same key (default: `''`) reopen each other's thread.
   */
  readonly storageKey?: string;
  /** Visibility and connectivity of the host page. Without it the page counts as visible and online. */
  readonly page?: PageState;
  /** Options for threads that the first message or upload creates. */
  readonly newThread?: NewThread;
  /** Whether the controller stays open when nothing retains it any more. Default: true; then the host calls `close()`. */
  readonly keepAlive?: boolean;
  /** Called with errors that listeners threw, usually `globalThis.reportError`. They are `diagnostic` notices as well. */
  readonly reportError?: (error: unknown) => void;
}

/** Limits that a host can change. Times in ms. */
export interface ControllerLimits {
  /** First delay of the exponential backoff. Default: 500. */
  readonly backoffBase?: number;
  /** Longest delay of the exponential backoff. Default: 30,000. */
  readonly backoffCap?: number;
  /** Attempts to rejoin a run without new content before it is `interrupted`. Default: 8. */
  readonly maxRejoinAttempts?: number;
  /** Silence after which a stream counts as stalled. Default: that of the backend. */
  readonly idleTimeout?: number;
  /** Upper bound of the idle timeout, which doubles after each stall that turned out to be mere silence. Default: 300,000. */
  readonly maxIdleTimeout?: number;
  /** Longest `Retry-After` of the service that is waited for without the user. Default: 60,000. */
  readonly maxRetryAfter?: number;
  /** Time in which a stream must send something after a frozen page resumed. Default: 1,000. */
  readonly resumeGrace?: number;
  /** Time that batches may be applied without yielding to the event loop. Default: 8. */
  readonly sliceBudget?: number;
  /** Delay from the last change of a draft to its storage. Default: 300. */
  readonly draftDelay?: number;
}

/** The state of the host page that matters to a connection. */
export interface PageState {
  readonly visible: boolean;
  readonly online: boolean;
  /** Calls back when the page becomes visible, goes online, is shown from the back/forward cache or resumes. Returns the unsubscribe function. */
  onWake(listener: (reason: 'visible' | 'online' | 'pageshow' | 'resume') => void): () => void;
  /** Calls back when the page is unloaded or enters the back/forward cache. Returns the unsubscribe function. */
  onHide(listener: () => void): () => void;
}

/**
 * The changes that a listener is subscribed to. All scopes except `all` and the list `threads` refer to the current thread.
 *
 * - `all`: every change of every thread in memory.
 * - `thread`: every change of the current thread. When another thread becomes the current one, its listeners get one `thread` change
 *   with all fields, although no data has changed.
 * - `message`: every change of or in that message.
 * - `message` and `part`: every change of that part, and each `part` change that adds a direct child to it. Changes inside the children
 *   are not included. The part need not exist yet.
 * - `list`: every `item` change of that list.
 */
export type ChangeScope =
  | { readonly all: true }
  | { readonly thread: true }
  | { readonly message: Key }
  | { readonly message: Key; readonly part: Key }
  | { readonly list: ListName };

/** Something that happened to a run, a thread or the controller and is not a change of the data. */
export type ControllerNotice =
  | { readonly type: 'run-started'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-completed'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-paused'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-stopped'; readonly thread: Key; readonly run: Run }
  | {
      readonly type: 'run-failed';
      readonly thread: Key;
      readonly run: Run;
      readonly error: UbikError;
    }
  | {
      readonly type: 'run-interrupted';
      readonly thread: Key;
      readonly run: Run;
      readonly error: UbikError;
    }
  /** A request of the current thread waits for an answer. Requests of other threads are notified when the thread is opened. */
  | {
      readonly type: 'input-required';
      readonly thread: Key;
      readonly message: Key;
      /** Key of the request's activity part. */
      readonly request: Key;
    }
  /** A step of the current thread is completed. */
  | {
      readonly type: 'step-completed';
      readonly thread: Key;
      readonly message: Key;
      /** Key of the step's activity part. */
      readonly step: Key;
    }
  /** Another thread, or none (null), is the current one. */
  | { readonly type: 'thread-changed'; readonly thread: Key | null }
  /** The messages of a thread were loaded and it is the current one. */
  | { readonly type: 'thread-opened'; readonly thread: Key }
  /** The service has created the thread of a first message or upload. */
  | { readonly type: 'thread-created'; readonly thread: Key }
  /** The draft of a thread was edited, sent, or restored after a send that failed. */
  | { readonly type: 'draft-changed'; readonly thread: Key | null }
  /** The service has accepted a message of the queue. */
  | { readonly type: 'queued-sent'; readonly thread: Key; readonly draft: Draft }
  | { readonly type: 'auth-required' }
  | { readonly type: 'error'; readonly error: UbikError }
  /** An anomaly that changed nothing for the user, such as a malformed event. */
  | { readonly type: 'diagnostic'; readonly error: UbikError }
  /** The controller was closed. */
  | { readonly type: 'closed' };

/** An item of the list `queue`: a message that is sent after the current run. */
export interface QueuedMessage extends Draft {
  /** `paused`: sent only on request. `sending`: shown among the messages of the thread. */
  readonly state: 'waiting' | 'sending' | 'paused';
  /** Sent before the others, also after a run that was stopped for it. */
  readonly next: boolean;
  /** Error code of the last attempt to send it; null when there was none. */
  readonly error: string | null;
}

/** Storage for the host's own data, per service and user; without a `userKey` it lasts as long as the tab. Not for tokens. */
export interface HostStorage {
  /** The stored value; null when there is none or it cannot be read. It may have been written by an older version of the host. */
  get(name: string): Promise<unknown>;
  /** Stores a value; null removes it. A failure of the storage is a `diagnostic` notice. */
  set(name: string, value: Json): void;
}

/** Why a file is not uploaded. `unreadable`: a folder, or an entry without readable content. */
export type UploadRefusal =
  | 'empty'
  | 'too-large'
  | 'wrong-type'
  | 'too-many'
  | 'duplicate'
  | 'unreadable';

/** A file that is being uploaded, or could not be. It is removed when the upload is complete: then it is a document. */
export interface UploadTask {
  readonly key: Key;
  readonly file: File;
  /** The sanitized name, as it is sent and shown. */
  readonly name: string;
  /** Whether `name` differs from the name of the file. */
  readonly renamed: boolean;
  /** Whether the document is attached to the next message. */
  readonly attach: boolean;
  readonly state: 'waiting' | 'sending' | 'failed' | 'refused';
  /** Bytes sent; 0 while unknown. */
  readonly sent: number;
  /** Size in bytes; 0 while unknown. */
  readonly total: number;
  /** Why the file was refused; null in all other states. */
  readonly refusal: UploadRefusal | null;
  /** Why the upload failed; null in all other states. */
  readonly error: UbikError | null;
}

/** The upload queue of a controller: three files at a time, in the order in which they were added. */
export interface Uploads {
  /** Uploads to the current thread that are not complete, in the order in which they were added. */
  readonly tasks: readonly UploadTask[];
  /** Calls `listener` when a task changes, also of another thread. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Loads the service's limits once. Resolves to no limits when the request fails. */
  loadLimits(): Promise<UploadLimits>;
  /** Why a file cannot be added to the current thread; null when it can. Sends nothing. */
  check(file: File, limits?: UploadLimits): UploadRefusal | null;
  /** Adds a task in the state `refused`, to show why a file is not uploaded. It stays until it is cancelled. */
  refuse(file: File, refusal: UploadRefusal, attach?: boolean): void;
  /**
   * Uploads a file to the current thread, which is created when there is none. Does not check it. `attach`: the document is attached to
   * the next message of its thread. Default: false.
   *
   * @throws {UbikError} `upload-failed` and others; the task stays as `failed`. `aborted` when it was cancelled.
   */
  add(file: File, attach?: boolean): Promise<DocumentInfo>;
  /**
   * Uploads the file of a failed task again.
   *
   * @throws {UbikError} `misuse` when the task has not failed.
   */
  retry(key: Key): Promise<DocumentInfo>;
  /** Aborts an upload and removes the task, or removes one that failed or was refused. */
  cancel(key: Key): void;
}

/**
 * A chat without a user interface: threads with one run each at a time, rejoining, drafts, subscriptions. Any number of views can share
 * one controller. The promise of an action resolves when the service has accepted it and rejects with a {@link UbikError}; what follows
 * arrives as changes and notices.
 */
export interface StreamController {
  readonly backend: Backend;
  /** Clock, random numbers, network and storage, as passed in the options. */
  readonly environment: Environment;
  /** The current thread: live, read-only, not a copy. Null before one is opened or created. */
  readonly thread: Thread | null;
  /** The part of the thread list that was loaded (`ThreadSummary` by the server's id), in the order of loading: live. */
  readonly threads: ReadonlyMap<Key, Json>;
  /** The user whose data is stored; null when the host gave no key. */
  readonly userKey: string | null;
  /** Persistent storage for the host, such as for marks of threads. */
  readonly storage: HostStorage;
  /**
   * Calls `listener` for each effective change in the scope, after the whole batch was applied. Changes that a listener makes are
   * delivered after the present one has reached all listeners. Returns the unsubscribe function.
   */
  subscribe(scope: ChangeScope, listener: (change: Change) => void): () => void;
  /** Calls `listener` with every applied batch of every thread in memory. Returns the unsubscribe function. */
  onBatch(listener: (batch: Batch) => void): () => void;
  /** Calls `listener` with every notice. Returns the unsubscribe function. */
  onNotice(listener: (notice: ControllerNotice) => void): () => void;
  /** A number that increases with each change in the scope; that of a part also with changes in its children. */
  revision(scope: ChangeScope): number;
  /** Keeps the controller open until the returned function is called. With `keepAlive: false` it closes one macrotask after the last release. */
  retain(): () => void;

  /** The draft of a thread, by default of the current one or of the thread to be created. Its text is `''` when there is none. */
  getDraft(thread?: Key): Draft;
  setDraft(draft: Draft, thread?: Key): void;

  /**
   * Opens a thread by its server id. One in memory becomes the current thread at once, another one when it was loaded. A call that was
   * superseded by a later one, or by a first message, changes nothing. An unfinished run of the thread is rejoined.
   */
  openThread(id: string): Promise<void>;
  /** Opens the thread that this user opened last in this chat. Resolves to false when there is none. */
  openLastThread(): Promise<boolean>;
  /** Leaves the current thread. The next message or upload creates a new one. */
  switchToNewThread(): void;
  listThreads(page: PageRequest): Promise<Page<ThreadSummary>>;
  renameThread(id: string, title: string): Promise<void>;
  /** Deletes a thread. `keepalive`: the request outlives the page, as with `fetch`; it is sent with the last token. */
  deleteThread(id: string, keepalive?: boolean): Promise<void>;
  /**
   * Loads greeting, starters, upload limits and message options, once: a later call resolves to the same, or tries again after a failure.
   * Greeting and starters are empty for a service without them.
   */
  loadOnboarding(): Promise<Onboarding>;

  /**
   * Sends a message once and resolves when the service has accepted it; creates the thread when there is none. The message is shown and
   * the draft is cleared at once. If the service refuses, the message is removed, its text is the draft again and the promise rejects.
   *
   * @throws {UbikError} `busy` while a run is on; nothing changes then.
   */
  send(draft: Draft): Promise<void>;
  /**
   * Adds a message to the queue of the current run, as a {@link QueuedMessage} of the list `queue`. Queued messages are sent in order
   * as runs complete; a run that is stopped, fails or is refused pauses all of them. `now`: stops the run, sends this message first,
   * and resolves when the run is over. Without a run this is {@link send}.
   */
  enqueue(draft: Draft, now?: boolean): Promise<void>;
  /** Replaces text and attachments of a queued message. */
  updateQueued(key: Key, draft: Draft): Promise<void>;
  /** Removes a message from the queue. */
  removeQueued(key: Key): Promise<void>;
  /**
   * Pauses a queued message and those after it, such as while it is edited. `false` lets it be sent again, unless a run was stopped or
   * has failed since.
   */
  pauseQueued(key: Key, paused?: boolean): Promise<void>;
  /** Sends a queued message before the others, now; stops the current run for it. */
  sendQueued(key: Key): Promise<void>;
  /** Lets all paused messages be sent. */
  resumeQueue(): Promise<void>;
  /** Asks the service to stop the run and resolves when it is over; at once without a run. */
  stop(): Promise<void>;
  /** Stops reading the stream. The run continues on the server, is `interrupted` here, and can be rejoined. */
  detach(): void;
  /** Rejoins an interrupted or detached run now, with all attempts ahead. Resolves when it is connected. */
  rejoin(): Promise<void>;
  /** Answers a request by the key of its activity part, once. The request counts as answered when the service has accepted the answer. */
  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void>;
  /** Sends another version of a user message. */
  edit(message: Key, draft: Draft): Promise<void>;
  /**
   * Requests another answer: another version of an assistant message, or an answer to a user message. Without settings, those of the
   * last message apply, as far as the backend knows them.
   */
  regenerate(message: Key, settings?: MessageSettings): Promise<void>;
  /** Switches to the branch of another version; `messageId` is the server's id of it. */
  switchBranch(messageId: string): Promise<void>;
  /**
   * Loads another version of a message by the server's id, once, and does not switch to it. A version that the service no longer has is
   * removed from the sibling ids.
   */
  loadVersion(message: Key, messageId: string): Promise<void>;
  /** Loads the checkpoints of the current thread into the list `checkpoints`, which is reloaded after each run from then on. */
  listCheckpoints(): Promise<readonly CheckpointInfo[]>;
  /**
   * Restores a checkpoint and starts a run from there. The hint is an instruction for it. An item of the list `checkpoints` is restored
   * without another request; a name loads the list first and restores the newest checkpoint of that name.
   *
   * @throws {UbikError} `not-found` when no checkpoint has that name; `misuse` when a newer one has it: only the newest can be restored.
   */
  restoreCheckpoint(checkpoint: CheckpointInfo | string, hint: string | null): Promise<void>;
  /** Loads one page of the documents of the current thread into the list `documents`. */
  listDocuments(page: PageRequest): Promise<Page<DocumentInfo>>;
  /** Uploads a file to a thread, by default to the current one, which is created when there is none. */
  uploadDocument(
    file: File,
    onProgress?: (sent: number, total: number) => void,
    signal?: AbortSignal,
    thread?: Key,
  ): Promise<DocumentInfo>;
  /**
   * Loads the upload queue, which the elements of this controller share. Its code is a separate file of the bundle. Closing the
   * controller cancels all uploads.
   */
  loadUploads(): Promise<Uploads>;
  /** Links documents that the service already has to the current thread, which is created when there is none. */
  linkDocuments(documents: readonly DocumentInfo[]): Promise<void>;
  /** Unlinks a document from the current thread. The service keeps it. */
  unlinkDocument(id: string): Promise<void>;
  starDocument(id: string, starred: boolean): Promise<void>;
  /** Loads the processing status of a document of the current thread, and updates its item of the list `documents`. */
  loadDocument(id: string): Promise<DocumentInfo>;
  /** Sets an item of a list of the current thread, or of the list `threads`; `undefined` removes it. Sends nothing to the service. */
  setListItem(list: ListName, key: Key, value: Json | undefined): void;
  /** Closes streams, timers and subscriptions, and clears the memory. Sends no request: a run continues on the server. */
  close(): void;
}
