import type { Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';

/** Limits for one message: parts other than text, and inline marks. */
export interface PartLimits {
  /** Maximum number of parts other than texts; 1,000 by default. */
  readonly parts?: number | undefined;
  /** Maximum number of inline marks; 1,000 by default. */
  readonly marks?: number | undefined;
}

/** Snapshot of a key generator. */
export type KeySnapshot = number;

/**
 * Generates the keys of one message from the identity of its parts, so that the same structure has the same keys whether it is built from
 * events or parsed from stored content. All parsers of a message share one generator.
 */
export interface KeyGenerator {
  /** Returns a key for a base key such as `step:2`. The second part with the same base key gets `#2`, and so on. */
  createKey(baseKey: string): Key;
  /**
   * Returns the key of a text or thinking part. `anchor` is the key of the part before it and `+`, or the key of its container and `/`;
   * `index` counts the texts and thinking parts after the anchor, from 0.
   */
  createTextKey(anchor: string, index: number, kind: 'text' | 'thinking'): Key;
  /**
   * Whether the message has room for another part in addition to `pending` ones that have no key yet. Texts always fit and are not counted:
   * there are at most twice as many of them as of other parts, plus one (one in each part, and one after it).
   */
  hasRoom(pending: number): boolean;
  /** Counts an inline mark. Returns false when the limit is reached. */
  reserveMark(): boolean;
  /** Returns a snapshot in constant time. */
  snapshot(): KeySnapshot;
  /** Removes the keys that were generated since a snapshot. Invalidates later snapshots. */
  restore(snapshot: KeySnapshot): void;
}

/** Creates a key generator. */
export function createKeyGenerator({
  parts: maxParts = 1000,
  marks: maxMarks = 1000,
}: PartLimits = {}): KeyGenerator {
  /** Keys in use, each with the last suffix (`#n`) that was given out for it as a base key. The search for a free number starts after it. */
  const counts = new Map<string, number>();
  const undoSteps: (() => void)[] = [];
  let parts = 0;
  let marks = 0;
  const createUnique = (baseKey: string): Key => {
    const before = counts.get(baseKey) ?? 0;
    let suffix = before;
    let key: Key;
    do {
      suffix += 1;
      key = suffix === 1 ? baseKey : `${baseKey}#${suffix}`;
      // An id of the service may look like a generated key ("call#2").
    } while (counts.has(key));
    counts.set(key, 1).set(baseKey, suffix);
    undoSteps.push(() => {
      counts.delete(key);
      if (before > 0) counts.set(baseKey, before);
    });
    return key;
  };
  const countPart = (key: Key): Key => {
    parts += 1;
    undoSteps.push(() => (parts -= 1));
    return key;
  };
  return {
    createKey: (baseKey) => countPart(createUnique(baseKey)),
    createTextKey: (anchor, index, kind) => {
      const key = createUnique(`${anchor}${index}:${kind}`);
      return kind === 'text' ? key : countPart(key);
    },
    hasRoom: (pending) => parts + pending < maxParts,
    reserveMark: () => {
      if (marks >= maxMarks) return false;
      marks += 1;
      undoSteps.push(() => (marks -= 1));
      return true;
    },
    snapshot: () => undoSteps.length,
    restore: (snapshot) => {
      for (const undo of undoSteps.splice(snapshot).reverse()) undo();
    },
  };
}

/** Returns the base key of a part. Keys of texts and thinking parts depend on the part before them. */
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
