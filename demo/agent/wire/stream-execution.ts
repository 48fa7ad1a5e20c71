import type { ServerResponse } from 'node:http';
import type { Json } from '../json.js';
import type { SessionEvent } from '../run/session-event.js';
import { readEvents, type TaskLog } from '../run/task-log.js';
import type { Database } from '../store/database.js';
import { findExecution, type ExecutionRow } from '../store/executions.js';
import { openConnection, type Connection, type StreamFault } from './connection.js';
import type { Dialect } from './dialect.js';
import { encodeEvent } from './encode.js';
import { BATCH_SIZE } from './stream-task.js';

/** The stream of one execution. */
export interface ExecutionStream {
  readonly database: Database;
  readonly execution: ExecutionRow;
  /** The live log of its task; null if the task has ended or waits for a message. */
  readonly log: TaskLog | null;
  readonly dialect: Dialect;
  readonly streamFault: StreamFault | null;
}

/**
 * Streams the events of one execution, in the default dialect as named records without an envelope; the last one is `tool_end` or `error`
 * if the execution has ended.
 */
export async function streamExecution(
  response: ServerResponse,
  options: ExecutionStream,
): Promise<void> {
  // F1 is the default dialect; any other form was chosen by a test.
  const dialect: Dialect =
    options.dialect.form === 'F1' ? { ...options.dialect, form: 'F3' } : options.dialect;
  const connection = openConnection(response, {
    heartbeat: dialect.heartbeat,
    lineEnd: dialect.lineEnd,
    streamFault: options.streamFault,
  });
  const { log, execution } = options;
  let next = 0;
  while (!connection.signal.aborted) {
    const events =
      log?.read(next, BATCH_SIZE) ??
      readEvents(options.database, execution.task_id, next, BATCH_SIZE);
    next += events.length;
    for (const event of events) await sendEvents(connection, dialect, event, execution.id);
    if (events.length > 0) continue;
    const current = findExecution(options.database, execution.id);
    const hasEnded = current === null || current.completed_at !== null;
    if (hasEnded || log === null || log.isEnded) break;
    await log.whenChanged(connection.signal);
  }
  await sendEnd(connection, dialect, findExecution(options.database, execution.id));
  connection.end();
}

async function sendEvents(
  connection: Connection,
  dialect: Dialect,
  event: SessionEvent,
  id: string,
): Promise<void> {
  if (event['tool_execution_id'] !== id) return;
  const payload =
    event.type === 'tool_input_required'
      ? {
          prompt: questionOf(event['tool_input']),
          input_types: event['input_types'] ?? ['text'],
          timeout: event['timeout'] ?? 3600,
          state: id,
        }
      : (event['data'] as Record<string, Json>);
  for (const record of encodeEvent({ ...payload, type: event.type }, dialect)) {
    await connection.write(record);
  }
}

function questionOf(input: Json | undefined): Json {
  const question = (input as { question?: Json } | undefined)?.question;
  return question ?? null;
}

async function sendEnd(
  connection: Connection,
  dialect: Dialect,
  execution: ExecutionRow | null,
): Promise<void> {
  if (execution === null || execution.completed_at === null) return;
  const event: SessionEvent =
    execution.error === null
      ? { ...outputsOf(execution), type: 'tool_end' }
      : { type: 'error', message: execution.error, code: 'tool_failed' };
  for (const record of encodeEvent(event, dialect)) await connection.write(record);
}

function outputsOf(execution: ExecutionRow): Record<string, Json> {
  const outputs = JSON.parse(execution.outputs ?? 'null') as Json;
  const fields =
    typeof outputs === 'object' && outputs !== null && !Array.isArray(outputs)
      ? (outputs as Record<string, Json>)
      : { response: outputs };
  return { execution_id: execution.id, ...fields };
}
