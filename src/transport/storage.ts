/** An asynchronous key-value store of strings. Not for secrets such as tokens. */
export interface KeyValueStorage {
  /** Returns the value of a key, or null. */
  get(key: string): Promise<string | null>;
  /** Sets the value of a key. Falls back to memory when the storage of the host page fails. */
  set(key: string, value: string): Promise<void>;
  /** Removes a key. */
  remove(key: string): Promise<void>;
  /**
   * Replaces a value by `next(value)` atomically, so that no concurrent write of another tab is lost. Removes the key when `next`
   * returns null. Optional: without it, the library calls `get` and then `set` or `remove`.
   */
  update?(key: string, next: (value: string | null) => string | null): Promise<void>;
}

/** The members of the platform's `Storage` that are used. TypeScript's library for workers has no such type. */
export interface StorageArea {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Limits of a bounded store, with their defaults. */
export interface StorageLimits {
  /** Maximum number of entries: 256. */
  readonly entries?: number;
  /** Maximum total size of keys and values in UTF-16 units: 1 Mi, a fifth of the space that browsers allow an origin. */
  readonly size?: number;
}

/** Prefix of all keys, so that limits and eviction do not affect entries of the host page. */
const PREFIX = 'ubik-elements:';

/**
 * Creates a bounded store on top of the area that `getArea` returns. Falls back to memory where the area is missing, throws (blocked
 * cookies, sandboxed frames) or is full. Evicts the least recently written entries. Stores an entry larger than a quarter of the limit
 * in memory only. If a value cannot be stored in the area, the next page finds the previous value.
 */
export function createBoundedStorage(
  getArea: () => StorageArea | undefined,
  limits: StorageLimits = {},
): KeyValueStorage {
  return new BoundedStorage(getArea, limits);
}

/** The size of an entry, and its value when the area could not store it. */
interface Entry {
  readonly size: number;
  readonly text: string | null;
}

class BoundedStorage implements KeyValueStorage {
  readonly #getArea: () => StorageArea | undefined;
  readonly #limits: Required<StorageLimits>;
  /** In order of writing, as far as known to this page. A value in memory takes precedence over the area. */
  readonly #entries = new Map<string, Entry>();
  #used = 0;

  constructor(getArea: () => StorageArea | undefined, limits: StorageLimits) {
    this.#getArea = getArea;
    this.#limits = { entries: 256, size: 1 << 20, ...limits };
    this.#tryArea((area) => {
      for (let index = 0; index < area.length; index++) {
        const name = area.key(index) ?? '';
        if (!name.startsWith(PREFIX)) continue;
        this.#track(name.slice(PREFIX.length), area.getItem(name)?.length ?? 0);
      }
    });
  }

  get(key: string): Promise<string | null> {
    return Promise.resolve(this.#read(key));
  }

  set(key: string, value: string): Promise<void> {
    return Promise.resolve(this.#write(key, value));
  }

  remove(key: string): Promise<void> {
    return Promise.resolve(this.#delete(key));
  }

  // Async, so that an error thrown by `next` becomes a rejection.
  // oxlint-disable-next-line typescript/require-await
  async update(key: string, next: (value: string | null) => string | null): Promise<void> {
    const value = next(this.#read(key));
    if (value === null) this.#delete(key);
    else this.#write(key, value);
  }

  /** Returns the result of `access`; undefined when there is no area or it throws, in which case memory is used. */
  #tryArea<T>(access: (area: StorageArea) => T): T | undefined {
    try {
      const area = this.#getArea();
      return area && access(area);
    } catch {
      // The getter throws in sandboxed frames; the quota may be exceeded; storage may have been disabled in the meantime.
      return undefined;
    }
  }

  #read(key: string): string | null {
    const inMemory = this.#entries.get(key)?.text;
    return inMemory ?? this.#tryArea((area) => area.getItem(PREFIX + key)) ?? null;
  }

  #write(key: string, value: string): void {
    const { entries, size } = this.#limits;
    // `setItem` replaces the value or throws. If the quota is exceeded, the previous value remains in the area.
    const isStored = key.length + value.length <= size / 4 && this.#store(key, value);
    this.#untrack(key);
    this.#track(key, value.length, isStored ? null : value);
    for (const old of this.#entries.keys()) {
      // The new entry is never evicted, whatever its size.
      if (old === key || (this.#entries.size <= entries && this.#used <= size)) break;
      this.#delete(old);
    }
  }

  #store(key: string, value: string): boolean {
    const store = (area: StorageArea): true => {
      area.setItem(PREFIX + key, value);
      return true;
    };
    return this.#tryArea(store) ?? false;
  }

  #track(key: string, length: number, text: string | null = null): void {
    const size = key.length + length;
    this.#used += size;
    this.#entries.set(key, { size, text });
  }

  #untrack(key: string): void {
    this.#used -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #delete(key: string): void {
    this.#untrack(key);
    this.#tryArea((area) => area.removeItem(PREFIX + key));
  }
}
