import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';

/** Returns a value that the server stores about itself, such as its secret; null if there is none. */
export function readMeta(database: Database, key: string): string | null {
  return (
    database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value ?? null
  );
}

/** Stores a value about the server itself. */
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
