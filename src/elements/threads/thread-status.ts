import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { Json, Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { IconName } from '../../message/icons.js';
import { listPendingRequests, isRunning } from '../../message/thread-selectors.js';
import { PagePresence, acquireBrowserLock } from './page-presence.js';
import { flagsOf } from './thread-summary.js';

/** Status of a thread in the list. */
export type ThreadStatus = 'running' | 'waiting' | 'unread' | 'failed';

/** The icon of each status. */
export const STATUS_ICONS: Readonly<Record<ThreadStatus, IconName>> = {
  running: 'ring',
  waiting: 'question',
  unread: 'dot',
  failed: 'alert',
};

/** Status of a thread whose run has ended while another thread was shown. */
const STATUS_AFTER_RUN = new Map<ControllerNotice['type'], ThreadStatus>([
  ['run-completed', 'unread'],
  ['run-failed', 'failed'],
  ['run-interrupted', 'failed'],
]);

/** Notices after which a run is no longer in progress anywhere. */
const RUN_ENDS: readonly ControllerNotice['type'][] = [
  'run-completed',
  'run-failed',
  'run-stopped',
];

/** Statuses of a thread whose run has not ended. */
const UNFINISHED: ReadonlySet<ThreadStatus | undefined> = new Set(['running', 'waiting']);

/** Status of a thread in storage. For a thread in the model of this page, the status there takes precedence. */
interface StoredStatus {
  readonly status: ThreadStatus;
  /** Id of the presence of the page that reads its run; empty when the run is over or no page reads it. */
  readonly presence: string;
}

/** For a run whose end no page has observed: there may be new messages. */
const UNKNOWN_OUTCOME: StoredStatus = { status: 'unread', presence: '' };
/** Longest id of a presence that is accepted from storage. */
const MAX_PRESENCE_ID_LENGTH = 64;
/** Name of the storage entry that contains the statuses. */
const STATUSES = 'marks';
/** Maximum number of stored statuses. */
const MAX_STORED = 200;

/**
 * Statuses of the threads that this browser has shown, and of those that have a status in the service's thread list. Threads that this page
 * has shown are live in its model; the statuses of other threads are in storage, which the pages of one user share. When the page that reads
 * a run is closed, the outcome of the run is unknown and the thread counts as unread.
 */
export class ThreadStatusTracker {
  readonly #controller: StreamController;
  readonly #onChange: (id: string) => void;
  /** Threads that this page has shown, by id. The model keeps them up to date. */
  readonly #liveThreads = new Map<string, Thread>();
  readonly #stored = new Map<string, StoredStatus>();
  readonly #presence: PagePresence;
  /** Ids of the threads that the service lists as running, so that no update has to search the whole list. */
  readonly #listedRuns = new Set<string>();
  readonly #stopObservingList: () => void;
  /** Presences of pages that are known to have ended. */
  readonly #endedPresences = new Set<string>();
  #isRestored = false;
  /** Id of the thread that was shown at the last change; empty when there was none. */
  #shownId = '';

  /** `onChange` is called with the id of each thread whose status may have changed. */
  constructor(
    controller: StreamController,
    onChange: (id: string) => void,
    acquireLock = acquireBrowserLock,
  ) {
    this.#controller = controller;
    this.#onChange = onChange;
    this.#presence = new PagePresence(controller.environment.uuid(), acquireLock);
    for (const [id, summary] of controller.threads) this.#updateListedRun(id, summary);
    this.#stopObservingList = controller.subscribe({ list: 'threads' }, (change) => {
      if (change.type !== 'item') return;
      this.#updateListedRun(change.key, change.value);
      if (change.value === undefined) this.delete(change.key);
    });
    void controller.storage.get(STATUSES).then((stored) => this.#restore(stored));
    this.#trackCurrent();
    this.#markShownRead();
  }

  /**
   * Returns the status of a thread by the service's id; undefined when there is nothing to show. The state of this browser takes precedence
   * over the list of the service, which does not say whether a run waits for the user, and may be older.
   */
  statusOf(id: string): ThreadStatus | undefined {
    return this.#localStatusOf(id) ?? this.#listedStatusOf(id);
  }

  /** Whether the service lists a run that this browser does not read. Its end is only visible in a reloaded list. */
  get hasExternalRun(): boolean {
    for (const id of this.#listedRuns) if (this.#localStatusOf(id) === undefined) return true;
    return false;
  }

  /** Updates the status of the thread of a notice. */
  handleNotice(notice: ControllerNotice): void {
    const current = this.#trackCurrent();
    if (notice.type === 'thread-changed' || notice.type === 'thread-created') this.#markShownRead();
    if (!('thread' in notice) || notice.type === 'draft-changed') return;
    const { type, thread: key } = notice;
    const id = this.findId(key);
    if (!id) return;
    if (RUN_ENDS.includes(type)) this.#resetFlag(id, 'isRunning');
    if (key === current?.key) this.#stored.delete(id);
    else {
      const status = STATUS_AFTER_RUN.get(type);
      if (status) this.#stored.set(id, { status, presence: '' });
      // This page may have read the status of its own run from the storage, where another page had stored it.
      else if (type === 'run-stopped' && UNFINISHED.has(this.#stored.get(id)?.status))
        this.#stored.delete(id);
    }
    void this.#save();
    this.#onChange(id);
  }

  /** Returns the service's id of a thread that this page has shown, by its key; undefined for others. */
  findId(key: Key | null): string | undefined {
    for (const [id, thread] of this.#liveThreads) if (thread.key === key) return id;
    return undefined;
  }

  /** Reads the statuses that another page may have stored. */
  async reload(): Promise<void> {
    const stored = await this.#controller.storage.get(STATUSES);
    if (this.#isRestored) this.#merge(stored);
  }

  /** Removes a deleted thread, which may not be in the list. */
  delete(id: string): void {
    // The storage also contains the status of a live thread, which is not in `#stored`.
    const wasLive = this.#liveThreads.delete(id);
    if (this.#stored.delete(id) || wasLive) void this.#save();
  }

  /** Stops observing the list and other pages, and ends the presence of this page: other pages then treat its runs as unobserved. */
  release(): void {
    this.#stopObservingList();
    this.#presence.release();
  }

  /**
   * Resets the unread flags of the previously shown thread and of the current one, because the list may be older than the moment they were
   * read.
   */
  #markShownRead(): void {
    const before = this.#shownId;
    this.#shownId = this.#controller.thread?.id ?? '';
    for (const id of [before, this.#shownId]) this.#resetFlag(id, 'isUnread');
  }

  #updateListedRun(id: string, summary: Json | undefined): void {
    if (flagsOf(summary).isRunning) this.#listedRuns.add(id);
    else this.#listedRuns.delete(id);
  }

  /** Resets a flag of a listed thread, because the state of this page is newer than the list. */
  #resetFlag(id: string, flag: 'isRunning' | 'isUnread'): void {
    const summary = this.#controller.threads.get(id);
    if (!flagsOf(summary)[flag]) return;
    const updated = { ...(summary as { readonly [name: string]: Json }), [flag]: false };
    this.#controller.setListItem('threads', id, updated);
  }

  #localStatusOf(id: string): ThreadStatus | undefined {
    const thread = this.#liveThreads.get(id);
    return (thread && liveStatusOf(thread)) ?? this.#stored.get(id)?.status;
  }

  #listedStatusOf(id: string): ThreadStatus | undefined {
    const {
      isRunning: isListedAsRunning,
      isUnread,
      hasFailed,
    } = flagsOf(this.#controller.threads.get(id));
    if (isListedAsRunning) return 'running';
    if (!isUnread || id === this.#controller.thread?.id) return undefined;
    return hasFailed ? 'failed' : 'unread';
  }

  /** Adds the current thread to the live ones and returns it. */
  #trackCurrent(): Thread | null {
    const { thread } = this.#controller;
    if (thread?.id) this.#liveThreads.set(thread.id, thread);
    return thread;
  }

  async #save(): Promise<void> {
    // Saving before restoring would overwrite the stored statuses.
    if (!this.#isRestored) return;
    const isRunning = [...this.#liveThreads.values()].some(
      (thread) => liveStatusOf(thread) === 'running',
    );
    // The lock is acquired before the run is stored and released after its end is stored, so that other pages never find a running thread
    // of a page without a lock.
    if (isRunning) await this.#presence.announce(true);
    const ids = [...new Set([...this.#stored.keys(), ...this.#liveThreads.keys()])];
    const entries = ids.flatMap((id) => {
      const status = this.#localStatusOf(id);
      const isOwn = this.#liveThreads.has(id) && status === 'running';
      const presence = isOwn ? this.#presence.id : (this.#stored.get(id)?.presence ?? '');
      return status ? [presence ? [id, status, presence] : [id, status]] : [];
    });
    this.#controller.storage.set(STATUSES, entries.slice(-MAX_STORED));
    if (!isRunning) void this.#presence.announce(false);
  }

  #restore(stored: unknown): void {
    this.#isRestored = true;
    for (const [id, { status, presence }] of parseStored(stored)) {
      if (this.#liveThreads.has(id)) continue;
      this.#stored.set(
        id,
        status === 'running' && !presence ? UNKNOWN_OUTCOME : { status, presence },
      );
      if (presence) this.#watch(presence, true);
      this.#onChange(id);
    }
  }

  /** Marks the runs of a page as unobserved when its presence ends. `wasStoredBefore`: the runs were stored before this page was opened. */
  #watch(presence: string, wasStoredBefore = false): void {
    this.#presence.onEnd(presence, (isCertain) => {
      // Without locks, only the statuses that were stored while this page is open are trusted to be current.
      if (!isCertain && !wasStoredBefore) return;
      if (isCertain) this.#endedPresences.add(presence);
      // The page may have stored the outcomes of its runs before its presence ended.
      void this.reload().then(() => {
        for (const [id, status] of this.#stored) {
          if (status.presence !== presence) continue;
          this.#stored.set(id, UNKNOWN_OUTCOME);
          this.#onChange(id);
        }
      });
    });
  }

  /** Replaces the stored statuses with those of another page. The thread that is shown here counts as read. */
  #merge(stored: unknown): void {
    const current = this.#trackCurrent();
    const before = new Map(this.#stored);
    this.#stored.clear();
    const entries = parseStored(stored);
    const named = new Set(entries.map(([, { presence }]) => presence));
    for (const ended of this.#endedPresences)
      if (!named.has(ended)) this.#endedPresences.delete(ended);
    for (const [id, entry] of entries) {
      const isRead = id === current?.id && (entry.status === 'unread' || entry.status === 'failed');
      if (isRead) continue;
      const hasEnded = this.#endedPresences.has(entry.presence);
      this.#stored.set(id, hasEnded ? UNKNOWN_OUTCOME : entry);
      if (entry.presence && !hasEnded) this.#watch(entry.presence);
    }
    for (const id of new Set([...before.keys(), ...this.#stored.keys()])) {
      if (before.get(id)?.status !== this.#stored.get(id)?.status) this.#onChange(id);
    }
  }
}

/** Returns the valid entries of stored data. */
function parseStored(stored: unknown): readonly (readonly [string, StoredStatus])[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(-MAX_STORED).flatMap((entry: unknown) => {
    const [id, status, presence] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const isStatus =
      status === 'running' || status === 'waiting' || status === 'unread' || status === 'failed';
    const isPresence =
      typeof presence === 'string' &&
      presence.length <= MAX_PRESENCE_ID_LENGTH &&
      status === 'running';
    return typeof id === 'string' && isStatus
      ? [[id, { status, presence: isPresence ? presence : '' }] as const]
      : [];
  });
}

/** Returns the status of a thread in the model of this page. */
function liveStatusOf(thread: Thread): ThreadStatus | undefined {
  const { messages, head } = thread;
  if (listPendingRequests(messages.get(head ?? '')).length > 0) return 'waiting';
  return isRunning(thread) ? 'running' : undefined;
}
