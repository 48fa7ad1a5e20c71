import type { Alignment, TableStart } from './block.js';
import { MAX_MARKER_LINE, MAX_TABLE_COLUMNS } from './limits.js';

/** An unescaped backslash at the end. */
const TRAILING_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
const UNTIL_PIPE = /^(?:[^\\|]|\\[^])*\|/;
/** Alignments, indexed by the sum of 1 for a colon at the start of the delimiter cell and 2 for one at its end. */
const ALIGNMENTS: readonly Alignment[] = ['', 'left', 'right', 'center'];

/** Splits a row into its cells. An escaped pipe belongs to its cell and loses its backslash. */
export function splitRow(row: string): string[] {
  const pieces = row.trim().replace(/^\|/, '').split('|');
  const last = pieces.pop() ?? '';
  const cells: string[] = [];
  let cell = '';
  for (const piece of pieces) {
    if (TRAILING_ESCAPE.test(piece)) cell += `${piece.slice(0, -1)}|`;
    else {
      cells.push((cell + piece).trim());
      cell = '';
    }
  }
  // Without text after the last pipe there is no further cell.
  if (cell + last !== '') cells.push((cell + last).trim());
  return cells.slice(0, MAX_TABLE_COLUMNS);
}

/** Returns the position of the first unescaped pipe; -1 without one, or when the line is too long for a header row. */
export function findPipe(line: string): number {
  return line.length > MAX_MARKER_LINE ? -1 : (UNTIL_PIPE.exec(line)?.[0].length ?? 0) - 1;
}

/** Whether a line is, or may still become, the delimiter row of a table. */
export function mayBeDelimiterRow(line: string): boolean {
  return line.length <= MAX_MARKER_LINE && /^[|:\- \t]*$/.test(line);
}

/** Reads a header row and a delimiter row; returns null when they are not a table. */
export function readTableStart(line: string, below: string): TableStart | null {
  const header = splitRow(line);
  const dashes = splitRow(below);
  const fits = header.length === dashes.length && below.includes('-');
  if (!fits || !dashes.every((cell) => /^:?-+:?$/.test(cell))) return null;
  const alignments = dashes.map(
    (cell) => ALIGNMENTS[(cell.startsWith(':') ? 1 : 0) + (cell.endsWith(':') ? 2 : 0)] ?? '',
  );
  return { kind: 'table', header, alignments };
}
