import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../start-error.js';
import { openDatabase, type Database } from './database.js';
import { lockFolder } from './folder-lock.js';
import { prepareSchema } from './schema.js';

/** The storage of the agent: one SQLite file in a folder that is locked by this process. */
export interface Store {
  readonly folder: string;
  readonly database: Database;
  close(): void;
}

/** Opens the data folder. Throws a `StartError` if it cannot be used. */
export function openStore(dataDir: string): Store {
  const folder = openFolder(dataDir);
  const file = join(folder, 'agent.sqlite');
  const release = lockFolder(folder, [`${file}.lock`]);
  let database: Database | null = null;
  try {
    database = openDatabase(file);
    prepareSchema(database);
    // Writes without changing anything, to check that the file is writable.
    database.transaction(() => database?.run('DELETE FROM meta WHERE key = ?', ['probe']));
  } catch (error) {
    closeQuietly(database);
    release();
    throw new StartError(explain(file, error));
  }
  const open = database;
  return {
    folder,
    database: open,
    close: () => {
      open.close();
      release();
    },
  };
}

function openFolder(dataDir: string): string {
  try {
    makeFolder(resolve(dataDir));
    accessSync(dataDir, constants.R_OK | constants.W_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${reasonOf(error)}): set DATA_DIR to a folder that can be written.`,
    );
  }
}

/** Creates a folder and those above it. `mkdirSync` with `recursive` does not return for a folder that cannot be created below /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder);
}

function explain(file: string, error: unknown): string {
  const reason = reasonOf(error);
  if (/readonly|read-only|EROFS|EACCES|EPERM/iu.test(reason)) {
    return `The database ${file} cannot be written: make it writable, or set DATA_DIR to another folder.`;
  }
  return `The database ${file} cannot be read (${reason}): move it away, or set DATA_DIR to another folder.`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

function closeQuietly(database: Database | null): void {
  try {
    database?.close();
  } catch {
    // Ignored: the caller reports the original error.
  }
}
