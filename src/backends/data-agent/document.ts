import { UbikError } from '../../errors.js';

/** A path into the document: names of objects and indexes of arrays. */
export type DocumentPath = readonly (string | number)[];

/** What a patch does at its path. `end` closes the stream and changes nothing. */
export type PatchAction = 'upsert' | 'append' | 'remove' | 'end';

/** One change of the document, in the form that is the same for all dialects. */
export interface Patch {
  /** Empty for the whole document. Not checked yet: {@link PatchedDocument.apply} does that. */
  readonly path: DocumentPath;
  readonly action: PatchAction;
  /** The new value or the appended text; null for `remove` and `end`. */
  readonly value: unknown;
}

/** A place that a patch has changed. */
export interface Touch {
  /** The whole path of the patch, or the path of its outermost container that did not exist before. */
  readonly path: DocumentPath;
  /**
   * The text that was appended to the string at the path; null for any other change. Readers of a growing text use it in place of a
   * slice of the whole text, for which an engine copies everything that came before.
   */
  readonly appended: string | null;
}

/** Names that reach a prototype (R2). */
const UNSAFE_NAMES: ReadonlySet<unknown> = new Set(['__proto__', 'prototype', 'constructor']);
/** Segments of a path (R2). */
const MAX_DEPTH = 32;
/** Elements of an array (R2). */
const MAX_LENGTH = 10_000;
const INDEX = /^(?:0|[1-9]\d{0,4})$/;

/** An object or an array, by its own names or indexes. */
type Container = Record<string | number, unknown>;

/** A path as the document has it. */
interface Place {
  /** At least one. Segments are indexes where the container is an array, else names. */
  readonly steps: readonly (string | number)[];
  /** Containers on the path that exist, the root included. */
  readonly depth: number;
}

/**
 * The reply of the service: a JSON document that is built from patches, whatever their paths (R1). Containers on the path of a patch
 * are copied, others are shared, so that a part that no patch has touched keeps its identity.
 *
 * An array of the document may have holes, where elements were removed from its middle (R5): they read as undefined.
 */
export class PatchedDocument {
  #root: unknown = {};
  /** Containers that no reader of `root` has seen: they are changed in place. */
  #unseen = new WeakSet();

  /** The document. Later patches do not change the returned value. */
  get root(): unknown {
    this.#unseen = new WeakSet();
    return this.#root;
  }

  /**
   * Applies one patch. Returns null when it changes nothing.
   *
   * @throws {UbikError} `malformed-event` for an unsafe path (R2); nothing has changed then.
   */
  apply({ path, action, value }: Patch): Touch | null {
    if (action === 'end') return null;
    checkPath(path);
    const [first, ...rest] = path;
    if (first === undefined) return this.#applyToRoot(action, value);
    const place = locate(this.#root, [first, ...rest], action === 'remove');
    if (!place) return null;
    return action === 'remove' ? this.#remove(place) : this.#write(place, action, value);
  }

  /** Replaces the whole document. */
  replace(root: unknown): void {
    this.#root = root;
  }

  #applyToRoot(action: Exclude<PatchAction, 'end'>, value: unknown): Touch | null {
    const isText = typeof this.#root === 'string' && typeof value === 'string';
    if (action === 'append' && isText) {
      this.#root = `${this.#root as string}${value}`;
      return { path: [], appended: value };
    }
    if (action === 'append' && !isEmpty(this.#root)) return null;
    this.#root = action === 'remove' ? {} : value;
    return { path: [], appended: null };
  }

  #remove({ steps }: Place): Touch {
    const [parent, last] = this.#open(steps);
    Reflect.deleteProperty(parent, last);
    if (Array.isArray(parent)) {
      while (parent.length > 0 && !Object.hasOwn(parent, parent.length - 1)) parent.length -= 1;
    }
    return { path: steps, appended: null };
  }

  #write({ steps, depth }: Place, action: 'upsert' | 'append', value: unknown): Touch | null {
    const isKnown = depth === steps.length;
    const before = isKnown ? read(this.#root, steps) : undefined;
    if (action === 'append') {
      if (typeof before === 'string' && typeof value === 'string') {
        if (value === '') return null;
        const [parent, last] = this.#open(steps);
        parent[last] = before + value;
        return { path: steps, appended: value };
      }
      if (Array.isArray(before)) return this.#push(steps, before, value);
    }
    if (isKnown && before === value) return null;
    const [parent, last] = this.#open(steps);
    parent[last] = value;
    return { path: steps.slice(0, depth), appended: null };
  }

  /** An array as value is pushed element by element. */
  #push(steps: Place['steps'], { length }: readonly unknown[], value: unknown): Touch | null {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (items.length === 0) return null;
    if (length + items.length > MAX_LENGTH) throw rejected(steps);
    const [array] = this.#open([...steps, length]);
    for (const [at, item] of items.entries()) array[length + at] = item;
    return { path: items.length === 1 ? [...steps, length] : steps, appended: null };
  }

  /** The container of the last step, which may be written, and that step. Missing containers on the path are created. */
  #open(steps: readonly (string | number)[]): [Container, string | number] {
    const [first = '', ...rest] = steps;
    let parent = this.#toWritable(this.#root, first);
    this.#root = parent;
    let last = first;
    for (const step of rest) {
      const child = this.#toWritable(Object.hasOwn(parent, last) ? parent[last] : null, step);
      parent[last] = child;
      parent = child;
      last = step;
    }
    return [parent, last];
  }

  #toWritable(value: unknown, step: string | number): Container {
    if (isContainer(value) && this.#unseen.has(value)) return value;
    let copy: Container;
    // Not a spread: it would fill the holes of an array.
    if (Array.isArray(value)) copy = value.slice() as unknown as Container;
    else if (isContainer(value)) copy = { ...value };
    else copy = (typeof step === 'number' ? [] : {}) as Container;
    this.#unseen.add(copy);
    return copy;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  return !isContainer(value) || Object.keys(value).length === 0;
}

function read(root: unknown, steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>(
    (at, step) => (isContainer(at) && Object.hasOwn(at, step) ? at[step] : undefined),
    root,
  );
}

/** Compares segment by segment, never a joined path. */
function checkPath(path: DocumentPath): void {
  const isUnsafe = (step: string | number) =>
    UNSAFE_NAMES.has(step) || (typeof step === 'number' && !(Number.isInteger(step) && step >= 0));
  if (path.length > MAX_DEPTH || path.some(isUnsafe)) throw rejected(path);
}

/** Finds a path in the document. Null for a path that `remove` does not find. */
function locate(root: unknown, path: DocumentPath, removes: boolean): Place | null {
  const steps: (string | number)[] = [];
  let at = root;
  let depth = 0;
  for (const segment of path) {
    const isKnown = isContainer(at);
    if (isKnown) depth += 1;
    else if (removes) return null;
    const length = Array.isArray(at) ? at.length : isKnown ? null : 0;
    // In a missing container only a number creates an array, and only its first element.
    const step =
      length === null || (!isKnown && typeof segment === 'string')
        ? String(segment)
        : toIndex(segment, removes ? MAX_LENGTH : length);
    if (step === null) throw rejected(path);
    steps.push(step);
    const isThere = isContainer(at) && Object.hasOwn(at, step);
    if (removes && !isThere) return null;
    at = isThere ? (at as Container)[step] : undefined;
  }
  return { steps, depth };
}

/** An index of an array, which may be a string of digits; null when it is above `limit` or the longest array. */
function toIndex(segment: string | number, limit: number): number | null {
  const index = typeof segment === 'string' && INDEX.test(segment) ? Number(segment) : segment;
  return typeof index === 'number' && index <= limit && index < MAX_LENGTH ? index : null;
}

function rejected(path: DocumentPath): UbikError {
  const offender = JSON.stringify(path.slice(0, MAX_DEPTH)).slice(0, 200);
  return new UbikError('malformed-event', 'A patch has an unsafe path; it was skipped.', {
    offender,
  });
}
