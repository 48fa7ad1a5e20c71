import type { Json } from '../../../model/json.js';

/** Values in one message. */
const MAX_VALUES = 500_000;
/** Units of text in one message, names included: twice what a message may be long. */
const MAX_TEXT = 16 * 1024 * 1024;
const MAX_DEPTH = 100;
const UNSAFE = /^(?:__proto__|prototype|constructor)$/u;

/** Whether a value is plain data of a bearable size: no object of a class, no name that reaches a prototype. Costs its size. */
export function isPlainData(value: unknown): value is Json {
  let values = 0;
  let units = 0;
  const isText = (text: string) => (units += text.length) <= MAX_TEXT;
  const check = (each: unknown, depth: number): boolean => {
    values += 1;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
    if (typeof each === 'string') return isText(each);
    if (typeof each === 'number') return Number.isFinite(each);
    if (each === null || typeof each === 'boolean') return true;
    if (Array.isArray(each)) return each.every((item) => check(item, depth + 1));
    if (!isRecord(each)) return false;
    return Object.entries(each).every(
      ([name, item]) => !UNSAFE.test(name) && isText(name) && check(item, depth + 1),
    );
  };
  return check(value, 0);
}

/** Fields by name, of a kind that is not known yet. */
export interface Fields {
  readonly [name: string]: unknown;
}

/** Whether a value is an object and of no class. */
export function isRecord(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === 'string',
  n: (value) => typeof value === 'number',
  b: (value) => typeof value === 'boolean',
  l: (value) => Array.isArray(value),
  t: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  o: isRecord,
  j: (value) => value !== undefined,
};

/**
 * Whether fields have the types that a text like `"name:s step:n?"` says: string, number, boolean, list, list of texts, object,
 * anything. A question mark allows null. Other fields may be there.
 */
export function hasFields(value: unknown, types: string): value is Fields {
  if (!isRecord(value)) return false;
  return types.split(' ').every((each) => {
    const [name = '', type = ''] = each.split(':');
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (type.endsWith('?') && field === null) return true;
    return TYPES[type.replace('?', '')]?.(field) ?? false;
  });
}
