import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { printInstant } from '../clock.js';
import type { SessionEvent } from '../run/session-event.js';
import type { TaskRow } from '../store/tasks.js';
import { openConnection, type Connection, type Meddler } from './connection.js';
import type { Dialect } from './dialect.js';
import { encodeEvent } from './encode.js';
import { rearrange } from './rearrange.js';

/** Source of the events of a task: its live log, or its stored events. */
export interface EventSupply {
  read(from: number, limit: number): readonly SessionEvent[];
  readonly ended: boolean;
  changed(signal: AbortSignal): Promise<void>;
}

/** Options of {@link streamTask}. */
export interface StreamOptions {
  readonly task: TaskRow;
  readonly supply: EventSupply;
  readonly dialect: Dialect;
  readonly includeChunks: boolean;
  readonly meddler: Meddler | null;
  /** The current content of a task that waits for a message; null for any other. */
  waitingContent(): string | null;
  now(): number;
}

const AT_ONCE = 200;

/** Streams a task from its first event until it ends or the client disconnects. */
export async function streamTask(response: ServerResponse, options: StreamOptions): Promise<void> {
  const { dialect, supply, task } = options;
  const connection = openConnection(response, {
    heartbeat: dialect.heartbeat,
    lineEnd: dialect.lineEnd,
    meddler: options.meddler,
  });
  if (dialect.bom) await connection.write('\uFEFF');
  if (dialect.retry > 0) {
    await connection.write(`retry: ${String(dialect.retry)}${dialect.lineEnd.repeat(2)}`);
  }
  await tell(connection, dialect, [
    {
      type: 'connection_established',
      session_id: task.session_id,
      connection_id: randomUUID(),
      task_id: task.id,
    },
  ]);
  await tellAll(connection, options);
  if (connection.signal.aborted) return;
  await tellWaiting(connection, options);
  if (dialect.linger || (dialect.waiting === 'open' && options.waitingContent() !== null)) {
    await supply.changed(connection.signal);
  }
  connection.end();
}

async function tellAll(connection: Connection, options: StreamOptions): Promise<void> {
  const { supply, dialect } = options;
  let next = 0;
  while (!connection.signal.aborted) {
    const events = supply.read(next, AT_ONCE);
    if (events.length > 0) {
      next += events.length;
      const wanted = options.includeChunks
        ? events
        : events.filter((event) => event.type !== 'response_chunk');
      await tell(connection, dialect, rearrange(wanted, dialect));
    } else if (supply.ended) {
      return;
    } else {
      await supply.changed(connection.signal);
    }
  }
}

async function tellWaiting(connection: Connection, options: StreamOptions): Promise<void> {
  const content = options.waitingContent();
  if (options.dialect.waiting !== 'complete' || content === null) return;
  await tell(connection, options.dialect, [
    {
      type: 'agent_processing_complete',
      message_id: options.task.message_id,
      content,
      result: { status: 'waiting_for_input' },
      timestamp: printInstant(options.now()),
    },
  ]);
}

async function tell(
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
