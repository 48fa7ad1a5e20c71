import { UbikError } from '../errors.js';
import type { Json } from '../model/json.js';
import type { SliceYield } from '../transport/slice-yield.js';

/** An untrusted object: read it by fixed names only, never write to it, never merge it by assignment. */
export type Fields = Readonly<Record<string, unknown>>;

/** Strings that Python services write for a missing value. */
const EMPTY_IDS: ReadonlySet<string> = new Set(['', 'None', 'null']);

/** Returns the value if it is an object; null for anything else, arrays included. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null;
}

/** Returns the value if it is an array; an empty array for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Returns the first of these fields that is a string; null when there is none. */
export function readString(fields: Fields, ...names: readonly string[]): string | null {
  return names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? null;
}

/** Reads an id. A number is read as its digits; `"None"`, `"null"` and `""` are no ids. */
export function readId(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && !EMPTY_IDS.has(value) ? value : null;
}

/** Reads a finite number, also from a string. */
export function readNumber(fields: Fields, name: string): number | null {
  const value = fields[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Reads an integer from 0 to a million, such as the number of a step. */
export function readCount(fields: Fields, name: string): number | null {
  const number = readNumber(fields, name);
  return number !== null && Number.isInteger(number) && number >= 0 && number <= 1e6
    ? number
    : null;
}

/** Reads a percentage, clamped to 0 … 100. */
export function readPercent(fields: Fields, name: string): number | null {
  const number = readNumber(fields, name);
  return number === null ? null : Math.min(100, Math.max(0, number));
}

/** Reads a boolean; null for anything else. */
export function readFlag(fields: Fields, name: string): boolean | null {
  const value = fields[name];
  return typeof value === 'boolean' ? value : null;
}

/** Reads a list of strings; a single string is read as a list of one, an empty string as an empty list. */
export function readStrings(fields: Fields, name: string): string[] {
  const value = fields[name];
  if (typeof value === 'string') return value === '' ? [] : [value];
  return asList(value).filter((item): item is string => typeof item === 'string');
}

/** Reads a list of ids, without empty ones. */
export function readIds(fields: Fields, name: string): string[] {
  return readStrings(fields, name).filter((id) => !EMPTY_IDS.has(id));
}

/** Returns the fields of an object that are not null. */
export function omitNulls<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const present = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(present) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Returns a field as JSON. The object must come from `JSON.parse`. */
export function readJson(fields: Fields, name: string): Json {
  return toJson(fields[name]);
}

/** Returns a value as JSON. It must come from `JSON.parse`; undefined becomes null. */
export function toJson(value: unknown): Json {
  return (value ?? null) as Json;
}

/** Creates a function that reads objects with an id. It returns null for any other value. */
export function createRecordReader<T>(
  read: (fields: Fields, id: string) => T,
  idName = 'id',
): (value: unknown) => T | null {
  return (value) => {
    const fields = asFields(value);
    const id = fields && readId(fields, idName);
    return id ? read(fields, id) : null;
  };
}

/**
 * Returns a value that was read.
 *
 * @throws {UbikError} `not-an-api` for null: another server than the service has responded.
 */
export function requireValue<T>(found: T | null, what: string): T {
  if (found === null) throw new UbikError('not-an-api', { offender: what });
  return found;
}

/** Reads a list that is the response itself or one of its fields. Skips invalid entries. */
export function readList<T>(value: unknown, name: string, read: (item: unknown) => T | null): T[] {
  return requireList(value, name).flatMap((item) => read(item) ?? []);
}

/** Reads a list as {@link readList} does, in slices. */
export async function readListInSlices<T>(
  value: unknown,
  name: string,
  read: (item: unknown) => T | null,
  yieldSlice: SliceYield,
): Promise<T[]> {
  const items: T[] = [];
  for (const entry of requireList(value, name)) {
    const item = read(entry);
    if (item !== null) items.push(item);
    const yielding = yieldSlice();
    if (yielding) await yielding;
  }
  return items;
}

function requireList(value: unknown, name: string): readonly unknown[] {
  const list: unknown = Array.isArray(value) ? value : asFields(value)?.[name];
  return requireValue(Array.isArray(list) ? (list as readonly unknown[]) : null, name);
}
