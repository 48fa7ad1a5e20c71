import type { Json } from '../../model/json.js';

/** Maximum number of tabs with an entry in one record. */
const MAX_TABS = 16;
/** Maximum length of a record in UTF-16 units: a quarter of what the storage can hold, which has other records too. */
const MAX_LENGTH = 1 << 17;

/** An entry of a record and the id of the tab that wrote it. */
export interface TabEntry {
  readonly tab: string;
  readonly entry: Json;
}

/** The entry of a tab in a record; null when the tab has cleared it. A tab without an entry gets the one that was written last. */
export function findEntry(record: unknown, tab: string): TabEntry | null {
  const entries = readEntries(record);
  const own = entries.get(tab);
  if (own !== undefined) return own === null ? null : { tab, entry: own };
  const [newest] = [...entries].filter(([, entry]) => entry !== null).reverse();
  return newest ? { tab: newest[0], entry: newest[1] } : null;
}

/**
 * Returns the record with another entry of one tab; null when no entry is left. A tab that clears its entry also removes the one that it
 * was `copied` from, unless that has changed since. When there are too many entries, the oldest are removed.
 */
export function replaceEntry(
  record: unknown,
  tab: string,
  entry: Json,
  copied: TabEntry | null,
): Json {
  const entries = readEntries(record);
  if (entry === null && copied) {
    const isUnchanged = isEqual(entries.get(copied.tab), copied.entry);
    if (isUnchanged) entries.delete(copied.tab);
  }
  entries.delete(tab);
  // A null entry records that this tab does not use those of the others.
  entries.set(tab, entry);
  trim(entries);
  return [...entries.values()].every((other) => other === null) ? null : [...entries];
}

function trim(entries: Map<string, Json>): void {
  const empty = [...entries].filter(([, entry]) => entry === null);
  const texts = [...entries].filter(([, entry]) => entry !== null);
  let length = JSON.stringify([...entries]).length;
  // The newest entry is the one that is being stored.
  const newest = [...entries.keys()].at(-1);
  for (const [tab, entry] of [...empty, ...texts]) {
    if (entries.size <= MAX_TABS && length <= MAX_LENGTH) return;
    if (tab === newest) continue;
    entries.delete(tab);
    length -= JSON.stringify([tab, entry]).length + 1;
  }
}

/** Entries by tab, in the order in which they were written. */
function readEntries(record: unknown): Map<string, Json> {
  const entries = new Map<string, Json>();
  if (Array.isArray(record)) {
    for (const item of record as unknown[]) {
      if (!Array.isArray(item)) continue;
      const [tab, entry] = item as unknown[];
      if (typeof tab === 'string' && typeof entry === 'object') entries.set(tab, entry as Json);
    }
  } else if (typeof record === 'object' && record !== null) {
    // An earlier version stored one entry for all tabs.
    entries.set('', record as Json);
  }
  return entries;
}

function isEqual(left: Json | undefined, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
