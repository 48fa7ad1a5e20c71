/** A small store of texts. Nothing in it is a secret: never put a token here. */
export interface KeyValueStorage {
  /** The text under a key; null when there is none. */
  get(key: string): Promise<string | null>;
  /** Keeps a text. When the page's storage refuses, the memory of this page serves instead. */
  set(key: string, value: string): Promise<void>;
  /** Forgets a key. */
  remove(key: string): Promise<void>;
}

/** As much of the platform's storage as is used. */
export interface StorageArea {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Bounds of a store, in UTF-16 units, keys included. */
export interface StorageLimits {
  /** Entries: 256. */
  readonly entries?: number;
  /** All together: 1 Mi, a fifth of what browsers grant a site. */
  readonly size?: number;
}

/** Our entries in the page's storage begin like this, so that bounds and eviction touch nothing of the host. */
const PREFIX = 'ubik-elements:';

/**
 * A bounded store over the area that `getArea` gives, or over memory where that is missing, throws (blocked cookies, sandboxed
 * frames) or is full. One entry too many drops the entries written longest ago. An entry larger than a quarter of the whole is
 * kept in memory only.
 */
export function createBoundedStorage(
  getArea: () => StorageArea | undefined,
  limits: StorageLimits = {},
): KeyValueStorage {
  const store = new BoundedStorage(
    openArea(getArea),
    limits.entries ?? 256,
    limits.size ?? 1 << 20,
  );
  return {
    get: (key) => Promise.resolve(store.get(key)),
    set: (key, value) => Promise.resolve(store.set(key, value)),
    remove: (key) => Promise.resolve(store.remove(key)),
  };
}

/** The mere access throws in some frames, and an area may exist and refuse every write. */
function openArea(getArea: () => StorageArea | undefined): StorageArea | null {
  try {
    const area = getArea();
    if (!area) return null;
    area.setItem(`${PREFIX}?`, '');
    area.removeItem(`${PREFIX}?`);
    return area;
  } catch {
    // No storage is an ordinary state of a page, not an error.
    return null;
  }
}

class BoundedStorage {
  readonly #area: StorageArea | null;
  readonly #maxEntries: number;
  readonly #maxSize: number;
  /** What the area does not hold; it wins over the area. Insertion order is age. */
  readonly #memory = new Map<string, string>();
  /** Sizes of what the area holds, oldest first as far as this page knows. */
  #sizes: Map<string, number> | null = null;

  constructor(area: StorageArea | null, maxEntries: number, maxSize: number) {
    this.#area = area;
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  get(key: string): string | null {
    return this.#memory.get(key) ?? this.#attempt((area) => area.getItem(PREFIX + key)) ?? null;
  }

  set(key: string, value: string): void {
    this.remove(key);
    const size = key.length + value.length;
    if (this.#area && size <= this.#maxSize / 4 && this.#write(key, value)) {
      this.#readSizes().set(key, size);
      this.#shrink(
        this.#readSizes(),
        (size) => size,
        (oldest) => this.#erase(oldest),
      );
      return;
    }
    this.#memory.set(key, value);
    this.#shrink(
      this.#memory,
      (text) => text.length,
      (oldest) => this.#memory.delete(oldest),
    );
  }

  remove(key: string): void {
    this.#memory.delete(key);
    this.#erase(key);
  }

  #erase(key: string): void {
    this.#sizes?.delete(key);
    this.#attempt((area) => area.removeItem(PREFIX + key));
  }

  /** A full area is emptied of our older half once; it may be the host that filled it. */
  #write(key: string, value: string): boolean {
    const write = (area: StorageArea) => {
      area.setItem(PREFIX + key, value);
      return true;
    };
    if (this.#attempt(write)) return true;
    const keys = [...this.#readSizes().keys()];
    for (const old of keys.slice(0, Math.ceil(keys.length / 2))) this.#erase(old);
    return this.#attempt(write) ?? false;
  }

  #shrink<T>(entries: Map<string, T>, measure: (entry: T) => number, drop: (key: string) => void) {
    let size = 0;
    for (const entry of entries.values()) size += measure(entry);
    for (const [key, entry] of entries) {
      const fits = size <= this.#maxSize && entries.size <= this.#maxEntries;
      // The newest stays whatever its size: it is what the caller has just asked to keep.
      if (fits || entries.size === 1) return;
      size -= measure(entry);
      drop(key);
    }
  }

  #readSizes(): Map<string, number> {
    if (this.#sizes) return this.#sizes;
    const sizes = new Map<string, number>();
    this.#attempt((area) => {
      for (let index = 0; index < area.length; index++) {
        const name = area.key(index);
        if (name?.startsWith(PREFIX)) {
          const key = name.slice(PREFIX.length);
          sizes.set(key, key.length + (area.getItem(name)?.length ?? 0));
        }
      }
    });
    this.#sizes = sizes;
    return sizes;
  }

  /** The area's answer; undefined when there is none or it refuses, for which the memory stands in. */
  #attempt<T>(act: (area: StorageArea) => T): T | undefined {
    try {
      return this.#area ? act(this.#area) : undefined;
    } catch {
      // Quota, or storage switched off meanwhile: the caller goes on in memory.
      return undefined;
    }
  }
}
