/** Deepest nesting that is followed; a deeper text counts as broken. */
const MAX_DEPTH = 512;

/**
 * How far a text is a JSON value, looked at unit by unit, each once. Tells at any moment whether the text so far is a whole value
 * (`complete`), may become one (`partial`, or `string` when it ends inside a string), or never will (`broken`).
 */
export interface JsonScan {
  phase: Phase;
  /** What is open around this place: `{` or `[`. */
  readonly open: ('{' | '[')[];
  /** Rest of a literal, or hex digits of an escape still to come. */
  rest: string | number;
  /** The string that is being read is a name of an object. */
  naming: boolean;
}

type Phase =
  | 'value'
  | 'first-item'
  | 'first-name'
  | 'name'
  | 'colon'
  | 'string'
  | 'escape'
  | 'hex'
  | 'literal'
  | 'minus'
  | 'zero'
  | 'integer'
  | 'point'
  | 'fraction'
  | 'exponent'
  | 'exponent-sign'
  | 'exponent-digits'
  | 'after'
  | 'broken';

/** How a text stands as JSON. */
export type JsonStanding = 'complete' | 'partial' | 'string' | 'broken';

/** A scan of an empty text. */
export function createJsonScan(): JsonScan {
  return { phase: 'value', open: [], rest: '', naming: false };
}

/** Takes the next units; returns how many were taken before the text broke (all of them when it did not). */
export function scanJson(scan: JsonScan, text: string): number {
  let index = 0;
  while (index < text.length && scan.phase !== 'broken') {
    scan.phase = take(scan, text.charCodeAt(index));
    index += 1;
  }
  return index;
}

/** How the text so far stands. */
export function standingOf(scan: JsonScan): JsonStanding {
  switch (scan.phase) {
    case 'broken':
      return 'broken';
    case 'string':
    case 'escape':
    case 'hex':
      return 'string';
    case 'zero':
    case 'integer':
    case 'fraction':
    case 'exponent-digits':
    case 'after':
      return scan.open.length === 0 ? 'complete' : 'partial';
    default:
      return 'partial';
  }
}

function take(scan: JsonScan, unit: number): Phase {
  switch (scan.phase) {
    case 'value':
    case 'first-item':
      return takeValue(scan, unit);
    case 'first-name':
    case 'name':
      return takeName(scan, unit);
    case 'colon':
      if (isBlank(unit)) return 'colon';
      return unit === 58 ? 'value' : 'broken';
    case 'string':
      return takeString(scan, unit);
    case 'escape':
      return takeEscape(scan, unit);
    case 'hex':
      return takeHex(scan, unit);
    case 'literal':
      return takeLiteral(scan, unit);
    case 'after':
      return takeAfter(scan, unit);
    case 'broken':
      return 'broken';
    default:
      return takeNumber(scan, unit);
  }
}

function takeValue(scan: JsonScan, unit: number): Phase {
  if (isBlank(unit)) return scan.phase;
  switch (unit) {
    case 34: // "
      scan.naming = false;
      return 'string';
    case 123: // {
      return enter(scan, '{', 'first-name');
    case 91: // [
      return enter(scan, '[', 'first-item');
    case 93: // ]
      return scan.phase === 'first-item' ? leave(scan, '[') : 'broken';
    case 45: // -
      return 'minus';
    case 48: // 0
      return 'zero';
    case 116: // t
      return spell(scan, 'rue');
    case 102: // f
      return spell(scan, 'alse');
    case 110: // n
      return spell(scan, 'ull');
    default:
      return isDigit(unit) ? 'integer' : 'broken';
  }
}

function takeName(scan: JsonScan, unit: number): Phase {
  if (isBlank(unit)) return scan.phase;
  if (unit === 125 && scan.phase === 'first-name') return leave(scan, '{');
  if (unit !== 34) return 'broken';
  scan.naming = true;
  return 'string';
}

function takeString(scan: JsonScan, unit: number): Phase {
  if (unit === 34) return scan.naming ? 'colon' : 'after';
  if (unit === 92) return 'escape';
  return unit < 32 ? 'broken' : 'string';
}

function takeEscape(scan: JsonScan, unit: number): Phase {
  if (unit === 117) {
    scan.rest = 4;
    return 'hex';
  }
  return '"\\/bfnrt'.includes(String.fromCharCode(unit)) ? 'string' : 'broken';
}

function takeHex(scan: JsonScan, unit: number): Phase {
  const lower = unit | 32;
  if (!isDigit(unit) && !(lower >= 97 && lower <= 102)) return 'broken';
  scan.rest = Number(scan.rest) - 1;
  return scan.rest === 0 ? 'string' : 'hex';
}

function takeLiteral(scan: JsonScan, unit: number): Phase {
  const rest = String(scan.rest);
  if (rest.charCodeAt(0) !== unit) return 'broken';
  scan.rest = rest.slice(1);
  return scan.rest === '' ? 'after' : 'literal';
}

function takeNumber(scan: JsonScan, unit: number): Phase {
  const digit = isDigit(unit);
  switch (scan.phase) {
    case 'minus':
      if (unit === 48) return 'zero';
      return digit ? 'integer' : 'broken';
    case 'point':
      return digit ? 'fraction' : 'broken';
    case 'exponent':
      if (unit === 43 || unit === 45) return 'exponent-sign';
      return digit ? 'exponent-digits' : 'broken';
    case 'exponent-sign':
      return digit ? 'exponent-digits' : 'broken';
    default:
      if (digit) return scan.phase === 'zero' ? 'broken' : scan.phase;
      if (unit === 46 && (scan.phase === 'zero' || scan.phase === 'integer')) return 'point';
      if ((unit === 101 || unit === 69) && scan.phase !== 'exponent-digits') return 'exponent';
      return takeAfter(scan, unit);
  }
}

function takeAfter(scan: JsonScan, unit: number): Phase {
  if (isBlank(unit)) return 'after';
  const around = scan.open.at(-1);
  if (unit === 44 && around !== undefined) return around === '{' ? 'name' : 'value';
  if (unit === 125) return leave(scan, '{');
  return unit === 93 ? leave(scan, '[') : 'broken';
}

function enter(scan: JsonScan, kind: '{' | '[', phase: Phase): Phase {
  if (scan.open.length >= MAX_DEPTH) return 'broken';
  scan.open.push(kind);
  return phase;
}

function leave(scan: JsonScan, kind: '{' | '['): Phase {
  return scan.open.pop() === kind ? 'after' : 'broken';
}

function spell(scan: JsonScan, rest: string): Phase {
  scan.rest = rest;
  return 'literal';
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
