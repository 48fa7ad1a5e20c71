import { printInstant } from '../clock.js';
import { insertMessage } from '../store/messages.js';
import { mustFindSession, updateSession } from '../store/sessions.js';
import { setTaskState, type TaskRow } from '../store/tasks.js';
import type { Engine } from './engine.js';
import { LiveRun } from './live-run.js';
import { TaskLog, readEvents } from './task-log.js';

/** Stores the answer of a run as a message and makes it the head, unless the user has sent another message or switched branches. */
export function storeAnswer(engine: Engine, run: LiveRun): void {
  const { database } = engine;
  const now = printInstant(engine.clock.now());
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
  const head = mustFindSession(database, sessionId).active_head;
  updateSession(database, sessionId, head === parent ? { active_head: id } : {}, now);
}

/** Ends a task without error: emits the final content and the end event, and stores the message. */
export function finishTask(engine: Engine, run: LiveRun, state: 'complete' | 'stopped'): void {
  const steps = run.blocks.filter((block) => block.kind === 'step').length;
  engine.database.transaction(() => {
    storeAnswer(engine, run);
    setTaskState(engine.database, run.task.id, state);
    run.tell('agent_processing_complete', {
      message_id: run.task.message_id,
      content: run.content,
      result: { status: state === 'complete' ? 'completed' : 'stopped', steps },
    });
    run.log.flush();
  });
}

/** Ends a task with an error, which is emitted as an event and appended to the message. */
export function failTask(
  engine: Engine,
  run: LiveRun,
  failure: { readonly error: string; readonly traceback: string },
): void {
  engine.database.transaction(() => {
    run.tell('agent_processing_error', { ...failure });
    storeAnswer(engine, run);
    setTaskState(engine.database, run.task.id, 'failed');
    run.log.flush();
  });
}

/** Ends a task that was running when the server was last stopped. */
export function failLeftOver(engine: Engine, task: TaskRow): void {
  const written = readEvents(engine.database, task.id);
  const owner = mustFindSession(engine.database, task.session_id).owner;
  const run = new LiveRun(
    engine,
    task,
    owner,
    new TaskLog(engine.database, task.id, written),
    written,
  );
  failTask(engine, run, {
    error:
      'The server was restarted while the agent was working. Ask again, or go back to a checkpoint.',
    traceback: `TaskInterrupted: task ${task.id} was running when the server ended`,
  });
}
