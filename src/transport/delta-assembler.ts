import { UbikError, type UbikErrorCode } from '../errors.js';

/** One piece of a text that the service has split over several events. All fields are untrusted. */
export interface DeltaPiece {
  /** Id of the group, which is the text that the piece belongs to. */
  readonly group: unknown;
  /** Its position in the text, from 0. */
  readonly index: unknown;
  /** Number of pieces of the text. */
  readonly total: unknown;
  readonly text: unknown;
}

/** Limits of a {@link DeltaAssembler}, with their defaults. Sizes in UTF-16 units of text. */
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

/** Options of {@link createDeltaAssembler}. */
export interface DeltaAssemblerOptions {
  readonly limits?: DeltaLimits | undefined;
  /**
   * Called for each discarded group, and for each piece without a usable group id. The code is `unusable-group`, `group-too-large` or
   * `too-many-groups`.
   */
  onDiagnostic?(error: UbikError): void;
}

/** Reassembles the split texts of one connection. */
export interface DeltaAssembler {
  /** Number of groups with missing pieces. */
  readonly openGroups: number;
  /** Adds a piece. Returns the whole text when it was the last missing piece, otherwise null. */
  add(piece: DeltaPiece): string | null;
  /** Discards the open groups at the end of the stream, each with a diagnostic. */
  end(): void;
}

interface Group {
  readonly total: number;
  readonly pieces: Map<number, string>;
  size: number;
}

/** Longer group ids are rejected. */
const MAX_GROUP_ID_LENGTH = 1024;
/** Number of closed groups whose ids are remembered, so that repeated pieces of them are ignored. */
const MAX_CLOSED_GROUPS = 4096;

/**
 * Creates an assembler for split texts. Pieces can arrive in any order, interleaved and repeated (the first copy is used). A group is
 * complete when every index below its total has arrived. An untrusted index or total allocates no memory. An exceeded limit discards
 * groups and does not end the stream. Pieces of a completed or discarded group are ignored.
 */
export function createDeltaAssembler(options: DeltaAssemblerOptions = {}): DeltaAssembler {
  return new GroupAssembler(options);
}

class GroupAssembler implements DeltaAssembler {
  readonly #options: DeltaAssemblerOptions;
  readonly #limits: Required<DeltaLimits>;
  /** In insertion order: the oldest group first. */
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

  add({ group: untrustedId, index, total, text }: DeltaPiece): string | null {
    const id = readGroupId(untrustedId);
    if (id !== null && this.#closed.has(id)) return null;
    const known = id === null ? undefined : this.#groups.get(id);
    const isPiece = isIndex(index) && isIndex(total) && index < total && typeof text === 'string';
    if (id === null || !isPiece || (known && known.total !== total))
      return this.#discard(id, 'unusable-group');
    if (total > this.#limits.pieces) return this.#discard(id, 'group-too-large');
    const group = known ?? this.#open(id, total);
    if (group.pieces.has(index)) return null;
    group.pieces.set(index, text);
    group.size += text.length;
    this.#size += text.length;
    return this.#finish(id, group);
  }

  end(): void {
    for (const id of this.#groups.keys()) this.#discard(id, 'unusable-group');
  }

  #open(id: string, total: number): Group {
    if (this.#groups.size >= this.#limits.groups)
      this.#discard(oldestOf(this.#groups), 'too-many-groups');
    const group: Group = { total, pieces: new Map(), size: 0 };
    this.#groups.set(id, group);
    return group;
  }

  /** Returns the text of a group if it is complete; null if it is not, or if a limit was exceeded. */
  #finish(id: string, { total, pieces, size }: Group): string | null {
    if (size > this.#limits.groupSize) return this.#discard(id, 'group-too-large');
    if (pieces.size === total) {
      this.#close(id);
      return Array.from({ length: total }, (_, at) => pieces.get(at)).join('');
    }
    while (this.#size > this.#limits.totalSize)
      this.#discard(oldestOf(this.#groups), 'too-many-groups');
    return null;
  }

  #close(id: string): void {
    this.#size -= this.#groups.get(id)?.size ?? 0;
    this.#groups.delete(id);
    this.#closed.add(id);
    if (this.#closed.size > MAX_CLOSED_GROUPS) this.#closed.delete(oldestOf(this.#closed));
  }

  /** Discards a group and reports it. Without an id, only reports the piece. */
  #discard(id: string | null, code: UbikErrorCode): null {
    if (id !== null) this.#close(id);
    this.#options.onDiagnostic?.(new UbikError(code, { offender: 'group' }));
    return null;
  }
}

/** Returns the oldest key of a non-empty collection. */
function oldestOf(collection: { keys(): Iterable<string> }): string {
  const [first = ''] = collection.keys();
  return first;
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** Returns a group id as a string; null for an unusable one. Services may use numbers or strings. */
function readGroupId(group: unknown): string | null {
  const id = Number.isFinite(group) ? String(group) : group;
  return typeof id === 'string' && id !== '' && id.length <= MAX_GROUP_ID_LENGTH ? id : null;
}
