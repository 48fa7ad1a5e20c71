import { formatTimestamp, type Clock } from '../clock.js';
import { toTagSafeJson, textOf, type Json } from '../json.js';
import type { Database } from '../store/database.js';
import { findExecution } from '../store/executions.js';
import { setMessageContent } from '../store/messages.js';
import { getSession } from '../store/sessions.js';
import { listWaitingTasks, setTaskState, type TaskRow } from '../store/tasks.js';
import { copyBlocks } from './block.js';
import { applyEvent, serializeBlocks } from './content.js';
import type { SessionEvent } from './session-event.js';
import { TaskLog, readEvents } from './task-log.js';

/** The value that is stored as the answer when a question was not answered in time. */
export const EXPIRED = { input: null, type: 'expired' } as const;

/** Dependencies of {@link closeQuestion}. */
export interface CloseQuestionContext {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Writes an answer into the message that contains the question, and ends the task that asks it. For another version of the answer, only the
 * message is changed.
 *
 * @param outcome `complete` if the question has expired, so that the next message is not its answer.
 */
export function closeQuestion(
  { database, clock }: CloseQuestionContext,
  asking: TaskRow,
  answer: Json,
  outcome: 'answered' | 'complete' = 'answered',
): void {
  const blocks = copyBlocks(asking.base);
  const events = readEvents(database, asking.id);
  for (const event of events) applyEvent(blocks, event);
  const request = blocks.findLast((block) => block.kind === 'input');
  if (request?.kind === 'input') request.answer = toTagSafeJson(answer);
  const content = serializeBlocks(blocks);
  setMessageContent(database, asking.message_id, content);
  if (asking.state === 'answered') return;
  setTaskState(database, asking.id, outcome);
  const log = new TaskLog(database, asking.id, events);
  log.append({
    type: 'agent_processing_complete',
    message_id: asking.message_id,
    content,
    result: { status: 'completed' },
    timestamp: formatTimestamp(clock.now()),
  });
  log.flush();
}

/** An open question with a deadline. */
export interface QuestionWithDeadline {
  readonly task: TaskRow;
  readonly owner: string | null;
  /** The execution of the tool that asks; null for a question of the agent. */
  readonly executionId: string | null;
  /** In microseconds since the epoch. */
  readonly deadline: number;
}

/** Lists the open questions that have a deadline, of all tasks. */
export function listQuestionsWithDeadline(database: Database): QuestionWithDeadline[] {
  return listWaitingTasks(database).flatMap((task) => {
    const { owner } = getSession(database, task.session_id);
    const type = task.state === 'waiting' ? 'input_required' : 'tool_input_required';
    return readEvents(database, task.id)
      .filter((event) => event.type === type && typeof event['timeout'] === 'number')
      .map((event) => ({
        task,
        owner,
        executionId: executionOf(event),
        deadline: deadlineOf(event),
      }))
      .filter(({ executionId }) => executionId === null || isOpen(database, executionId));
  });
}

function executionOf(event: SessionEvent): string | null {
  const id = event['tool_execution_id'];
  return typeof id === 'string' ? id : null;
}

function isOpen(database: Database, executionId: string): boolean {
  return findExecution(database, executionId)?.status === 'waiting_for_input';
}

function deadlineOf(event: SessionEvent): number {
  return (Date.parse(textOf(event['timestamp'])) + Number(event['timeout']) * 1000) * 1000;
}
