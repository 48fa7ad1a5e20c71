import type { Block } from '../run/block.js';
import type { Progress } from '../run/progress.js';
import type { Database } from './database.js';

/**
 * State of a task.
 *
 *     running ──► complete | stopped | failed
 *        │ ▲
 *        ▼ │ (the user answers the tool)
 *     tool_waiting ──► stopped              (stopped by the user after a restart of the server)
 *     running ──► waiting ──► answered      (the next message is the answer; a new task continues)
 *                    └──────► complete      (the time limit has passed)
 */
export type TaskState =
  | 'running'
  | 'tool_waiting'
  | 'waiting'
  | 'answered'
  | 'complete'
  | 'stopped'
  | 'failed';

/** One run of the agent. */
export interface TaskRow {
  readonly id: string;
  readonly session_id: string;
  readonly number: number;
  readonly user_message_id: string;
  readonly message_id: string;
  readonly state: TaskState;
  /** Initial content, if the run continues from a checkpoint. */
  readonly base: readonly Block[];
  readonly progress: Progress;
  /** Name of the checkpoint of the open request, or id of a waiting execution; null when nothing waits. */
  readonly open_request: string | null;
  readonly created_at: string;
}

interface StoredTask extends Omit<TaskRow, 'base' | 'progress'> {
  readonly base: string;
  readonly progress: string;
}

function readTask(row: StoredTask): TaskRow {
  return {
    ...row,
    base: JSON.parse(row.base) as Block[],
    progress: JSON.parse(row.progress) as Progress,
  };
}

/** Stores a new task. */
export function insertTask(database: Database, task: TaskRow): void {
  database.run(
    `INSERT INTO tasks (id, session_id, number, user_message_id, message_id, state, base, progress, open_request, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      task.id,
      task.session_id,
      task.number,
      task.user_message_id,
      task.message_id,
      task.state,
      JSON.stringify(task.base),
      JSON.stringify(task.progress),
      task.open_request,
      task.created_at,
    ],
  );
}

/** The task with this id, or null. */
export function findTask(database: Database, id: string): TaskRow | null {
  const row = database.one<StoredTask>('SELECT * FROM tasks WHERE id = ?', [id]);
  return row === null ? null : readTask(row);
}

/** The current or most recent task of a session, or null. */
export function newestTask(database: Database, sessionId: string): TaskRow | null {
  const row = database.one<StoredTask>(
    'SELECT * FROM tasks WHERE session_id = ? ORDER BY number DESC LIMIT 1',
    [sessionId],
  );
  return row === null ? null : readTask(row);
}

/** Lists the tasks that were running when the server was last stopped. */
export function listRunningTasks(database: Database): TaskRow[] {
  return database
    .all<StoredTask>("SELECT * FROM tasks WHERE state = 'running' ORDER BY created_at")
    .map(readTask);
}

/** Lists the tasks that wait for input. */
export function listWaitingTasks(database: Database): TaskRow[] {
  return database
    .all<StoredTask>("SELECT * FROM tasks WHERE state IN ('waiting', 'tool_waiting')")
    .map(readTask);
}

/** Updates the state of a task. */
export function setTaskState(
  database: Database,
  id: string,
  state: TaskState,
  openRequest: string | null = null,
): void {
  database.run('UPDATE tasks SET state = ?, open_request = ? WHERE id = ?', [
    state,
    openRequest,
    id,
  ]);
}

/** Stores the progress of a task. */
export function saveProgress(database: Database, id: string, progress: Progress): void {
  database.run('UPDATE tasks SET progress = ? WHERE id = ?', [JSON.stringify(progress), id]);
}
