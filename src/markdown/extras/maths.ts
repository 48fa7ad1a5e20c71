import temml from 'temml';

/** What maths needs of the page. */
export interface MathsContext {
  readonly document: Document;
}

/** One formula in a text. */
export interface Formula {
  /** Where it stands in the text, with its delimiters. */
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly isDisplay: boolean;
}

/** Longer formulas stay text. */
const MAX_LENGTH = 4096;
const DELIMITERS: readonly (readonly [open: string, close: string, isDisplay: boolean])[] = [
  ['$$', '$$', true],
  ['\\[', '\\]', true],
  ['\\(', '\\)', false],
  ['$', '$', false],
];
const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** The library's way past its own check of the page: its `render` refuses every page in quirks mode. */
interface MathLibrary {
  /** What it makes of a formula, before it is nodes. */
  __renderToMathMLTree(source: string, options: object): MathTree;
}
/** A formula that is parsed: an element or a fragment with children, or a text without. */
interface MathTree {
  readonly children?: readonly MathTree[];
  toNode(): Node;
}
const library = temml as unknown as MathLibrary;

/** Attributes that name or load something: formulas need none of them. */
const FORBIDDEN_ATTRIBUTES = ['id', 'href', 'src', 'xlink:href', 'class'];

/**
 * The formulas of a closed block's source, in order. Code spans and escaped dollars are passed over; a dollar sign opens only before
 * and closes only after what is no blank, and neither in a word: so prices and addresses stay what
 * they are.
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

/** Up to where each closing sign was looked for in vain: nobody looks there again. */
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

/** A dollar sign in a word or an address opens nothing. */
function isInWord(text: string, start: number, open: string): boolean {
  return open[0] === '$' && /[\w/=&?$]/.test(text[start - 1] ?? '');
}

function findClose(text: string, from: number, close: string, searched: Searched): number {
  const end = Math.min(text.length, from + MAX_LENGTH);
  let at = Math.max(from, searched.get(close) ?? 0);
  // An inline formula stays in its paragraph, and no formula holds an empty line.
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

/** The place after what stands here: an escaped sign, a code span, or one character. */
function skip(text: string, at: number): number {
  if (text[at] === '\\') return at + 2;
  if (text[at] !== '`') return at + 1;
  const fence = /^`+/.exec(text.slice(at, at + 64))?.[0] ?? '`';
  const close = new RegExp(`(?<!\`)${fence}(?!\`)`, 'g');
  close.lastIndex = at + fence.length;
  return close.exec(text.slice(0, at + MAX_LENGTH)) ? close.lastIndex : at + fence.length;
}

/** Commands that paint outside of their own box, or paint a box of any size. No formula of a text needs them. */
const PAINTING_COMMANDS = /\\(?:rule|smash|raise|raisebox|lower|(?:math)?[lrc]lap)(?![a-z])/i;
/** Commands that define others. A short source could stand for any number of elements with them, and no formula of a text needs them. */
const DEFINING_COMMANDS =
  /\\(?:[gex]?def|(?:future)?let|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Elements of one formula. A page with a formula of more would stand still while it is drawn. */
const MAX_ELEMENTS = 2000;
/** Attributes that hold lengths. */
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
/** Bounds of each length, in em: nothing is larger than a few lines, or moves over what stands before it. */
const MAX_LENGTH_EM = 10;
const MIN_LENGTH_EM = -1;

/**
 * A formula as MathML, made node by node. Null for one that cannot be read, that could paint over what stands around it, that defines
 * commands, or that has more than 2,000 elements: its source is shown then.
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
    // Half of a formula, or a command that does not exist.
    return null;
  }
}

/** Counts what is not text, and stops as soon as it is too much. */
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

/** Nothing but MathML, and nothing in it that names or loads. */
function sanitizeMathMl(math: Element): Element | null {
  for (const element of [math, ...math.querySelectorAll('*')]) {
    if (element.namespaceURI !== MATHML || !isBounded(element)) return null;
    for (const name of FORBIDDEN_ATTRIBUTES) element.removeAttribute(name);
  }
  return math;
}

/** Whether each length of an element is within its bounds, and nothing is taken out of its place. */
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
