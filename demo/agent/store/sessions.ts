import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json.js';
import type { Database } from './database.js';

/** A session: a thread of one user. */
export interface SessionRow {
  readonly id: string;
  /** The owner; null for a session of the account. */
  readonly owner: string | null;
  readonly title: string | null;
  readonly status: string;
  readonly model_name: string | null;
  readonly system_prompt: string | null;
  /** JSON of the additional options that it was created with. */
  readonly options: string;
  /** The last message of the active branch; null in an empty session. */
  readonly active_head: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Fields of a new session. */
export interface NewSession {
  readonly owner: string | null;
  readonly title: string | null;
  readonly modelName: string | null;
  readonly systemPrompt: string | null;
  readonly options: JsonObject;
}

/** Filter for sessions: those of one owner, or those of every owner and of the account. */
export type OwnerFilter = { readonly owner: string } | 'all';

/** Creates an empty session. */
export function insertSession(database: Database, session: NewSession, now: string): SessionRow {
  const id = randomUUID();
  database.run(
    `INSERT INTO sessions (id, owner, title, status, model_name, system_prompt, options, created_at, updated_at)
     VALUES (?, ?, ?, 'active', ?, ?, ?, ?, ?)`,
    [
      id,
      session.owner,
      session.title,
      session.modelName,
      session.systemPrompt,
      JSON.stringify(session.options),
      now,
      now,
    ],
  );
  return getSession(database, id);
}

/** The session with this id, or null. */
export function findSession(database: Database, id: string): SessionRow | null {
  return database.one<SessionRow>('SELECT * FROM sessions WHERE id = ?', [id]);
}

/** The session with this id, which must exist. */
export function getSession(database: Database, id: string): SessionRow {
  const session = findSession(database, id);
  if (session === null) throw new Error(`Session ${id} is gone.`);
  return session;
}

/** Returns one page of sessions, most recently changed first, and their total number. */
export function listSessions(
  database: Database,
  filter: OwnerFilter,
  page: { readonly offset: number; readonly limit: number },
): { items: SessionRow[]; total: number } {
  const where = filter === 'all' ? '' : 'WHERE owner = ?';
  const values = filter === 'all' ? [] : [filter.owner];
  const total = database.one<{ count: number }>(
    `SELECT count(*) AS count FROM sessions ${where}`,
    values,
  );
  const items = database.all<SessionRow>(
    `SELECT * FROM sessions ${where} ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
    [...values, page.limit, page.offset],
  );
  return { items, total: total?.count ?? 0 };
}

/** Fields of a session that can change. */
export type SessionChange = Partial<
  Pick<SessionRow, 'title' | 'status' | 'model_name' | 'active_head' | 'options' | 'owner'>
>;

/** Updates a session and its `updated_at`. */
export function updateSession(
  database: Database,
  id: string,
  change: SessionChange,
  now: string,
): void {
  // Column names come from the type above, never from a request.
  const names = Object.keys(change) as (keyof SessionChange)[];
  const sets = [...names.map((name) => `${name} = ?`), 'updated_at = ?'].join(', ');
  const values = names.map((name) => change[name] ?? null);
  database.run(`UPDATE sessions SET ${sets} WHERE id = ?`, [...values, now, id]);
}

/** Deletes a session with its messages, tasks, events, checkpoints, tool executions and their files. Its documents are only unlinked. */
export function deleteSession(database: Database, id: string): void {
  database.transaction(() => {
    const executions = 'SELECT id FROM executions WHERE session_id = ?';
    database.run(`DELETE FROM assets WHERE execution_id IN (${executions})`, [id]);
    database.run('DELETE FROM executions WHERE session_id = ?', [id]);
    database.run('DELETE FROM sessions WHERE id = ?', [id]);
  });
}

/** Increments the run counter of a session and returns it, from 1. */
export function nextRunNumber(database: Database, id: string): number {
  database.run('UPDATE sessions SET runs = runs + 1 WHERE id = ?', [id]);
  return database.one<{ runs: number }>('SELECT runs FROM sessions WHERE id = ?', [id])?.runs ?? 1;
}
