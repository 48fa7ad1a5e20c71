/** A storage area in memory, with the entries as a map. */
export interface StorageArea {
  readonly values: Map<string, string>;
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Creates a storage area over these entries. Its quota counts the code units of keys and values, as browsers do. */
export function createStorageArea(
  values = new Map<string, string>(),
  quota = Infinity,
): StorageArea {
  const used = () => [...values].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return {
    values,
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      const previous = values.get(key);
      values.set(key, value);
      if (used() <= quota) return;
      if (previous === undefined) values.delete(key);
      else values.set(key, previous);
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: (key) => void values.delete(key),
  };
}
