import type { StringName, Values } from '../../locales/locale.js';
import type { Json } from '../../model/json.js';

/** Deepest level that is looked at; below it the service decides. */
const MAX_DEPTH = 20;

/** What keeps a value from fitting a schema. */
export interface ValidationError {
  /** The way to it: names and numbers. */
  readonly path: readonly string[];
  readonly text: StringName;
  readonly values?: Values;
}

/** Fields of a record from the network; none for anything else. */
export type JsonRecord = Readonly<Record<string, Json | undefined>>;

/** A record, as its fields; null for anything else. */
export function asRecord(value: Json | undefined): JsonRecord | null {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as JsonRecord) : null;
}

/** A list from the network; empty for anything else. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/**
 * The first thing about a value that a JSON Schema does not allow; null when there is none. Looks at types, required fields, `enum`
 * and limits of size; whatever else a schema says is for the service to decide. Patterns from the network are never run.
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
    (one) => typeof one === 'string',
  );
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return { path, text: 'requestType', values: { type: types.join(' / ') } };
  }
  if (Array.isArray(allowed) && !asList(allowed).some((one) => isSame(one, value))) {
    return { path, text: 'requestNoChoice' };
  }
  return findBadSize(value, rules, path) ?? findInside(value, rules, path);
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

/** Keywords that limit a size, the one from below first, and what is said when it is not kept. */
const SIZES = [
  ['minimum', 'maximum', 'requestTooSmall', 'requestTooBig'],
  ['minLength', 'maxLength', 'requestTooShort', 'requestTooLong'],
  ['minItems', 'maxItems', 'requestTooFew', 'requestTooMany'],
] as const;

function findBadSize(
  value: Json,
  rules: JsonRecord,
  path: readonly string[],
): ValidationError | null {
  const kind = ['number', 'string', 'object'].indexOf(typeof value);
  const names = SIZES[kind];
  if (!names || (kind === 2 && !Array.isArray(value))) return null;
  // Characters of a text, or items of a list.
  const size = typeof value === 'number' ? value : [...(value as string | readonly Json[])].length;
  const [least, most, tooLittle, tooMuch] = names;
  const low = rules[least];
  const high = rules[most];
  if (typeof low === 'number' && size < low)
    return { path, text: tooLittle, values: { count: low } };
  if (typeof high === 'number' && size > high)
    return { path, text: tooMuch, values: { count: high } };
  return null;
}

function findInside(
  value: Json,
  rules: JsonRecord,
  path: readonly string[],
): ValidationError | null {
  for (const [index, item] of asList(value).entries()) {
    const misfit = validateJson(item, rules['items'], [...path, `${index + 1}`]);
    if (misfit) return misfit;
  }
  const fields = new Map(Object.entries(asRecord(value) ?? {}));
  if (!asRecord(value)) return null;
  for (const name of asList(rules['required'])) {
    if (typeof name === 'string' && fields.get(name) === undefined) {
      return { path: [...path, name], text: 'requestMissing' };
    }
  }
  for (const [name, inner] of Object.entries(asRecord(rules['properties']) ?? {})) {
    const field = fields.get(name);
    const misfit = field === undefined ? null : validateJson(field, inner, [...path, name]);
    if (misfit) return misfit;
  }
  return null;
}

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
