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
} from '../backends/backend.js';
import type { UbikError } from '../errors.js';
import type { Batch, Change } from '../model/change.js';
import type { Json, Key } from '../model/json.js';
import type { List, Run, Thread } from '../model/thread.js';
import type { Environment } from '../stream/environment.js';

/** What a listener wants to hear of. Everything but `all` and the list of threads belongs to the current thread. */
export type Scope =
  | { readonly all: true }
  | { readonly thread: true }
  | { readonly message: Key }
  | { readonly message: Key; readonly part: Key }
  | { readonly list: List };

/** What happens to a conversation and is not a change of its data. */
export type ControllerNotice =
  | { readonly type: 'run-started'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-ended'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-paused'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-stopped'; readonly thread: Key; readonly run: Run }
  | { readonly type: 'run-failed'; readonly thread: Key; readonly run: Run; readonly error: UbikError }
  | {
      readonly type: 'run-interrupted';
      readonly thread: Key;
      readonly run: Run;
      readonly error: UbikError;
    }
  | {
      readonly type: 'input-required';
      readonly thread: Key;
      readonly message: Key;
      /** Key of the request's activity part. */
      readonly request: Key;
    }
  | { readonly type: 'thread-opened'; readonly thread: Key }
  | { readonly type: 'auth-required' }
  | { readonly type: 'error'; readonly error: UbikError }
  | { readonly type: 'diagnostic'; readonly error: UbikError };

/** Numbers that a host may change; all have the defaults of the protocol documents. Times in ms. */
export interface ControllerLimits {
  /** First step of the backoff: 500. */
  readonly backoffBase?: number;
  /** Longest step of the backoff: 30,000. */
  readonly backoffCap?: number;
  /** Tries without progress before the run is `interrupted`: 8. */
  readonly rejoinTries?: number;
  /** Silence before a stream counts as stalled: the backend's `idleLimit`. */
  readonly idleLimit?: number;
  /** How long one slice of work may take before the event loop gets its turn: 8. */
  readonly sliceBudget?: number;
}

/** What a controller is made from. */
export interface ControllerOptions {
  readonly backend: Backend;
  readonly environment?: Environment;
  readonly limits?: ControllerLimits;
  /** Whose data this is: drafts, notes and marks are kept under it. Without it nothing outlives the page. */
  readonly userKey?: string | null;
  /** Service address and the like, to keep apart what belongs to different services. */
  readonly storageScope?: string;
  /** Tells whether the page can be seen and is online; the elements hand in the browser's. */
  readonly page?: PageState;
  /** Options of the service for threads that the first message creates. */
  readonly newThread?: NewThread;
}

/** The page around the controller, as far as it matters to a connection. */
export interface PageState {
  readonly visible: boolean;
  readonly online: boolean;
  /** Calls back when the page becomes visible, comes online, is shown again or resumes; returns the way to stop it. */
  onWake(listener: (reason: 'visible' | 'online' | 'pageshow' | 'resume') => void): () => void;
  /** Calls back when the page goes into the back/forward cache or away. */
  onHide(listener: () => void): () => void;
}

/**
 * A conversation without an interface: threads, one run at a time each, rejoining, drafts, subscriptions. Any number of views may
 * share one. Acts resolve when they are accepted and reject with a `UbikError`; the data tells the rest.
 */
export interface StreamController {
  readonly backend: Backend;
  /** The current thread: live, read-only, no copies. Null before one is opened or created. */
  readonly thread: Thread | null;
  /** The bytes' way into a page's storage is namespaced by this. */
  readonly userKey: string | null;
  /** Told of each effective change within the scope, after its batch was applied whole. Returns the way to stop it. */
  subscribe(scope: Scope, listener: (change: Change) => void): () => void;
  /** Told of every batch of every thread held, as it was applied. */
  observe(listener: (batch: Batch) => void): () => void;
  /** Told of events of runs and threads. */
  notices(listener: (notice: ControllerNotice) => void): () => void;
  /** A number that rises with each change in the scope. */
  version(scope: Scope): number;
  /** Holds the controller; it closes one macrotask after its last holder let go, unless it was made with `keep`. */
  retain(): () => void;

  /** Unsent text of a thread (the current one by default); `''` when there is none. */
  draft(thread?: Key): Draft;
  setDraft(draft: Draft, thread?: Key): void;

  /** Opens a thread by its server id; the answer of a slower, older call changes nothing. */
  openThread(id: string): Promise<void>;
  /** Opens the newest thread of this user that was open here; resolves to false when there is none. */
  openLatest(): Promise<boolean>;
  /** Leaves the current thread; the next message creates a new one. */
  newThread(): void;
  listThreads(page: PageRequest): Promise<Page<ThreadSummary>>;
  renameThread(id: string, title: string): Promise<void>;
  deleteThread(id: string): Promise<void>;
  onboarding(): Promise<Onboarding>;

  /** Sends; creates the thread first when there is none. A second send while a run is on rejects with `busy`. The draft is cleared when the service has taken the message; a failed one stays. */
  send(draft: Draft): Promise<void>;
  /** Asks the service to end the run and resolves when it is over. */
  stop(): Promise<void>;
  /** Leaves the stream on our side; the run goes on and can be rejoined. */
  detach(): void;
  /** Joins an interrupted or detached run again, now. */
  rejoin(): Promise<void>;
  /** Answers an armed request by its activity key. */
  provideInput(message: Key, request: Key, answer: InputAnswer): Promise<void>;
  edit(message: Key, draft: Draft): Promise<void>;
  regenerate(message: Key): Promise<void>;
  /** Shows another version; `messageId` is the server's id. */
  navigate(messageId: string): Promise<void>;
  listCheckpoints(): Promise<readonly CheckpointInfo[]>;
  /** Goes back to a checkpoint by its name, with an optional instruction, and lets the agent go on from there. */
  restore(checkpointName: string, hint: string | null): Promise<void>;
  listDocuments(page: PageRequest): Promise<Page<DocumentInfo>>;
  upload(
    file: File,
    onProgress?: (sent: number, total: number) => void,
    signal?: AbortSignal,
  ): Promise<DocumentInfo>;
  /** Applies a change of the host's own, such as a note of its own in a list. */
  setItem(list: List, key: Key, value: Json | undefined): void;
  /** Gives everything back: stream, timers, listeners. Sends nothing; the run goes on. */
  close(): void;
}
