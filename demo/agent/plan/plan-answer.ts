import type { Progress } from '../run/progress.js';
import type { RunStart } from '../run/runner.js';
import { closeQuestion } from '../run/close-question.js';
import type { Clock } from '../clock.js';
import type { Json } from '../json.js';
import type { Database } from '../store/database.js';
import { listSessionDocuments } from '../store/documents.js';
import { findMessage, type MessageRow } from '../store/messages.js';
import type { SessionRow } from '../store/sessions.js';
import { findTask, type TaskRow } from '../store/tasks.js';
import { listTableSchemas } from '../documents/document-tables.js';
import type { Schema } from '../query/schema.js';
import { planFor } from './planner.js';

/** Dependencies of planning. */
export interface PlanningContext {
  readonly database: Database;
  readonly clock: Clock;
  /** The tables of the sample database. */
  readonly rivers: Schema;
  /** A plan of the language model; null to plan by the rules. */
  planWithModel(session: SessionRow, question: MessageRow): Progress | null;
}

/**
 * Plans how to answer a question. If the message before it asks for input, the question is that input, or another version of it: it is
 * written into that message, and the plan of that message is resumed.
 */
export function planAnswer(
  context: PlanningContext,
  session: SessionRow,
  question: MessageRow,
): RunStart {
  const asking = findAskingTask(context.database, session, question);
  if (asking !== null) return resumePlan(context, asking, question);
  const modelPlan = context.planWithModel(session, question);
  if (modelPlan !== null) return { progress: modelPlan, base: [] };
  const plan = planFor({
    question: question.content,
    sources: [
      ...listTableSchemas(context.database, session.id),
      { id: null, schema: context.rivers },
    ],
    documents: listSessionDocuments(context.database, session.id).filter(
      (document) => document.status === 'completed',
    ),
    attachments: JSON.parse(question.attachments) as string[],
  });
  return {
    progress: newProgress({
      question: question.content,
      single: plan.single,
      steps: [...plan.steps],
    }),
    base: [],
  };
}

/** Creates the progress of a run that has not started. */
export function newProgress(plan: Pick<Progress, 'question' | 'single' | 'steps'>): Progress {
  return { ...plan, cursor: 0, memory: {}, hint: null, restoredFrom: null };
}

function findAskingTask(
  database: Database,
  session: SessionRow,
  question: MessageRow,
): TaskRow | null {
  if (question.parent_id === null) return null;
  const parent = findMessage(database, session.id, question.parent_id);
  if (parent?.task_id === null || parent?.task_id === undefined) return null;
  const task = findTask(database, parent.task_id);
  return task?.state === 'waiting' || task?.state === 'answered' ? task : null;
}

function resumePlan(context: PlanningContext, asking: TaskRow, answer: MessageRow): RunStart {
  const declined = isDecline(answer.content);
  const given: Json = declined
    ? { input: null, type: 'declined' }
    : { input: answer.content, type: 'text' };
  context.database.transaction(() => {
    closeQuestion(context, asking, given);
  });
  const progress = structuredClone(asking.progress);
  progress.memory['answer'] = declined ? null : answer.content;
  return { progress, base: [] };
}

function isDecline(text: string): boolean {
  return /^(?:i (?:don['’]t|do not) want to answer(?: this)?|declined?|never mind|skip(?: it)?)\s*\.?$/iu.test(
    text.trim(),
  );
}
