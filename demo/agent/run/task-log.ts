import type { Database } from '../store/database.js';
import { isEnd, type SessionEvent } from './session-event.js';

const FLUSH_AFTER_MS = 10;
const FLUSH_AT = 500;

/**
 * The events of one running task. An event is first written to the database and then shown to readers, so a reader
 * never saw what a restarted server does not know.
 */
export class TaskLog {
  readonly #database: Database;
  readonly #taskId: string;
  readonly #events: SessionEvent[];
  #waiting: SessionEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  #ended = false;
  readonly #wakers = new Set<() => void>();

  /** @param written What an earlier life of this task has stored. */
  constructor(database: Database, taskId: string, written: readonly SessionEvent[] = []) {
    this.#database = database;
    this.#taskId = taskId;
    this.#events = [...written];
  }

  /** Whether no further event will come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes an event; it is written and shown with the next flush, a few milliseconds later. */
  add(event: SessionEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length >= FLUSH_AT) this.flush();
    else this.#timer ??= setTimeout(this.flush, FLUSH_AFTER_MS);
  }

  /** Writes and shows what is waiting, now. */
  readonly flush = (): void => {
    this.#clearTimer();
    if (this.#waiting.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#write(batch);
    this.#events.push(...batch);
    if (batch.some(isEnd)) this.#ended = true;
    this.#wake();
  };

  /** What is written, from a place on. */
  read(from: number, limit: number): readonly SessionEvent[] {
    return this.#events.slice(from, from + limit);
  }

  /** Says that no further event will come for now, although no end event came: the task waits for the person. */
  rest(): void {
    this.flush();
    this.#ended = true;
    this.#wake();
  }

  /** Forgets what is waiting and ends, because the session is gone. */
  discard(): void {
    this.#clearTimer();
    this.#waiting = [];
    this.#ended = true;
    this.#wake();
  }

  /** Resolves with the next flush, with the end, or when the caller gives up. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#wakers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#wakers.add(done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  #write(batch: readonly SessionEvent[]): void {
    this.#database.transaction(() => {
      batch.forEach((event, index) => {
        this.#database.run('INSERT INTO events (task_id, place, event) VALUES (?, ?, ?)', [
          this.#taskId,
          this.#events.length + index,
          JSON.stringify(event),
        ]);
      });
    });
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wake(): void {
    for (const waker of [...this.#wakers]) waker();
  }
}

/** The stored events of a task, from a place on. */
export function readEvents(
  database: Database,
  taskId: string,
  from = 0,
  limit = -1,
): SessionEvent[] {
  return database
    .all<{ event: string }>(
      'SELECT event FROM events WHERE task_id = ? AND place >= ? ORDER BY place LIMIT ?',
      [taskId, from, limit],
    )
    .map((row) => JSON.parse(row.event) as SessionEvent);
}
