/**
 * Parses values separated by comma, semicolon or tab, whichever is most frequent in the first line. A cell in quotes may contain separators,
 * line breaks and doubled quotes. Lines end with LF or CRLF; empty ones are skipped.
 */
export function parseCsv(text: string): string[][] {
  const separator = guessSeparator(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = (): void => {
    row.push(cell);
    cell = '';
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"' && cell === '') {
      quoted = true;
    } else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') {
      endRow();
    } else if (character !== '\r') {
      cell += character;
    }
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

function guessSeparator(text: string): string {
  const line = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length }));
  counts.sort((one, other) => other.count - one.count);
  return counts[0]?.mark ?? ',';
}
