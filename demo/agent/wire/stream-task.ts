import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { formatTimestamp } from '../clock.js';
import type { SessionEvent } from '../run/session-event.js';
import type { TaskRow } from '../store/tasks.js';
import { openConnection, type Connection, type StreamFault } from './connection.js';
import type { Dialect } from './dialect.js';
import { encodeEvent } from './encode.js';
import { rearrange } from './rearrange.js';

/** Source of the events of a task: its live log, or its stored events. */
export interface TaskEventSource {
  read(from: number, limit: number): readonly SessionEvent[];
  readonly isEnded: boolean;
  whenChanged(signal: AbortSignal): Promise<void>;
}

/** Options of {@link streamTask}. */
export interface StreamOptions {
  readonly task: TaskRow;
  readonly source: TaskEventSource;
  readonly dialect: Dialect;
  readonly includeChunks: boolean;
  readonly streamFault: StreamFault | null;
  /** The current content of a task that waits for a message; null for any other. */
  waitingContent(): string | null;
  /** The current time, in microseconds since the epoch. */
  now(): number;
}

/** Number of events that are read at a time. */
export const BATCH_SIZE = 200;

/** Streams a task from its first event until it ends or waits for a message, or the client disconnects. The dialect decides how the stream ends. */
export async function streamTask(response: ServerResponse, options: StreamOptions): Promise<void> {
  const { dialect, source, task } = options;
  const connection = openConnection(response, {
    heartbeat: dialect.heartbeat,
    lineEnd: dialect.lineEnd,
    streamFault: options.streamFault,
  });
  if (dialect.bom) await connection.write('\uFEFF');
  if (dialect.retry > 0) {
    await connection.write(`retry: ${String(dialect.retry)}${dialect.lineEnd.repeat(2)}`);
  }
  await sendEvents(connection, dialect, [
    {
      type: 'connection_established',
      session_id: task.session_id,
      connection_id: randomUUID(),
      task_id: task.id,
    },
  ]);
  await sendAll(connection, options);
  if (connection.signal.aborted) return;
  await sendWaiting(connection, options);
  if (dialect.linger || (dialect.waiting === 'open' && options.waitingContent() !== null)) {
    await source.whenChanged(connection.signal);
  }
  connection.end();
}

async function sendAll(connection: Connection, options: StreamOptions): Promise<void> {
  const { source, dialect } = options;
  let next = 0;
  while (!connection.signal.aborted) {
    const events = source.read(next, BATCH_SIZE);
    if (events.length > 0) {
      next += events.length;
      const wanted = options.includeChunks
        ? events
        : events.filter((event) => event.type !== 'response_chunk');
      await sendEvents(connection, dialect, rearrange(wanted, dialect));
    } else if (source.isEnded) {
      return;
    } else {
      await source.whenChanged(connection.signal);
    }
  }
}

async function sendWaiting(connection: Connection, options: StreamOptions): Promise<void> {
  const content = options.waitingContent();
  if (options.dialect.waiting !== 'complete' || content === null) return;
  await sendEvents(connection, options.dialect, [
    {
      type: 'agent_processing_complete',
      message_id: options.task.message_id,
      content,
      result: { status: 'waiting_for_input' },
      timestamp: formatTimestamp(options.now()),
    },
  ]);
}

async function sendEvents(
  connection: Connection,
  dialect: Dialect,
  events: readonly SessionEvent[],
): Promise<void> {
  for (const event of events) {
    for (const record of encodeEvent(event, dialect)) {
      if (connection.signal.aborted) return;
      await connection.write(record);
    }
  }
}
