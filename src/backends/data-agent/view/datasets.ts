import type { DataCell, DataColumn, Dataset } from '../../../model/part.js';
import { asFields, asList } from '../../fields.js';
import { printJson } from './read-json.js';

/** An ISO date, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** A decimal number as databases return it. Digits alone may be an identifier. */
const DECIMAL = /^-?\d+\.\d+$/;

/**
 * Rows as a dataset: from a list of objects, which are the rows, or from an object of lists, which are the columns. Null when it is
 * neither, or when there are no columns.
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

/** Turns lists by column into records. Lists that are shorter than the longest have no value in the other rows. */
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
  if (typeof value === 'object') return printJson(value);
  return value as DataCell;
}

/** The type that all values of a column have. Null has any. */
function findType(cells: readonly DataCell[]): DataColumn['type'] {
  const values = cells.filter((cell) => cell !== null);
  const isNumber = (value: DataCell): boolean =>
    typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  if (values.length === 0) return 'text';
  if (values.every(isNumber)) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.every((value) => typeof value === 'string' && DATE.test(value)) ? 'date' : 'text';
}
