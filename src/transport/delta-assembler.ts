import { UbikError, type UbikErrorCode } from '../errors.js';

/** One piece of a text that was sent in several. Nothing in it is trusted. */
export interface DeltaPiece {
  /** Names the text that the piece belongs to. */
  readonly group: unknown;
  /** Its place, from 0. */
  readonly index: unknown;
  /** How many pieces the text has. */
  readonly total: unknown;
  readonly text: unknown;
}

/** Bounds of a {@link DeltaAssembler}; sizes in UTF-16 units of text. */
export interface DeltaLimits {
  /** Pieces of one group: 4,096. */
  readonly pieces?: number;
  /** Text of one group: 16 Mi. */
  readonly groupSize?: number;
  /** Open groups: 64. */
  readonly groups?: number;
  /** Text of all open groups: 32 Mi. */
  readonly totalSize?: number;
}

/** What an assembler is made from. */
export interface DeltaAssemblerOptions {
  readonly limits?: DeltaLimits | undefined;
  /** Told once for each group that is given up: `unusable-group`, `group-too-large`, `too-many-groups`. */
  onDiagnostic?(error: UbikError): void;
}

/** Joins the texts of one connection that were sent in pieces. */
export interface DeltaAssembler {
  /** Groups that wait for pieces. */
  readonly openGroups: number;
  /** Takes a piece; gives the whole text when it was the last one missing, else null. */
  add(piece: DeltaPiece): string | null;
  /** The stream ended: gives up the open groups, each with a diagnostic. */
  end(): void;
}

interface Group {
  readonly total: number;
  readonly pieces: Map<number, string>;
  size: number;
}

/** Names longer than this are nobody's id. */
const MAX_GROUP_ID_LENGTH = 1024;
/** Groups that are over, and whose repeated pieces are therefore ignored. */
const MAX_CLOSED_GROUPS = 4096;

/**
 * Joins texts that were sent in pieces: in any order, interleaved, repeated (the first piece stays). A group is complete only when
 * every index below its total has come. Nothing is allocated by a number that the network names, names of groups are keys of
 * Maps, and every bound gives up groups, never the stream. A group that is over, joined or given up, stays over: later pieces
 * of it are ignored.
 */
export function createDeltaAssembler(options: DeltaAssemblerOptions = {}): DeltaAssembler {
  return new GroupAssembler(options);
}

class GroupAssembler implements DeltaAssembler {
  readonly #options: DeltaAssemblerOptions;
  readonly #limits: Required<DeltaLimits>;
  /** Insertion order is age. */
  readonly #groups = new Map<string, Group>();
  readonly #closed = new Set<string>();
  #size = 0;

  constructor(options: DeltaAssemblerOptions) {
    this.#options = options;
    const limits = { pieces: 4096, groupSize: 1 << 24, groups: 64, totalSize: 1 << 25 };
    this.#limits = { ...limits, ...options.limits };
  }

  get openGroups(): number {
    return this.#groups.size;
  }

  add({ group: named, index, total, text }: DeltaPiece): string | null {
    const name = readGroupId(named);
    if (name !== null && this.#closed.has(name)) return null;
    const known = name === null ? undefined : this.#groups.get(name);
    const isPiece = isIndex(index) && isIndex(total) && index < total && typeof text === 'string';
    if (name === null || !isPiece || (known && known.total !== total))
      return this.#discard(name, 'unusable-group');
    if (total > this.#limits.pieces) return this.#discard(name, 'group-too-large');
    const group = known ?? this.#open(name, total);
    if (group.pieces.has(index)) return null;
    group.pieces.set(index, text);
    group.size += text.length;
    this.#size += text.length;
    return this.#finish(name, group);
  }

  end(): void {
    for (const name of this.#groups.keys()) this.#discard(name, 'unusable-group');
  }

  #open(name: string, total: number): Group {
    if (this.#groups.size >= this.#limits.groups)
      this.#discard(firstOf(this.#groups), 'too-many-groups');
    const group: Group = { total, pieces: new Map(), size: 0 };
    this.#groups.set(name, group);
    return group;
  }

  /** The text of a group that is whole now; null while it is not, or when a bound was passed. */
  #finish(name: string, { total, pieces, size }: Group): string | null {
    if (size > this.#limits.groupSize) return this.#discard(name, 'group-too-large');
    if (pieces.size === total) {
      this.#close(name);
      return Array.from({ length: total }, (_, at) => pieces.get(at)).join('');
    }
    while (this.#size > this.#limits.totalSize)
      this.#discard(firstOf(this.#groups), 'too-many-groups');
    return null;
  }

  #close(name: string): void {
    this.#size -= this.#groups.get(name)?.size ?? 0;
    this.#groups.delete(name);
    this.#closed.add(name);
    if (this.#closed.size > MAX_CLOSED_GROUPS) this.#closed.delete(firstOf(this.#closed));
  }

  #discard(name: string | null, code: UbikErrorCode): null {
    if (name !== null) this.#close(name);
    this.#options.onDiagnostic?.(new UbikError(code, { offender: 'group' }));
    return null;
  }
}

/** The oldest key of a collection that is not empty. */
function firstOf(collection: { keys(): Iterable<string> }): string {
  const [first = ''] = collection.keys();
  return first;
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** A number is taken as its digits: services are free in how they count groups. */
function readGroupId(group: unknown): string | null {
  const name = Number.isFinite(group) ? String(group) : group;
  return typeof name === 'string' && name !== '' && name.length <= MAX_GROUP_ID_LENGTH
    ? name
    : null;
}
