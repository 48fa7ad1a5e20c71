import type { Database } from './database.js';
import { indexChinesePassages } from './passages.js';

/** Version of the schema. Since version 2, the full-text index has pairs of Chinese characters. */
const VERSION = 2;

/** The column `place` has the order in which the rows were added; in `events`, the index of an event in its task. */
const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE users (id TEXT PRIMARY KEY, created_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, owner TEXT, title TEXT, status TEXT NOT NULL, model_name TEXT, system_prompt TEXT,
  options TEXT NOT NULL, active_head TEXT, runs INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_by_owner ON sessions (owner, updated_at);
CREATE TABLE messages (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  parent_id TEXT, role TEXT NOT NULL, content TEXT NOT NULL, task_id TEXT, attachments TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL
);
CREATE INDEX messages_by_parent ON messages (session_id, parent_id);
CREATE TABLE tasks (
  id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, number INTEGER NOT NULL,
  user_message_id TEXT NOT NULL, message_id TEXT NOT NULL, state TEXT NOT NULL, base TEXT NOT NULL,
  progress TEXT NOT NULL, open_request TEXT, created_at TEXT NOT NULL, ended_at TEXT
) WITHOUT ROWID;
CREATE INDEX tasks_by_session ON tasks (session_id, number);
CREATE INDEX tasks_by_state ON tasks (state);
CREATE TABLE events (
  task_id TEXT NOT NULL REFERENCES tasks ON DELETE CASCADE, place INTEGER NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (task_id, place)
) WITHOUT ROWID;
CREATE TABLE checkpoints (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL, session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  task_id TEXT NOT NULL, name TEXT NOT NULL, blocks TEXT NOT NULL, progress TEXT NOT NULL, metadata TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX checkpoints_by_session ON checkpoints (session_id, name);
CREATE TABLE documents (
  id TEXT PRIMARY KEY, owner TEXT, name TEXT NOT NULL, file_name TEXT NOT NULL, file_type TEXT, status TEXT NOT NULL,
  error_message TEXT, api_metadata TEXT, markdown TEXT, bytes BLOB, digest TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE session_documents (
  place INTEGER PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  document_id TEXT NOT NULL REFERENCES documents ON DELETE CASCADE, is_starred INTEGER NOT NULL DEFAULT 0,
  UNIQUE (session_id, document_id)
);
CREATE TABLE passages (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document_id TEXT NOT NULL REFERENCES documents ON DELETE CASCADE,
  position INTEGER NOT NULL, page INTEGER, heading TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_by_document ON passages (document_id, position);
CREATE VIRTUAL TABLE passage_index USING fts5 (heading, text, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE TABLE executions (
  id TEXT PRIMARY KEY, tool_id TEXT NOT NULL, tool_name TEXT NOT NULL, owner TEXT, session_id TEXT NOT NULL,
  task_id TEXT NOT NULL, status TEXT NOT NULL, inputs TEXT NOT NULL, outputs TEXT, error TEXT,
  created_at TEXT NOT NULL, started_at TEXT, completed_at TEXT
) WITHOUT ROWID;
CREATE TABLE assets (
  execution_id TEXT NOT NULL, file_name TEXT NOT NULL, media_type TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (execution_id, file_name)
) WITHOUT ROWID;
`;

/**
 * Creates the tables of an empty database, or updates one of version 1. Throws if the file was written by a later version of the agent or
 * by another program.
 */
export function prepareSchema(database: Database): void {
  const version = database.one<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version === VERSION) return;
  if (version === 1) {
    database.transaction(() => {
      indexChinesePassages(database);
      database.script(`PRAGMA user_version = ${String(VERSION)}`);
    });
    return;
  }
  if (version !== 0) throw new Error(`the database has version ${String(version)}`);
  const tables = database.one<{ count: number }>('SELECT count(*) AS count FROM sqlite_master');
  if (tables !== null && tables.count > 0)
    throw new Error('the database belongs to another program');
  database.transaction(() => {
    database.script(TABLES);
    database.script(`PRAGMA user_version = ${String(VERSION)}`);
  });
}
