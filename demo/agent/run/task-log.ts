import type { Database } from '../store/database.js';
import { isEnd, type SessionEvent } from './session-event.js';

/**
 * The events of one running task. An event is first written to the database and then shown to readers, so a reader
 * never saw what a restarted server does not know.
 */
export interface TaskLog {
  readonly taskId: string;
  /** Takes an event; it is written and shown with the next flush, a few milliseconds later. */
  add(event: SessionEvent): void;
  /** Writes and shows what is waiting, now. */
  flush(): void;
  /** What is written, from a place on. */
  read(from: number, limit: number): readonly SessionEvent[];
  /** Whether no further event will come. */
  readonly ended: boolean;
  /** Says that no further event will come for now, although no end event came: the task waits for the person. */
  rest(): void;
  /** Forgets what is waiting and ends, because the session is gone. */
  discard(): void;
  /** Resolves with the next flush, with the end, or when the caller gives up. */
  changed(signal: AbortSignal): Promise<void>;
  /** How many events are written. */
  readonly length: number;
}

const FLUSH_AFTER_MS = 10;
const FLUSH_AT = 500;

/** Opens the log of a task. `written` is what an earlier life of this task has stored. */
export function createTaskLog(
  database: Database,
  taskId: string,
  written: readonly SessionEvent[] = [],
): TaskLog {
  const events: SessionEvent[] = [...written];
  let waiting: SessionEvent[] = [];
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  const wakers = new Set<() => void>();
  const wake = (): void => {
    for (const waker of [...wakers]) waker();
  };
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    writeEvents(database, taskId, events.length, batch);
    events.push(...batch);
    if (batch.some(isEnd)) ended = true;
    wake();
  };
  return {
    taskId,
    add: (event) => {
      waiting.push(event);
      if (waiting.length >= FLUSH_AT) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
    },
    flush,
    read: (from, limit) => events.slice(from, from + limit),
    get ended() {
      return ended;
    },
    get length() {
      return events.length;
    },
    rest: () => {
      flush();
      ended = true;
      wake();
    },
    discard: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      waiting = [];
      ended = true;
      wake();
    },
    changed: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          wakers.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        wakers.add(done);
        signal.addEventListener('abort', done);
        if (signal.aborted) done();
      }),
  };
}

function writeEvents(
  database: Database,
  taskId: string,
  first: number,
  batch: readonly SessionEvent[],
): void {
  database.transaction(() => {
    batch.forEach((event, index) => {
      database.run('INSERT INTO events (task_id, place, event) VALUES (?, ?, ?)', [
        taskId,
        first + index,
        JSON.stringify(event),
      ]);
    });
  });
}

/** The stored events of a task, from a place on. */
export function readEvents(
  database: Database,
  taskId: string,
  from = 0,
  limit = -1,
): SessionEvent[] {
  return database
    .all<{
      event: string;
    }>('SELECT event FROM events WHERE task_id = ? AND place >= ? ORDER BY place LIMIT ?', [
      taskId,
      from,
      limit,
    ])
    .map((row) => JSON.parse(row.event) as SessionEvent);
}
