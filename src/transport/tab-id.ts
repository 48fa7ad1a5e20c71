import type { StorageArea } from './storage.js';

/** What is used of the page. Most of it is missing somewhere. */
export interface TabPlatform {
  readonly sessionStorage?: Pick<StorageArea, 'getItem' | 'setItem' | 'removeItem'>;
  readonly navigator?: { readonly locks?: LockManager };
  readonly location?: { readonly pathname?: string };
  /** Of a page in a frame it is another page. */
  readonly top?: unknown;
  addEventListener?(type: 'pagehide' | 'pageshow', listener: () => void): void;
}

/** Not among the entries of the bounded storage, which may drop the oldest. */
const STORAGE_KEY = 'ubik-elements.tab';
/** Stands before the stored id while its page is there. */
const IN_USE_PREFIX = '=';
/** Where a page keeps its id, so that several copies of this library in it have the same one. */
const TAB_ID = Symbol.for(STORAGE_KEY);

/**
 * The id of this tab: the same after a reload, and never that of another tab, although browsers copy the session storage into a tab
 * that is opened from this one or duplicated. A page that goes leaves its id in the storage to the next one of the tab. An id that
 * is stored as taken belongs to a page that was copied, or has crashed: then nobody has the Web Lock that it held. Without Web Locks
 * a crash counts as a new tab. Never rejects.
 */
export function readTabId(platform: TabPlatform, uuid: () => string): Promise<string> {
  const page = platform as TabPlatform & { [TAB_ID]?: TabId };
  page[TAB_ID] ??= new TabId(platform, uuid);
  return page[TAB_ID].current;
}

class TabId {
  current: Promise<string>;
  readonly #platform: TabPlatform;
  readonly #uuid: () => string;
  /** Frames share the storage of their tab. */
  readonly #storageKey: string;
  #pageHidden = new AbortController();

  constructor(platform: TabPlatform, uuid: () => string) {
    const { location, top } = platform;
    this.#platform = platform;
    this.#uuid = uuid;
    this.#storageKey =
      (top ?? platform) === platform ? STORAGE_KEY : `${STORAGE_KEY}:${location?.pathname ?? ''}`;
    this.current = this.#resolveId();
    // Nothing is locked in the back/forward cache, which takes no page that holds a lock.
    platform.addEventListener?.('pagehide', () => this.#pageHidden.abort());
    platform.addEventListener?.('pageshow', () => {
      if (!this.#pageHidden.signal.aborted) return;
      this.#pageHidden = new AbortController();
      this.current = this.#resolveId();
    });
  }

  async #resolveId(): Promise<string> {
    const stored = this.#tryStorage((storage) => storage.getItem(this.#storageKey)) ?? '';
    if (stored !== '' && !stored.startsWith(IN_USE_PREFIX)) return this.#claim(stored);
    const taken = stored.slice(IN_USE_PREFIX.length);
    const isCrashed = taken !== '' && (await this.#lock(taken, { ifAvailable: true }));
    return this.#claim(isCrashed ? taken : this.#uuid());
  }

  /** Makes an id this page's, until it goes. */
  #claim(id: string): string {
    const { signal } = this.#pageHidden;
    const store = (text: string) =>
      this.#tryStorage((storage) => storage.setItem(this.#storageKey, text));
    store(IN_USE_PREFIX + id);
    signal.addEventListener('abort', () => store(id));
    // A page of this tab that has just gone may hold it for another moment.
    void this.#lock(id, { signal });
    return id;
  }

  /** Locks an id until the page goes. Resolves to whether that was possible, as soon as it is known. */
  #lock(id: string, options: LockOptions): Promise<boolean> {
    const { signal } = this.#pageHidden;
    const { locks } = this.#platform.navigator ?? {};
    return new Promise((resolve) => {
      const hold = (lock: Lock | null): Promise<void> | null => {
        resolve(lock !== null);
        if (!lock || signal.aborted) return null;
        return new Promise((release) => signal.addEventListener('abort', () => release()));
      };
      if (!locks) resolve(false);
      // Rejects in frames without an origin, and when the page goes before its turn.
      else locks.request(`${STORAGE_KEY}|${id}`, options, hold).catch(() => resolve(false));
    });
  }

  /** What the storage answers; undefined where there is none. */
  #tryStorage<T>(act: (storage: NonNullable<TabPlatform['sessionStorage']>) => T): T | undefined {
    try {
      const storage = this.#platform.sessionStorage;
      return storage && act(storage);
    } catch {
      // The mere access throws in some frames.
      return undefined;
    }
  }
}
