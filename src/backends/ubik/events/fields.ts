import type { Json } from '../../../model/json.js';

/** An object from the network: read by fixed names only, never written to, never merged by assignment. */
export type Fields = Readonly<Record<string, unknown>>;

/** What Python writes for "nothing" when a value was turned into a text. */
const EMPTY_IDS: ReadonlySet<string> = new Set(['', 'None', 'null']);

/** The value as an object; null when it is none. Lists are none. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

/** The value as a list; empty when it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The first of these fields that is a text; null when none is. */
export function readText(fields: Fields, ...names: readonly string[]): string | null {
  return names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? null;
}

/** A field that names something. Numbers are taken as their digits; `"None"`, `"null"` and `""` name nothing. */
export function readId(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && !EMPTY_IDS.has(value) ? value : null;
}

/** A finite number; digits in a text count. */
export function readNumber(fields: Fields, name: string): number | null {
  const value = fields[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A whole number from 0 up to a million, such as that of a step. */
export function readCount(fields: Fields, name: string): number | null {
  const number = readNumber(fields, name);
  return number !== null && Number.isInteger(number) && number >= 0 && number <= 1e6
    ? number
    : null;
}

/** A percentage, brought into 0 … 100. */
export function readPercent(fields: Fields, name: string): number | null {
  const number = readNumber(fields, name);
  return number === null ? null : Math.min(100, Math.max(0, number));
}

/** A yes or no; null when it is neither. */
export function readFlag(fields: Fields, name: string): boolean | null {
  const value = fields[name];
  return typeof value === 'boolean' ? value : null;
}

/** The texts of a list; a lone text is a list of one. */
export function readTexts(fields: Fields, name: string): string[] {
  const value = fields[name];
  if (typeof value === 'string') return value === '' ? [] : [value];
  return asList(value).filter((item): item is string => typeof item === 'string');
}

/** Ids of a list, without the empty ones. */
export function readIds(fields: Fields, name: string): string[] {
  return readTexts(fields, name).filter((id) => !EMPTY_IDS.has(id));
}

/** What was said: the values that are not null. */
export function omitNulls<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const said = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(said) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Any value, as the plain data that it is: it came out of `JSON.parse`. */
export function readJson(fields: Fields, name: string): Json {
  return toJson(fields[name]);
}

/** A value out of `JSON.parse` as the type of such values; undefined becomes null. */
export function toJson(value: unknown): Json {
  return (value ?? null) as Json;
}
