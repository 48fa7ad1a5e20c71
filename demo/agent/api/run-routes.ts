import type { Json } from '../json.js';
import { findCheckpoint, listCheckpoints, noteInCheckpoint } from '../store/checkpoints.js';
import type { CheckpointRow } from '../store/checkpoints.js';
import { findMessage } from '../store/messages.js';
import { findTask, newestTask } from '../store/tasks.js';
import { resumeFromCheckpoint } from '../plan/resume-from-checkpoint.js';
import { invalidRequest, notFound } from './api-error.js';
import { readJson } from './body.js';
import type { Desk } from './desk.js';
import { Fields } from './fields.js';
import type { Call, Router } from './router.js';
import { shapeCheckpoint } from './shapes.js';
import { startAnswer, tellTask } from './start-answer.js';

/** Routes to stream and stop runs, and to list and restore checkpoints. */
export function addRunRoutes(router: Router, desk: Desk): void {
  const session = '/agent-sessions/{session_id}';
  router.on('GET', `${session}/stream`, (call) => stream(desk, call));
  router.on('GET', `${session}/checkpoints`, (call) => ({
    checkpoints: listCheckpoints(desk.database, desk.session(call).id).map(shapeCheckpoint),
  }));
  router.on('POST', `${session}/navigate-to-checkpoint`, (call) => restore(desk, call));
  router.on('POST', `${session}/stop`, (call) => {
    const task = desk.runner.stop(desk.session(call).id);
    return task === null
      ? { status: 'idle', task_id: null }
      : { status: 'stopping', task_id: task.id };
  });
}

async function stream(desk: Desk, call: Call): Promise<void> {
  const session = desk.session(call);
  const fields = new Fields(Object.fromEntries(call.query), 'query');
  const wanted = fields.optionalText('task_id', { max: 100 });
  const includeChunks = fields.flag('include_chunks', true);
  fields.done();
  const task =
    wanted === null ? newestTask(desk.database, session.id) : findTask(desk.database, wanted);
  if (task?.session_id !== session.id) throw notFound('Task');
  await tellTask(desk, call, task, includeChunks);
}

async function restore(desk: Desk, call: Call): Promise<unknown> {
  desk.session(call);
  const body = await readJson(call.request);
  const dialect = desk.interference.dialectOf(call.request);
  const fields = new Fields(body, 'body');
  const name = fields.optionalText(dialect.checkpointField, { max: 1000 });
  const hint = fields.optionalText('checkpoint_hint', { max: 20_000 });
  const streamed = fields.flag('stream', true);
  fields.done();
  if (name === null) {
    const loc = ['body', dialect.checkpointField];
    throw invalidRequest([{ loc, msg: 'Field required', type: 'missing' }]);
  }
  const session = desk.idleSession(call);
  const checkpoint = findCheckpoint(desk.database, session.id, name);
  if (checkpoint === null) throw notFound('Checkpoint');
  const task = findTask(desk.database, checkpoint.task_id);
  const question =
    task === null ? null : findMessage(desk.database, session.id, task.user_message_id);
  if (question === null) throw notFound('Message');
  noteRestore(desk, checkpoint, hint);
  return startAnswer(desk, call, {
    session,
    question,
    stream: streamed,
    start: resumeFromCheckpoint(checkpoint, hint),
  });
}

function noteRestore(desk: Desk, checkpoint: CheckpointRow, hint: string | null): void {
  const before = checkpoint.metadata['restores'];
  const restores = Array.isArray(before) ? (before as readonly Json[]) : [];
  noteInCheckpoint(desk.database, checkpoint.id, {
    ...checkpoint.metadata,
    restores: [...restores, { checkpoint_hint: hint, restored_at: desk.now() }],
  });
}
