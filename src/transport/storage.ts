/** A small store of texts. Nothing in it is a secret: never put a token here. */
export interface KeyValueStorage {
  /** The text under a key; null when there is none. */
  get(key: string): Promise<string | null>;
  /** Keeps a text. When the page's storage refuses, the memory of this page serves instead. */
  set(key: string, value: string): Promise<void>;
  /** Forgets a key. */
  remove(key: string): Promise<void>;
  /**
   * Reads and writes in one step, so that nothing of what other tabs write between the two is lost; null from `next` forgets the key.
   * Without it, `get` and then `set` or `remove` are called.
   */
  update?(key: string, next: (value: string | null) => string | null): Promise<void>;
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
 * kept in memory only. A text that could not be stored leaves the one stored before it in place for the next page.
 */
export function createBoundedStorage(
  getArea: () => StorageArea | undefined,
  limits: StorageLimits = {},
): KeyValueStorage {
  return new BoundedStorage(getArea, limits);
}

/** A text and where it is: in the area, or here. */
interface Entry {
  readonly size: number;
  readonly text: string | null;
}

class BoundedStorage implements KeyValueStorage {
  readonly #getArea: () => StorageArea | undefined;
  readonly #limits: Required<StorageLimits>;
  /** Oldest first, as far as this page knows. A text is here when the area does not hold it, and wins over the area. */
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

  // Async, so that what `next` throws is a rejection.
  // oxlint-disable-next-line typescript/require-await
  async update(key: string, next: (value: string | null) => string | null): Promise<void> {
    const value = next(this.#read(key));
    if (value === null) this.#delete(key);
    else this.#write(key, value);
  }

  /** The area's answer; undefined when there is none or it refuses, for which the memory stands in: no storage is an ordinary state of a page. */
  #tryArea<T>(act: (area: StorageArea) => T): T | undefined {
    try {
      const area = this.#getArea();
      return area && act(area);
    } catch {
      // The mere access throws in some frames; quota; storage switched off meanwhile.
      return undefined;
    }
  }

  #read(key: string): string | null {
    const held = this.#entries.get(key)?.text;
    return held ?? this.#tryArea((area) => area.getItem(PREFIX + key)) ?? null;
  }

  #write(key: string, value: string): void {
    const { entries, size } = this.#limits;
    // `setItem` replaces or throws: when there is no room, the text stored before outlives the page instead of none.
    const isStored = key.length + value.length <= size / 4 && this.#store(key, value);
    this.#untrack(key);
    this.#track(key, value.length, isStored ? null : value);
    for (const old of this.#entries.keys()) {
      // The newest stays whatever its size: it is what the caller has just asked to keep.
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
