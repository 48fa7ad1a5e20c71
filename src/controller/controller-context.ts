import type { Backend, Onboarding } from '../backends/backend.js';
import type { BackendMethodName } from '../backends/backend-methods.js';
import { UbikError } from '../errors.js';
import { apply } from '../model/apply.js';
import { createItemChange, type Batch, type Change, type ThreadChange } from '../model/change.js';
import { equalJson, type Json, type Key } from '../model/json.js';
import { createStore } from '../model/store.js';
import type { ListName, Thread } from '../model/thread.js';
import { createEnvironment, type Environment } from '../transport/environment.js';
import type { RestoreOrigins } from './checkpoints/restore-origins.js';
import { createControllerStorage, type ControllerStorage } from './controller-storage.js';
import type { ControllerNotice, ControllerOptions } from './controller-types.js';
import { completeLimits, type ControllerLimits } from './limits.js';
import { Drafts, type TypedText } from './messages/drafts.js';
import type { MessageQueue } from './messages/message-queue.js';
import { Notifier } from './notifier.js';
import { ActivityNotices } from './requests/activity-notices.js';
import { recordRequestDetails, type RequestDetails } from './requests/request-details.js';
import { toUbikError } from './run/classify-error.js';
import type { RunSession } from './run/run-session.js';
import { readUserKey } from './shared-controllers.js';
import type { ThreadOpening } from './threads/thread-openings.js';
import { ThreadSequencer } from './threads/thread-sequencer.js';

/** The state of one thread that is not part of the model. */
export interface ThreadState {
  /** The current or last run. */
  run: RunSession | undefined;
  /** Messages of runs. A reload does not remove such a message until a loaded version of the thread has contained all of its text. */
  readonly unstoredMessages: Set<Key>;
  /** The request that creates the thread; null when none is pending. */
  creation: Promise<void> | null;
  /** Whether the checkpoints were listed. If so, they are reloaded after each run. */
  hasListedCheckpoints: boolean;
  /** Whether `reloadAfterExternalChange` is called when the current run ends or is rejected, because a change could not be applied during the run. */
  isStale: boolean;
  /**
   * Whether `reloadMessages` was started, or a reload was postponed because of a run, and nothing was merged since. If still true when a run
   * ends or is rejected, `reloadMessages` is called then.
   */
  isReloadPending: boolean;
  /** When the pending requests of the thread were last checked, by the wall clock in ms. */
  requestsCheckedAt: number;
  /** How often the run was checked since a request last expired; set back to 1 when the stream that a check has opened was open for long. */
  expiryChecks: number;
  /** When the last of these checks had loaded the thread, by the monotonic clock in ms. */
  expiryCheckedAt: number;
  /** When the thread was last reloaded because the page became active again, by the wall clock in ms. */
  reloadedAt: number;
  /** Whether a reload is scheduled because the page became active again. */
  isReloadScheduled: boolean;
  /** Whether the messages of a thread that was not in memory are being added. Until all are added, `findThread` does not return the thread. */
  isLoading: boolean;
}

/** An opening, with what only the controller needs. */
export interface Opening extends ThreadOpening {
  /** Aborted when a later call supersedes this one, and when the controller is closed. */
  readonly signal: AbortSignal;
  /** The text that the user types while the thread loads; null if a thread was shown at the time of the call, whose draft then gets the text. */
  typedText: TypedText | null;
}

/** The shared state of the actions of one controller: data, subscriptions, storage and the state of each thread. */
export class ControllerContext {
  readonly options: ControllerOptions;
  readonly backend: Backend;
  readonly environment: Environment;
  readonly limits: Required<ControllerLimits>;
  readonly store = createStore();
  readonly notifier = new Notifier((error, value) => this.#reportListenerError(error, value));
  readonly storage: ControllerStorage;
  readonly drafts: Drafts;
  /** The queued messages; null before their first use. */
  queue: MessageQueue | null = null;
  /** The checkpoints from which answers were restored; null until a stored thread is loaded or a checkpoint is restored. */
  restoreOrigins: RestoreOrigins | null = null;
  /** The details of the requests of each thread, by the service's id, oldest first. */
  readonly requestDetails = new Map<string, readonly RequestDetails[]>();
  readonly sequencer = new ThreadSequencer();
  readonly activityNotices = new ActivityNotices(this);
  /** The request for the onboarding of the service; undefined before the first one and after a failure. */
  onboarding: Promise<Onboarding> | undefined;
  /** Ids of threads that another client changed while they were not in memory: a response to an earlier request is outdated. */
  readonly changedElsewhere = new Set<string>();
  /** Aborted when the controller is closed. */
  readonly closing = new AbortController();
  /** Called when another client has changed a thread. */
  onExternalChange: Backend['onExternalChange'];
  /** Called when the page has become visible, online or active again. */
  onWake: () => void = () => undefined;
  /** Called by the effect `end` of a run: the run has ended, or was suspended or interrupted. */
  onRunEnd: (runSession: RunSession) => void = () => undefined;
  /** Called when a run was rejected and its optimistic changes were reverted. */
  onRunRejected: (runSession: RunSession, error: UbikError) => void = () => undefined;
  /** Called when the deadline of a request has passed. */
  onRequestExpired: (thread: Key) => void = () => undefined;
  readonly #threadStates = new Map<Thread, ThreadState>();
  readonly #unsubscribe: ((() => void) | undefined)[];
  /** Key of the current thread; while there is none, of the previous one. */
  #lastShown: Key | null = null;
  /** The latest {@link Opening}. */
  latestOpening: Opening | null = null;
  #openingAbort: AbortController | undefined;
  #keyCount = 0;

  constructor(options: ControllerOptions) {
    const { backend, environment = createEnvironment(), page } = options;
    this.options = { ...options, userKey: readUserKey(options.userKey) };
    this.backend = backend;
    this.environment = environment;
    this.limits = completeLimits(backend.idleTimeout, options.limits);
    this.storage = createControllerStorage(this);
    this.drafts = new Drafts(this);
    backend.onDiagnostic = this.diagnose;
    this.#unsubscribe = [
      page?.onWake((reason) => {
        for (const { run } of this.#threadStates.values()) run?.wake(reason);
        this.onWake();
      }),
      page?.onHide(() => {
        for (const { run } of this.#threadStates.values()) run?.hide();
        // The page may be discarded.
        this.drafts.flush();
      }),
    ];
  }

  /** Whether the controller was closed. */
  get closed(): boolean {
    return this.closing.signal.aborted;
  }

  get currentThread(): Thread | null {
    return this.notifier.currentThread;
  }

  /**
   * Returns the current thread.
   *
   * @throws {UbikError} `misuse` when there is none.
   */
  requireCurrentThread(): Thread {
    if (!this.currentThread) throw new UbikError('misuse', 'No thread is open.');
    return this.currentThread;
  }

  /** Returns the service's id of a thread; empty while it has none. */
  serviceIdOf(thread: Key | null): string {
    return this.store.threads.get(thread ?? '')?.id ?? '';
  }

  /** Returns the thread with this id of the service, if it is in memory and its messages are not still being added. */
  findThread(id: string): Thread | undefined {
    return this.listThreadsWithId(id).find((thread) => !this.#threadStates.get(thread)?.isLoading);
  }

  /** Returns all threads in memory with this id of the service, also those whose messages are still being added. */
  listThreadsWithId(id: string): readonly Thread[] {
    return [...this.store.threads.values()].filter((thread) => thread.id === id);
  }

  /** Returns the state of a thread, and creates it with the first call. The state of a thread that is not in memory is not retained. */
  stateOf(thread: Thread): ThreadState {
    const state: ThreadState = this.#threadStates.get(thread) ?? {
      run: undefined,
      unstoredMessages: new Set(),
      creation: null,
      hasListedCheckpoints: false,
      isStale: false,
      isReloadPending: false,
      requestsCheckedAt: -Infinity,
      expiryChecks: 0,
      expiryCheckedAt: 0,
      reloadedAt: -Infinity,
      isReloadScheduled: false,
      isLoading: false,
    };
    if (this.store.threads.has(thread.key)) this.#threadStates.set(thread, state);
    return state;
  }

  /** Returns the current or last run of a thread. */
  runOf(thread: Thread): RunSession | undefined {
    return this.#threadStates.get(thread)?.run;
  }

  /** Whether a run is active in a thread. A run that waits for the user is not active, unless it is being stopped. */
  isBusy(thread: Thread): boolean {
    return this.runOf(thread)?.isBusy ?? false;
  }

  /** Whether the service has a thread or is creating it. */
  isCreated(thread: Thread): boolean {
    return thread.id !== null || this.stateOf(thread).creation !== null;
  }

  /** Creates a key that is unique in this controller. */
  readonly createKey = (kind: 'thread' | 'message' = 'message'): Key => {
    this.#keyCount += 1;
    return `${kind}-${this.#keyCount}`;
  };

  /**
   * Returns a method of the backend, bound to it.
   *
   * @throws {UbikError} `unsupported` when the backend does not implement it.
   */
  requireMethod<N extends BackendMethodName>(name: N): NonNullable<Backend[N]> {
    const method = this.backend[name] as ((...args: unknown[]) => unknown) | undefined;
    if (!method) throw new UbikError('unsupported', { offender: name });
    return method.bind(this.backend) as NonNullable<Backend[N]>;
  }

  /** Applies changes of the controller to a thread, or (`''`) to the thread list. Does nothing when the thread was deleted. */
  commit(thread: Key, changes: readonly Change[]): void {
    if (thread !== '' && !this.store.threads.has(thread)) return;
    this.applyBatch({ thread, time: this.environment.now(), changes });
  }

  /** Commits the entries of a list that differ from the current ones. An entry without a value is removed. */
  mergeList(thread: Thread, list: ListName, entries: readonly (readonly [Key, Json?])[]): void {
    const items = thread.list(list);
    const changes = entries
      .filter(([key, value]) => !equalJson(items.get(key), value))
      .map(([key, value]) => createItemChange(list, key, value));
    this.commit(thread.key, changes);
  }

  /** Adds a thread to the store. */
  addThread(key: Key, set: ThreadChange): Thread {
    this.applyBatch({
      thread: key,
      time: this.environment.now(),
      changes: [{ type: 'thread', set }],
    });
    return this.store.threads.get(key) as Thread;
  }

  /** Removes a thread and its state from memory. */
  removeThread(thread: Thread): void {
    this.#threadStates.delete(thread);
    this.store.threads.delete(thread.key);
  }

  /**
   * Applies a batch and publishes it, unless the controller was closed. No other code of `src/controller` calls `apply`.
   *
   * @returns the changes that took effect
   */
  applyBatch(batch: Batch): readonly Change[] {
    if (batch.changes.length === 0 || this.closed) return [];
    const { applied: changes, rejected } = apply(this.store, batch);
    const [first] = rejected;
    // Rejected changes are a fault of the backend.
    if (first) this.diagnose(new UbikError('malformed-event', { offender: first.type }));
    if (changes.length === 0) return [];
    const thread = this.store.threads.get(batch.thread);
    // A response to an earlier request does not reflect that a run has begun or ended.
    if (thread && changes.some(isRunStateChange)) this.sequencer.invalidateReads(thread);
    for (const change of changes) {
      if ('part' in change && change.part !== null && change.type !== 'text') {
        recordRequestDetails(this, thread?.id ?? null, change);
        this.activityNotices.updateRequest(batch.thread, change.message, change.part);
      }
    }
    this.notifier.publish({ ...batch, changes });
    for (const change of changes) {
      if (change.type === 'part') {
        this.activityNotices.updateStep(batch.thread, change.message, change.part);
      }
    }
    return changes;
  }

  setCurrentThread(thread: Thread | null): void {
    if (this.currentThread === thread) return;
    if (thread) this.#lastShown = thread.key;
    this.notifier.setCurrentThread(thread);
    this.notify({ type: 'thread-changed', thread: thread?.key ?? null });
  }

  /** Whether this is the thread that was shown last. Also true if no thread was shown, or if the one shown last does not exist at the service. */
  wasShownLast(thread: Key): boolean {
    return this.#lastShown === thread || this.serviceIdOf(this.#lastShown) === '';
  }

  /** Emits `thread-opened`, marks the current thread as read, and emits `input-required` for each pending request of the thread, each once. */
  notifyOpened(thread: Thread): void {
    this.notify({ type: 'thread-opened', thread: thread.key });
    this.markCurrentRead();
    this.activityNotices.updateRequestsOf(thread);
  }

  /**
   * Marks the current thread as read, unless the page is hidden. A failure is a diagnostic; the service then still lists the thread as
   * unread.
   */
  markCurrentRead(): void {
    const id = this.currentThread?.id;
    if (!id || this.options.page?.visible === false) return;
    const mark = async () => this.backend.markThreadRead?.(id);
    mark().catch((thrown: unknown) => this.diagnose(toUbikError(thrown)));
  }

  /** Starts to open a thread, to create one or to close the current one; supersedes earlier openings. */
  startOpening(): Opening {
    this.#openingAbort?.abort();
    const { signal } = (this.#openingAbort = new AbortController());
    const typedText = this.currentThread ? null : this.drafts.observeTyping();
    return (this.latestOpening = { id: null, signal, typedText, loading: null });
  }

  notify(notice: ControllerNotice): void {
    this.notifier.emit('notices', notice);
  }

  /** Emits a diagnostic: an anomaly without an effect for the user. */
  readonly diagnose = (error: UbikError): void => {
    this.notify({ type: 'diagnostic', error });
  };

  /** Runs an action. Converts thrown values to a {@link UbikError}, and emits `auth-required` if the user has to sign in. */
  async runAction<T>(action: () => Promise<T> | T): Promise<T> {
    if (this.closed) throw new UbikError('aborted');
    try {
      return await action();
    } catch (thrown) {
      const error = toUbikError(thrown);
      this.notifyIfUnauthorized(error);
      throw error;
    }
  }

  /** Runs an action whose caller ignores a failure. Only `unauthorized` is emitted, as `auth-required`; the model shows the failure of a run. */
  runInBackground(action: () => Promise<unknown>): void {
    this.runAction(action).catch(() => undefined);
  }

  /** Emits `auth-required` for the error `unauthorized`, unless the host has dropped the token meanwhile: the next user need not sign in again. */
  notifyIfUnauthorized({ code, offender }: UbikError): void {
    if (code === 'unauthorized' && offender !== 'forgetToken')
      this.notify({ type: 'auth-required' });
  }

  /** Closes streams, timers and subscriptions, and clears the memory, because the host may keep a reference to the controller. */
  close(): void {
    if (this.closed) return;
    this.closing.abort();
    this.#openingAbort?.abort();
    for (const unsubscribe of this.#unsubscribe) unsubscribe?.();
    for (const { run } of this.#threadStates.values()) run?.close();
    this.drafts.close();
    this.activityNotices.close();
    const { backend } = this;
    if (backend.onDiagnostic === this.diagnose) backend.onDiagnostic = undefined;
    if (backend.onExternalChange === this.onExternalChange) backend.onExternalChange = undefined;
    this.notify({ type: 'closed' });
    this.notifier.close();
    this.#unsubscribe.length = 0;
    this.restoreOrigins?.clear();
    this.requestDetails.clear();
    this.#threadStates.clear();
    this.store.threads.clear();
    this.store.threadList.clear();
  }

  #reportListenerError(cause: unknown, value: unknown): void {
    try {
      this.options.reportError?.(cause);
    } catch {
      // An error of the error handler cannot be reported.
    }
    // A diagnostic about a listener that fails on diagnostics would call it again, without end.
    if ((value as Partial<ControllerNotice>).type === 'diagnostic') return;
    this.diagnose(new UbikError('misuse', 'A listener threw.', { cause, offender: 'listener' }));
  }
}

/** Whether a change sets the state of a run, as each start, pause and end does. */
function isRunStateChange(change: Change): boolean {
  return change.type === 'thread' && change.set.run?.state !== undefined;
}
