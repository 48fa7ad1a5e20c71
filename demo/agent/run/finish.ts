import { formatTimestamp } from '../clock.js';
import { insertMessage } from '../store/messages.js';
import { getSession, updateSession } from '../store/sessions.js';
import { setTaskState, type TaskRow } from '../store/tasks.js';
import type { RunContext } from './run-context.js';
import { LiveRun } from './live-run.js';
import { TaskLog, readEvents } from './task-log.js';

/** Stores the answer of a run as a message and makes it the head, unless the user has sent another message or switched branches. */
export function storeAnswer(context: RunContext, run: LiveRun): void {
  const { database } = context;
  const now = formatTimestamp(context.clock.now());
  const { session_id: sessionId, user_message_id: parent, message_id: id } = run.task;
  insertMessage(database, {
    id,
    session_id: sessionId,
    parent_id: parent,
    role: 'assistant',
    content: run.content,
    task_id: run.task.id,
    attachments: '[]',
    created_at: now,
  });
  const head = getSession(database, sessionId).active_head;
  updateSession(database, sessionId, head === parent ? { active_head: id } : {}, now);
}

/** Ends a task without an error: stores the message and emits the end event, which has the final content. */
export function finishTask(context: RunContext, run: LiveRun, state: 'complete' | 'stopped'): void {
  const steps = run.blocks.filter((block) => block.kind === 'step').length;
  context.database.transaction(() => {
    run.log.dropPendingEnd();
    storeAnswer(context, run);
    setTaskState(context.database, run.task.id, state);
    run.emit('agent_processing_complete', {
      message_id: run.task.message_id,
      content: run.content,
      result: { status: state === 'complete' ? 'completed' : 'stopped', steps },
    });
    run.log.flush();
  });
}

/** Ends a task with an error, which is emitted as an event and appended to the message. */
export function failTask(
  context: RunContext,
  run: LiveRun,
  failure: { readonly error: string; readonly traceback: string },
): void {
  context.database.transaction(() => {
    run.log.dropPendingEnd();
    run.emit('agent_processing_error', { ...failure });
    storeAnswer(context, run);
    setTaskState(context.database, run.task.id, 'failed');
    run.log.flush();
  });
}

/** Ends a task that was running when the server was last stopped. */
export function failInterruptedTask(context: RunContext, task: TaskRow): void {
  const written = readEvents(context.database, task.id);
  const owner = getSession(context.database, task.session_id).owner;
  const run = new LiveRun(
    context,
    task,
    owner,
    new TaskLog(context.database, task.id, written),
    written,
  );
  failTask(context, run, {
    error:
      'The server was restarted while the agent was working. Ask again, or restore a checkpoint.',
    traceback: `TaskInterrupted: task ${task.id} was running when the server ended`,
  });
}
