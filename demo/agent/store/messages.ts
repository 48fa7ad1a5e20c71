import type { Database } from './database.js';

/** A message in the tree of a session. */
export interface MessageRow {
  /** Grows with each message that is stored. */
  readonly place: number;
  readonly id: string;
  readonly session_id: string;
  readonly parent_id: string | null;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Of an answer: the task that wrote it. Of a question: the last task that it started. */
  readonly task_id: string | null;
  /** JSON array of document ids. */
  readonly attachments: string;
  readonly created_at: string;
}

/** Fields of a new message. */
export type NewMessage = Omit<MessageRow, 'place'>;

/** Stores a message. */
export function insertMessage(database: Database, message: NewMessage): void {
  database.run(
    `INSERT INTO messages (id, session_id, parent_id, role, content, task_id, attachments, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      message.id,
      message.session_id,
      message.parent_id,
      message.role,
      message.content,
      message.task_id,
      message.attachments,
      message.created_at,
    ],
  );
}

/** Returns a message of a session, or null. */
export function findMessage(database: Database, sessionId: string, id: string): MessageRow | null {
  return database.one<MessageRow>('SELECT * FROM messages WHERE id = ? AND session_id = ?', [
    id,
    sessionId,
  ]);
}

/** Lists all messages of a session, oldest first. */
export function listMessages(database: Database, sessionId: string): MessageRow[] {
  return database.all<MessageRow>('SELECT * FROM messages WHERE session_id = ? ORDER BY place', [
    sessionId,
  ]);
}

/** Replaces the content of a message. */
export function setMessageContent(database: Database, id: string, content: string): void {
  database.run('UPDATE messages SET content = ? WHERE id = ?', [content, id]);
}

/** Sets the last task that a question has started. */
export function setMessageTask(database: Database, id: string, taskId: string): void {
  database.run('UPDATE messages SET task_id = ? WHERE id = ?', [taskId, id]);
}

/** Returns the branch from the root to a message. */
export function readBranch(
  database: Database,
  sessionId: string,
  head: string | null,
): MessageRow[] {
  if (head === null) return [];
  return database.all<MessageRow>(
    `WITH RECURSIVE branch (id, depth) AS (
       SELECT ?1, 0
       UNION ALL
       SELECT messages.parent_id, depth + 1 FROM messages JOIN branch ON messages.id = branch.id
       WHERE messages.parent_id IS NOT NULL
     )
     SELECT messages.* FROM branch JOIN messages ON messages.id = branch.id
     WHERE messages.session_id = ?2 ORDER BY depth DESC`,
    [head, sessionId],
  );
}

/** Returns the ids of the other messages with the same parent, oldest first. */
export function readSiblings(database: Database, message: MessageRow): string[] {
  return database
    .all<{ id: string }>(
      `SELECT id FROM messages WHERE session_id = ? AND parent_id IS ? AND id <> ? ORDER BY place`,
      [message.session_id, message.parent_id, message.id],
    )
    .map((row) => row.id);
}

/** Reads the siblings of all messages of a session with one query. Returns a function that does the same as `readSiblings`. */
export function readAllSiblings(
  database: Database,
  sessionId: string,
): (message: MessageRow) => readonly string[] {
  const children = new Map<string | null, string[]>();
  const rows = database.all<{ id: string; parent_id: string | null }>(
    'SELECT id, parent_id FROM messages WHERE session_id = ? ORDER BY place',
    [sessionId],
  );
  for (const { id, parent_id: parent } of rows) {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [id]);
    else known.push(id);
  }
  return (message) => (children.get(message.parent_id) ?? []).filter((id) => id !== message.id);
}

/**
 * Returns the id of the leaf that is reached from a message through the newest child of each message. Its branch is shown after switching to the
 * message.
 */
export function newestLeaf(database: Database, message: MessageRow): string {
  let leaf = message.id;
  for (;;) {
    const child = database.one<{ id: string }>(
      'SELECT id FROM messages WHERE session_id = ? AND parent_id = ? ORDER BY place DESC LIMIT 1',
      [message.session_id, leaf],
    );
    if (child === null) return leaf;
    leaf = child.id;
  }
}
