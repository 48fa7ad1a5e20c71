import { UbikError } from '../errors.js';

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

/** Joins texts that were sent in pieces. */
export interface DeltaAssembler {
  /** Groups that wait for pieces. */
  readonly open: number;
  /** Takes a piece; gives the whole text when it was the last one missing, else null. */
  add(piece: DeltaPiece): string | null;
  /** The stream ended: gives up the open groups, each with a diagnostic, and forgets everything. */
  end(): void;
  /** Forgets everything, for a new connection: its pieces come again from the start. */
  reset(): void;
}

interface Group {
  readonly total: number;
  readonly pieces: Map<number, string>;
  size: number;
}

interface ValidPiece {
  readonly group: string;
  readonly index: number;
  readonly total: number;
  readonly text: string;
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
  return new MapDeltaAssembler(options);
}

class MapDeltaAssembler implements DeltaAssembler {
  readonly #limits: Required<DeltaLimits>;
  readonly #onDiagnostic: (error: UbikError) => void;
  /** Insertion order is age. */
  readonly #groups = new Map<string, Group>();
  readonly #over = new Set<string>();
  #size = 0;

  constructor({ limits, onDiagnostic }: DeltaAssemblerOptions) {
    this.#limits = { pieces: 4096, groupSize: 1 << 24, groups: 64, totalSize: 1 << 25, ...limits };
    this.#onDiagnostic = (error) => onDiagnostic?.(error);
  }

  get open(): number {
    return this.#groups.size;
  }

  add(piece: DeltaPiece): string | null {
    const name = readName(piece.group);
    if (name === null) {
      this.#report('unusable-group', 'A piece of a split event names no group.', 'group');
      return null;
    }
    if (this.#over.has(name)) return null;
    const valid = this.#validate(name, piece);
    if (!valid) return null;
    const group = this.#groups.get(name) ?? this.#openGroup(name, valid.total);
    if (group.pieces.has(valid.index)) return null;
    group.pieces.set(valid.index, valid.text);
    group.size += valid.text.length;
    this.#size += valid.text.length;
    if (group.size > this.#limits.groupSize) {
      this.#giveUp(name, 'group-too-large', 'A split event is too large.');
      return null;
    }
    if (group.pieces.size === group.total) return this.#join(name, group);
    this.#keepTotalSize();
    return null;
  }

  end(): void {
    for (const name of [...this.#groups.keys()]) {
      this.#giveUp(name, 'unusable-group', 'The stream ended before a split event was complete.');
    }
    this.reset();
  }

  reset(): void {
    this.#groups.clear();
    this.#over.clear();
    this.#size = 0;
  }

  /** The piece, if it fits its group; else the group is given up. */
  #validate(group: string, { index, total, text }: DeltaPiece): ValidPiece | null {
    const fault = findFault(index, total, text, this.#groups.get(group)?.total);
    if (fault) {
      this.#giveUp(group, 'unusable-group', `A split event is unusable: ${fault}.`);
      return null;
    }
    if (Number(total) > this.#limits.pieces) {
      this.#giveUp(group, 'group-too-large', 'A split event has too many pieces.');
      return null;
    }
    return { group, index: Number(index), total: Number(total), text: String(text) };
  }

  #openGroup(name: string, total: number): Group {
    if (this.#groups.size >= this.#limits.groups) this.#giveUpOldest();
    const group: Group = { total, pieces: new Map(), size: 0 };
    this.#groups.set(name, group);
    return group;
  }

  #join(name: string, group: Group): string {
    this.#close(name);
    let text = '';
    for (let index = 0; index < group.total; index++) text += group.pieces.get(index) ?? '';
    return text;
  }

  #keepTotalSize(): void {
    while (this.#size > this.#limits.totalSize && this.#groups.size > 0) this.#giveUpOldest();
  }

  #giveUpOldest(): void {
    const [oldest] = this.#groups.keys();
    if (oldest === undefined) return;
    this.#giveUp(
      oldest,
      'too-many-groups',
      'Too many split events are open; the oldest is dropped.',
    );
  }

  #giveUp(name: string, code: UbikError['code'], message: string): void {
    this.#close(name);
    this.#report(code, message, 'group');
  }

  #close(name: string): void {
    this.#size -= this.#groups.get(name)?.size ?? 0;
    this.#groups.delete(name);
    this.#over.add(name);
    if (this.#over.size <= REMEMBERED) return;
    const [oldest] = this.#over;
    if (oldest !== undefined) this.#over.delete(oldest);
  }

  #report(code: UbikError['code'], message: string, offender: string): void {
    this.#onDiagnostic(new UbikError(code, message, { offender }));
  }
}

/** A number is taken as its digits: services are free in how they count groups. */
function readName(group: unknown): string | null {
  const name = typeof group === 'number' && Number.isFinite(group) ? String(group) : group;
  return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME ? name : null;
}

function findFault(
  index: unknown,
  total: unknown,
  text: unknown,
  known: number | undefined,
): string | null {
  if (!Number.isInteger(total) || Number(total) < 1) return 'the number of pieces is no number';
  if (!Number.isInteger(index) || Number(index) < 0) return 'the place of a piece is no number';
  if (Number(index) >= Number(total)) return 'a piece lies behind the last';
  if (typeof text !== 'string') return 'a piece holds no text';
  if (known !== undefined && known !== total) return 'its pieces disagree on their number';
  return null;
}
