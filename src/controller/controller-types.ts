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
import type { ServiceError, UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type { MessageSettings } from '../model/message.js';
import type { ListName, Run, Thread } from '../model/thread.js';
import type { Environment } from '../transport/environment.js';
import type { ControllerLimits } from './limits.js';

/** Options of `createStreamController`. */
export interface ControllerOptions {
  readonly backend: Backend;
  /** Clock, random numbers, network and storage. Default: those of the platform. */
  readonly environment?: Environment;
  readonly limits?: ControllerLimits;
  /**
   * Identifies the user. Drafts and all other records are stored per user. Without a key, or with an empty one, they last as long as
   * the tab.
   */
  readonly userKey?: string | null;
  /**
   * Whether drafts, queued messages and what the user enters in the form for inputs of the agent are stored. Default: true. With false,
   * drafts and queued messages last as long as the controller, and those stored before are removed when their thread is opened.
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
  /** Options for the threads that this controller creates. */
  readonly newThread?: NewThread;
  /** Whether the controller stays open after its last release (see `retain`). Default: true; then the host has to call `close()`. */
  readonly keepAlive?: boolean;
  /** Called with errors thrown by listeners, usually `globalThis.reportError`. They are emitted as `diagnostic` notices as well. */
  readonly reportError?: (error: unknown) => void;
}

/** Visibility and connectivity of the host page. */
export interface PageState {
  readonly visible: boolean;
  readonly online: boolean;
  /**
   * Calls `listener` when the page becomes visible, goes online, is restored from the back/forward cache or resumes. Returns the
   * unsubscribe function.
   */
  onWake(listener: (reason: 'visible' | 'online' | 'pageshow' | 'resume') => void): () => void;
  /** Calls `listener` when the page is unloaded or enters the back/forward cache. Returns the unsubscribe function. */
  onHide(listener: () => void): () => void;
}

/**
 * The changes that a listener is subscribed to. All scopes except `all` and the list `threads` refer to the current thread.
 *
 * - `all`: every change of every thread in memory, and of the list `threads`.
 * - `thread`: every change of the current thread. When another thread, or none, becomes the current one, its listeners get one `thread`
 *   change with all fields, although no data has changed.
 * - `message`: every change of or in that message.
 * - `message` and `part`: every change of that part, and each `part` change of a direct child, which adds it or replaces its fields. Other
 *   changes of the children, such as of their text, are not included. The part need not exist yet.
 * - `list`: every `item` change of that list.
 */
export type ChangeScope =
  | { readonly all: true }
  | { readonly thread: true }
  | { readonly message: Key }
  | { readonly message: Key; readonly part: Key }
  | { readonly list: ListName };

/** An occurrence in a run, a thread or the controller that is not a change of the model. */
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
  /** A request of the current thread is pending. For a request of another thread, the notice is emitted when that thread is opened. */
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
  /** The current thread was replaced by another one, or by none (null). */
  | { readonly type: 'thread-changed'; readonly thread: Key | null }
  /** A thread was opened and is the current one. Its messages were loaded, unless a run is active in it. */
  | { readonly type: 'thread-opened'; readonly thread: Key }
  /** The service has created the thread of a first message, upload or linked document. */
  | { readonly type: 'thread-created'; readonly thread: Key }
  /** The draft of a thread, or (null) of the thread to be created, was edited, sent or restored, or the upload queue was loaded. */
  | { readonly type: 'draft-changed'; readonly thread: Key | null }
  /** The service has accepted a message of the queue, or one that was to be queued when the run had already ended. */
  | { readonly type: 'queued-sent'; readonly thread: Key; readonly draft: Draft }
  | { readonly type: 'auth-required' }
  | { readonly type: 'error'; readonly error: UbikError }
  /** An anomaly without an effect for the user, such as a malformed event. */
  | { readonly type: 'diagnostic'; readonly error: UbikError }
  /** The controller was closed. */
  | { readonly type: 'closed' };

/** An item of the list `queue`: a message that is sent after the current run. */
export interface QueuedMessage extends Draft {
  /** `waiting`: sent after the current run. `paused`: sent only on request. `sending`: shown among the messages of the thread. */
  readonly state: 'waiting' | 'sending' | 'paused';
  /** Whether the message is sent before the others, and even if the current run is stopped or fails. */
  readonly next: boolean;
  /**
   * Code of the error because of which the message was not sent: that of its own request, that of the previous run (which was rejected, has
   * failed, or was lost by the service), or `network` while the page was offline. Null when there was none.
   */
  readonly error: string | null;
  /** The service's description of that error, when it has sent one. */
  readonly serviceError?: ServiceError | null;
}

/** Storage for data of the host, per service and user; without a `userKey` it lasts as long as the tab. Not for tokens. */
export interface HostStorage {
  /** Resolves to the stored value; null when there is none or it cannot be read. An older version of the host may have written it. */
  get(name: string): Promise<unknown>;
  /** Stores a value; null removes it. A failure of the storage is emitted as a `diagnostic` notice. */
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

/** A file that waits, is being uploaded, or was not uploaded. The task is removed when the upload is complete. */
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
  /** Bytes sent; 0 before the first progress report. */
  readonly sent: number;
  /** Bytes to send; 0 for a file whose upload was never started. */
  readonly total: number;
  /** Why the file was refused; null in all other states. */
  readonly refusal: UploadRefusal | null;
  /** Why the upload failed; null in all other states. */
  readonly error: UbikError | null;
}

/** The upload queue of a controller: three files at a time, those of the current thread first. */
export interface Uploads {
  /** Uploads to the current thread that are not complete, in the order in which they were added. */
  readonly tasks: readonly UploadTask[];
  /** Calls `listener` when a task of any thread changes. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Loads the service's limits once. Resolves to no limits when the request fails. */
  loadLimits(): Promise<UploadLimits>;
  /** Returns why a file cannot be added to the current thread; null when it can. Sends nothing. */
  check(file: File, limits?: UploadLimits): UploadRefusal | null;
  /** Adds a task in the state `refused`, to show why a file is not uploaded. It stays until it is cancelled. */
  refuse(file: File, refusal: UploadRefusal, attach?: boolean): void;
  /**
   * Uploads a file to the current thread, which is created when there is none. Does not check the file. `attach`: the document is
   * attached to the next message of its thread. Default: false.
   *
   * @throws {UbikError} `upload-failed` or the error of the service; the task remains in the state `failed`. `aborted` when the upload
   *   was cancelled.
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
 * A headless chat: threads with one run each at a time, rejoining, drafts, subscriptions. Any number of views can share one controller.
 * The promise of an action resolves when the service has accepted the request, and rejects with a {@link UbikError}. Later results are
 * delivered as changes and notices.
 */
export interface StreamController {
  readonly backend: Backend;
  /** Clock, random numbers, network and storage: those of the options, else those of the platform. */
  readonly environment: Environment;
  /** The current thread, live and read-only. Null before one is opened or created. */
  readonly thread: Thread | null;
  /** Returns a thread in memory by its key, such as the key in a notice; null when there is none. */
  getThread(key: Key): Thread | null;
  /** The loaded part of the thread list (`ThreadSummary` by the service's id), in the order of loading. Live. */
  readonly threads: ReadonlyMap<Key, Json>;
  /** The key of the user whose data is stored; null when the host has not set one. */
  readonly userKey: string | null;
  /** Persistent storage for the host. */
  readonly storage: HostStorage;
  /**
   * Calls `listener` for each effective change in the scope, after the whole batch was applied. A change made by a listener is
   * delivered after all listeners have received the current batch. Returns the unsubscribe function.
   */
  subscribe(scope: ChangeScope, listener: (change: Change) => void): () => void;
  /** Calls `listener` with every applied batch of every thread in memory and of the thread list. Returns the unsubscribe function. */
  onBatch(listener: (batch: Batch) => void): () => void;
  /** Calls `listener` with every notice. Returns the unsubscribe function. */
  onNotice(listener: (notice: ControllerNotice) => void): () => void;
  /** Returns a number that increases with each change in the scope; that of a part also with changes in its children. */
  revision(scope: ChangeScope): number;
  /**
   * Keeps the controller open until the returned release function is called. With `keepAlive: false` it closes one macrotask after the last
   * release.
   */
  retain(): () => void;

  /** Returns the draft of a thread, by default of the current thread or of the one to be created. Without a draft, its text is `''`. */
  getDraft(thread?: Key): Draft;
  setDraft(draft: Draft, thread?: Key): void;

  /**
   * Opens a thread by the service's id. A thread in memory becomes the current one at once, another one after it was loaded. A call that
   * is superseded by a later call or by the first message of a new thread has no effect. It resolves when the later call has loaded its
   * thread or has failed. An unfinished run of the thread is rejoined.
   */
  openThread(id: string): Promise<void>;
  /** Opens the thread that the user last opened in this chat. Resolves to false when there is none, also when it was deleted meanwhile. */
  openLastThread(): Promise<boolean>;
  /** Closes the current thread, whose run continues. The next message or upload creates a new thread. */
  switchToNewThread(): void;
  listThreads(page: PageRequest): Promise<Page<ThreadSummary>>;
  renameThread(id: string, title: string): Promise<void>;
  /** Deletes a thread. `keepalive`: the request outlives the page, as with `fetch`; it is sent with the last token instead of a new one. */
  deleteThread(id: string, keepalive?: boolean): Promise<void>;
  /**
   * Loads greeting, starters, upload limits and message options. The result is cached; after a failure the next call tries again.
   * Greeting and starters are empty for a service without them.
   *
   * @param reload Whether to load them again, for example in another language.
   */
  loadOnboarding(reload?: boolean): Promise<Onboarding>;

  /**
   * Sends a message, without retries, and resolves when the service has accepted it. Creates the thread when there is none. The message is shown at
   * once, and the draft is cleared if it has the same text. If the service rejects the message, it is removed, its text is put in front of
   * the draft, and the promise rejects.
   *
   * @throws {UbikError} `busy` while a run is active; nothing changes then.
   */
  send(draft: Draft): Promise<void>;
  /**
   * Adds a message to the queue of the current run, as a {@link QueuedMessage} of the list `queue`. Queued messages are sent in order
   * as runs complete. A run that is stopped or fails pauses all of them, unless one is to be sent next; a run that is rejected pauses them
   * even then. `now`: stops the run, sends this message first, and resolves when the run has ended. Without a run that is active or waits for the
   * user, this is {@link send}.
   */
  enqueue(draft: Draft, now?: boolean): Promise<void>;
  /** Replaces text and attachments of a queued message. */
  updateQueued(key: Key, draft: Draft): Promise<void>;
  /** Removes a message from the queue. */
  removeQueued(key: Key): Promise<void>;
  /**
   * Pauses a queued message, for example while it is edited; the messages after it wait. With `false` it can be sent again, unless the
   * last run was stopped or has failed.
   */
  pauseQueued(key: Key, paused?: boolean): Promise<void>;
  /** Sends a queued message at once, before the others; stops the current run. */
  sendQueued(key: Key): Promise<void>;
  /** Resumes all paused messages, which are then sent in order. */
  resumeQueue(): Promise<void>;
  /** Sends a stop request for the current run, and resolves when the run has ended; at once without an active run, and if it waits for an answer to the agent. */
  stop(): Promise<void>;
  /**
   * Stops reading the stream; the run continues on the server. In this controller it is `interrupted` and can be rejoined. A run that waits
   * for the user stays `waiting`; one whose answer is already complete or failed ends; one that was not requested yet is cancelled.
   */
  detach(): void;
  /** Rejoins an interrupted run, or one whose connection is lost, at once, and resets the count of attempts. Resolves when connected. */
  rejoin(): Promise<void>;
  /** Answers a request, given the key of its activity part. The request is `answered` when the service has accepted the answer. */
  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void>;
  /** Sends a new version of a user message. */
  edit(message: Key, draft: Draft): Promise<void>;
  /**
   * Requests a new answer: a new version of an assistant message, or an answer to a user message. Without settings, those of the last
   * message are used, if the backend knows them.
   */
  regenerate(message: Key, settings?: MessageSettings): Promise<void>;
  /** Switches to the branch of another version; `messageId` is the service's id of that version. */
  switchBranch(messageId: string): Promise<void>;
  /**
   * Loads another version of a message, unless it is loaded, and does not switch to it; `messageId` is the service's id of that version. A
   * version that the service no longer has is removed from the sibling ids.
   */
  loadVersion(message: Key, messageId: string): Promise<void>;
  /** Loads the checkpoints of the current thread into the list `checkpoints`, which is reloaded after each run from then on. */
  listCheckpoints(): Promise<readonly CheckpointInfo[]>;
  /**
   * Restores a checkpoint and starts a run from it. The hint is an instruction for that run. An item of the list `checkpoints` is
   * restored directly; for a name, the list is loaded first and the newest checkpoint with that name is restored.
   *
   * @throws {UbikError} `not-found` when no checkpoint has that name; `misuse` when a newer one has it: only the newest can be restored.
   */
  restoreCheckpoint(checkpoint: CheckpointInfo | string, hint: string | null): Promise<void>;
  /** Loads one page of the documents of the current thread into the list `documents`. */
  listDocuments(page: PageRequest): Promise<Page<DocumentInfo>>;
  /**
   * Uploads a file to a thread, by default to the current one, which is created when there is none.
   *
   * @throws {UbikError} `not-found` when the thread was deleted, also when this happens during the upload; `upload-failed` when the given
   *   thread could not be created.
   */
  uploadDocument(
    file: File,
    onProgress?: (sent: number, total: number) => void,
    signal?: AbortSignal,
    thread?: Key,
  ): Promise<DocumentInfo>;
  /**
   * Loads the code of the upload queue and returns the queue, which all elements of this controller share. Closing the controller
   * cancels all uploads.
   */
  loadUploads(): Promise<Uploads>;
  /** Links stored documents of the service to the current thread, which is created when there is none. */
  linkDocuments(documents: readonly DocumentInfo[]): Promise<void>;
  /**
   * Unlinks a document from a thread, by default the current one; `threadId` is the service's id. The document is not deleted. A message
   * that is sent meanwhile is requested after the removal, and rejected when the removal fails. `keepalive`: as in `deleteThread`.
   */
  unlinkDocument(id: string, threadId?: string, keepalive?: boolean): Promise<void>;
  starDocument(id: string, starred: boolean): Promise<void>;
  /** Loads the processing status of a document of the current thread, and updates its item of the list `documents`. */
  loadDocument(id: string): Promise<DocumentInfo>;
  /** Sets an item of a list of the current thread, or of the list `threads`; `undefined` removes it. Sends nothing to the service. */
  setListItem(list: ListName, key: Key, value: Json | undefined): void;
  /** Closes streams, timers and subscriptions, and clears the memory. Sends no request; a run continues on the server. */
  close(): void;
}
