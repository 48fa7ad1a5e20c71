import { planAnswer } from '../plan/plan-answer.js';
import { readEvents } from '../run/task-log.js';
import { printBlocks } from '../run/content.js';
import { copyBlocks } from '../run/block.js';
import { foldEvent } from '../run/content.js';
import type { RunStart } from '../run/runner.js';
import { findMessage, noteTask, type MessageRow } from '../store/messages.js';
import type { SessionRow } from '../store/sessions.js';
import { findTask, type TaskRow } from '../store/tasks.js';
import { streamTask, type EventSupply } from '../wire/stream-task.js';
import type { Desk } from './desk.js';
import type { Call } from './router.js';
import { shapeMessage, streamUrl } from './shapes.js';

/** A question for which a run is started. */
export interface Asked {
  readonly session: SessionRow;
  readonly question: MessageRow;
  /** Whether the response of this request is the stream of the run. */
  readonly stream: boolean;
  /** The state to start from; without it, the agent makes a new plan. */
  readonly start?: RunStart;
}

/** Starts a run for a question, and sends the response in the form of the dialect. */
export async function startAnswer(desk: Desk, call: Call, asked: Asked): Promise<unknown> {
  const dialect = desk.interference.dialectOf(call.request);
  const start = asked.start ?? planAnswer(desk, asked.session, asked.question);
  const task = desk.runner.start(asked.session, asked.question, start);
  if (!asked.stream) {
    await untilOver(desk, call, task);
    return finishedAnswer(desk, task);
  }
  if (dialect.answer === 'sse') {
    await tellTask(desk, call, task, true);
    return undefined;
  }
  noteTask(desk.database, asked.question.id, task.id);
  const question = findMessage(desk.database, asked.session.id, asked.question.id);
  if (question === null || dialect.answer === 'json-assistant') return comingAnswer(task);
  const shape = shapeMessage(desk.database, question);
  return dialect.answer === 'json' ? shape : { ...shape, task_id: null, stream_url: null };
}

/** Streams a task from its first event as the response of a request. */
export async function tellTask(
  desk: Desk,
  call: Call,
  task: TaskRow,
  includeChunks: boolean,
): Promise<void> {
  const { interference } = desk;
  await streamTask(call.response, {
    task,
    supply: supplyOf(desk, task),
    dialect: interference.dialectOf(call.request),
    includeChunks,
    meddler: interference.meddlerOf(call.request),
    waitingContent: () =>
      findTask(desk.database, task.id)?.state === 'waiting' ? contentOf(desk, task) : null,
    now: () => desk.clock.now(),
  });
}

function supplyOf(desk: Desk, task: TaskRow): EventSupply {
  return (
    desk.runner.logOf(task) ?? {
      read: (from, limit) => readEvents(desk.database, task.id, from, limit),
      ended: true,
      changed: (signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => {
            resolve();
          });
        }),
    }
  );
}

/** The current content of a task. */
export function contentOf(desk: Desk, task: TaskRow): string {
  const blocks = copyBlocks(task.base);
  for (const event of readEvents(desk.database, task.id)) foldEvent(blocks, event);
  return printBlocks(blocks);
}

async function untilOver(desk: Desk, call: Call, task: TaskRow): Promise<void> {
  const gone = new AbortController();
  call.response.on('close', () => {
    gone.abort();
  });
  const log = desk.runner.logOf(task);
  while (log !== null && !log.ended && !gone.signal.aborted) await log.changed(gone.signal);
}

function finishedAnswer(desk: Desk, task: TaskRow): object {
  const answer = findMessage(desk.database, task.session_id, task.message_id);
  if (answer === null) return comingAnswer(task);
  return { ...shapeMessage(desk.database, answer), task_id: null, stream_url: null };
}

function comingAnswer(task: TaskRow): object {
  return {
    id: task.message_id,
    role: 'assistant',
    content: '',
    created_at: task.created_at,
    parent_id: task.user_message_id,
    sibling_ids: [],
    task_id: task.id,
    stream_url: streamUrl(task.session_id, task.id),
  };
}
