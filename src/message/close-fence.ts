/** The markers of quotes and list items at the beginning of a line, and a run of backticks or tildes after them. */
const LINE = /^((?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}|~{3,}|)(.*)/;
/** Number of columns of white space that make a line indented code, in which a run of backticks is text (CommonMark 4.4). */
const CODE_INDENT = 4;

/**
 * Closes the code fence at the end of a Markdown text, for example of a stopped answer, so that a text after it is not code. A fence in a
 * quote or list item ends where that quote or item ends.
 */
export function closeFence(markdown: string): string {
  /** The open fence, empty outside of one, and the prefix of its line, else of the last line. */
  let [fence, fencePrefix] = ['', ''];
  /** The columns at which the text of the current list item, and of the block around the fence, begins; 0 outside of items and quotes. */
  let [item, base] = [0, 0];
  for (const line of markdown.split('\n')) {
    const [, found = '', run = '', rest = ''] = LINE.exec(line) ?? [];
    const markers = found.replaceAll('\t', '    ');
    /** The markers, with spaces for those of list items. The length of the prefix is the column at which the text begins. */
    const prefix = markers.replace(/[^\s>]/g, ' ');
    const hasText = run + rest !== '';
    const indentation = markers.search(/\S|$/);
    const isOutside = fencePrefix.includes('>')
      ? !prefix.includes('>')
      : hasText && indentation < base;
    if (fence && !isOutside) {
      const isAlone = rest.trim() === '' && markers.trim() === fencePrefix.trim();
      if (run.startsWith(fence) && isAlone && prefix.length - base < CODE_INDENT) fence = '';
      continue;
    }
    if (prefix !== markers) item = prefix.length;
    else if (hasText && indentation < item) item = 0;
    base = prefix.includes('>') ? prefix.lastIndexOf('>') + 2 : item;
    // The line that opens a fence of backticks contains no other backtick (CommonMark 4.5).
    const isText =
      prefix.length - base >= CODE_INDENT || (run.startsWith('`') && rest.includes('`'));
    fence = isText ? '' : run;
    fencePrefix = prefix;
  }
  return fence ? `${markdown}\n${fencePrefix}${fence}` : markdown;
}
