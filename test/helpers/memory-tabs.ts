import type { LockMode, TabLink, TabLock } from '../../src/backends/multi-tab/index.js';
import type { Json } from '../../src/model/json.js';

/** A lock that somebody has. */
interface Held {
  readonly tab: MemoryTab;
  readonly lost: AbortController;
}

/** Somebody who waits for a lock. */
interface Waiting {
  readonly tab: MemoryTab;
  readonly give: (lock: TabLock | null) => void;
}

/** The tabs of one browser, in one process: what one posts comes to the others a turn of the event loop later, as a copy. */
export class MemoryTabs {
  /** Everything that was posted. */
  readonly posted: Json[] = [];
  readonly #tabs = new Set<MemoryTab>();
  readonly #held = new Map<string, Held>();
  readonly #queues = new Map<string, Waiting[]>();
  readonly #onWork: () => void;
  #onTheirWay = 0;

  /** @param onWork told after each delivery */
  constructor(onWork: () => void = () => undefined) {
    this.#onWork = onWork;
  }

  /** Whether nothing is on its way. */
  get isIdle(): boolean {
    return this.#onTheirWay === 0;
  }

  /** Opens one more. */
  open(): MemoryTab {
    const tab = new MemoryTab(this);
    this.#tabs.add(tab);
    return tab;
  }

  /** Does something a turn later. */
  schedule(work: () => void): void {
    this.#onTheirWay += 1;
    setImmediate(() => {
      this.#onTheirWay -= 1;
      work();
      this.#onWork();
    });
  }

  /** Brings a copy to all others. */
  send(from: MemoryTab, message: Json): void {
    this.posted.push(message);
    for (const tab of this.#tabs) {
      if (tab !== from) this.schedule(() => tab.hear(structuredClone(message)));
    }
  }

  /** See {@link TabLink}. */
  requestLock(tab: MemoryTab, name: string, wish: LockMode, signal: AbortSignal) {
    return new Promise<TabLock | null>((resolve) => {
      const give = (lock: TabLock | null) =>
        this.schedule(() => {
          // As with the platform's locks, one that is given up at this moment is given back.
          if (signal.aborted) lock?.release();
          resolve(signal.aborted ? null : lock);
        });
      const held = this.#held.get(name);
      if (wish === 'queue' && held) {
        const waiting = { tab, give };
        const queue = this.#queues.get(name) ?? [];
        this.#queues.set(name, queue);
        queue.push(waiting);
        signal.addEventListener('abort', () => {
          const at = queue.indexOf(waiting);
          if (at >= 0) queue.splice(at, 1);
          resolve(null);
        });
      } else if (wish === 'if-available' && held) give(null);
      else {
        if (held) held.tab.whenActive(() => held.lost.abort());
        give(this.#grant(tab, name));
      }
    });
  }

  /** A tab is no more. */
  remove(tab: MemoryTab): void {
    this.#tabs.delete(tab);
    for (const queue of this.#queues.values()) {
      queue.splice(0, queue.length, ...queue.filter((waiting) => waiting.tab !== tab));
    }
    for (const [name, held] of [...this.#held]) if (held.tab === tab) this.#free(name, held);
  }

  #grant(tab: MemoryTab, name: string): TabLock {
    const held: Held = { tab, lost: new AbortController() };
    this.#held.set(name, held);
    return { lost: held.lost.signal, release: () => this.#free(name, held) };
  }

  #free(name: string, held: Held): void {
    if (this.#held.get(name) !== held) return;
    this.#held.delete(name);
    const next = this.#queues.get(name)?.shift();
    next?.give(this.#grant(next.tab, name));
  }
}

/** One tab, whose life the test leads. */
export class MemoryTab implements TabLink {
  /** Messages to and from it are lost. */
  isCut = false;
  readonly #tabs: MemoryTabs;
  readonly #hearers = new Set<(message: unknown) => void>();
  /** What waits until it is awake. */
  #asleep: (() => void)[] | null = null;

  constructor(tabs: MemoryTabs) {
    this.#tabs = tabs;
  }

  /** How many listen. */
  get listeners(): number {
    return this.#hearers.size;
  }

  post(message: Json): void {
    this.whenActive(() => {
      if (!this.isCut) this.#tabs.send(this, message);
    });
  }

  subscribe(receive: (message: unknown) => void): () => void {
    this.#hearers.add(receive);
    return () => void this.#hearers.delete(receive);
  }

  requestLock(name: string, wish: LockMode, signal: AbortSignal): Promise<TabLock | null> {
    return this.#tabs.requestLock(this, name, wish, signal);
  }

  /** Something comes from another tab. */
  hear(message: unknown): void {
    this.whenActive(() => {
      if (!this.isCut) this.#hearers.forEach((hear) => hear(message));
    });
  }

  /** Does something now, or when the tab is no longer frozen. */
  whenActive(work: () => void): void {
    if (this.#asleep) this.#asleep.push(work);
    else work();
  }

  freeze(): void {
    this.#asleep ??= [];
  }

  resume(): void {
    const waiting = this.#asleep ?? [];
    this.#asleep = null;
    for (const work of waiting) this.#tabs.schedule(work);
  }

  /** It is closed without a word. */
  crash(): void {
    this.freeze();
    this.#tabs.remove(this);
  }
}
