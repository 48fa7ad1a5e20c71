// Runs the queries of a database in a worker, so that a slow one can be terminated. It is plain JavaScript,
// because a worker does not inherit the TypeScript loader of its parent.
import { parentPort, workerData } from 'node:worker_threads';
import sqlite from 'node-sqlite3-wasm';

/** Maximum number of rows of a result. */
const MAX_ROWS = 200;
/** Longest text of a cell, in UTF-16 units. */
const MAX_TEXT = 500;

const database = new sqlite.Database(':memory:');
for (const { sql, rows } of workerData.tables) {
  database.exec(sql.create);
  const statement = database.prepare(sql.insert);
  database.exec('BEGIN');
  for (const row of rows) statement.run(row);
  database.exec('COMMIT');
  statement.finalize();
}
// From here on, queries can change nothing.
database.exec('PRAGMA query_only = ON');

parentPort.on('message', ({ id, sql, parameters }) => {
  parentPort.postMessage({ id, started: true });
  try {
    parentPort.postMessage({ id, ...query(sql, parameters) });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error.message ?? error) });
  }
});

function query(sql, parameters) {
  // Rows are objects by column name. SQLite gives the columns of a subquery different names: `a`, `a:1`.
  const text = sql.trim().replace(/;$/u, '');
  const statement = database.prepare(`SELECT * FROM (${text}\n)`);
  try {
    const rows = [];
    let more = false;
    for (const row of statement.iterate(parameters)) {
      if (rows.length === MAX_ROWS) {
        more = true;
        break;
      }
      rows.push(row);
    }
    const columns = Object.keys(rows[0] ?? {});
    return { columns, rows: rows.map((row) => columns.map((name) => plain(row[name]))), more };
  } finally {
    statement.finalize();
  }
}

function plain(value) {
  if (typeof value === 'string')
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value === 'number' || value === null || value === undefined) return value ?? null;
  return typeof value === 'bigint' ? value.toString() : `(${value.length} bytes)`;
}
