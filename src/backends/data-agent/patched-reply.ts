import { UbikError } from '../../errors.js';

/** A path into the reply: names of objects and indexes of arrays. */
export type ReplyPath = readonly (string | number)[];

/** The operation of a patch at its path. `end` closes the stream and changes nothing. */
export type PatchAction = 'upsert' | 'append' | 'remove' | 'end';

/** One change of the reply, whatever the form in which a server or a gateway has sent it. */
export interface Patch {
  /** Empty for the whole reply. Not validated; {@link PatchedReply.apply} validates it. */
  readonly path: ReplyPath;
  readonly action: PatchAction;
  /** The new value, or what is appended: a text, an element of an array, or a list of elements. Ignored for `remove` and `end`. */
  readonly value: unknown;
}

/** A path of the reply that a patch has changed. */
export interface ChangedPath {
  /**
   * The path of the patch. If the patch has created containers, the path of the outermost of them; if it has pushed one element to an array,
   * the path of that element.
   */
  readonly path: ReplyPath;
  /**
   * The text that was appended to the string at the path; null for any other change. Use it instead of slicing the whole text: a slice
   * makes the JavaScript engine flatten the concatenated string, which copies all of it.
   */
  readonly appended: string | null;
}

/** Names that lead to a prototype (Data Agent R2). */
const UNSAFE_NAMES: ReadonlySet<unknown> = new Set(['__proto__', 'prototype', 'constructor']);
/** Longest path, in segments (Data Agent R2). */
const MAX_DEPTH = 32;
/** Longest array (Data Agent R2). */
const MAX_LENGTH = 10_000;
const INDEX = /^(?:0|[1-9]\d{0,4})$/;

/** An object or an array, accessed by own names or indexes. */
type Container = Record<string | number, unknown>;

/** A path with array indexes resolved against the current reply. */
interface ResolvedPath {
  /** Not empty. A segment is an index where its container is an array, else a name. */
  readonly segments: readonly (string | number)[];
  /** Number of existing containers on the path, including the root. */
  readonly existingDepth: number;
}

/**
 * The reply of the service: one JSON tree that patches change (Data Agent R1). A patch copies the containers on its path and shares all
 * others, so that an unchanged container stays the same object.
 *
 * An array may have holes where elements were removed from its middle (Data Agent R5); they read as undefined.
 */
export class PatchedReply {
  #root: unknown = {};
  /** Containers that `root` has not exposed yet. They are changed in place. */
  #unexposed = new WeakSet();

  /** The reply. Later patches do not change the returned value. */
  get root(): unknown {
    this.#unexposed = new WeakSet();
    return this.#root;
  }

  /**
   * Applies one patch. Returns null when it changes nothing.
   *
   * @throws {UbikError} `malformed-event` for an invalid or unsafe path (Data Agent R2); the reply is then unchanged.
   */
  apply({ path, action, value }: Patch): ChangedPath | null {
    if (action === 'end') return null;
    checkPath(path);
    const [first, ...rest] = path;
    if (first === undefined) return this.#applyToRoot(action, value);
    const resolved = resolvePath(this.#root, [first, ...rest], action === 'remove');
    if (!resolved) return null;
    return action === 'remove' ? this.#remove(resolved) : this.#write(resolved, action, value);
  }

  /** Replaces the whole reply. */
  replace(root: unknown): void {
    this.#root = root;
  }

  #applyToRoot(action: Exclude<PatchAction, 'end'>, value: unknown): ChangedPath | null {
    const isText = typeof this.#root === 'string' && typeof value === 'string';
    if (action === 'append' && isText) {
      this.#root = `${this.#root as string}${value}`;
      return { path: [], appended: value };
    }
    if (action === 'append' && !isEmpty(this.#root)) return null;
    this.#root = action === 'remove' ? {} : value;
    return { path: [], appended: null };
  }

  #remove({ segments }: ResolvedPath): ChangedPath {
    const [parent, last] = this.#open(segments);
    Reflect.deleteProperty(parent, last);
    if (Array.isArray(parent)) {
      while (parent.length > 0 && !Object.hasOwn(parent, parent.length - 1)) parent.length -= 1;
    }
    return { path: segments, appended: null };
  }

  #write(
    { segments, existingDepth }: ResolvedPath,
    action: 'upsert' | 'append',
    value: unknown,
  ): ChangedPath | null {
    const hasContainer = existingDepth === segments.length;
    const before = hasContainer ? read(this.#root, segments) : undefined;
    if (action === 'append') {
      if (typeof before === 'string' && typeof value === 'string') {
        if (value === '') return null;
        const [parent, last] = this.#open(segments);
        parent[last] = before + value;
        return { path: segments, appended: value };
      }
      if (Array.isArray(before)) return this.#push(segments, before, value);
    }
    if (hasContainer && before === value) return null;
    const [parent, last] = this.#open(segments);
    parent[last] = value;
    return { path: segments.slice(0, existingDepth), appended: null };
  }

  /** Appends a value to an array. If the value is an array itself, its elements are appended. */
  #push(
    segments: ResolvedPath['segments'],
    { length }: readonly unknown[],
    value: unknown,
  ): ChangedPath | null {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (items.length === 0) return null;
    if (length + items.length > MAX_LENGTH) throw createPathError(segments);
    const [array] = this.#open([...segments, length]);
    for (const [at, item] of items.entries()) array[length + at] = item;
    return { path: items.length === 1 ? [...segments, length] : segments, appended: null };
  }

  /** Returns a writable copy of the container of the last segment, and that segment. Creates missing containers on the path. */
  #open(segments: readonly (string | number)[]): [Container, string | number] {
    const [first = '', ...rest] = segments;
    let parent = this.#toWritable(this.#root, first);
    this.#root = parent;
    let last = first;
    for (const segment of rest) {
      const child = this.#toWritable(Object.hasOwn(parent, last) ? parent[last] : null, segment);
      parent[last] = child;
      parent = child;
      last = segment;
    }
    return [parent, last];
  }

  #toWritable(value: unknown, segment: string | number): Container {
    if (isContainer(value) && this.#unexposed.has(value)) return value;
    let copy: Container;
    // A spread would fill the holes of an array.
    if (Array.isArray(value)) copy = value.slice() as unknown as Container;
    else if (isContainer(value)) copy = { ...value };
    else copy = (typeof segment === 'number' ? [] : {}) as Container;
    this.#unexposed.add(copy);
    return copy;
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  return !isContainer(value) || Object.keys(value).length === 0;
}

function read(root: unknown, segments: readonly (string | number)[]): unknown {
  return segments.reduce<unknown>(
    (at, segment) => (isContainer(at) && Object.hasOwn(at, segment) ? at[segment] : undefined),
    root,
  );
}

/** Throws for an unsafe or too long path. Checks segment by segment, because a joined path is ambiguous. */
function checkPath(path: ReplyPath): void {
  const isUnsafe = (segment: string | number) =>
    UNSAFE_NAMES.has(segment) ||
    (typeof segment === 'number' && !(Number.isInteger(segment) && segment >= 0));
  if (path.length > MAX_DEPTH || path.some(isUnsafe)) throw createPathError(path);
}

/** Resolves a path against the reply. Null for a path that `remove` does not find. */
function resolvePath(root: unknown, path: ReplyPath, removes: boolean): ResolvedPath | null {
  const segments: (string | number)[] = [];
  let at = root;
  let existingDepth = 0;
  for (const name of path) {
    const hasContainer = isContainer(at);
    if (hasContainer) existingDepth += 1;
    else if (removes) return null;
    const length = Array.isArray(at) ? at.length : hasContainer ? null : 0;
    // A missing container becomes an array only for the number 0.
    const segment =
      length === null || (!hasContainer && typeof name === 'string')
        ? String(name)
        : toIndex(name, removes ? MAX_LENGTH : length);
    if (segment === null) throw createPathError(path);
    segments.push(segment);
    const hasValue = isContainer(at) && Object.hasOwn(at, segment);
    if (removes && !hasValue) return null;
    at = hasValue ? (at as Container)[segment] : undefined;
  }
  return { segments, existingDepth };
}

/** Reads an index of an array, which may be a string of digits; null for a name, and for an index above `limit` or beyond the longest array. */
function toIndex(segment: string | number, limit: number): number | null {
  const index = typeof segment === 'string' && INDEX.test(segment) ? Number(segment) : segment;
  return typeof index === 'number' && index <= limit && index < MAX_LENGTH ? index : null;
}

function createPathError(path: ReplyPath): UbikError {
  const offender = JSON.stringify(path.slice(0, MAX_DEPTH)).slice(0, 200);
  return new UbikError(
    'malformed-event',
    'A patch has an invalid or unsafe path; it was skipped.',
    {
      offender,
    },
  );
}
