import type { StringName, Values } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';

/** Deepest level that is validated. The service validates deeper values. */
const MAX_DEPTH = 20;

/** Why a value does not match a schema. */
export interface ValidationError {
  /** Names, and positions from 1, on the path to the value that does not match. */
  readonly path: readonly string[];
  readonly text: StringName;
  readonly values?: Values;
}

/** An object from the network. */
export type JsonRecord = Readonly<Record<string, Json | undefined>>;

/** Returns the value if it is an object; null for anything else. */
export function asRecord(value: Json | undefined): JsonRecord | null {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as JsonRecord) : null;
}

/** Returns the value if it is an array; an empty array for anything else. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/**
 * Validates a value and returns the first error, or null. Checks `type`, `required`, `enum` and size limits; the service validates
 * everything else. A `pattern` from the network is never executed, because it could block the page.
 */
export function validateJson(
  value: Json,
  schema: Json | undefined,
  path: readonly string[] = [],
): ValidationError | null {
  const rules = asRecord(schema);
  if (!rules || path.length > MAX_DEPTH) return null;
  const { type, enum: allowed } = rules;
  const types = (typeof type === 'string' ? [type] : asList(type)).filter(
    (name) => typeof name === 'string',
  );
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) {
    return { path, text: 'requestType', values: { type: types.join(' / ') } };
  }
  if (Array.isArray(allowed) && !asList(allowed).some((item) => isSame(item, value))) {
    return { path, text: 'requestNoChoice' };
  }
  return validateSize(value, rules, path) ?? validateChildren(value, rules, path);
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return asRecord(value) !== null;
  return typeof value === type;
}

function isSame(left: Json, right: Json): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** The keywords for the lower and upper limit of numbers, strings and arrays, and the strings of their errors. */
const SIZE_KEYWORDS = [
  ['minimum', 'maximum', 'requestTooSmall', 'requestTooBig'],
  ['minLength', 'maxLength', 'requestTooShort', 'requestTooLong'],
  ['minItems', 'maxItems', 'requestTooFew', 'requestTooMany'],
] as const;

function validateSize(
  value: Json,
  rules: JsonRecord,
  path: readonly string[],
): ValidationError | null {
  const typeIndex = ['number', 'string', 'object'].indexOf(typeof value);
  const keywords = SIZE_KEYWORDS[typeIndex];
  if (!keywords || (typeIndex === 2 && !Array.isArray(value))) return null;
  // JSON Schema counts the characters of a string instead of its UTF-16 units.
  const size = typeof value === 'number' ? value : [...(value as string | readonly Json[])].length;
  const [minimumKeyword, maximumKeyword, tooSmall, tooBig] = keywords;
  const minimum = rules[minimumKeyword];
  const maximum = rules[maximumKeyword];
  if (typeof minimum === 'number' && size < minimum) {
    return { path, text: tooSmall, values: { count: minimum } };
  }
  if (typeof maximum === 'number' && size > maximum) {
    return { path, text: tooBig, values: { count: maximum } };
  }
  return null;
}

function validateChildren(
  value: Json,
  rules: JsonRecord,
  path: readonly string[],
): ValidationError | null {
  for (const [index, item] of asList(value).entries()) {
    const error = validateJson(item, rules['items'], [...path, `${index + 1}`]);
    if (error) return error;
  }
  const fields = new Map(Object.entries(asRecord(value) ?? {}));
  if (!asRecord(value)) return null;
  for (const name of asList(rules['required'])) {
    if (typeof name === 'string' && fields.get(name) === undefined) {
      return { path: [...path, name], text: 'requestMissing' };
    }
  }
  for (const [name, schema] of Object.entries(asRecord(rules['properties']) ?? {})) {
    const field = fields.get(name);
    const error = field === undefined ? null : validateJson(field, schema, [...path, name]);
    if (error) return error;
  }
  return null;
}

/** White space and a token: punctuation, a string, another scalar, or nothing if no token matches. */
const TOKEN =
  /[\t\n\r ]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|)/y;

/** What the parser expects next. `item` and `first-name` follow an opening bracket, `end` follows a value. */
type ParserState = 'value' | 'item' | 'first-name' | 'name' | 'colon' | 'end';

/** Returns the index at which a text is no longer JSON; its length if the end is missing; null for valid JSON. */
export function findJsonSyntaxError(text: string): number | null {
  const closers: string[] = [];
  let state: ParserState = 'value';
  for (let at = 0; ; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [match = '', mark = '', string = '', scalar = ''] = TOKEN.exec(text) ?? [];
    const start = at + match.length - (mark + string + scalar).length;
    if (start >= text.length) return state === 'end' && closers.length === 0 ? null : start;
    const next = nextState(state, { mark, string, scalar }, closers);
    if (!next) return start;
    state = next;
  }
}

interface Token {
  readonly mark: string;
  readonly string: string;
  readonly scalar: string;
}

/** Returns the state after a token; null for an invalid token. Updates the stack of expected closing brackets. */
function nextState(
  state: ParserState,
  { mark, string, scalar }: Token,
  closers: string[],
): ParserState | null {
  const isClosing = mark !== '' && mark === closers.at(-1);
  if (isClosing && ['end', mark === ']' ? 'item' : 'first-name'].includes(state)) {
    closers.pop();
    return 'end';
  }
  if (state === 'end') {
    if (mark !== ',' || closers.length === 0) return null;
    return closers.at(-1) === ']' ? 'value' : 'name';
  }
  if (state === 'colon') return mark === ':' ? 'value' : null;
  if (state === 'name' || state === 'first-name') return string === '' ? null : 'colon';
  if (mark === '{' || mark === '[') {
    closers.push(mark === '{' ? '}' : ']');
    return mark === '{' ? 'first-name' : 'item';
  }
  return string === '' && scalar === '' ? null : 'end';
}
