/** A small store of texts. Nothing in it is a secret: never put a token here. */
export interface KeyValueStorage {
  /** The text under a key; null when there is none. */
  get(key: string): Promise<string | null>;
  /** Keeps a text. When the page's storage refuses, the memory of this page serves instead. */
  set(key: string, value: string): Promise<void>;
  /** Forgets a key. */
  remove(key: string): Promise<void>;
  /**
   * Reads and writes in one step, so that nothing of what other tabs write between the two is lost. Without it, `get` and `set` are
   * called one after the other.
   */
  change?(key: string, next: (value: string | null) => string): Promise<void>;
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
  { entries: maxEntries = 256, size: maxSize = 1 << 20 }: StorageLimits = {},
): KeyValueStorage {
  /** The area's answer; undefined when there is none or it refuses, for which the memory stands in: no storage is an ordinary state of a page. */
  const attempt = <T>(act: (area: StorageArea) => T): T | undefined => {
    try {
      const area = getArea();
      return area && act(area);
    } catch {
      // The mere access throws in some frames; quota; storage switched off meanwhile.
      return undefined;
    }
  };
  /** Oldest first, as far as this page knows. A text is here when the area does not hold it, and wins over the area. */
  const entries = new Map<string, Entry>();
  let used = 0;
  const note = (key: string, length: number, text: string | null = null) => {
    const size = key.length + length;
    used += size;
    entries.set(key, { size, text });
  };
  const erase = (key: string) => {
    used -= entries.get(key)?.size ?? 0;
    entries.delete(key);
    attempt((area) => area.removeItem(PREFIX + key));
  };
  const write = (key: string, value: string) =>
    attempt((area) => {
      area.setItem(PREFIX + key, value);
      return true;
    });
  const set = (key: string, value: string) => {
    erase(key);
    const isStored = key.length + value.length <= maxSize / 4 && write(key, value);
    note(key, value.length, isStored ? null : value);
    for (const old of entries.keys()) {
      // The newest stays whatever its size: it is what the caller has just asked to keep.
      if (old === key || (entries.size <= maxEntries && used <= maxSize)) break;
      erase(old);
    }
  };
  attempt((area) => {
    for (let index = 0; index < area.length; index++) {
      const name = area.key(index) ?? '';
      if (!name.startsWith(PREFIX)) continue;
      note(name.slice(PREFIX.length), area.getItem(name)?.length ?? 0);
    }
  });
  const get = (key: string) =>
    entries.get(key)?.text ?? attempt((area) => area.getItem(PREFIX + key)) ?? null;
  return {
    get: (key) => Promise.resolve(get(key)),
    set: (key, value) => Promise.resolve(set(key, value)),
    remove: (key) => Promise.resolve(erase(key)),
    // Async, so that what `next` throws is a rejection.
    // eslint-disable-next-line @typescript-eslint/require-await
    change: async (key, next) => set(key, next(get(key))),
  };
}

/** A text and where it is: in the area, or here. */
interface Entry {
  readonly size: number;
  readonly text: string | null;
}
