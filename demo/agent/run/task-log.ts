import type { Database } from '../store/database.js';
import { isEnd, type SessionEvent } from './session-event.js';

/** Pending events are stored together in one transaction: after this time, or when there are so many. */
const FLUSH_AFTER_MS = 10;
const FLUSH_AFTER_EVENTS = 500;

/**
 * The events of one running task. Events are stored before readers receive them, so that a reader
 * never has an event that is lost by a restart.
 */
export class TaskLog {
  readonly #database: Database;
  readonly #taskId: string;
  readonly #events: SessionEvent[];
  #pending: SessionEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  #ended = false;
  readonly #wakers = new Set<() => void>();

  /** @param written Stored events from before a restart. */
  constructor(database: Database, taskId: string, written: readonly SessionEvent[] = []) {
    this.#database = database;
    this.#taskId = taskId;
    this.#events = [...written];
  }

  /** Whether no further event follows. */
  get isEnded(): boolean {
    return this.#ended;
  }

  /** Appends an event. It is stored, and then can be read, with the next flush, within 10 ms. */
  append(event: SessionEvent): void {
    this.#pending.push(event);
    if (this.#pending.length >= FLUSH_AFTER_EVENTS) this.flush();
    else this.#timer ??= setTimeout(this.#flushByTimer, FLUSH_AFTER_MS);
  }

  /** Stores all pending events; from then on, they can be read. If that fails, they stay pending. */
  flush(): void {
    this.#clearTimer();
    if (this.#pending.length === 0) return;
    const batch = this.#pending;
    this.#write(batch);
    this.#pending = [];
    this.#events.push(...batch);
    if (batch.some(isEnd)) this.#ended = true;
    this.#wake();
  }

  /** Returns up to `limit` flushed events, starting with an index. */
  read(from: number, limit: number): readonly SessionEvent[] {
    return this.#events.slice(from, from + limit);
  }

  /** Flushes and ends the log without an end event, for example when the task waits for a message. */
  endWithoutEvent(): void {
    this.dropPendingEnd();
    this.flush();
    this.#ended = true;
    this.#wake();
  }

  /** Drops a pending end event, which could not be stored, before another one is appended. */
  dropPendingEnd(): void {
    this.#pending = this.#pending.filter((event) => !isEnd(event));
  }

  /** Drops pending events and ends the log, because the session was deleted or the events cannot be stored. */
  discard(): void {
    this.#clearTimer();
    this.#pending = [];
    this.#ended = true;
    this.#wake();
  }

  /** Resolves after the next flush, at the end of the log, or when the signal is aborted. */
  whenChanged(signal: AbortSignal): Promise<void> {
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

  readonly #flushByTimer = (): void => {
    try {
      this.flush();
    } catch {
      // Nobody would catch the error here. The next flush of the run, at the latest at its end, throws it again.
    }
  };

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

/** Reads up to `limit` stored events of a task, starting with an index; a negative limit means all. */
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
