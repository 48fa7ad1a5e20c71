import { isUbikError, UbikError } from '../../../errors.js';
import { toAnswerData } from '../../../model/part.js';
import {
  createFieldChange,
  createItemChange,
  type Batch,
  type Change,
} from '../../../model/change.js';
import type { Key } from '../../../model/json.js';
import { EMPTY_ANSWER, USER_TEXT, type Attachment } from '../../../model/message.js';
import { copyAsUnsent, encodePath } from '../../../transport/http.js';
import type { DocumentInfo, InputAnswer, InputRequest } from '../../backend.js';
import type { UbikClient } from '../api/client.js';
import { createDocumentMethods } from '../api/documents.js';
import { loadActiveBranch } from '../api/messages.js';
import { isExecutionAnswered } from './request-lookups.js';
import type { RunContext } from './ubik-run.js';
import { releaseTask } from './session-state.js';
import { postRestore } from './checkpoints.js';
import { postMessage, rejoinRun, startRun } from './start-run.js';

/** An answer to an input request. */
export interface ProvidedInput {
  readonly request: InputRequest;
  readonly answer: InputAnswer;
  /** Chooses how the answer to a request of an agent is sent: by default {@link answerByMessage}. */
  readonly chooseRoute: ChooseAnswerRoute | undefined;
}

/**
 * Sends the answer once and reads the run that follows: an answer to an execution continues its run, any other answer starts another one.
 */
export async function* provideInput(
  context: RunContext,
  input: ProvidedInput,
): AsyncGenerator<Batch> {
  const { request, answer, chooseRoute = answerByMessage } = input;
  const route: AnswerRoute =
    request.level === 'tool'
      ? { by: 'execution', executionId: request.executionId ?? '' }
      : chooseRoute(request, answer);
  if (route.by === 'execution') yield* answerExecution(context, input, route.executionId);
  else {
    let documents: readonly DocumentInfo[] = [];
    const send = async () => {
      await assertRequestOpen(context, request.message);
      if (answer.type === 'file') documents = [await uploadFile(context, answer.file)];
      return sendAnswer(context, request, route, documents);
    };
    yield* startRun(context, send, () => {
      if (answer.type === 'file') context.state.uploads.delete(answer.file);
      return [
        ...recordAnswer(context, input),
        ...createAnswerMessage(context, request, route, documents),
        ...documents.map((info) => createItemChange('documents', info.id, { ...info })),
      ];
    });
  }
}

/** Uploads the file of an answer, once. An error is marked as `unsent`, because no message was sent. */
async function uploadFile({ client, session, state, signal }: RunContext, file: File) {
  const { uploadDocument } = createDocumentMethods(client);
  try {
    const document =
      state.uploads.get(file) ?? (await uploadDocument(session, file, () => undefined, signal));
    state.uploads.set(file, document);
    return document;
  } catch (error) {
    if (!isUbikError(error)) throw error;
    // A service without uploads: `not-found` would say that the session does not exist.
    const isMissing = error.code === 'not-found';
    throw copyAsUnsent(isMissing ? new UbikError('upload-failed', { cause: error }) : error);
  }
}

function sendAnswer(
  context: RunContext,
  { checkpointName }: InputRequest,
  route: Exclude<AnswerRoute, { by: 'execution' }>,
  attachments: readonly Attachment[],
): Promise<Response> {
  if (route.by === 'message') return postMessage(context, { text: route.content, attachments });
  if (checkpointName === null) throw new UbikError('misuse', 'The question names no checkpoint.');
  return postRestore(context, { name: checkpointName, id: null }, route.hint);
}

/** Marks the request as answered. The answer starts another run, so no other changes of the run that contains the request are emitted. */
function recordAnswer({ state }: RunContext, { request, answer }: ProvidedInput): Change[] {
  const { key: part, message } = request;
  const task = state.runs.get(message);
  task?.recordAnswer(part, JSON.stringify(toAnswerData(answer)));
  // Late events are sorted now, because the task is released below.
  const sortLate = true;
  const changes = task?.drainChanges(sortLate) ?? [];
  releaseTask(state, message);
  return [
    // No task emits this change if this page has not read the run, or while a replay of it is built off screen.
    createFieldChange(message, part, 'state', 'answered'),
    ...changes.filter((change) => change.type === 'set' && change.part !== null),
  ];
}

/** Creates the user's message for an answer that is sent as a message, because the service's history contains it. */
function createAnswerMessage(
  { keys, client }: RunContext,
  request: InputRequest,
  route: AnswerRoute,
  attachments: readonly Attachment[],
): Change[] {
  const { user: message, answer } = keys;
  if (message === null || route.by !== 'message') return [];
  const createdAt = client.environment.now();
  const fields = { role: 'user', status: 'complete', parent: request.message, createdAt } as const;
  const part = USER_TEXT;
  const position = { message, part, parent: null, before: null };
  return [
    { type: 'message', message, value: { ...EMPTY_ANSWER, ...fields, attachments } },
    { type: 'part', ...position, value: { kind: 'text' } },
    { type: 'text', message, part, at: 0, text: route.content },
    createFieldChange(answer, null, 'parent', message),
  ];
}

/** Answers a tool and rejoins its run, which this page may know only from the stored messages. */
async function* answerExecution(
  context: RunContext,
  { request, answer }: ProvidedInput,
  executionId: string,
): AsyncGenerator<Batch> {
  const { client, state, keys, signal } = context;
  const id = state.runs.get(keys.answer)?.status.taskId ?? state.head?.taskId ?? null;
  try {
    await postInput(client, executionId, answer, signal);
  } catch (error) {
    const rejection = await explainRejection(context, executionId, error);
    if (isUbikError(rejection) && rejection.code === 'not-open') state.continuedTask = id;
    throw rejection;
  }
  yield* rejoinRun(context, { id, keys, otherRunIds: [] }, (task) => {
    task.recordAnswer(request.key, JSON.stringify(toAnswerData(answer)));
  });
}

/** Sends the answer to an execution that waits for input. Repeated only with a new token after a 401 (UBIK R8). */
function postInput(
  { request }: UbikClient,
  executionId: string,
  answer: InputAnswer,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  // A file needs no `input_data_json`, unless text was added to it.
  if (answer.type !== 'file' || answer.text !== undefined) {
    form.set('input_data_json', JSON.stringify(toAnswerData(answer)));
  }
  if (answer.type === 'file') form.set('file', answer.file);
  const path = encodePath`/tool-executions/${executionId}/provide-input`;
  return request('POST', path, { form, signal, timeout: undefined });
}

/** Returns the error for a rejected answer: `not-open` when the execution no longer waits, because it was answered elsewhere. */
async function explainRejection(
  context: RunContext,
  executionId: string,
  error: unknown,
): Promise<unknown> {
  const isRefusal = isUbikError(error) && (error.status === 409 || error.status === 404);
  if (!isRefusal || !(await isExecutionAnswered(context, executionId))) return error;
  return new UbikError('not-open', { cause: error });
}

/**
 * Rejects with `not-open` when a request of an agent was answered elsewhere: a user's message then follows it, and the answer would become
 * another message. Also rejects when another client has activated another branch, because the answer would become a message there. Resolves
 * when the messages cannot be loaded.
 */
async function assertRequestOpen(context: RunContext, message: Key): Promise<void> {
  const { client, session, state, signal } = context;
  const task = state.runs.get(message)?.status.taskId ?? state.head?.taskId;
  if (task == null) return;
  const items = await loadActiveBranch(client, session, { signal }).catch(() => []);
  const at = items.map(({ taskId }) => taskId).lastIndexOf(task);
  const isAnswered = at >= 0 && items.slice(at + 1).some(({ role }) => role === 'user');
  // Stored messages may lag behind a run, but not behind a message that was loaded from them. A waiting task is in `taskSizes` only if its
  // message was loaded.
  const isOffBranch = at < 0 && items.length > 0 && state.taskSizes.has(task);
  if (isAnswered || isOffBranch) throw new UbikError('not-open');
}

/** How the answer to a request of an agent is sent. The service documents none of these routes (UBIK 6.1). */
export type AnswerRoute =
  /** As the next message. A file is uploaded and attached to it. */
  | { readonly by: 'message'; readonly content: string }
  /** By restoring the checkpoint of the request, with the answer as the hint. A file is uploaded before. */
  | { readonly by: 'checkpoint'; readonly hint: string }
  /** As the input of an execution. */
  | { readonly by: 'execution'; readonly executionId: string };

/** Chooses how the answer to a request of an agent is sent. */
export type ChooseAnswerRoute = (request: InputRequest, answer: InputAnswer) => AnswerRoute;

/**
 * Returns the route that sends the answer as the next message: its text or its JSON; for a file, which is attached, the text that was
 * added to it, else its name; for a declined request, the text that says so in the user's language.
 */
export function answerByMessage(_request: InputRequest, answer: InputAnswer): AnswerRoute {
  if (answer.type === 'json') return { by: 'message', content: JSON.stringify(answer.value) };
  const content = answer.type === 'file' ? (answer.text ?? answer.file.name) : answer.text;
  return { by: 'message', content };
}
