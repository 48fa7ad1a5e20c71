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
  readonly open: number;
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
const LONGEST_NAME = 1024;
/** Groups that are over, and whose repeated pieces are therefore ignored. */
const REMEMBERED = 4096;

/**
 * Joins texts that were sent in pieces: in any order, interleaved, repeated (the first piece stays). A group is complete only when
 * every index below its total has come. Nothing is allocated by a number that the network names, names of groups are keys of
 * Maps, and every bound gives up groups, never the stream. A group that is over, joined or given up, stays over: later pieces
 * of it are ignored.
 */
export function createDeltaAssembler(options: DeltaAssemblerOptions = {}): DeltaAssembler {
  const { pieces = 4096, groupSize = 1 << 24, ...limits } = options.limits ?? {};
  const { groups: maxGroups = 64, totalSize = 1 << 25 } = limits;
  /** Insertion order is age. */
  const groups = new Map<string, Group>();
  const over = new Set<string>();
  let size = 0;

  const close = (name: string) => {
    size -= groups.get(name)?.size ?? 0;
    groups.delete(name);
    over.add(name);
    if (over.size > REMEMBERED) over.delete(firstOf(over));
  };
  const giveUp = (name: string | null, code: UbikErrorCode) => {
    if (name !== null) close(name);
    options.onDiagnostic?.(new UbikError(code, { offender: 'group' }));
    return null;
  };

  return {
    get open() {
      return groups.size;
    },
    add({ group: named, index, total, text }) {
      const name = readName(named);
      if (name !== null && over.has(name)) return null;
      const known = name === null ? undefined : groups.get(name);
      const isPiece = isIndex(index) && isIndex(total) && index < total && typeof text === 'string';
      if (name === null || !isPiece || (known && known.total !== total))
        return giveUp(name, 'unusable-group');
      if (total > pieces) return giveUp(name, 'group-too-large');
      if (!known && groups.size >= maxGroups) giveUp(firstOf(groups), 'too-many-groups');
      const group = known ?? { total, pieces: new Map<number, string>(), size: 0 };
      groups.set(name, group);
      if (group.pieces.has(index)) return null;
      group.pieces.set(index, text);
      group.size += text.length;
      size += text.length;
      if (group.size > groupSize) return giveUp(name, 'group-too-large');
      if (group.pieces.size === total) {
        close(name);
        return Array.from({ length: total }, (_, at) => group.pieces.get(at)).join('');
      }
      while (size > totalSize) giveUp(firstOf(groups), 'too-many-groups');
      return null;
    },
    end() {
      for (const name of groups.keys()) giveUp(name, 'unusable-group');
    },
  };
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
function readName(group: unknown): string | null {
  const name = Number.isFinite(group) ? String(group) : group;
  return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME ? name : null;
}
