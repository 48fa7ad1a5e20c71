import { readFileSync } from 'node:fs';
import { parseCsv } from '../documents/parse-csv.js';
import { createRiverSchema } from '../query/river-schema.js';
import type { Schema } from '../query/schema.js';
import {
  createSqlTable,
  openSqlDatabase,
  type SqlDatabase,
  type SqlTable,
} from './sql-database.js';

/** The sample database: sixty rivers, the countries that they cross, and the cities on them. Read-only. */
export interface RiverDatabase extends SqlDatabase {
  /** Its tables with the names of all rows, for reading questions. */
  readonly schema: Schema;
  /** The names of its rivers. */
  readonly rivers: readonly string[];
}

/** Reads the sample tables. */
export function openRiverDatabase(folder: URL): RiverDatabase {
  const read = (name: string): string[][] =>
    parseCsv(readFileSync(new URL(`${name}.csv`, folder), 'utf8')).slice(1);
  const tables = { rivers: read('rivers'), countries: read('countries'), cities: read('cities') };
  const column = (rows: readonly string[][], index: number): string[] =>
    rows.map((row) => row[index] ?? '');
  const rivers = column(tables.rivers, 0);
  const schema = createRiverSchema({
    rivers,
    countries: column(tables.countries, 1),
    cities: column(tables.cities, 0),
    capitals: column(tables.countries, 2),
    mouths: [...new Set(column(tables.rivers, 4))],
  });
  return { ...openSqlDatabase(createTables(tables)), schema, rivers };
}

function createTables(tables: {
  readonly rivers: readonly string[][];
  readonly countries: readonly string[][];
  readonly cities: readonly string[][];
}): SqlTable[] {
  const crossings = tables.rivers.flatMap((row) =>
    (row[5] ?? '').split(' ').map((code) => [row[0] ?? '', code]),
  );
  return [
    createSqlTable(
      'rivers',
      [
        'name TEXT PRIMARY KEY',
        'length_km INT',
        'basin_km2 INT',
        'discharge_m3s INT',
        'flows_into TEXT',
      ],
      tables.rivers.map((row) => withNulls(row.slice(0, 5))),
    ),
    createSqlTable(
      'countries',
      [
        'code TEXT PRIMARY KEY',
        'name TEXT',
        'capital TEXT',
        'area_km2 INT',
        'population_millions REAL',
      ],
      tables.countries.map(withNulls),
    ),
    createSqlTable(
      'river_countries',
      ['river TEXT', 'country TEXT', 'place INTEGER PRIMARY KEY'],
      crossings.map((row, place) => [...row, place]),
    ),
    createSqlTable(
      'cities',
      ['name TEXT', 'country TEXT', 'population_thousands INT', 'river TEXT'],
      tables.cities.map(withNulls),
    ),
  ];
}

function withNulls(row: readonly string[]): (string | null)[] {
  return row.map((cell) => (cell === '' ? null : cell));
}
