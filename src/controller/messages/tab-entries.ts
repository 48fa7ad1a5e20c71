import type { Json } from '../../model/json.js';

/** Maximum number of tabs with an entry in one record. */
const MAX_TABS = 16;
/** Maximum length of a record in UTF-16 units, which leaves most of the storage to other records. */
const MAX_LENGTH = 1 << 17;

/** An entry of a record and the id of the tab that wrote it. */
export interface TabEntry {
  readonly tab: string;
  readonly entry: Json;
}

/** Returns the entry of a tab in a record; null if the tab has cleared it. For a tab without an entry, returns the one written last. */
export function findEntry(record: unknown, tab: string): TabEntry | null {
  const entries = readEntries(record);
  const entry = entries.get(tab);
  if (entry !== undefined) return entry === null ? null : { tab, entry };
  const [newest] = [...entries].filter(([, other]) => other !== null).reverse();
  return newest ? { tab: newest[0], entry: newest[1] } : null;
}

/**
 * Returns the record with the entry of one tab replaced; null when no entry remains. A tab that clears its entry also removes the entry
 * from which it was `copied`, unless that has changed since. If there are too many entries, or the record is too long, cleared entries
 * are removed first, then the oldest ones, but never the entry of this tab.
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
  // A null entry records that this tab has cleared its draft and must not get the entry of another tab.
  entries.set(tab, entry);
  trim(entries);
  return [...entries.values()].every((other) => other === null) ? null : [...entries];
}

function trim(entries: Map<string, Json>): void {
  const empty = [...entries].filter(([, entry]) => entry === null);
  const texts = [...entries].filter(([, entry]) => entry !== null);
  let length = JSON.stringify([...entries]).length;
  // The last entry is the one being stored.
  const newest = [...entries.keys()].at(-1);
  for (const [tab, entry] of [...empty, ...texts]) {
    if (entries.size <= MAX_TABS && length <= MAX_LENGTH) return;
    if (tab === newest) continue;
    entries.delete(tab);
    length -= JSON.stringify([tab, entry]).length + 1;
  }
}

/** Parses a record to entries by tab, in the order in which they were written. */
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
