import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';

/** Returns a setting of the server, or null. */
export function readMeta(database: Database, key: string): string | null {
  return (
    database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value ?? null
  );
}

/** Stores a setting of the server. */
export function writeMeta(database: Database, key: string, value: string): void {
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [key, value]);
}

/** Returns the secret of this server, created at its first start, so that tokens stay valid after a restart. */
export function loadOrCreateSecret(database: Database): string {
  const known = readMeta(database, 'secret');
  if (known !== null) return known;
  const secret = randomBytes(32).toString('base64url');
  writeMeta(database, 'secret', secret);
  return secret;
}
