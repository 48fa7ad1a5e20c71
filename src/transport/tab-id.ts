import type { StorageArea } from './storage.js';

/** The globals that are used. Each of them is missing on some platforms. */
export interface TabPlatform {
  readonly sessionStorage?: Pick<StorageArea, 'getItem' | 'setItem' | 'removeItem'>;
  readonly navigator?: { readonly locks?: LockManager };
  readonly location?: { readonly pathname?: string };
  /** In a frame, a different window than `self`. */
  readonly top?: unknown;
  addEventListener?(type: 'pagehide' | 'pageshow', listener: () => void): void;
}

/** Stored directly in `sessionStorage`, because the size-limited `storage.ts` may evict old entries. */
const STORAGE_KEY = 'ubik-elements.tab';
/** Prefix of the stored id while its page is open. */
const IN_USE_PREFIX = '=';
/** Property of the global object, so that several copies of this library in a page share one id. */
const TAB_ID = Symbol.for(STORAGE_KEY);

/**
 * Resolves to the id of this tab. It stays the same across reloads, and differs from that of every other tab, although browsers copy
 * the session storage into a tab that is opened from this one or duplicated. On `pagehide` a page stores its id for the next page of
 * the tab. A stored id that is marked as in use belongs to the page from which it was copied, or to a page that has crashed; only in the
 * second case is its Web Lock free, and the id is used again. Without Web Locks, a page after a crash gets a new id. Never rejects.
 */
export function claimTabId(platform: TabPlatform, uuid: () => string): Promise<string> {
  const page = platform as TabPlatform & { [TAB_ID]?: TabId };
  page[TAB_ID] ??= new TabId(platform, uuid);
  return page[TAB_ID].current;
}

class TabId {
  current: Promise<string>;
  readonly #platform: TabPlatform;
  readonly #uuid: () => string;
  /** Includes the path in a frame, because frames share the storage of their tab. */
  readonly #storageKey: string;
  #pageHidden = new AbortController();

  constructor(platform: TabPlatform, uuid: () => string) {
    const { location, top } = platform;
    this.#platform = platform;
    this.#uuid = uuid;
    this.#storageKey =
      (top ?? platform) === platform ? STORAGE_KEY : `${STORAGE_KEY}:${location?.pathname ?? ''}`;
    this.current = this.#resolveId();
    // The lock is released on `pagehide`, because browsers do not put a page with a lock into the back/forward cache.
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
    const idInUse = stored.slice(IN_USE_PREFIX.length);
    const isCrashed = idInUse !== '' && (await this.#lock(idInUse, { ifAvailable: true }));
    return this.#claim(isCrashed ? idInUse : this.#uuid());
  }

  /** Marks an id as in use by this page until `pagehide`. */
  #claim(id: string): string {
    const { signal } = this.#pageHidden;
    const store = (text: string) =>
      this.#tryStorage((storage) => storage.setItem(this.#storageKey, text));
    store(IN_USE_PREFIX + id);
    signal.addEventListener('abort', () => store(id));
    // Not awaited, because the previous page of this tab may not have released the lock yet.
    void this.#lock(id, { signal });
    return id;
  }

  /** Locks an id until `pagehide`. Resolves to whether the lock was granted, as soon as that is known. */
  #lock(id: string, options: LockOptions): Promise<boolean> {
    const { signal } = this.#pageHidden;
    const { locks } = this.#platform.navigator ?? {};
    return new Promise((resolve) => {
      const handleLock = (lock: Lock | null): Promise<void> | null => {
        resolve(lock !== null);
        if (!lock || signal.aborted) return null;
        return new Promise((release) => signal.addEventListener('abort', () => release()));
      };
      if (!locks) resolve(false);
      // The request rejects in frames with an opaque origin, and when the page is left while the request is queued.
      else locks.request(`${STORAGE_KEY}|${id}`, options, handleLock).catch(() => resolve(false));
    });
  }

  /** Returns the result of `access`; undefined when there is no storage or it throws. */
  #tryStorage<T>(
    access: (storage: NonNullable<TabPlatform['sessionStorage']>) => T,
  ): T | undefined {
    try {
      const storage = this.#platform.sessionStorage;
      return storage && access(storage);
    } catch {
      // The getter throws in sandboxed frames.
      return undefined;
    }
  }
}
