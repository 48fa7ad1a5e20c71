import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.js';

/** The folders that this process has locked. */
const openHere = new Set<string>();

/**
 * Locks a data folder for this process, and removes the locks of a process that was killed. Throws a `StartError` if the folder is locked
 * by this process or another one that runs.
 *
 * `node-sqlite3-wasm` locks a database by a folder beside its file. A killed process leaves it behind, and every later start would be
 * rejected; therefore the process id is stored, and the lock of a dead process is removed.
 *
 * @param staleLocks Folders by which a killed process may still lock its databases.
 * @returns A function that unlocks the folder.
 */
export function lockFolder(folder: string, staleLocks: readonly string[]): () => void {
  const file = join(folder, 'agent.pid');
  const owner = readLockOwner(file);
  if (openHere.has(folder) || (owner !== null && isAlive(owner))) {
    const who = openHere.has(folder) ? process.pid : owner?.pid;
    throw new StartError(
      `Another server (process ${String(who)}) already uses the data folder ${folder}: stop it, or set DATA_DIR to another folder.`,
    );
  }
  for (const lock of staleLocks) rmSync(lock, { recursive: true, force: true });
  writeFileSync(file, `${String(process.pid)} ${startTimeOf(process.pid) ?? ''}\n`);
  openHere.add(folder);
  return () => {
    openHere.delete(folder);
    rmSync(file, { force: true });
  };
}

interface LockOwner {
  readonly pid: number;
  readonly startTime: string | null;
}

function readLockOwner(file: string): LockOwner | null {
  try {
    const [pid = '', startTime = ''] = readFileSync(file, 'utf8').trim().split(' ');
    const number = Number(pid);
    return Number.isInteger(number) && number > 0
      ? { pid: number, startTime: startTime || null }
      : null;
  } catch {
    return null; // No file: the folder is not locked.
  }
}

function isAlive(owner: LockOwner): boolean {
  // This process has not written the file, so its own process id in it was reused from a dead process.
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Process ids are reused: a process with another start time is a different one.
  const startTime = startTimeOf(owner.pid);
  return startTime === null || owner.startTime === null || startTime === owner.startTime;
}

/** Start time of a process, in clock ticks of the kernel; null if the system does not provide it. */
function startTimeOf(pid: number): string | null {
  try {
    // The 22nd field. The name, the second one, may contain spaces and parentheses, so fields are counted from the last parenthesis.
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
