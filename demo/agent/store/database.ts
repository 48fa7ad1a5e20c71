import sqlite from 'node-sqlite3-wasm';

/** What a column can hold. */
export type SqlValue = string | number | null | Uint8Array;

/** The few words in which the agent speaks to SQLite. Everything is synchronous, so a unit of work is never torn. */
export interface Database {
  /** Changes rows; returns how many. */
  run(sql: string, values?: readonly SqlValue[]): number;
  /** The first row, or null. */
  one<T>(sql: string, values?: readonly SqlValue[]): T | null;
  all<T>(sql: string, values?: readonly SqlValue[]): T[];
  /** Several statements without values. */
  script(sql: string): void;
  /** All of it or nothing. Calls may be nested; the outermost one commits. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens a database file for this process alone.
 *
 * The lock is kept until the end: that makes each read about ten times cheaper, and a second process is refused at once.
 * `synchronous=OFF` is safe against a killed process, since the operating system still holds what was written; it is
 * not safe against a power cut, which a demo may lose a moment to.
 */
export function openDatabase(file: string): Database {
  const connection = new sqlite.Database(file);
  connection.exec('PRAGMA locking_mode=EXCLUSIVE');
  connection.get('PRAGMA journal_mode=TRUNCATE');
  connection.exec('PRAGMA synchronous=OFF');
  // 32 MiB: with the usual 2 an index of a long text is read from the file again and again.
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
