import temml from 'temml';

/** Context of the renderer for formulas. */
export interface MathsContext {
  readonly document: Document;
}

/** A formula in a text. */
export interface Formula {
  /** The range of the formula in the text, including the delimiters. */
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly isDisplay: boolean;
}

/** Formulas of this length, in UTF-16 units, or more are rendered as text. */
const MAX_LENGTH = 4096;
const DELIMITERS: readonly (readonly [open: string, close: string, isDisplay: boolean])[] = [
  ['$$', '$$', true],
  ['\\[', '\\]', true],
  ['\\(', '\\)', false],
  ['$', '$', false],
];
const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** The internal API of Temml, used because its public `render` throws on a page in quirks mode. */
interface MathLibrary {
  /** Parses a formula. */
  __renderToMathMLTree(source: string, options: object): MathTree;
}
/** A parsed formula: an element or fragment with children, or a text without children. */
interface MathTree {
  readonly children?: readonly MathTree[];
  toNode(): Node;
}
const library = temml as unknown as MathLibrary;

/** Attributes with ids, classes or URLs, which formulas do not need. */
const FORBIDDEN_ATTRIBUTES = ['id', 'href', 'src', 'xlink:href', 'class'];

/**
 * Finds the formulas in the source of a closed block, in order. Skips code spans, URLs and titles of links, and escaped dollar signs. So that
 * prices and URLs are not mistaken for formulas, an opening `$` or `$$` must not be inside a word. The text between single dollar signs must
 * not begin or end with white space, and the closing dollar sign must not be inside a word.
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

/** The position up to which each closing delimiter was searched without a match, which keeps the search linear. */
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
  // Formulas do not contain empty lines.
  for (; at < end && !text.startsWith('\n\n', at); at = skipLink(text, at)) {
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

const URL_PIECE = String.raw`\\\S|[^\s\\()]`;
const URL_GROUP = String.raw`\((?:${URL_PIECE}|\((?:${URL_PIECE})*\))*\)`;
const TITLE = String.raw`"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\)`;
/**
 * Matches what follows the text of a link or an image, or an autolink in angle brackets. In a URL without angle brackets, parentheses are escaped,
 * or balanced up to the second level. No other link starts in such a URL, which keeps the search linear.
 */
const LINK = new RegExp(
  String.raw`\]\(\s{0,9}(?:<(?:\\.|[^\\<>\n])*>|(?:(?!\]\()(?:${URL_PIECE})|${URL_GROUP})*)(?:\s{1,9}(?:${TITLE}))?\s{0,9}\)` +
    String.raw`|<[a-z][a-z\d.+-]{1,31}:[^<>\s]*>`,
  'isy',
);

/** Returns the position after an escaped character, the URL of a link, or one character. */
function skipLink(text: string, at: number): number {
  if (text[at] === '\\') return at + 2;
  LINK.lastIndex = at;
  return LINK.test(text) ? LINK.lastIndex : at + 1;
}

/** Returns the position after an escaped character, the URL of a link, a code span, or one character. */
function skip(text: string, at: number): number {
  if (text[at] !== '`') return skipLink(text, at);
  // At most 64 backticks are read, so that the pattern with them stays short.
  const fence = /^`+/.exec(text.slice(at, at + 64))?.[0] ?? '`';
  const close = new RegExp(`(?<!\`)${fence}(?!\`)`, 'g');
  close.lastIndex = at + fence.length;
  return close.exec(text.slice(0, at + MAX_LENGTH)) ? close.lastIndex : at + fence.length;
}

/** Commands that paint outside of their box, or a box of arbitrary size. They are rejected because they could cover other content. */
const PAINTING_COMMANDS = /\\(?:rule|smash|raise|raisebox|lower|(?:math)?[lrc]lap)(?![a-z])/i;
/** Commands that define commands. They are rejected because a short source could expand to any number of elements. */
const DEFINING_COMMANDS =
  /\\(?:[gex]?def|(?:future)?let|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Maximum number of elements of a formula. Rendering a larger one would block the page. */
const MAX_ELEMENTS = 2000;
/** Attributes with lengths. */
const LENGTH_ATTRIBUTES =
  'width height depth voffset lspace rspace linethickness mathsize minsize maxsize style'.split(
    ' ',
  );
/** Approximate sizes of the units of length in em, for a font of 16px. Any other unit counts as infinitely large. */
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
/** The smallest length in em. It is negative, and small enough that nothing is moved over preceding content. */
const MIN_LENGTH_EM = -1;

/**
 * Renders a formula as MathML, node by node; a display formula in a box that can be scrolled. Returns null for a formula that is invalid,
 * that could paint over other content, that defines commands, or that has more than 2,000 elements.
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
    const math = box.firstElementChild && sanitizeMathMl(box.firstElementChild);
    if (!math || !formula.isDisplay) return math;
    // A wide formula is scrolled in this box, because `overflow` has no effect on MathML in WebKit.
    box.className = 'ubik-formula';
    return box;
  } catch {
    // An invalid formula or an unknown command.
    return null;
  }
}

/** Counts the elements of a formula, up to one more than the maximum. */
function countElements(tree: MathTree): number {
  let count = 0;
  const stack = [tree];
  for (let next = stack.pop(); next !== undefined && count <= MAX_ELEMENTS; next = stack.pop()) {
    if (next.children === undefined) continue;
    count += 1;
    for (const child of next.children) stack.push(child);
  }
  return count;
}

/** Removes forbidden attributes. Returns null if an element is not MathML or out of bounds. */
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
