import type { Json } from '../../model/json.js';

/** How many tabs keep an entry in one note. */
const TABS = 16;
/** How long a note may be, in UTF-16 units: the storage holds a note of a quarter of its size, and there are others. */
const LENGTH = 1 << 17;

/** An entry of a note, and the tab that wrote it. */
export interface TabEntry {
  readonly tab: string;
  readonly entry: Json;
}

/**
 * What a tab finds in a note to which each tab writes an entry of its own: its own one, null when it has emptied that, otherwise the
 * one that was written last.
 */
export function findEntry(note: unknown, tab: string): TabEntry | null {
  const entries = readEntries(note);
  const own = entries.get(tab);
  if (own !== undefined) return own === null ? null : { tab, entry: own };
  const [newest] = [...entries].filter(([, entry]) => entry !== null).reverse();
  return newest ? { tab: newest[0], entry: newest[1] } : null;
}

/**
 * A note with another entry of one tab; null when nothing is left in it. With the last of its entry a tab also removes the one that
 * it was `copied` from, unless that has changed since. Of too many entries those written longest ago go.
 */
export function replaceEntry(
  note: unknown,
  tab: string,
  entry: Json,
  copied: TabEntry | null,
): Json {
  const entries = readEntries(note);
  if (entry === null && copied) {
    const isUnchanged = isSame(entries.get(copied.tab), copied.entry);
    if (isUnchanged) entries.delete(copied.tab);
  }
  entries.delete(tab);
  // An empty entry says that this tab wants none of the others.
  entries.set(tab, entry);
  trim(entries);
  return [...entries.values()].every((one) => one === null) ? null : [...entries];
}

function trim(entries: Map<string, Json>): void {
  const empty = [...entries].filter(([, entry]) => entry === null);
  const texts = [...entries].filter(([, entry]) => entry !== null);
  let length = JSON.stringify([...entries]).length;
  // The last one is what the caller wants to keep.
  const newest = [...entries.keys()].at(-1);
  for (const [tab, entry] of [...empty, ...texts]) {
    if (entries.size <= TABS && length <= LENGTH) return;
    if (tab === newest) continue;
    entries.delete(tab);
    length -= JSON.stringify([tab, entry]).length + 1;
  }
}

/** Entries by tab, those written last at the end. */
function readEntries(note: unknown): Map<string, Json> {
  const entries = new Map<string, Json>();
  if (Array.isArray(note)) {
    for (const one of note as unknown[]) {
      if (!Array.isArray(one)) continue;
      const [tab, entry] = one as unknown[];
      if (typeof tab === 'string' && typeof entry === 'object') entries.set(tab, entry as Json);
    }
  } else if (typeof note === 'object' && note !== null) {
    // An earlier version had one entry for all tabs.
    entries.set('', note as Json);
  }
  return entries;
}

function isSame(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
