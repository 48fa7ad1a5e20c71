import type { Alignment } from './block.js';
import { MAX_MARKER_LINE, MAX_TABLE_COLUMNS } from '../syntax/limits.js';

/** Cuts a row into its cells. A pipe that is escaped belongs to its cell and loses its backslash. */
export function splitRow(row: string): string[] {
  const text = row.trim();
  const cells: string[] = [];
  let cell = '';
  let from = text.startsWith('|') ? 1 : 0;
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 92) {
      if (text.charAt(index + 1) === '|') {
        cell += text.slice(from, index);
        from = index + 1;
      }
      index += 1;
    } else if (code === 124) {
      cells.push((cell + text.slice(from, index)).trim());
      if (cells.length >= MAX_TABLE_COLUMNS) return cells;
      cell = '';
      from = index + 1;
    }
  }
  const last = (cell + text.slice(from)).trim();
  if (last !== '' || !endsWithPipe(text)) cells.push(last);
  return cells;
}

function endsWithPipe(text: string): boolean {
  return pipeAt(text) >= 0 && text.endsWith('|');
}

/** The place of the first pipe that is not escaped, or -1. */
export function pipeAt(text: string): number {
  for (let index = text.indexOf('|'); index >= 0; index = text.indexOf('|', index + 1)) {
    let slashes = 0;
    while (text.charAt(index - 1 - slashes) === '\\') slashes += 1;
    if (slashes % 2 === 0) return index;
  }
  return -1;
}

/** Reads the row of dashes under a table's header. Null when the line is none. */
export function parseDelimiterRow(line: string): readonly Alignment[] | null {
  if (line.length > MAX_MARKER_LINE || !/^[|:\- \t]+$/.test(line) || !line.includes('-'))
    return null;
  const cells = splitRow(line);
  const alignments: Alignment[] = [];
  for (const cell of cells) {
    if (!/^:?-+:?$/.test(cell)) return null;
    const left = cell.startsWith(':');
    const right = cell.endsWith(':');
    if (left && right) alignments.push('center');
    else if (right) alignments.push('right');
    else alignments.push(left ? 'left' : null);
  }
  return alignments;
}

/** Whether a line that is not complete may still become the row of dashes. */
export function mayBeDelimiterRow(line: string): boolean {
  return line.length <= MAX_MARKER_LINE && /^[|:\- \t]*$/.test(line);
}
