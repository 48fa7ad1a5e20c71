/** The next token after blanks: a mark, a text, another scalar, or nothing that JSON knows. */
const TOKEN =
  /[\t\n\r ]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|)/y;

/** What may stand at a place. `closed`: a value has ended. */
type ParserState = 'value' | 'item' | 'first-name' | 'name' | 'colon' | 'closed';

/** Where a text stops being JSON, as an index; its length when something is missing at its end; null when it is JSON. */
export function findJsonSyntaxError(text: string): number | null {
  const closers: string[] = [];
  let place: ParserState = 'value';
  for (let at = 0; ; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [all = '', mark = '', name = '', scalar = ''] = TOKEN.exec(text) ?? [];
    const start = at + all.length - (mark + name + scalar).length;
    if (start >= text.length) return place === 'closed' && closers.length === 0 ? null : start;
    const next = nextState(place, { mark, name, scalar }, closers);
    if (!next) return start;
    place = next;
  }
}

interface Token {
  readonly mark: string;
  readonly name: string;
  readonly scalar: string;
}

/** The place after a token; null when it may not stand where it does. Keeps what is still to be closed. */
function nextState(
  place: ParserState,
  { mark, name, scalar }: Token,
  closers: string[],
): ParserState | null {
  const isClosing = mark !== '' && mark === closers.at(-1);
  if (isClosing && ['closed', mark === ']' ? 'item' : 'first-name'].includes(place)) {
    closers.pop();
    return 'closed';
  }
  if (place === 'closed') {
    if (mark !== ',' || closers.length === 0) return null;
    return closers.at(-1) === ']' ? 'value' : 'name';
  }
  if (place === 'colon') return mark === ':' ? 'value' : null;
  if (place === 'name' || place === 'first-name') return name === '' ? null : 'colon';
  if (mark === '{' || mark === '[') {
    closers.push(mark === '{' ? '}' : ']');
    return mark === '{' ? 'first-name' : 'item';
  }
  return name === '' && scalar === '' ? null : 'closed';
}
