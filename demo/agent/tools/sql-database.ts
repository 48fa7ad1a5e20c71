import { Worker } from 'node:worker_threads';
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

/** A table with its rows. */
export interface SqlTable {
  readonly sql: { readonly create: string; readonly insert: string };
  readonly rows: readonly (readonly Cell[])[];
}

/** A read-only database in memory. */
export interface SqlDatabase {
  /** Runs one query. Throws a `ToolError` if it is invalid or takes too long. */
  query(sql: string, parameters: readonly Cell[]): Promise<QueryResult>;
  close(): Promise<void>;
}

/** Maximum time of a query, without the time in which the worker starts or runs earlier queries. */
const TIME_LIMIT_MS = 4000;

interface Reply extends Partial<QueryResult> {
  readonly id: number;
  /** Whether the query has started; its result or error follows. */
  readonly started?: boolean;
  readonly error?: string;
}

/**
 * Opens a database of these tables. Queries run in a worker, which is started for the first query and for the first one after the worker has
 * stopped.
 */
export function openSqlDatabase(tables: readonly SqlTable[]): SqlDatabase {
  let worker: Worker | null = null;
  let count = 0;
  const start = (): Worker => {
    const started = new Worker(new URL('./sql-worker.mjs', import.meta.url), {
      workerData: { tables },
      execArgv: [],
    });
    started.unref();
    return started;
  };
  return {
    query: (sql, parameters) => {
      assertReadOnly(sql);
      const asked = (worker ??= start());
      count += 1;
      return ask(asked, { id: count, sql, parameters }, () => {
        // A running query cannot be cancelled, so the worker is terminated. Another one may have been started since.
        void asked.terminate();
        if (worker === asked) worker = null;
      });
    },
    close: async () => {
      await worker?.terminate();
      worker = null;
    },
  };
}

/**
 * Describes a table for a database.
 *
 * @param columns Names with their types, as `CREATE TABLE` has them.
 */
export function createSqlTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): SqlTable {
  return {
    sql: {
      create: `CREATE TABLE ${name} (${columns.join(', ')})`,
      insert: `INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`,
    },
    rows,
  };
}

function ask(
  worker: Worker,
  question: { id: number; sql: string; parameters: readonly Cell[] },
  discardWorker: () => void,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const cleanUp = (): void => {
      clearTimeout(timer);
      worker.off('message', listen);
      worker.off('error', fail);
      worker.off('exit', fail);
    };
    const end = (): void => {
      cleanUp();
      discardWorker();
      reject(new ToolError('The query took longer than four seconds and was ended.'));
    };
    const listen = (reply: Reply): void => {
      if (reply.id !== question.id) return;
      if (reply.started) {
        timer = setTimeout(end, TIME_LIMIT_MS);
        return;
      }
      cleanUp();
      const { columns = [], rows = [], more = false, error } = reply;
      if (error === undefined) resolve({ columns, rows, more });
      else reject(new ToolError(`The query could not be run: ${error}.`));
    };
    const fail = (): void => {
      cleanUp();
      discardWorker();
      reject(new ToolError('The database stopped unexpectedly.'));
    };
    worker.on('message', listen);
    worker.once('error', fail);
    worker.once('exit', fail);
    worker.postMessage(question);
  });
}

/** The worker allows no writing; this check also rejects statements such as `PRAGMA`, which could allow it again. */
function assertReadOnly(sql: string): void {
  const statement = sql.trim().replace(/;\s*$/u, '');
  if (!/^(?:select|with|values)\b/iu.test(statement)) {
    throw new ToolError('Only reading is allowed: a query begins with SELECT.');
  }
  if (statement.includes(';')) throw new ToolError('Only one statement is allowed.');
}
