import type { Json } from '../json.js';
import { findCheckpoint, listCheckpoints, setCheckpointMetadata } from '../store/checkpoints.js';
import type { CheckpointRow } from '../store/checkpoints.js';
import { findMessage } from '../store/messages.js';
import { findTask, newestTask } from '../store/tasks.js';
import { planFromCheckpoint } from '../plan/plan-from-checkpoint.js';
import { invalidRequest, notFound } from './api-error.js';
import { readJson } from './body.js';
import type { ApiContext } from './api-context.js';
import { Fields } from './fields.js';
import type { ApiRequest, Router } from './router.js';
import { toCheckpointJson } from './to-json.js';
import { startAnswer, sendTaskStream } from './start-answer.js';

/** Routes to stream and stop runs, and to list and restore checkpoints. */
export function addRunRoutes(router: Router, context: ApiContext): void {
  const session = '/agent-sessions/{session_id}';
  router.on('GET', `${session}/stream`, (call) => stream(context, call));
  router.on('GET', `${session}/checkpoints`, (call) => ({
    checkpoints: listCheckpoints(context.database, context.session(call).id).map(toCheckpointJson),
  }));
  router.on('POST', `${session}/navigate-to-checkpoint`, (call) => restore(context, call));
  router.on('POST', `${session}/stop`, (call) => {
    const task = context.runner.stop(context.session(call).id);
    return task === null
      ? { status: 'idle', task_id: null }
      : { status: 'stopping', task_id: task.id };
  });
}

async function stream(context: ApiContext, call: ApiRequest): Promise<void> {
  const session = context.session(call);
  const fields = new Fields(Object.fromEntries(call.query), 'query');
  const wanted = fields.optionalText('task_id', { max: 100 });
  const includeChunks = fields.flag('include_chunks', true);
  fields.throwIfInvalid();
  const task =
    wanted === null ? newestTask(context.database, session.id) : findTask(context.database, wanted);
  if (task?.session_id !== session.id) throw notFound('Task');
  await sendTaskStream(context, call, task, includeChunks);
}

async function restore(context: ApiContext, call: ApiRequest): Promise<unknown> {
  context.session(call);
  const body = await readJson(call.request);
  const dialect = context.faultInjection.dialectOf(call.request);
  const fields = new Fields(body, 'body');
  // Errors name the field of the dialect. Where that field is `checkpoint_name`, the id from the list of checkpoints is accepted, too.
  const name =
    fields.optionalText(dialect.checkpointField, { max: 1000 }) ??
    (dialect.checkpointField === 'checkpoint_name'
      ? fields.optionalText('checkpoint_id', { max: 1000 })
      : null);
  const hint = fields.optionalText('checkpoint_hint', { max: 20_000 });
  const streamed = fields.flag('stream', true);
  fields.throwIfInvalid();
  if (name === null) {
    const loc = ['body', dialect.checkpointField];
    throw invalidRequest([{ loc, msg: 'Field required', type: 'missing' }]);
  }
  const session = context.idleSession(call);
  const checkpoint = findCheckpoint(context.database, session.id, name);
  if (checkpoint === null) throw notFound('Checkpoint');
  const task = findTask(context.database, checkpoint.task_id);
  const question =
    task === null ? null : findMessage(context.database, session.id, task.user_message_id);
  if (question === null) throw notFound('Message');
  recordRestore(context, checkpoint, hint);
  return startAnswer(context, call, {
    session,
    question,
    stream: streamed,
    start: planFromCheckpoint(checkpoint, hint),
  });
}

function recordRestore(context: ApiContext, checkpoint: CheckpointRow, hint: string | null): void {
  const before = checkpoint.metadata['restores'];
  const restores = Array.isArray(before) ? (before as readonly Json[]) : [];
  setCheckpointMetadata(context.database, checkpoint.id, {
    ...checkpoint.metadata,
    restores: [...restores, { checkpoint_hint: hint, restored_at: context.now() }],
  });
}
