/** The markers of quotes and list items at the beginning of a line, and a run of backticks or tildes after them. */
const LINE = /^((?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}|~{3,}|)(.*)/;

/**
 * Closes the code fence at the end of a Markdown text, for example of a stopped answer, so that a text after it is not code. A fence in a
 * quote or list item ends with it.
 */
export function closeFence(markdown: string): string {
  let [fence, indent] = ['', ''];
  let isInList = false;
  for (const line of markdown.split('\n')) {
    const [, markers = '', run = '', rest = ''] = LINE.exec(line) ?? [];
    const column = markers.replace(/[^\s>]/g, ' ');
    const hasText = run + rest !== '';
    const isOutside = indent.includes('>')
      ? !column.includes('>')
      : isInList && hasText && markers.search(/\S|$/) < indent.length;
    if (fence && !isOutside) {
      const isAlone = rest.trim() === '' && markers.trim() === indent.trim();
      if (run.startsWith(fence) && isAlone) fence = '';
      continue;
    }
    if (hasText) isInList = column !== markers || (isInList && column !== '');
    // The line that opens a fence of backticks contains no other backtick (CommonMark 4.5).
    fence = run.startsWith('`') && rest.includes('`') ? '' : run;
    indent = column;
  }
  return fence ? `${markdown}\n${indent}${fence}` : markdown;
}
