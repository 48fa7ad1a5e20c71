import type { Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';

/** A state of a key maker, to come back to. */
export type KeyMakerSnapshot = number;

/**
 * Names the parts of one message by what they are, so that the same structure gets the same keys whether it was built from events
 * or parsed from stored content. One maker serves all parsers of a message.
 */
export interface KeyMaker {
  /** Key of a part with a nature of its own (`step:2`); a second one of that nature gets `#2`, and so on. */
  named(nature: string): Key;
  /** Key of the `count`-th unnamed part (from 0) behind `anchor`. */
  unnamed(anchor: string, count: number, kind: 'text' | 'thinking'): Key;
  /** The state now, at no cost. */
  snapshot(): KeyMakerSnapshot;
  /** Forgets the keys made since. States between that one and now are no longer good. */
  restore(snapshot: KeyMakerSnapshot): void;
}

/** A key maker that has made no keys. */
export function createKeyMaker(): KeyMaker {
  return new StructuralKeys();
}

/** What unnamed parts at the beginning of a container follow. */
export function startOf(parent: Key | null): string {
  return `${parent ?? ''}/`;
}

/** What unnamed parts behind a named sibling follow. */
export function behind(key: Key): string {
  return `${key}+`;
}

/** The nature of a part: what it is called by. Null for text and thinking, which are named by what they follow. */
export function natureOf(fields: ContentFields): string | null {
  switch (fields.kind) {
    case 'text':
    case 'thinking':
      return null;
    case 'step':
      return `step:${fields.number ?? '?'}`;
    case 'tool':
      return `tool:${fields.toolId === '' ? `/${fields.name}` : fields.toolId}`;
    case 'checkpoint':
      return `checkpoint:${fields.name}`;
    case 'input-request':
      return `request:${fields.checkpointName ?? '?'}`;
    case 'error':
      return 'error';
    case 'unknown':
      return `unknown:${fields.name}`;
  }
}

class StructuralKeys implements KeyMaker {
  readonly #used = new Set<Key>();
  /** How often a nature was named: where to begin to look for a free number. */
  readonly #counts = new Map<string, number>();
  readonly #made: { readonly key: Key; readonly nature: string; readonly before: number }[] = [];

  named(nature: string): Key {
    return this.#make(nature);
  }

  unnamed(anchor: string, count: number, kind: 'text' | 'thinking'): Key {
    return this.#make(`${anchor}${count}:${kind}`);
  }

  snapshot(): KeyMakerSnapshot {
    return this.#made.length;
  }

  restore(snapshot: KeyMakerSnapshot): void {
    while (this.#made.length > snapshot) {
      const last = this.#made.pop();
      if (!last) return;
      this.#used.delete(last.key);
      this.#counts.set(last.nature, last.before);
    }
  }

  #make(nature: string): Key {
    const before = this.#counts.get(nature) ?? 0;
    let count = before;
    let key: Key;
    do {
      count += 1;
      key = count === 1 ? nature : `${nature}#${count}`;
      // A service's own id may look like one of ours ("call#2").
    } while (this.#used.has(key));
    this.#counts.set(nature, count);
    this.#used.add(key);
    this.#made.push({ key, nature, before });
    return key;
  }
}
