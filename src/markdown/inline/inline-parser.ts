import type { Inline } from './inline.js';
import { InlineScanner, type ScanInput } from './inline-scanner.js';
import { toInlines, type Piece } from './pieces.js';

/** What a stretch of text says. */
export interface InlineResult {
  /** What can no longer change, whatever follows. */
  readonly settled: readonly Inline[];
  /** What is behind it, as it looks now. */
  readonly tail: readonly Inline[];
  /** Where in the source the tail begins. */
  readonly safe: number;
}

/** A word that goes on for longer than this is settled but for its end. */
const LONGEST_WORD = 512;

/** Reads a text, or what follows a place at which everything before is settled. */
export function parseInline(input: ScanInput): InlineResult {
  let scanner = scan(input);
  const end = scanner.hold;
  let alive = Math.min(scanner.alive, end);
  if (!input.open) {
    scanner.delimiters.pair(null);
    trimEnd(scanner.pieces.last);
    return { settled: toInlines(scanner.pieces.first), tail: [], safe: input.to };
  }
  // A bracket is known to be unfinished only at the end: what stands before it is then read again without it.
  const brackets = scanner.brackets.firstAlive(input.to);
  alive = Math.min(alive, brackets.alive);
  const stop = Math.min(brackets.hold, scanner.hold);
  if (stop < scanner.hold || scanner.overran) scanner = scan({ ...input, stop });
  scanner.delimiters.pair(null, true);
  alive = Math.min(alive, scanner.delimiters.firstAlive(end));
  const limit = Math.min(alive, lastWord(input.text, input.from, scanner.hold));
  const cut = divide(scanner, withoutSpace(input.text, input.from, limit));
  scanner.delimiters.guess(scanner.hold);
  trimEnd(scanner.pieces.last);
  const { first } = scanner.pieces;
  const settled = cut.piece === null ? [] : toInlines(first, cut.piece);
  return { settled, tail: toInlines(cut.piece ?? first), safe: cut.place };
}

function scan(input: ScanInput): InlineScanner {
  const scanner = new InlineScanner(input);
  scanner.run();
  return scanner;
}

/** Where the last word begins. */
function lastWord(text: string, from: number, end: number): number {
  const floor = Math.max(from, end - LONGEST_WORD);
  let index = withoutSpace(text, floor, end);
  while (index > floor && !isSpace(text.charCodeAt(index - 1))) index -= 1;
  return index;
}

/** Goes back over spaces: what stands behind them decides whether they are shown. */
function withoutSpace(text: string, from: number, end: number): number {
  let index = end;
  while (index > from && isSpace(text.charCodeAt(index - 1))) index -= 1;
  return index;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9;
}

/** Divides the pieces at or before a place. Returns the first piece of the tail and its place in the source. */
function divide(scanner: InlineScanner, limit: number): { piece: Piece | null; place: number } {
  let piece = scanner.pieces.last;
  while (piece !== null && (piece.start > limit || piece.shared)) piece = piece.previous;
  if (piece === null) return { piece: null, place: scanner.from };
  if (!piece.divisible || piece.start === limit) return { piece, place: piece.start };
  return { piece: scanner.pieces.split(piece, limit - piece.start), place: limit };
}

function trimEnd(last: Piece | null): void {
  if (last === null || !last.divisible) return;
  let end = last.text.length;
  while (end > 0 && isSpace(last.text.charCodeAt(end - 1))) end -= 1;
  last.text = last.text.slice(0, end);
}
