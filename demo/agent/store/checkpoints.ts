import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json.js';
import type { Block } from '../run/block.js';
import type { Progress } from '../run/progress.js';
import type { Database } from './database.js';

/** A checkpoint, which the user can restore, with its JSON columns parsed. */
export interface CheckpointRow {
  readonly id: string;
  readonly session_id: string;
  readonly task_id: string;
  readonly name: string;
  readonly blocks: readonly Block[];
  readonly progress: Progress;
  readonly metadata: JsonObject;
  readonly created_at: string;
}

/** The row as it is stored. */
interface StoredCheckpoint {
  readonly id: string;
  readonly session_id: string;
  readonly task_id: string;
  readonly name: string;
  readonly blocks: string;
  readonly progress: string;
  readonly metadata: string;
  readonly created_at: string;
}

function readCheckpoint(row: StoredCheckpoint): CheckpointRow {
  return {
    ...row,
    blocks: JSON.parse(row.blocks) as Block[],
    progress: JSON.parse(row.progress) as Progress,
    metadata: JSON.parse(row.metadata) as JsonObject,
  };
}

/** Stores a checkpoint. */
export function insertCheckpoint(database: Database, checkpoint: Omit<CheckpointRow, 'id'>): void {
  database.run(
    `INSERT INTO checkpoints (id, session_id, task_id, name, blocks, progress, metadata, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      randomUUID(),
      checkpoint.session_id,
      checkpoint.task_id,
      checkpoint.name,
      JSON.stringify(checkpoint.blocks),
      JSON.stringify(checkpoint.progress),
      JSON.stringify(checkpoint.metadata),
      checkpoint.created_at,
    ],
  );
}

/** The checkpoints of a session, oldest first. */
export function listCheckpoints(database: Database, sessionId: string): CheckpointRow[] {
  return database
    .all<StoredCheckpoint>('SELECT * FROM checkpoints WHERE session_id = ? ORDER BY place', [
      sessionId,
    ])
    .map(readCheckpoint);
}

/** The newest checkpoint of this name (or with this id), or null. */
export function findCheckpoint(
  database: Database,
  sessionId: string,
  nameOrId: string,
): CheckpointRow | null {
  const row = database.one<StoredCheckpoint>(
    'SELECT * FROM checkpoints WHERE session_id = ?1 AND (name = ?2 OR id = ?2) ORDER BY place DESC LIMIT 1',
    [sessionId, nameOrId],
  );
  return row === null ? null : readCheckpoint(row);
}

/** Replaces the metadata of a checkpoint. */
export function setCheckpointMetadata(database: Database, id: string, metadata: JsonObject): void {
  database.run('UPDATE checkpoints SET metadata = ? WHERE id = ?', [JSON.stringify(metadata), id]);
}
