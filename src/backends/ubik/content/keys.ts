import type { Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';

/** Limits for one message: parts other than text, and inline marks. */
export interface PartLimits {
  /** 1,000. */
  readonly parts?: number | undefined;
  /** 1,000. */
  readonly marks?: number | undefined;
}

/** Snapshot of a key generator. */
export type KeySnapshot = number;

/**
 * Generates the keys of one message from what its parts are, so that the same structure gets the same keys whether it is
 * built from events or parsed from stored content. All parsers of a message share one generator.
 */
export interface KeyGenerator {
  /** A key from a base key such as `step:2`; the second part with that base key gets `#2`, and so on. */
  createKey(baseKey: string): Key;
  /** The key of the `count`-th text or thinking part (from 0) after `anchor`. */
  createTextKey(anchor: string, count: number, kind: 'text' | 'thinking'): Key;
  /**
   * Whether another part fits into the message beside `pending` ones that have no key yet. Texts always fit: there are at
   * most as many as other parts, plus one.
   */
  hasRoom(pending: number): boolean;
  /** Counts an inline mark. Returns false when the message has as many as it may. */
  reserveMark(): boolean;
  /** A snapshot, at no cost. */
  snapshot(): KeySnapshot;
  /** Removes the keys that were generated since a snapshot. Later snapshots become invalid. */
  restore(snapshot: KeySnapshot): void;
}

/** Creates a key generator. */
export function createKeyGenerator({
  parts: maxParts = 1000,
  marks: maxMarks = 1000,
}: PartLimits = {}): KeyGenerator {
  /** Keys in use, and how often each was used as a base key: where the search for a free number starts. */
  const counts = new Map<string, number>();
  const made: (() => void)[] = [];
  let parts = 0;
  let marks = 0;
  const createUnique = (baseKey: string): Key => {
    const before = counts.get(baseKey) ?? 0;
    let count = before;
    let key: Key;
    do {
      count += 1;
      key = count === 1 ? baseKey : `${baseKey}#${count}`;
      // An id of the service may look like a generated key ("call#2").
    } while (counts.has(key));
    counts.set(key, 1).set(baseKey, count);
    made.push(() => {
      counts.delete(key);
      if (before > 0) counts.set(baseKey, before);
    });
    return key;
  };
  const count = (key: Key): Key => {
    parts += 1;
    made.push(() => (parts -= 1));
    return key;
  };
  return {
    createKey: (baseKey) => count(createUnique(baseKey)),
    createTextKey: (anchor, at, kind) => {
      const key = createUnique(`${anchor}${at}:${kind}`);
      return kind === 'text' ? key : count(key);
    },
    hasRoom: (pending) => parts + pending < maxParts,
    reserveMark: () => {
      if (marks >= maxMarks) return false;
      marks += 1;
      made.push(() => (marks -= 1));
      return true;
    },
    snapshot: () => made.length,
    restore: (snapshot) => {
      for (const undo of made.splice(snapshot).reverse()) undo();
    },
  };
}

/** The base key of a part. Keys of texts and thinking parts come from what they follow. */
export function getBaseKey(fields: ContentFields): string {
  switch (fields.kind) {
    case 'step':
      return `step:${fields.number ?? '?'}`;
    case 'tool':
      return `tool:${fields.toolId || `/${fields.name}`}`;
    case 'input-request':
      return `request:${fields.checkpointName ?? '?'}`;
    case 'checkpoint':
    case 'unknown':
      return `${fields.kind}:${fields.name}`;
    default:
      return fields.kind;
  }
}
