import type { ServerResponse } from 'node:http';
import { openConnection, type StreamFault } from '../agent/wire/connection.js';
import type { Json } from '../agent/json.js';
import { diffJson, type KeyOrder, type Patch } from './json-diff.js';
import type { DataAgentRun } from './run.js';

/** The longest interval of a timer: this service sends no heartbeat. */
const NO_HEARTBEAT_MS = 2 ** 31 - 1;

/** Options of {@link streamRun}. */
export interface StreamOptions {
  /** `patches` sends differences, `snapshots` the whole reply each time. */
  readonly mode: 'patches' | 'snapshots';
  /** In the mode `patches`: how many times the difference to `{}` is sent before true differences follow: 2 on resume, else 1. */
  readonly fullDiffs: number;
  readonly order: KeyOrder;
  readonly streamFault: StreamFault | null;
}

/** Sends a run as server-sent events until it ends or the client disconnects. The run goes on without its readers. */
export async function streamRun(
  run: DataAgentRun,
  response: ServerResponse,
  options: StreamOptions,
): Promise<void> {
  const connection = openConnection(response, {
    heartbeat: NO_HEARTBEAT_MS,
    lineEnd: '\n',
    streamFault: options.streamFault,
  });
  const disconnected = new Promise<void>((resolve) => {
    if (connection.signal.aborted) resolve();
    else connection.signal.addEventListener('abort', () => resolve());
  });
  let sequence = 0;
  const send = async (patch: Patch): Promise<void> => {
    await connection.write(`data: ${JSON.stringify({ seq_id: sequence, ...patch })}\n\n`);
    sequence += 1;
  };
  let version = 0;
  let previous: Json = {};
  let fullDiffs = options.fullDiffs;
  for (;;) {
    await Promise.race([run.changed(version), disconnected]);
    if (connection.signal.aborted) return;
    const { published } = run;
    if (options.mode === 'snapshots') {
      await connection.write(`data: ${JSON.stringify(published.snapshot)}\n\n`);
    } else {
      for (const patch of diffJson(previous, published.snapshot, options.order)) await send(patch);
    }
    version = published.version;
    fullDiffs -= 1;
    previous = fullDiffs > 0 ? {} : published.snapshot;
    if (published.ended) break;
  }
  await send({ key: [], content: null, action: 'end' });
  connection.end();
}
