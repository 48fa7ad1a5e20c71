import type { Alignment, TableStart } from './block.js';
import { MAX_MARKER_LINE, MAX_TABLE_COLUMNS } from './limits.js';

/** A backslash at the end that is not escaped itself. */
const TRAILING_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
const UNTIL_PIPE = /^(?:[^\\|]|\\[^])*\|/;
const ALIGNMENTS: readonly Alignment[] = ['', 'left', 'right', 'center'];

/** Cuts a row into its cells. A pipe that is escaped belongs to its cell and loses its backslash. */
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
  // Nothing is left over behind the last pipe.
  if (cell + last !== '') cells.push((cell + last).trim());
  return cells.slice(0, MAX_TABLE_COLUMNS);
}

/** The length of a line before its first pipe that is not escaped; -1 without one, or when the line is too long for a header. */
export function findPipe(line: string): number {
  return line.length > MAX_MARKER_LINE ? -1 : (UNTIL_PIPE.exec(line)?.[0].length ?? 0) - 1;
}

/** Whether a line is, or may still become, the row of dashes under a table's header. */
export function mayBeDelimiterRow(line: string): boolean {
  return line.length <= MAX_MARKER_LINE && /^[|:\- \t]*$/.test(line);
}

/** Reads a header and the row of dashes below it. */
export function readTable(line: string, below: string): TableStart | null {
  const header = splitRow(line);
  const dashes = splitRow(below);
  const fits = header.length === dashes.length && below.includes('-');
  if (!fits || !dashes.every((cell) => /^:?-+:?$/.test(cell))) return null;
  const alignments = dashes.map(
    (cell) => ALIGNMENTS[(cell.startsWith(':') ? 1 : 0) + (cell.endsWith(':') ? 2 : 0)] ?? '',
  );
  return { kind: 'table', header, alignments };
}
