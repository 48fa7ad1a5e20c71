import type { LockMode, TabLink, TabLock } from '../../src/backends/multi-tab/index.js';
import type { Json } from '../../src/model/json.js';

/** A granted lock. */
interface GrantedLock {
  readonly tab: MemoryTab;
  readonly lost: AbortController;
}

/** A queued lock request. */
interface QueuedRequest {
  readonly tab: MemoryTab;
  readonly grant: (lock: TabLock | null) => void;
}

/** The tabs of one browser in one process. A posted message is delivered to the other tabs as a copy, one turn of the event loop later. */
export class MemoryTabs {
  /** All posted messages. */
  readonly posted: Json[] = [];
  readonly #tabs = new Set<MemoryTab>();
  readonly #locks = new Map<string, GrantedLock>();
  readonly #queues = new Map<string, QueuedRequest[]>();
  readonly #onDelivery: () => void;
  #pending = 0;

  /** @param onDelivery Called after each delivery. */
  constructor(onDelivery: () => void = () => undefined) {
    this.#onDelivery = onDelivery;
  }

  /** Whether no delivery is pending. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** Opens a tab. */
  open(): MemoryTab {
    const tab = new MemoryTab(this);
    this.#tabs.add(tab);
    return tab;
  }

  /** Runs a task one turn of the event loop later. */
  schedule(work: () => void): void {
    this.#pending += 1;
    setImmediate(() => {
      this.#pending -= 1;
      work();
      this.#onDelivery();
    });
  }

  /** Delivers a copy to all other tabs. */
  send(from: MemoryTab, message: Json): void {
    this.posted.push(message);
    for (const tab of this.#tabs) {
      if (tab !== from) this.schedule(() => tab.receive(structuredClone(message)));
    }
  }

  /** See {@link TabLink}. */
  requestLock(tab: MemoryTab, name: string, mode: LockMode, signal: AbortSignal) {
    return new Promise<TabLock | null>((resolve) => {
      const grant = (lock: TabLock | null) =>
        this.schedule(() => {
          // Like Web Locks, release a lock whose request was aborted meanwhile.
          if (signal.aborted) lock?.release();
          resolve(signal.aborted ? null : lock);
        });
      const granted = this.#locks.get(name);
      if (mode === 'queue' && granted) {
        const queued = { tab, grant };
        const queue = this.#queues.get(name) ?? [];
        this.#queues.set(name, queue);
        queue.push(queued);
        signal.addEventListener('abort', () => {
          const at = queue.indexOf(queued);
          if (at >= 0) queue.splice(at, 1);
          resolve(null);
        });
      } else if (mode === 'if-available' && granted) grant(null);
      else {
        if (granted) granted.tab.whenActive(() => granted.lost.abort());
        grant(this.#grant(tab, name));
      }
    });
  }

  /** Removes a tab and releases its locks. */
  remove(tab: MemoryTab): void {
    this.#tabs.delete(tab);
    for (const queue of this.#queues.values()) {
      queue.splice(0, queue.length, ...queue.filter((queued) => queued.tab !== tab));
    }
    for (const [name, granted] of [...this.#locks])
      if (granted.tab === tab) this.#free(name, granted);
  }

  #grant(tab: MemoryTab, name: string): TabLock {
    const granted: GrantedLock = { tab, lost: new AbortController() };
    this.#locks.set(name, granted);
    return { lost: granted.lost.signal, release: () => this.#free(name, granted) };
  }

  #free(name: string, granted: GrantedLock): void {
    if (this.#locks.get(name) !== granted) return;
    this.#locks.delete(name);
    const next = this.#queues.get(name)?.shift();
    next?.grant(this.#grant(next.tab, name));
  }
}

/** One tab, which the test can cut off, freeze, resume and crash. */
export class MemoryTab implements TabLink {
  /** Whether messages to and from the tab are lost. */
  isCut = false;
  readonly #tabs: MemoryTabs;
  readonly #listeners = new Set<(message: unknown) => void>();
  /** Tasks that wait until the tab resumes; null while it is active. */
  #frozenTasks: (() => void)[] | null = null;

  constructor(tabs: MemoryTabs) {
    this.#tabs = tabs;
  }

  /** Number of subscriptions. */
  get listeners(): number {
    return this.#listeners.size;
  }

  post(message: Json): void {
    this.whenActive(() => {
      if (!this.isCut) this.#tabs.send(this, message);
    });
  }

  subscribe(receive: (message: unknown) => void): () => void {
    this.#listeners.add(receive);
    return () => void this.#listeners.delete(receive);
  }

  requestLock(name: string, mode: LockMode, signal: AbortSignal): Promise<TabLock | null> {
    return this.#tabs.requestLock(this, name, mode, signal);
  }

  /** Receives a message of another tab. */
  receive(message: unknown): void {
    this.whenActive(() => {
      if (!this.isCut) this.#listeners.forEach((listener) => listener(message));
    });
  }

  /** Runs a task now, or when the tab is no longer frozen. */
  whenActive(work: () => void): void {
    if (this.#frozenTasks) this.#frozenTasks.push(work);
    else work();
  }

  freeze(): void {
    this.#frozenTasks ??= [];
  }

  resume(): void {
    const queued = this.#frozenTasks ?? [];
    this.#frozenTasks = null;
    for (const work of queued) this.#tabs.schedule(work);
  }

  /** Closes the tab without any message, as in a crash. */
  crash(): void {
    this.freeze();
    this.#tabs.remove(this);
  }
}
