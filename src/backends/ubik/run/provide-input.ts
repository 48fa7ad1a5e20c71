import { UbikError } from '../../../errors.js';
import { toAnswerData } from '../../../model/part.js';
import type { Batch, Change } from '../../../model/change.js';
import { EMPTY_ANSWER, USER_TEXT } from '../../../model/message.js';
import type { InputAnswer, InputRequest } from '../../backend.js';
import { postInput } from '../api/executions.js';
import { assertRequestOpen, explainRejection } from './request-lookups.js';
import { setField } from './message-ids.js';
import type { RunContext } from './ubik-run.js';
import { releaseTask } from './session-state.js';
import { postRestore, postRun, rejoinRun, startRun } from './start-run.js';

/** An answer to a request for input. */
export interface ProvidedInput {
  readonly request: InputRequest;
  readonly answer: InputAnswer;
  /** How an agent's question is answered. */
  readonly strategy: AnswerInput;
}

/** Answers once, and follows what the agent makes of it: a tool goes on in its run, an agent in a new one. */
export async function* provideInput(
  context: RunContext,
  input: ProvidedInput,
): AsyncGenerator<Batch> {
  const { request, answer, strategy } = input;
  const route: AnswerRoute =
    request.level === 'tool'
      ? { by: 'execution', executionId: request.executionId ?? '' }
      : strategy(request, answer);
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

/** The run that asked is over: what is left to tell of it is the answer. */
function recordAnswer({ state }: RunContext, { request, answer }: ProvidedInput): Change[] {
  const { key: part, message } = request;
  const asked = state.runs.get(message);
  if (!asked) return [{ type: 'set', message, part, path: ['state'], value: 'answered' }];
  asked.answer(part, JSON.stringify(toAnswerData(answer)));
  const changes = asked.drainChanges(true);
  releaseTask(state, message);
  return changes.filter((change) => change.type === 'set' && change.part !== null);
}

/** An answer that travels as a message is one, here as in the service's history. */
function createAnswerMessage(
  { keys, client }: RunContext,
  request: InputRequest,
  route: AnswerRoute,
): Change[] {
  const { user: message, answer } = keys;
  if (message === null || route.by !== 'message') return [];
  const createdAt = client.environment.now();
  const about = { role: 'user', status: 'complete', parent: request.message, createdAt } as const;
  const part = USER_TEXT;
  const context = { message, part, parent: null, before: null };
  return [
    { type: 'message', message, value: { ...EMPTY_ANSWER, ...about } },
    { type: 'part', ...context, value: { kind: 'text' } },
    { type: 'text', message, part, at: 0, text: route.content },
    setField(answer, 'parent', message),
  ];
}

/** The run goes on; this page may know it from its history only. */
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
  yield* rejoinRun(context, { id, keys, finishedRuns: [] }, (memory) => {
    memory.answer(request.key, JSON.stringify(toAnswerData(answer)));
  });
}

/** What the service can be asked to do with the answer to an agent's question. The service documents none of them. */
export type AnswerRoute =
  /** As the next message. */
  | { readonly by: 'message'; readonly content: string }
  /** By going back to the checkpoint of the question, with the answer as the hint. */
  | { readonly by: 'checkpoint'; readonly hint: string }
  /** As the input of an execution. */
  | { readonly by: 'execution'; readonly executionId: string };

/** Decides how an agent's question is answered. */
export type AnswerInput = (request: InputRequest, answer: InputAnswer) => AnswerRoute;

/** The answer as the next message; a declined one in the sentence that the person's language has for it. */
export function answerByMessage(_request: InputRequest, answer: InputAnswer): AnswerRoute {
  if (answer.type === 'json') return { by: 'message', content: JSON.stringify(answer.value) };
  const content = answer.type === 'file' ? (answer.text ?? answer.file.name) : answer.text;
  return { by: 'message', content };
}
