import type { Key } from '../../../model/json.js';
import { ACTIVITY, isToolOpen, type RequestActivityFields } from '../../../model/part.js';
import type { MessageReducer } from './message-reducer.js';
import { isToolFinished } from './tool-binding.js';

/** What identifies a request of the agent in the content. */
interface Question {
  readonly checkpointName: string | null;
  readonly prompt: string;
}

/** Ids of the executions that wait for input, by the key of their request. */
export function listPendingExecutions({ draft }: MessageReducer): (readonly [Key, string])[] {
  return draft
    .list('request-activity')
    .flatMap(([key, { state, executionId }]) =>
      state === 'pending' && executionId !== null ? [[key, executionId] as const] : [],
    );
}

/** Whether any request is pending. */
export function hasPendingRequest({ draft }: MessageReducer): boolean {
  return draft.list('request-activity').some(([, { state }]) => state === 'pending');
}

/** Adds a pending request, or updates one that is pending already. */
export function openRequest(reducer: MessageReducer, request: RequestActivityFields): void {
  const { level, executionId, checkpointName } = request;
  const baseKey = `@request:${level === 'tool' ? `tool:${executionId ?? ''}` : (checkpointName ?? '?')}`;
  const isClosed = (key: Key): boolean =>
    (reducer.draft.get(key, 'request-activity')?.state ?? 'pending') !== 'pending';
  let key = baseKey;
  // A request that is closed is not reopened: another one gets a key of its own.
  for (let count = 2; isClosed(key); count++) key = `${baseKey}#${count}`;
  reducer.draft.put(key, ACTIVITY, request);
  applyAnswers(reducer);
}

/** Records the answer to a request; null when it was given elsewhere and is unknown. */
export function answerRequest(reducer: MessageReducer, key: Key, answer: string | null): void {
  reducer.carried.answers.set(key, answer);
  applyAnswers(reducer);
}

/** Closes the pending requests of an execution, or all: the service has gone on without answers. */
export function closeRequests(reducer: MessageReducer, executionId?: string): void {
  for (const [key, request] of reducer.draft.list('request-activity')) {
    const isAffected = executionId === undefined || request.executionId === executionId;
    if (isAffected && request.state === 'pending') reducer.draft.set(key, { state: 'closed' });
  }
  updateStates(reducer);
}

/** The newest part of the content with this request; with `open`, only if it is unanswered. */
export function findRequestPart(
  { draft }: MessageReducer,
  { checkpointName, prompt }: Question,
  open: boolean,
): Key | null {
  const found = draft.list('input-request').filter(([, question]) => {
    if (open && question.answer !== null) return false;
    // Answered requests are stored without the name of their checkpoint.
    return checkpointName === null || question.checkpointName === null
      ? question.prompt === prompt
      : question.checkpointName === checkpointName;
  });
  return found.at(-1)?.[0] ?? null;
}

/**
 * Called when the content was replaced and tools are bound again: finds the part of each request, and closes the requests
 * that the content shows to be over. A request of a tool is over when its part has a result or an end (R10). A request of
 * the agent is over when a final content with structure lacks it; a content without structure says nothing about
 * requests.
 */
export function rebindRequests(reducer: MessageReducer, isFinal: boolean): void {
  const { draft } = reducer;
  const isRecord = isFinal && draft.isStructured;
  for (const [key, request] of draft.list('request-activity')) {
    let isClosed = false;
    if (request.level === 'tool') isClosed = isToolFinished(draft, request.executionId);
    else {
      const isThere = draft.get(request.part, 'input-request') !== undefined;
      const part = isThere ? request.part : findRequestPart(reducer, request, false);
      draft.set(key, { part });
      isClosed = isRecord && part === null;
    }
    if (isClosed && request.state === 'pending') draft.set(key, { state: 'closed' });
  }
  applyAnswers(reducer);
}

/** Makes the content and the activity agree on the answers: those given in this page, and those that the content contains. */
function applyAnswers(reducer: MessageReducer): void {
  const { draft, carried } = reducer;
  for (const [key, { part, state }] of draft.list('request-activity')) {
    const question = draft.get(part, 'input-request');
    const answer = question?.answer ?? carried.answers.get(key);
    if (answer === undefined) continue;
    if (state === 'pending') draft.set(key, { state: 'answered', answer });
    if (part !== null && answer !== null) draft.set(part, { answer });
  }
  updateStates(reducer);
}

/** Makes the states of the run and of its tools agree with the pending requests. */
function updateStates(reducer: MessageReducer): void {
  const { draft, status } = reducer;
  const pending = draft.list('request-activity').filter(([, { state }]) => state === 'pending');
  const waiting = new Set(
    pending.map(([, { executionId, toolName }]) => executionId ?? `/${toolName ?? ''}`),
  );
  for (const [key, { state, toolId }] of draft.list('tool-activity')) {
    if (isToolOpen(state) && waiting.has(toolId)) draft.set(key, { state: 'waiting' });
    else if (state === 'waiting') draft.set(key, { state: status.ended ? 'done' : 'running' });
  }
  reducer.updateRunState();
}
