import temml from 'temml';

/** Context of the renderer for formulas. */
export interface MathsContext {
  readonly document: Document;
}

/** A formula in a text. */
export interface Formula {
  /** Its range in the text, delimiters included. */
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly isDisplay: boolean;
}

/** Longer formulas are left as text. */
const MAX_LENGTH = 4096;
const DELIMITERS: readonly (readonly [open: string, close: string, isDisplay: boolean])[] = [
  ['$$', '$$', true],
  ['\\[', '\\]', true],
  ['\\(', '\\)', false],
  ['$', '$', false],
];
const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** The internal API of Temml. Its public `render` refuses to work on a page in quirks mode. */
interface MathLibrary {
  /** Parses a formula. */
  __renderToMathMLTree(source: string, options: object): MathTree;
}
/** A parsed formula: an element or fragment with children, or a text without. */
interface MathTree {
  readonly children?: readonly MathTree[];
  toNode(): Node;
}
const library = temml as unknown as MathLibrary;

/** Attributes that identify or load something, which formulas do not need. */
const FORBIDDEN_ATTRIBUTES = ['id', 'href', 'src', 'xlink:href', 'class'];

/**
 * Finds the formulas in the source of a closed block, in order. Skips code spans and escaped dollar signs. An opening dollar sign must
 * precede, a closing one must follow a character that is not white space, and neither may be inside a word, so that prices and URLs are
 * not taken for formulas.
 */
export function findFormulas(text: string): Formula[] {
  const found: Formula[] = [];
  const searched: Searched = new Map();
  for (let at = 0; at < text.length;) {
    const formula = readFormula(text, at, searched);
    if (formula) found.push(formula);
    at = formula ? formula.end : skip(text, at);
  }
  return found;
}

/** For each closing delimiter the position up to which it was searched in vain, which keeps the search linear. */
type Searched = Map<string, number>;

function readFormula(text: string, start: number, searched: Searched): Formula | null {
  for (const [open, close, isDisplay] of DELIMITERS) {
    if (!text.startsWith(open, start) || isInWord(text, start, open)) continue;
    const from = start + open.length;
    const to = findClose(text, from, close, searched);
    const source = text.slice(from, Math.max(from, to));
    if (to < 0 || source.trim() === '' || (close === '$' && !isValidInlineMath(text, from, to)))
      continue;
    return { start, end: to + close.length, source: source.trim(), isDisplay };
  }
  return null;
}

/** Whether an opening dollar sign is inside a word or URL. */
function isInWord(text: string, start: number, open: string): boolean {
  return open[0] === '$' && /[\w/=&?$]/.test(text[start - 1] ?? '');
}

function findClose(text: string, from: number, close: string, searched: Searched): number {
  const end = Math.min(text.length, from + MAX_LENGTH);
  let at = Math.max(from, searched.get(close) ?? 0);
  // No formula contains an empty line.
  for (; at < end && !text.startsWith('\n\n', at); at += text[at] === '\\' ? 2 : 1) {
    if (text.startsWith(close, at)) return at;
  }
  searched.set(close, at);
  return -1;
}

function isValidInlineMath(text: string, from: number, to: number): boolean {
  return (
    !/\s/.test(text[from] ?? ' ') &&
    !/\s/.test(text[to - 1] ?? ' ') &&
    !/[\w$]/.test(text[to + 1] ?? '')
  );
}

/** Returns the position after an escaped character, a code span, or one character. */
function skip(text: string, at: number): number {
  if (text[at] === '\\') return at + 2;
  if (text[at] !== '`') return at + 1;
  const fence = /^`+/.exec(text.slice(at, at + 64))?.[0] ?? '`';
  const close = new RegExp(`(?<!\`)${fence}(?!\`)`, 'g');
  close.lastIndex = at + fence.length;
  return close.exec(text.slice(0, at + MAX_LENGTH)) ? close.lastIndex : at + fence.length;
}

/** Commands that paint outside of their box, or a box of any size. They are rejected because they could cover other content. */
const PAINTING_COMMANDS = /\\(?:rule|smash|raise|raisebox|lower|(?:math)?[lrc]lap)(?![a-z])/i;
/** Commands that define others. They are rejected because a short source could expand to any number of elements. */
const DEFINING_COMMANDS =
  /\\(?:[gex]?def|(?:future)?let|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Number of elements of a formula. A larger one would block the page while it is rendered. */
const MAX_ELEMENTS = 2000;
/** Attributes with lengths. */
const LENGTH_ATTRIBUTES =
  'width height depth voffset lspace rspace linethickness mathsize minsize maxsize style'.split(
    ' ',
  );
const EM_OF: ReadonlyMap<string, number> = new Map([
  ['em', 1],
  ['rem', 1],
  ['ex', 0.5],
  ['pt', 0.1],
  ['px', 0.0625],
  ['pc', 1.2],
  ['mm', 0.24],
  ['cm', 2.4],
  ['in', 6],
]);
/** The largest length in em. */
const MAX_LENGTH_EM = 10;
/** The smallest (negative) length in em, so that nothing moves over preceding content. */
const MIN_LENGTH_EM = -1;

/**
 * Renders a formula as MathML, node by node. Returns null for a formula that is invalid, that could paint over other content, that
 * defines commands, or that has more than 2,000 elements.
 */
export function renderFormula(formula: Formula, { document }: MathsContext): Element | null {
  if (PAINTING_COMMANDS.test(formula.source) || DEFINING_COMMANDS.test(formula.source)) return null;
  try {
    const options = {
      displayMode: formula.isDisplay,
      trust: false,
      throwOnError: true,
      maxExpand: 500,
    };
    const tree = library.__renderToMathMLTree(formula.source, options);
    if (countElements(tree) > MAX_ELEMENTS) return null;
    const box = document.createElement('span');
    box.append(tree.toNode());
    return box.firstElementChild && sanitizeMathMl(box.firstElementChild);
  } catch {
    // An invalid formula or an unknown command.
    return null;
  }
}

/** Counts the elements of a formula, up to one more than the maximum. */
function countElements(tree: MathTree): number {
  let count = 0;
  const left = [tree];
  for (let next = left.pop(); next !== undefined && count <= MAX_ELEMENTS; next = left.pop()) {
    if (next.children === undefined) continue;
    count += 1;
    for (const child of next.children) left.push(child);
  }
  return count;
}

/** Removes forbidden attributes. Returns null when the tree contains anything but MathML within bounds. */
function sanitizeMathMl(math: Element): Element | null {
  for (const element of [math, ...math.querySelectorAll('*')]) {
    if (element.namespaceURI !== MATHML || !isBounded(element)) return null;
    for (const name of FORBIDDEN_ATTRIBUTES) element.removeAttribute(name);
  }
  return math;
}

/** Whether all lengths of an element are within bounds and it is not positioned. */
function isBounded(element: Element): boolean {
  return LENGTH_ATTRIBUTES.every((name) => {
    const value = element.getAttribute(name) ?? '';
    if (/position/.test(value)) return false;
    return [...value.matchAll(/([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]+)/gi)].every(
      ([, size, unit = '']) => {
        const length = Number(size) * (EM_OF.get(unit.toLowerCase()) ?? Infinity);
        return length >= MIN_LENGTH_EM && length <= MAX_LENGTH_EM;
      },
    );
  });
}
