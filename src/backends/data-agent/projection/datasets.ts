import type { DataCell, DataColumn, Dataset } from '../../../model/part.js';
import { asFields, asList } from '../../fields.js';
import { formatJson } from './format-json.js';

/** An ISO date, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** A decimal number as databases return it. A text of digits only may be an identifier. */
const DECIMAL = /^-?\d+\.\d+$/;

/** Number of cells up to which a table may be mostly empty. */
const MAX_SPARSE_CELLS = 1_000_000;
/** In a larger table, at least one in this many cells must have a value. */
const MAX_CELLS_PER_VALUE = 8;

/**
 * Converts data to a dataset: a list of objects (the rows), or an object of lists (the columns). Null for any other data, for data without
 * rows or columns, and for a large table of which most cells would be empty, because its size is not bounded by that of the data.
 */
export function toDataset(data: unknown): Dataset | null {
  const rows = Array.isArray(data) ? asList(data) : transpose(data);
  const records = rows.map(asFields);
  const names = new Set<string>();
  let valueCount = 0;
  for (const record of records) {
    if (!record) return null;
    const own = Object.keys(record);
    for (const name of own) names.add(name);
    valueCount += own.length;
  }
  if (names.size === 0 || isSparse(records.length * names.size, valueCount)) return null;
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
 * Converts lists by column into records. A column that is shorter than the longest one is filled with null. Returns `[null]`, from which
 * `toDataset` makes no dataset, for an object with any other value, and if most cells of a large table would be filled with null.
 */
function transpose(data: unknown): readonly unknown[] {
  const columns = Object.entries(asFields(data) ?? {});
  let length = 0;
  let valueCount = 0;
  for (const [, values] of columns) {
    if (!Array.isArray(values)) return [null];
    length = Math.max(length, values.length);
    valueCount += values.length;
  }
  if (isSparse(length * columns.length, valueCount)) return [null];
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(columns.map(([name, values]) => [name, asList(values)[index] ?? null])),
  );
}

const isSparse = (cellCount: number, valueCount: number): boolean =>
  cellCount > MAX_SPARSE_CELLS && cellCount > MAX_CELLS_PER_VALUE * valueCount;

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
