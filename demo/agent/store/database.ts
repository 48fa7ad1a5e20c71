import sqlite from 'node-sqlite3-wasm';

/** Value of a column. */
export type SqlValue = string | number | null | Uint8Array;

/** A minimal SQLite interface. It is synchronous, so that transactions never interleave. */
export interface Database {
  /** Runs a statement; returns the number of changed rows. */
  run(sql: string, values?: readonly SqlValue[]): number;
  /** The first row, or null. */
  one<T>(sql: string, values?: readonly SqlValue[]): T | null;
  all<T>(sql: string, values?: readonly SqlValue[]): T[];
  /** Runs several statements without parameters. */
  script(sql: string): void;
  /** Runs `work` in a transaction. Calls may be nested; the outermost one commits. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens a database file with an exclusive lock.
 *
 * The lock is held until the database is closed, which makes each read about ten times faster and rejects a second process.
 * `synchronous=OFF` is safe against a killed process, since the operating system has the written data; it is
 * not safe against a power failure, which is acceptable for a demo.
 */
export function openDatabase(file: string): Database {
  const connection = new sqlite.Database(file);
  connection.exec('PRAGMA locking_mode=EXCLUSIVE');
  connection.get('PRAGMA journal_mode=TRUNCATE');
  connection.exec('PRAGMA synchronous=OFF');
  // 32 MiB: with the default of 2 MiB, indexing a long text reads the file again and again.
  connection.exec('PRAGMA cache_size=-32768');
  connection.exec('PRAGMA foreign_keys=ON');
  let depth = 0;
  const transaction = <T>(work: () => T): T => {
    if (depth > 0) return work();
    connection.exec('BEGIN IMMEDIATE');
    depth += 1;
    try {
      const result = work();
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    } finally {
      depth -= 1;
    }
  };
  return {
    run: (sql, values = []) => connection.run(sql, [...values]).changes,
    one: <T>(sql: string, values: readonly SqlValue[] = []) =>
      (connection.get(sql, [...values]) ?? null) as T | null,
    all: <T>(sql: string, values: readonly SqlValue[] = []) =>
      connection.all(sql, [...values]) as T[],
    script: (sql) => {
      connection.exec(sql);
    },
    transaction,
    close: () => {
      connection.close();
    },
  };
}
