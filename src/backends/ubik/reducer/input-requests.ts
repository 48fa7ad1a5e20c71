import type { Key } from '../../../model/json.js';
import { ACTIVITY, isToolOpen, type RequestActivityFields } from '../../../model/part.js';
import type { MessageReducer } from './message-reducer.js';
import { isToolFinished, toToolId } from './tool-binding.js';

/**
 * The fields that identify the question of an agent. A request is an activity (`request-activity`); the part of the content that shows it is
 * an `input-request`. Both have these fields.
 */
interface Question {
  readonly checkpointName: string | null;
  readonly prompt: string;
}

/** Returns the id of the tool that makes a request, as in the tool's activity; null for a request of the agent. */
function getToolId({ level, executionId, toolName }: RequestActivityFields): string | null {
  return level === 'tool' ? toToolId(executionId, toolName) : null;
}

/** Lists the pending requests of executions: the key of each, with the id of its execution. */
export function listPendingExecutions({ builder }: MessageReducer): (readonly [Key, string])[] {
  return builder
    .list('request-activity')
    .flatMap(([key, { state, executionId }]) =>
      state === 'pending' && executionId !== null ? [[key, executionId] as const] : [],
    );
}

/** Whether any request is pending. */
export function hasPendingRequest({ builder }: MessageReducer): boolean {
  return builder.list('request-activity').some(([, { state }]) => state === 'pending');
}

/** Adds a pending request, or updates the one that is already pending. */
export function openRequest(reducer: MessageReducer, request: RequestActivityFields): void {
  const toolId = getToolId(request);
  const baseKey = `@request:${toolId === null ? (request.checkpointName ?? '?') : `tool:${toolId}`}`;
  const isClosed = (key: Key): boolean =>
    (reducer.builder.get(key, 'request-activity')?.state ?? 'pending') !== 'pending';
  let key = baseKey;
  // A closed request is not reopened: the new request gets its own key.
  for (let count = 2; isClosed(key); count++) key = `${baseKey}#${count}`;
  reducer.builder.put(key, ACTIVITY, request);
  applyAnswers(reducer);
}

/** Records the answer to a request; null when it was given elsewhere and is unknown. */
export function answerRequest(reducer: MessageReducer, key: Key, answer: string | null): void {
  reducer.carried.answers.set(key, answer);
  applyAnswers(reducer);
}

/** Closes the pending requests of a tool, or all of them, because the run has continued without answers or has ended. */
export function closeRequests(reducer: MessageReducer, toolId?: string): void {
  for (const [key, request] of reducer.builder.list('request-activity')) {
    const isAffected = toolId === undefined || getToolId(request) === toolId;
    if (isAffected && request.state === 'pending') reducer.builder.set(key, { state: 'closed' });
  }
  updateStates(reducer);
}

/** Returns the newest part of the content with this request; with `onlyUnanswered`, only one without an answer. */
export function findRequestPart(
  { builder }: MessageReducer,
  { checkpointName, prompt }: Question,
  onlyUnanswered: boolean,
): Key | null {
  const found = builder.list('input-request').filter(([, question]) => {
    if (onlyUnanswered && question.answer !== null) return false;
    // Answered requests are stored without the name of their checkpoint.
    return checkpointName === null || question.checkpointName === null
      ? question.prompt === prompt
      : question.checkpointName === checkpointName;
  });
  return found.at(-1)?.[0] ?? null;
}

/**
 * Called after the content was replaced and tools were bound again. Finds the part of each request, and closes the requests that are over
 * according to the content. A tool's request is over when its part has a result or an end (UBIK R10). An agent's request is over when it is
 * missing in final content that has steps, checkpoints, requests or errors. Content without any of these may be the text of the answer
 * alone, so it proves nothing.
 */
export function rebindRequests(reducer: MessageReducer, isFinal: boolean): void {
  const { builder } = reducer;
  const isAuthoritative = isFinal && builder.isStructured;
  for (const [key, request] of builder.list('request-activity')) {
    let isClosed = false;
    const toolId = getToolId(request);
    if (toolId !== null) isClosed = isToolFinished(builder, toolId);
    else {
      const partExists = builder.get(request.part, 'input-request') !== undefined;
      const part = partExists ? request.part : findRequestPart(reducer, request, false);
      builder.set(key, { part });
      isClosed = isAuthoritative && part === null;
    }
    if (isClosed && request.state === 'pending') builder.set(key, { state: 'closed' });
  }
  applyAnswers(reducer);
}

/** Synchronizes the answers in the content and in the activity: those given on this page, and those that the content contains. */
function applyAnswers(reducer: MessageReducer): void {
  const { builder, carried } = reducer;
  for (const [key, { part, state }] of builder.list('request-activity')) {
    const question = builder.get(part, 'input-request');
    const answer = question?.answer ?? carried.answers.get(key);
    if (answer === undefined) continue;
    if (state === 'pending') builder.set(key, { state: 'answered', answer });
    if (part !== null && answer !== null) builder.set(part, { answer });
  }
  updateStates(reducer);
}

/** Synchronizes the states of the run and of its tools with the pending requests. */
function updateStates(reducer: MessageReducer): void {
  const { builder, status } = reducer;
  const pending = builder.list('request-activity').filter(([, { state }]) => state === 'pending');
  const waiting = new Set(pending.map(([, request]) => getToolId(request)));
  for (const [key, { state, toolId }] of builder.list('tool-activity')) {
    if (isToolOpen(state) && waiting.has(toolId)) builder.set(key, { state: 'waiting' });
    else if (state === 'waiting') builder.set(key, { state: status.ended ? 'done' : 'running' });
  }
  reducer.updateRunState();
}
