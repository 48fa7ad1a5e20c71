import type {
  Backend,
  CheckpointInfo,
  DocumentInfo,
  Draft,
  InputAnswer,
  Onboarding,
  Page,
  PageRequest,
  ThreadSummary,
} from '../backends/backend.js';
import type { UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type { ListName, Run, Thread } from '../model/thread.js';
import type { Environment } from '../transport/environment.js';

export type * from './controller-options.js';

/**
 * What a listener wants to hear of. Everything but `all` and the list of threads belongs to the current thread.
 *
 * - `all`: every change of every thread held.
 * - `thread`: every change of the current thread. When another thread becomes the current one, a `thread` change with all its
 *   fields is told, though nothing in it has changed.
 * - `message`: every change of or in that message.
 * - `message` and `part`: every change that names that part, and each `part` put directly into it. What is inside has listeners
 *   of its own. The part need not be there yet.
 * - `list`: every `item` of that list.
 */
export type Scope =
  | { readonly all: true }
  | { readonly thread: true }
  | { readonly message: Key }
  | { readonly message: Key; readonly part: Key }
  | { readonly list: ListName };

/** What happens to a conversation and is not a change of its data. */
export type ControllerNotice =
  | { readonly type: 'run-started'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-ended'; readonly thread: Key; readonly run: Run }
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
  /** A request is armed in the current thread. Those of other threads are told when they are opened. */
  | {
      readonly type: 'input-required';
      readonly thread: Key;
      readonly message: Key;
      /** Key of the request's activity part. */
      readonly request: Key;
    }
  /** A step of the current thread is done. */
  | {
      readonly type: 'step-completed';
      readonly thread: Key;
      readonly message: Key;
      /** Key of the step's activity part. */
      readonly step: Key;
    }
  /** Another thread is the current one; null: none is. */
  | { readonly type: 'thread-changed'; readonly thread: Key | null }
  /** Its messages have been read. */
  | { readonly type: 'thread-opened'; readonly thread: Key }
  /** The service has made a thread for us. */
  | { readonly type: 'thread-created'; readonly thread: Key }
  /** The unsent text of a thread is another one: typed, taken by a send, or given back by a failed one. */
  | { readonly type: 'draft-changed'; readonly thread: Key | null }
  /** The service has taken a message of the queue. */
  | { readonly type: 'queued-sent'; readonly thread: Key; readonly draft: Draft }
  | { readonly type: 'auth-required' }
  | { readonly type: 'error'; readonly error: UbikError }
  | { readonly type: 'diagnostic'; readonly error: UbikError }
  /** The controller has given everything back and is of no more use. */
  | { readonly type: 'closed' };

/** A message that waits behind the run of its thread, as it stands in the list `queue`. */
export interface QueuedMessage extends Draft {
  /** `held`: it is sent when somebody asks for it. `sending`: it is shown among the messages. */
  readonly state: 'waiting' | 'sending' | 'held';
  /** It is the next one, also after a run that was stopped for it. */
  readonly now: boolean;
  /** Code of why it could not be sent; null when nothing went wrong. */
  readonly error: string | null;
}

/** Plain data under service and user; without a `userKey` it lives as long as the tab. Never a token in here. */
export interface HostNotes {
  /** What was kept; null when there is nothing, or it cannot be read. It may be of an older version. */
  read(name: string): Promise<unknown>;
  /** Keeps it; null: forgets it. A storage that fails costs the note and nothing else. */
  keep(name: string, value: Json): void;
}

/**
 * A conversation without an interface: threads, one run at a time each, rejoining, drafts, subscriptions. Any number of views may
 * share one. Acts resolve when they are accepted and reject with a `UbikError`; the data tells the rest.
 */
export interface StreamController {
  readonly backend: Backend;
  /** Time, chance, network and storage, as it was given. */
  readonly environment: Environment;
  /** The current thread: live, read-only, no copies. Null before one is opened or created. */
  readonly thread: Thread | null;
  /** The list of threads by the server's id (`ThreadSummary`), as far as it was read, in the order in which it came: live. */
  readonly threads: ReadonlyMap<Key, Json>;
  /** Whose data this is; what is stored is kept under it. */
  readonly userKey: string | null;
  /** Small things that are to outlive the page, such as marks of threads. */
  readonly notes: HostNotes;
  /** Told of each effective change within the scope, after its batch was applied whole. Returns the way to stop it. */
  subscribe(scope: Scope, listener: (change: Change) => void): () => void;
  /** Told of every batch of every thread held, as it was applied. */
  observe(listener: (batch: Batch) => void): () => void;
  /** Told of events of runs and threads. */
  notices(listener: (notice: ControllerNotice) => void): () => void;
  /** A number that rises with each change in the scope, for a part also with changes in the parts inside it. */
  version(scope: Scope): number;
  /** Holds the controller; it closes one macrotask after its last holder let go, unless it was made with `keep`. */
  retain(): () => void;

  /** Unsent text of a thread, by default of the current one or of the one to be made; its text is `''` when there is none. */
  draft(thread?: Key): Draft;
  setDraft(draft: Draft, thread?: Key): void;

  /**
   * Opens a thread by its server id. One that is held is current at once, another one when it has been read. The answer of a call
   * that was overtaken by another one, or by a first message, changes nothing. An unfinished run is joined again.
   */
  openThread(id: string): Promise<void>;
  /** Opens the newest thread of this user that was open here; resolves to false when there is none. */
  openLatest(): Promise<boolean>;
  /** Leaves the current thread; the next message creates a new one. */
  newThread(): void;
  listThreads(page: PageRequest): Promise<Page<ThreadSummary>>;
  renameThread(id: string, title: string): Promise<void>;
  /** `leaving`: the page is about to go. What is sent outlives it, with the last token; the answer may come too late. */
  deleteThread(id: string, leaving?: boolean): Promise<void>;
  onboarding(): Promise<Onboarding>;

  /**
   * Sends, once, and resolves when the service has taken the message; creates the thread first when there is none. The message is
   * shown at once and the draft is empty; when the service refuses, the message is taken back, its text is the draft again and the
   * promise rejects. A second send while a run is on rejects with `busy` and touches nothing.
   */
  send(draft: Draft): Promise<void>;
  /**
   * Puts a message behind the run that is on; it stands in the list `queue` as a {@link QueuedMessage} and is sent, in its order,
   * when a run is complete. After one that was stopped, has failed or was refused all of them are held. `now`: it comes first, and
   * the run is stopped for it; then this resolves when that is over. When nothing runs, this is {@link send}.
   */
  queue(draft: Draft, now?: boolean): Promise<void>;
  /** Gives a message of the queue another text; null: takes it out. */
  changeQueued(key: Key, draft: Draft | null): Promise<void>;
  /**
   * Holds a message of the queue, and with it those after it, such as while it is written anew; false: lets it go again, unless
   * the run was stopped or has failed meanwhile.
   */
  holdQueued(key: Key, held?: boolean): Promise<void>;
  /** Sends a message of the queue before the others, now; a run that is on is stopped for it. */
  sendQueued(key: Key): Promise<void>;
  /** Lets go of what was held. */
  resumeQueue(): Promise<void>;
  /** Asks the service to end the run and resolves when it is over; at once when nothing runs. */
  stop(): Promise<void>;
  /** Leaves the stream on our side; the run goes on, is `interrupted` here, and can be joined again. */
  detach(): void;
  /** Joins an interrupted or detached run again, now, with all tries before it; resolves when it is connected. */
  rejoin(): Promise<void>;
  /** Answers an armed request by its activity key, once; it counts as answered when the service has accepted the answer. */
  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void>;
  edit(message: Key, draft: Draft): Promise<void>;
  regenerate(message: Key): Promise<void>;
  /** Shows another version; `messageId` is the server's id. */
  navigate(messageId: string): Promise<void>;
  /**
   * Reads another version of a message into the tree, by the server's id of it; once, and nothing is switched. One that is gone is
   * no version any more.
   */
  readVersion(message: Key, messageId: string): Promise<void>;
  /** Reads the checkpoints; they stand in the list `checkpoints` too, from now on read again after each run. */
  listCheckpoints(): Promise<readonly CheckpointInfo[]>;
  /** Goes back to a checkpoint by its name, with an optional instruction, and lets the agent go on from there. */
  restore(checkpointName: string, hint: string | null): Promise<void>;
  listDocuments(page: PageRequest): Promise<Page<DocumentInfo>>;
  /** Uploads to a thread, by default to the current one, which is created when there is none. */
  upload(
    file: File,
    onProgress?: (sent: number, total: number) => void,
    signal?: AbortSignal,
    thread?: Key,
  ): Promise<DocumentInfo>;
  /** Puts documents that the service has already into the current thread, which is created when there is none. */
  linkDocuments(documents: readonly DocumentInfo[]): Promise<void>;
  /** Takes a document out of the current thread; the service keeps it. */
  unlinkDocument(id: string): Promise<void>;
  starDocument(id: string, starred: boolean): Promise<void>;
  /** Asks how far the service is with a document of the current thread; the list `documents` says it too. */
  readDocument(id: string): Promise<DocumentInfo>;
  /** Applies a change of the host's own, such as a note of its own in a list. */
  setItem(list: ListName, key: Key, value: Json | undefined): void;
  /** Gives everything back: stream, timers, listeners. Sends nothing; the run goes on. */
  close(): void;
}
