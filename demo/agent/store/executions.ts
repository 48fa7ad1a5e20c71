import type { Json, JsonObject } from '../json.js';
import type { Database } from './database.js';

/** One call of a tool. */
export interface ExecutionRow {
  readonly id: string;
  readonly tool_id: string;
  readonly tool_name: string;
  readonly owner: string | null;
  readonly session_id: string;
  readonly task_id: string;
  readonly status: string;
  readonly inputs: string;
  readonly outputs: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

/** Fields of a new execution. */
export interface NewExecution {
  readonly id: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly owner: string | null;
  readonly sessionId: string;
  readonly taskId: string;
  readonly inputs: JsonObject;
}

/** Stores a running execution. */
export function insertExecution(database: Database, execution: NewExecution, now: string): void {
  database.run(
    `INSERT INTO executions (id, tool_id, tool_name, owner, session_id, task_id, status, inputs, created_at, started_at)
     VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)`,
    [
      execution.id,
      execution.toolId,
      execution.toolName,
      execution.owner,
      execution.sessionId,
      execution.taskId,
      JSON.stringify(execution.inputs),
      now,
      now,
    ],
  );
}

/** Updates the status of an execution, for example when it waits for input. */
export function setExecutionStatus(database: Database, id: string, status: string): void {
  database.run('UPDATE executions SET status = ? WHERE id = ?', [status, id]);
}

/** Marks an execution as running again and stores the user's answer in its outputs until the tool has ended. */
export function storeToolAnswer(database: Database, id: string, answer: Json): void {
  database.run("UPDATE executions SET status = 'running', outputs = ? WHERE id = ?", [
    JSON.stringify({ kept_answer: answer }),
    id,
  ]);
}

/** An execution that has not ended. */
export interface OpenExecution {
  readonly id: string;
  readonly tool_name: string;
  /** The user's answer; undefined if there is none yet. */
  readonly answer: ToolAnswer | undefined;
}

/** The answer to a request for input: the user's, or one of the type `expired` when the time limit has passed; null if the run was stopped. */
export type ToolAnswer = { readonly input: Json; readonly type: string } | null;

/** Lists the executions of a task that have not ended, in the order in which they were started. */
export function listOpenExecutions(database: Database, taskId: string): OpenExecution[] {
  return database
    .all<Pick<ExecutionRow, 'id' | 'tool_name' | 'outputs'>>(
      'SELECT id, tool_name, outputs FROM executions WHERE task_id = ? AND completed_at IS NULL ORDER BY created_at',
      [taskId],
    )
    .map(({ id, tool_name, outputs }) => ({
      id,
      tool_name,
      answer:
        outputs === null
          ? undefined
          : (JSON.parse(outputs) as { kept_answer: ToolAnswer }).kept_answer,
    }));
}

/** Stores the outcome of an execution. */
export function finishExecution(
  database: Database,
  id: string,
  end: { readonly outputs: Json } | { readonly error: string },
  now: string,
): void {
  const failed = 'error' in end;
  database.run(
    'UPDATE executions SET status = ?, outputs = ?, error = ?, completed_at = ? WHERE id = ?',
    [
      failed ? 'failed' : 'completed',
      failed ? null : JSON.stringify(end.outputs),
      failed ? end.error : null,
      now,
      id,
    ],
  );
}

/** The execution with this id, or null. */
export function findExecution(database: Database, id: string): ExecutionRow | null {
  return database.one<ExecutionRow>('SELECT * FROM executions WHERE id = ?', [id]);
}

/** Stores a file that a tool has created. */
export function insertAsset(
  database: Database,
  asset: {
    readonly executionId: string;
    readonly fileName: string;
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  },
): void {
  database.run(
    'INSERT INTO assets (execution_id, file_name, media_type, bytes) VALUES (?, ?, ?, ?)',
    [asset.executionId, asset.fileName, asset.mediaType, asset.bytes],
  );
}

/** Returns a file that a tool has created, or null. */
export function findAsset(
  database: Database,
  executionId: string,
  fileName: string,
): { media_type: string; bytes: Uint8Array } | null {
  return database.one(
    'SELECT media_type, bytes FROM assets WHERE execution_id = ? AND file_name = ?',
    [executionId, fileName],
  );
}
