import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Deadlines } from '../../demo/agent/run/deadlines.js';
import { executeRun } from '../../demo/agent/run/execute-run.js';
import { NO_PAUSE_POINTS } from '../../demo/agent/run/pause-points.js';
import { Runner } from '../../demo/agent/run/runner.js';
import { readEvents } from '../../demo/agent/run/task-log.js';
import type { Database } from '../../demo/agent/store/database.js';
import { findTask } from '../../demo/agent/store/tasks.js';
import { openRun } from './open-run.js';

/** Lets each write of an event fail until the returned function is called. */
function failEvents(database: Database): () => void {
  const write = database.run.bind(database);
  database.run = (sql, values) => {
    if (sql.startsWith('INSERT INTO events')) throw new Error('The disk is full.');
    return write(sql, values);
  };
  return () => {
    database.run = write;
  };
}

test('events of a run that cannot be stored are stored later, and are not read before', async (context) => {
  const { runContext, run } = await openRun(context);
  const { database } = runContext;
  const endFailure = failEvents(database);
  run.write('One ');
  // Longer than the delay after which the events are stored.
  await setTimeout(50);
  assert.throws(() => {
    run.log.flush();
  }, /The disk is full/u);
  assert.deepEqual(run.log.read(0, 9), []);
  endFailure();
  run.write('two');
  run.log.flush();
  const contents = run.log.read(0, 9).map((event) => event['content']);
  assert.deepEqual(contents, ['One ', 'two']);
  assert.deepEqual(readEvents(database, run.task.id), run.log.read(0, 9));
});

test('run whose events cannot be stored ends, and its errors are reported', async (context) => {
  const errors: unknown[] = [];
  const { runContext, run } = await openRun(context, (error) => errors.push(error));
  failEvents(runContext.database);
  await executeRun(runContext, run, null);
  assert.deepEqual(errors.map(String), Array(2).fill('Error: The disk is full.'));
  assert.equal(run.log.isEnded, true);
});

test('run whose end cannot be stored at first has only the end with the error', async (context) => {
  let endFailure: () => void = assert.fail;
  const { runContext, run } = await openRun(context, () => {
    endFailure();
  });
  endFailure = failEvents(runContext.database);
  await executeRun(runContext, run, null);
  const types = readEvents(runContext.database, run.task.id).map(({ type }) => type);
  assert.deepEqual(types, [
    'agent_processing_started',
    'response_stream_start',
    'agent_processing_error',
  ]);
  assert.equal(findTask(runContext.database, run.task.id)?.state, 'failed');
});

test('all runs end when the server is closed while their events cannot be stored', async (context) => {
  const errors: unknown[] = [];
  const { runContext, run } = await openRun(context, (error) => errors.push(error));
  const runner = new Runner(runContext);
  const logs = ['t', 'u'].map((id) => runner.logOf({ ...run.task, id, state: 'tool_waiting' }));
  for (const log of logs) log?.append({ type: 'response_chunk' });
  failEvents(runContext.database);
  await runner.close();
  assert.deepEqual(errors.map(String), Array(2).fill('Error: The disk is full.'));
  assert.deepEqual(
    logs.map((log) => log?.isEnded),
    [true, true],
  );
});

test('deadline whose callback throws reports the error', async () => {
  const error = await new Promise((resolve) => {
    new Deadlines(NO_PAUSE_POINTS, () => 0, resolve).set(null, 0, () => {
      throw new Error('The disk is full.');
    });
  });
  assert.equal(String(error), 'Error: The disk is full.');
});
