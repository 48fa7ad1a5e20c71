import type { Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';

/** Most parts of one message that are not mere text, and most inline marks. */
export interface PartLimits {
  /** 1,000. */
  readonly parts?: number | undefined;
  /** 1,000. */
  readonly marks?: number | undefined;
}

/** A state of a key maker, to come back to. */
export type KeySnapshot = number;

/**
 * Names the parts of one message by what they are, so that the same structure gets the same keys whether it was built from events
 * or parsed from stored content. One maker serves all parsers of a message.
 */
export interface KeyGenerator {
  /** Key of a part with a nature of its own (`step:2`); a second one of that nature gets `#2`, and so on. */
  named(nature: string): Key;
  /** Key of the `count`-th unnamed part (from 0) behind `anchor`. */
  unnamed(anchor: string, count: number, kind: 'text' | 'thinking'): Key;
  /**
   * Whether another part that is not mere text fits into the message beside `pending` ones that have no key yet. Texts always fit:
   * they are only as many as what stands between them.
   */
  hasRoom(pending: number): boolean;
  /** Counts another inline mark. False when the message has as many as it may: then the mark is not made. */
  reserveMark(): boolean;
  /** The state now, at no cost. */
  snapshot(): KeySnapshot;
  /** Forgets the keys made since. States between that one and now are no longer good. */
  restore(snapshot: KeySnapshot): void;
}

/** A key maker that has made no keys. */
export function createKeyGenerator({
  parts: maxParts = 1000,
  marks: maxMarks = 1000,
}: PartLimits = {}): KeyGenerator {
  /** Keys in use, and how often each was asked for as a nature: where to begin to look for a free number. */
  const counts = new Map<string, number>();
  const made: (() => void)[] = [];
  let parts = 0;
  let marks = 0;
  const named = (nature: string): Key => {
    const before = counts.get(nature) ?? 0;
    let count = before;
    let key: Key;
    do {
      count += 1;
      key = count === 1 ? nature : `${nature}#${count}`;
      // A service's own id may look like one of ours ("call#2").
    } while (counts.has(key));
    counts.set(key, 1).set(nature, count);
    made.push(() => {
      counts.delete(key);
      if (before > 0) counts.set(nature, before);
    });
    return key;
  };
  const count = (key: Key): Key => {
    parts += 1;
    made.push(() => (parts -= 1));
    return key;
  };
  return {
    named: (nature) => count(named(nature)),
    unnamed: (anchor, at, kind) => {
      const key = named(`${anchor}${at}:${kind}`);
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

/** The nature of a part: what it is called by. (Text and thinking are named by what they follow.) */
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
