import type { Key } from '../../../model/json.js';
import { ACTIVITY, type RequestActivityFields } from '../../../model/part.js';
import type { MessageReducer } from './message-reducer.js';
import { isToolFinished } from './tool-binding.js';

/** What names a question. */
interface Question {
  readonly checkpointName: string | null;
  readonly prompt: string;
}

/** The executions whose questions wait for an answer, by the key of the question. */
export function listPendingExecutions({ draft }: MessageReducer): (readonly [Key, string])[] {
  return draft
    .list('request-activity')
    .flatMap(([key, { state, executionId }]) =>
      state === 'pending' && executionId !== null ? [[key, executionId] as const] : [],
    );
}

/** Whether one waits for an answer. */
export function hasPendingRequest({ draft }: MessageReducer): boolean {
  return draft.list('request-activity').some(([, { state }]) => state === 'pending');
}

/** Arms a request, or renews one that is still armed. */
export function openRequest(reducer: MessageReducer, request: RequestActivityFields): void {
  const { level, executionId, checkpointName } = request;
  const nature = `@request:${level === 'tool' ? `tool:${executionId ?? ''}` : (checkpointName ?? '?')}`;
  const isOver = (key: Key): boolean =>
    (reducer.draft.get(key, 'request-activity')?.state ?? 'pending') !== 'pending';
  let key = nature;
  // A new question at the place of an old one is another question.
  for (let count = 2; isOver(key); count++) key = `${nature}#${count}`;
  reducer.draft.put(key, ACTIVITY, request);
  applyAnswers(reducer);
}

/** The person answered; null: elsewhere, and how is not known. */
export function answerRequest(reducer: MessageReducer, key: Key, answer: string | null): void {
  reducer.carried.answers.set(key, answer);
  applyAnswers(reducer);
}

/** The service went on without the answers: to the questions of one execution, or to all. */
export function closeRequests(reducer: MessageReducer, executionId?: string): void {
  for (const [key, request] of reducer.draft.list('request-activity')) {
    const isMeant = executionId === undefined || request.executionId === executionId;
    if (isMeant && request.state === 'pending') reducer.draft.set(key, { state: 'closed' });
  }
  reducer.updateRunState();
}

/** The newest part of the content that asks a question; `open`: that nobody has answered. */
export function findRequestPart(
  { draft }: MessageReducer,
  { checkpointName, prompt }: Question,
  open: boolean,
): Key | null {
  const found = draft.list('input-request').filter(([, question]) => {
    if (open && question.answer !== null) return false;
    // Answered questions are stored without the name of their checkpoint.
    return checkpointName === null || question.checkpointName === null
      ? question.prompt === prompt
      : question.checkpointName === checkpointName;
  });
  return found.at(-1)?.[0] ?? null;
}

/**
 * The content was replaced, and tools are bound to its cards: finds each question's part again, and closes the questions that the
 * content shows to be over. A tool's question is over when its card has a result or its end. An agent's question is over when a
 * final content with structure leaves it out; a content without structure says nothing about questions.
 */
export function rebindRequests(reducer: MessageReducer, isFinal: boolean): void {
  const { draft } = reducer;
  const isRecord = isFinal && draft.isStructured;
  for (const [key, request] of draft.list('request-activity')) {
    let isOver = false;
    if (request.level === 'tool') isOver = isToolFinished(draft, request.executionId);
    else {
      const isThere = draft.get(request.part, 'input-request') !== undefined;
      const part = isThere ? request.part : findRequestPart(reducer, request, false);
      draft.set(key, { part });
      isOver = isRecord && part === null;
    }
    if (isOver && request.state === 'pending') draft.set(key, { state: 'closed' });
  }
  applyAnswers(reducer);
}

/** What the person answered in this page, and what is answered in the content, is answered in both places. */
function applyAnswers(reducer: MessageReducer): void {
  const { draft, carried } = reducer;
  for (const [key, { part, state }] of draft.list('request-activity')) {
    const question = draft.get(part, 'input-request');
    const answer = question?.answer ?? carried.answers.get(key);
    if (answer === undefined) continue;
    if (state === 'pending') draft.set(key, { state: 'answered', answer });
    if (part !== null && answer !== null) draft.set(part, { answer });
  }
  reducer.updateRunState();
}
