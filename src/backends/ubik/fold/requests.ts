import type { Key } from '../../../model/json.js';
import { ACTIVITY, type RequestActivityFields } from '../../../model/part.js';
import type { MessageFold } from './message-fold.js';

/** What names a question. */
interface Question {
  readonly checkpointName: string | null;
  readonly prompt: string;
}

/** Whether one waits for an answer. */
export function isWaiting({ outline }: MessageFold): boolean {
  return outline.list('request-activity').some(([, { state }]) => state === 'armed');
}

/** Arms a request, or renews one that is still armed. An answer that the person gave in this page stands. */
export function armRequest(fold: MessageFold, request: Omit<RequestActivityFields, 'state'>): void {
  const { outline, facts } = fold;
  const { level, executionId, checkpointName, part } = request;
  const nature = `@request:${level === 'tool' ? `tool:${executionId ?? ''}` : (checkpointName ?? '?')}`;
  let key = nature;
  // A new question at the place of an old one is another question.
  for (let count = 2; isOver(fold, key); count++) key = `${nature}#${count}`;
  const answer = facts.answers.get(key);
  const state = answer === undefined ? 'armed' : 'answered';
  outline.put(key, ACTIVITY, { ...request, state });
  if (answer !== undefined && part !== null) outline.set(part, { answer });
  fold.updateWaiting();
}

/** The person answered. A fact of ours, not of the service's events: no order of them takes it back. */
export function answerRequest(fold: MessageFold, key: Key, answer: string): void {
  const { outline, facts } = fold;
  const request = outline.read(key, 'request-activity');
  facts.answers.set(key, answer);
  if (request?.state === 'armed') outline.set(key, { state: 'answered' });
  if (request && request.part !== null) outline.set(request.part, { answer });
  fold.updateWaiting();
}

/** The service went on without the answers: to the questions of one execution, or to all. */
export function closeRequests(fold: MessageFold, executionId?: string): void {
  for (const [key, request] of fold.outline.list('request-activity')) {
    const isMeant = executionId === undefined || request.executionId === executionId;
    if (isMeant && request.state === 'armed') fold.outline.set(key, { state: 'closed' });
  }
  fold.updateWaiting();
}

/** The newest part of the content that asks a question; `open`: that nobody has answered. */
export function findQuestion(
  { outline }: MessageFold,
  { checkpointName, prompt }: Question,
  open: boolean,
): Key | null {
  const found = outline.list('input-request').filter(([, question]) => {
    if (open && question.answer !== null) return false;
    // Answered questions are stored without the name of their checkpoint.
    return checkpointName === null || question.checkpointName === null
      ? question.prompt === prompt
      : question.checkpointName === checkpointName;
  });
  return found.at(-1)?.[0] ?? null;
}

/** The content was replaced: finds each question's part again, and takes the answers that stand in the content. */
export function rebindRequests(fold: MessageFold): void {
  const { outline, facts } = fold;
  for (const [key, request] of outline.list('request-activity')) {
    if (request.level !== 'agent') continue;
    const stands = outline.read(request.part, 'input-request');
    const part = stands ? request.part : findQuestion(fold, request, false);
    outline.set(key, { part });
    const answer = facts.answers.get(key);
    if (part === null) continue;
    if (outline.read(part, 'input-request')?.answer === null) {
      if (answer !== undefined) outline.set(part, { answer });
    } else if (request.state === 'armed') outline.set(key, { state: 'answered' });
  }
}

function isOver({ outline }: MessageFold, key: Key): boolean {
  const known = outline.read(key, 'request-activity');
  return known !== undefined && known.state !== 'armed';
}
