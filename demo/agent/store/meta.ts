import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';

/** A remembered value of the server itself, or null. */
export function readMeta(database: Database, key: string): string | null {
  return (
    database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', [key])?.value ?? null
  );
}

/** Remembers a value of the server itself. */
export function writeMeta(database: Database, key: string, value: string): void {
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', [key, value]);
}

/** A secret of this server, made at its first start; so tokens stay good over a restart. */
export function secretOf(database: Database): string {
  const known = readMeta(database, 'secret');
  if (known !== null) return known;
  const secret = randomBytes(32).toString('base64url');
  writeMeta(database, 'secret', secret);
  return secret;
}
