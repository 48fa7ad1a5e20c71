import { planAnswer } from '../plan/plan-answer.js';
import { readEvents } from '../run/task-log.js';
import { copyBlocks } from '../run/block.js';
import { applyEvent, serializeBlocks } from '../run/content.js';
import type { RunStart } from '../run/runner.js';
import { findMessage, type MessageRow } from '../store/messages.js';
import type { SessionRow } from '../store/sessions.js';
import { findTask, type TaskRow } from '../store/tasks.js';
import { streamTask, type TaskEventSource } from '../wire/stream-task.js';
import type { ApiContext } from './api-context.js';
import type { ApiRequest } from './router.js';
import { toMessageJson, streamUrl } from './to-json.js';

/** A question for which a run is started. */
export interface AnswerRequest {
  readonly session: SessionRow;
  readonly question: MessageRow;
  /**
   * Whether the client has asked for a stream. If not, the response is the answer, sent when it is finished or waits for a message; if so, the
   * dialect decides whether the response is the stream or JSON.
   */
  readonly stream: boolean;
  /** The state to start from; by default, that of `planAnswer`. */
  readonly start?: RunStart;
}

/** Starts a run for a question, and sends the response in the form of the dialect. */
export async function startAnswer(
  context: ApiContext,
  call: ApiRequest,
  asked: AnswerRequest,
): Promise<unknown> {
  const dialect = context.faultInjection.dialectOf(call.request);
  const start = asked.start ?? planAnswer(context, asked.session, asked.question);
  const task = context.runner.start(asked.session, asked.question, start);
  if (!asked.stream) {
    await waitUntilEnded(context, call, task);
    return finishedAnswer(context, task);
  }
  if (dialect.answer === 'sse') {
    await sendTaskStream(context, call, task, true);
    return undefined;
  }
  // Read again: the runner has stored the task of the question.
  const question = findMessage(context.database, asked.session.id, asked.question.id);
  if (question === null || dialect.answer === 'json-assistant') return pendingAnswer(task);
  const body = toMessageJson(context.database, question);
  return dialect.answer === 'json' ? body : { ...body, task_id: null, stream_url: null };
}

/** Streams a task from its first event as the response of a request. */
export async function sendTaskStream(
  context: ApiContext,
  call: ApiRequest,
  task: TaskRow,
  includeChunks: boolean,
): Promise<void> {
  const { faultInjection } = context;
  await streamTask(call.response, {
    task,
    source: eventSourceOf(context, task),
    dialect: faultInjection.dialectOf(call.request),
    includeChunks,
    streamFault: faultInjection.streamFaultOf(call.request),
    waitingContent: () =>
      findTask(context.database, task.id)?.state === 'waiting' ? contentOf(context, task) : null,
    now: () => context.clock.now(),
  });
}

function eventSourceOf(context: ApiContext, task: TaskRow): TaskEventSource {
  return (
    context.runner.logOf(task) ?? {
      read: (from, limit) => readEvents(context.database, task.id, from, limit),
      isEnded: true,
      whenChanged: (signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => {
            resolve();
          });
        }),
    }
  );
}

/** The content that results from the stored events of a task. */
export function contentOf(context: ApiContext, task: TaskRow): string {
  const blocks = copyBlocks(task.base);
  for (const event of readEvents(context.database, task.id)) applyEvent(blocks, event);
  return serializeBlocks(blocks);
}

/** Resolves when a task has ended or waits for a message, or when the client disconnects. */
async function waitUntilEnded(context: ApiContext, call: ApiRequest, task: TaskRow): Promise<void> {
  const disconnected = new AbortController();
  call.response.on('close', () => {
    disconnected.abort();
  });
  const log = context.runner.logOf(task);
  while (log !== null && !log.isEnded && !disconnected.signal.aborted)
    await log.whenChanged(disconnected.signal);
}

function finishedAnswer(context: ApiContext, task: TaskRow): object {
  const answer = findMessage(context.database, task.session_id, task.message_id);
  if (answer === null) return pendingAnswer(task);
  return { ...toMessageJson(context.database, answer), task_id: null, stream_url: null };
}

function pendingAnswer(task: TaskRow): object {
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
