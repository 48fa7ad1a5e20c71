import type { DataCell, DataColumn, Dataset } from '../../../model/part.js';
import { asFields, asList } from '../../fields.js';
import { formatJson } from './format-json.js';

/** An ISO date, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** A decimal number as databases return it. A text of digits only may be an identifier. */
const DECIMAL = /^-?\d+\.\d+$/;

/**
 * Converts data to a dataset: a list of objects (the rows), or an object of lists (the columns). Null for anything else, and without rows
 * or columns.
 */
export function toDataset(data: unknown): Dataset | null {
  const rows = Array.isArray(data) ? asList(data) : transpose(data);
  const records = rows.map(asFields);
  const names = new Set<string>();
  for (const record of records) {
    if (!record) return null;
    for (const name of Object.keys(record)) names.add(name);
  }
  if (names.size === 0) return null;
  const cells = records.map((record) =>
    [...names].map((name) => toCell(record && Object.hasOwn(record, name) ? record[name] : null)),
  );
  const columns = [...names].map((name, index) => ({
    name,
    type: findType(cells.map((row) => row[index] ?? null)),
  }));
  return { columns, rows: cells };
}

/**
 * Converts lists by column into records. A column that is shorter than the longest one is filled with null. Returns `[null]`, which no
 * dataset can be made of, for an object with any other value.
 */
function transpose(data: unknown): readonly unknown[] {
  const columns = Object.entries(asFields(data) ?? {});
  if (!columns.every(([, values]) => Array.isArray(values))) return [null];
  const length = Math.max(0, ...columns.map(([, values]) => asList(values).length));
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(columns.map(([name, values]) => [name, asList(values)[index] ?? null])),
  );
}

function toCell(value: unknown): DataCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return formatJson(value);
  return value as DataCell;
}

/** Returns the common type of all values of a column; `text` when there is none. Null fits every type. */
function findType(cells: readonly DataCell[]): DataColumn['type'] {
  const values = cells.filter((cell) => cell !== null);
  const isNumber = (value: DataCell): boolean =>
    typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  if (values.length === 0) return 'text';
  if (values.every(isNumber)) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.every((value) => typeof value === 'string' && DATE.test(value)) ? 'date' : 'text';
}
