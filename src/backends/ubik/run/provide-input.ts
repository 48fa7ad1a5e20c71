import { UbikError } from '../../../errors.js';
import { toAnswerData } from '../../../model/part.js';
import { createFieldChange, type Batch, type Change } from '../../../model/change.js';
import { EMPTY_ANSWER, USER_TEXT } from '../../../model/message.js';
import type { InputAnswer, InputRequest } from '../../backend.js';
import { postInput } from '../api/executions.js';
import { assertRequestOpen, explainRejection } from './request-lookups.js';
import type { RunContext } from './ubik-run.js';
import { releaseTask } from './session-state.js';
import { postRestore, postRun, rejoinRun, startRun } from './start-run.js';

/** An answer to an input request. */
export interface ProvidedInput {
  readonly request: InputRequest;
  readonly answer: InputAnswer;
  /** Chooses how the answer to a request of an agent is sent. */
  readonly chooseRoute: ChooseAnswerRoute;
}

/**
 * Sends the answer once and reads the run that follows: an answer to a tool continues its run, an answer to an agent starts another one.
 */
export async function* provideInput(
  context: RunContext,
  input: ProvidedInput,
): AsyncGenerator<Batch> {
  const { request, answer, chooseRoute } = input;
  const route: AnswerRoute =
    request.level === 'tool'
      ? { by: 'execution', executionId: request.executionId ?? '' }
      : chooseRoute(request, answer);
  if (route.by === 'execution') yield* answerExecution(context, input, route.executionId);
  else {
    const send = () => sendAnswer(context, request, route);
    yield* startRun(context, send, () => [
      ...recordAnswer(context, input),
      ...createAnswerMessage(context, request, route),
    ]);
  }
}

async function sendAnswer(
  context: RunContext,
  { checkpointName, message }: InputRequest,
  route: Exclude<AnswerRoute, { by: 'execution' }>,
): Promise<Response> {
  await assertRequestOpen(context, message);
  if (route.by === 'message') return postRun(context, 'messages', { content: route.content });
  if (checkpointName === null) throw new UbikError('misuse', 'The question names no checkpoint.');
  return postRestore(context, { name: checkpointName, id: null }, route.hint);
}

/** Marks the request as answered. The run that contains it has ended, so nothing else of it is emitted. */
function recordAnswer({ state }: RunContext, { request, answer }: ProvidedInput): Change[] {
  const { key: part, message } = request;
  const task = state.runs.get(message);
  if (!task) return [{ type: 'set', message, part, path: ['state'], value: 'answered' }];
  task.recordAnswer(part, JSON.stringify(toAnswerData(answer)));
  const changes = task.drainChanges(true);
  releaseTask(state, message);
  return changes.filter((change) => change.type === 'set' && change.part !== null);
}

/** Creates the user's message for an answer that is sent as a message, because the service's history contains it. */
function createAnswerMessage(
  { keys, client }: RunContext,
  request: InputRequest,
  route: AnswerRoute,
): Change[] {
  const { user: message, answer } = keys;
  if (message === null || route.by !== 'message') return [];
  const createdAt = client.environment.now();
  const fields = { role: 'user', status: 'complete', parent: request.message, createdAt } as const;
  const part = USER_TEXT;
  const context = { message, part, parent: null, before: null };
  return [
    { type: 'message', message, value: { ...EMPTY_ANSWER, ...fields } },
    { type: 'part', ...context, value: { kind: 'text' } },
    { type: 'text', message, part, at: 0, text: route.content },
    createFieldChange(answer, null, 'parent', message),
  ];
}

/** Answers a tool and rejoins its run, which this page may know from its history only. */
async function* answerExecution(
  context: RunContext,
  { request, answer }: ProvidedInput,
  executionId: string,
): AsyncGenerator<Batch> {
  const { client, state, keys, signal } = context;
  try {
    await postInput(client, executionId, answer, signal);
  } catch (error) {
    throw await explainRejection(context, executionId, error);
  }
  const id = state.runs.get(keys.answer)?.status.taskId ?? state.head?.taskId ?? null;
  yield* rejoinRun(context, { id, keys, otherRunIds: [] }, (task) => {
    task.recordAnswer(request.key, JSON.stringify(toAnswerData(answer)));
  });
}

/** How the answer to a request of an agent is sent. The service documents none of these routes (UBIK 6.1). */
export type AnswerRoute =
  /** As the next message. */
  | { readonly by: 'message'; readonly content: string }
  /** By restoring the checkpoint of the request, with the answer as the hint. */
  | { readonly by: 'checkpoint'; readonly hint: string }
  /** As the input of an execution. */
  | { readonly by: 'execution'; readonly executionId: string };

/** Chooses how the answer to a request of an agent is sent. */
export type ChooseAnswerRoute = (request: InputRequest, answer: InputAnswer) => AnswerRoute;

/**
 * Returns the route that sends the answer as the next message: its text, its JSON, or the text or else the name of its file; for a declined
 * request, the text that declines it in the user's language.
 */
export function answerByMessage(_request: InputRequest, answer: InputAnswer): AnswerRoute {
  if (answer.type === 'json') return { by: 'message', content: JSON.stringify(answer.value) };
  const content = answer.type === 'file' ? (answer.text ?? answer.file.name) : answer.text;
  return { by: 'message', content };
}
