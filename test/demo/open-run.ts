import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createClock, formatTimestamp } from '../../demo/agent/clock.js';
import { Deadlines } from '../../demo/agent/run/deadlines.js';
import { LiveRun } from '../../demo/agent/run/live-run.js';
import { createPace } from '../../demo/agent/run/pace.js';
import { NO_PAUSE_POINTS } from '../../demo/agent/run/pause-points.js';
import type { RunContext } from '../../demo/agent/run/run-context.js';
import { TaskLog } from '../../demo/agent/run/task-log.js';
import { openStore } from '../../demo/agent/store/open-store.js';
import { insertSession } from '../../demo/agent/store/sessions.js';
import { insertTask, type TaskRow } from '../../demo/agent/store/tasks.js';

/** A run without steps that has not begun, in a database of its own. */
export interface OpenRun {
  readonly runContext: RunContext;
  readonly run: LiveRun;
}

/** Creates a run. The test closes its database and deletes the folder when it ends. By default, an unexpected error fails the test. */
export async function openRun(
  context: TestContext,
  onError: RunContext['onError'] = assert.fail,
): Promise<OpenRun> {
  const folder = await mkdtemp(join(tmpdir(), 'ubik-agent-'));
  const { database, close } = openStore(folder);
  const clock = createClock();
  const now = formatTimestamp(clock.now());
  const options = { owner: 'u', title: null, modelName: null, systemPrompt: null, options: {} };
  const task: TaskRow = {
    id: 't',
    session_id: insertSession(database, options, now).id,
    number: 1,
    user_message_id: 'question',
    message_id: 'answer',
    state: 'running',
    base: [],
    progress: {
      question: '',
      single: false,
      steps: [],
      cursor: 0,
      memory: {},
      hint: null,
      restoredFrom: null,
    },
    open_request: null,
    created_at: now,
  };
  insertTask(database, task);
  const runContext: RunContext = {
    database,
    clock,
    pace: createPace(0),
    pausePoints: NO_PAUSE_POINTS,
    deadlines: new Deadlines(NO_PAUSE_POINTS, () => clock.now(), onError),
    skills: new Map(),
    onError,
    closed: false,
  };
  const run = new LiveRun(runContext, task, 'u', new TaskLog(database, task.id));
  context.after(async () => {
    run.log.discard();
    close();
    await rm(folder, { recursive: true });
  });
  return { runContext, run };
}
