import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { parseCsv } from '../documents/parse-csv.js';
import { ToolError } from '../run/run-errors.js';

/** A value of a result row. */
export type Cell = string | number | null;

/** Result of a query. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether rows were omitted. */
  readonly more: boolean;
}

/** The sample database: sixty rivers, the countries that they cross, and the cities on them. Read-only. */
export interface RiverDatabase {
  /** Names of all rivers, countries and cities, for parsing questions. */
  readonly names: RiverNames;
  /** Runs one query. Throws `ToolFailure` if it is invalid or takes too long. */
  query(sql: string, parameters: readonly Cell[]): Promise<QueryResult>;
  close(): Promise<void>;
}

/** Names that a question can contain. */
export interface RiverNames {
  readonly rivers: readonly string[];
  readonly countries: readonly string[];
  readonly cities: readonly string[];
  readonly mouths: readonly string[];
}

const TIME_LIMIT_MS = 4000;

interface Reply extends Partial<QueryResult> {
  readonly id: number;
  readonly error?: string;
}

/** Reads the sample tables. Queries run in a worker, which is started for the first query. */
export function openRiverDatabase(folder: URL): RiverDatabase {
  const tables = readTables(folder);
  let worker: Worker | null = null;
  let count = 0;
  const start = (): Worker => {
    const started = new Worker(new URL('./sql-worker.mjs', import.meta.url), {
      workerData: { tables: tables.forWorker },
      execArgv: [],
    });
    started.unref();
    return started;
  };
  return {
    names: tables.names,
    query: (sql, parameters) => {
      assertReadOnly(sql);
      worker ??= start();
      count += 1;
      return ask(worker, { id: count, sql, parameters }, () => {
        // A running query cannot be cancelled, so the worker is terminated.
        void worker?.terminate();
        worker = null;
      });
    },
    close: async () => {
      await worker?.terminate();
      worker = null;
    },
  };
}

function ask(
  worker: Worker,
  question: { id: number; sql: string; parameters: readonly Cell[] },
  giveUp: () => void,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', listen);
      worker.off('error', fail);
      worker.off('exit', fail);
    };
    const listen = (reply: Reply): void => {
      if (reply.id !== question.id) return;
      settle();
      const { columns = [], rows = [], more = false, error } = reply;
      if (error === undefined) resolve({ columns, rows, more });
      else reject(new ToolError(`The query could not be run: ${error}.`));
    };
    const fail = (): void => {
      settle();
      giveUp();
      reject(new ToolError('The database broke off.'));
    };
    const timer = setTimeout(() => {
      settle();
      giveUp();
      reject(new ToolError('The query took longer than four seconds and was ended.'));
    }, TIME_LIMIT_MS);
    worker.on('message', listen);
    worker.once('error', fail);
    worker.once('exit', fail);
    worker.postMessage(question);
  });
}

function assertReadOnly(sql: string): void {
  const statement = sql.trim().replace(/;\s*$/u, '');
  if (!/^(?:select|with|values)\b/iu.test(statement)) {
    throw new ToolError('Only reading is allowed: a query begins with SELECT.');
  }
  if (statement.includes(';')) throw new ToolError('Only one statement is allowed.');
}

interface TableForWorker {
  readonly sql: { readonly create: string; readonly insert: string };
  readonly rows: readonly (readonly Cell[])[];
}

function readTables(folder: URL): { names: RiverNames; forWorker: TableForWorker[] } {
  const read = (name: string): string[][] =>
    parseCsv(readFileSync(new URL(`${name}.csv`, folder), 'utf8')).slice(1);
  const rivers = read('rivers');
  const countries = read('countries');
  const cities = read('cities');
  const crossings = rivers.flatMap((row) =>
    (row[5] ?? '').split(' ').map((code) => [row[0] ?? '', code]),
  );
  return {
    names: {
      rivers: rivers.map((row) => row[0] ?? ''),
      countries: countries.map((row) => row[1] ?? ''),
      cities: cities.map((row) => row[0] ?? ''),
      mouths: [...new Set(rivers.map((row) => row[4] ?? ''))],
    },
    forWorker: [
      table(
        'rivers',
        'name TEXT PRIMARY KEY, length_km INT, basin_km2 INT, discharge_m3s INT, flows_into TEXT',
        rivers.map((row) => row.slice(0, 5)),
      ),
      table(
        'countries',
        'code TEXT PRIMARY KEY, name TEXT, capital TEXT, area_km2 INT, population_millions REAL',
        countries,
      ),
      table(
        'river_countries',
        'river TEXT, country TEXT, place INTEGER PRIMARY KEY',
        crossings.map((row, place) => [...row, String(place)]),
      ),
      table('cities', 'name TEXT, country TEXT, population_thousands INT, river TEXT', cities),
    ],
  };
}

function table(
  name: string,
  columns: string,
  rows: readonly (readonly string[])[],
): TableForWorker {
  const places = columns
    .split(',')
    .map(() => '?')
    .join(', ');
  return {
    sql: {
      create: `CREATE TABLE ${name} (${columns})`,
      insert: `INSERT INTO ${name} VALUES (${places})`,
    },
    rows: rows.map((row) => row.map((cell) => (cell === '' ? null : cell))),
  };
}
