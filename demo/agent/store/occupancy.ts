import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.js';

const openHere = new Set<string>();

/**
 * Marks a data folder as used by this process, and tidies up after one that was killed.
 *
 * SQLite's lock is a folder beside the file. A process that is killed leaves it behind, and every later start would be
 * refused; so the process id is written down, and the lock of a dead process is removed.
 *
 * @returns a function that gives the folder back.
 */
export function occupy(folder: string, lockFolders: readonly string[]): () => void {
  const file = join(folder, 'agent.pid');
  const holder = readHolder(file);
  if (openHere.has(folder) || (holder !== null && isAlive(holder))) {
    const who = openHere.has(folder) ? process.pid : holder?.pid;
    throw new StartError(
      `Another server (process ${String(who)}) already uses the data folder ${folder}: stop it, or set DATA_DIR to another folder.`,
    );
  }
  for (const lock of lockFolders) rmSync(lock, { recursive: true, force: true });
  writeFileSync(file, `${String(process.pid)} ${birthOf(process.pid) ?? ''}\n`);
  openHere.add(folder);
  return () => {
    openHere.delete(folder);
    rmSync(file, { force: true });
  };
}

interface Holder {
  readonly pid: number;
  readonly birth: string | null;
}

function readHolder(file: string): Holder | null {
  try {
    const [pid = '', birth = ''] = readFileSync(file, 'utf8').trim().split(' ');
    const number = Number(pid);
    return Number.isInteger(number) && number > 0 ? { pid: number, birth: birth || null } : null;
  } catch {
    return null; // No such file: nobody is here.
  }
}

function isAlive(holder: Holder): boolean {
  // Our own number in a file that this process did not write is a left-over of an earlier life.
  if (holder.pid === process.pid) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Process numbers are used again: the same number with another birth is somebody else.
  const birth = birthOf(holder.pid);
  return birth === null || holder.birth === null || birth === holder.birth;
}

/** When a process began, in the kernel's own clock; null where the system does not tell. */
function birthOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
