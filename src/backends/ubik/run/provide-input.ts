import { toAnswerData, type InputAnswer, type InputRequest, type RunKeys } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { EMPTY_ANSWER, type MessageFields } from '../../../model/message.js';
import { encodePath } from '../../../stream/http.js';
import { postRestore } from '../requests/checkpoints.js';
import type { UbikContext } from '../requests/context.js';
import { postInput } from '../requests/executions.js';
import type { AnswerInput, AnswerRoute } from './answer-input.js';
import { createMemory, startRun } from './start-run.js';
import type { TaskRegistry } from './task-registry.js';
import { openTaskStream, readTaskStream } from './task-stream.js';

/** An answer to a request for input. */
export interface ProvideOptions {
  readonly context: UbikContext;
  readonly registry: TaskRegistry;
  readonly session: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
  readonly request: InputRequest;
  readonly answer: InputAnswer;
  /** How an agent's question is answered. */
  readonly strategy: AnswerInput;
}

/** Answers once, and follows what the agent makes of it: a tool goes on in its run, an agent in a new one. */
export async function* provideInput(options: ProvideOptions): AsyncGenerator<Batch> {
  const { request, strategy, answer } = options;
  if (request.level === 'tool') {
    yield* answerExecution(options, request.executionId);
    return;
  }
  const route = strategy(request, answer);
  if (route.by === 'execution') yield* answerExecution(options, route.executionId);
  else
    yield* startRun({
      ...options,
      ...toPost(options, route),
      accepted: () => [...noteAnswer(options), ...showAnswer(options, route)],
    });
}

type PostRoute = Exclude<AnswerRoute, { by: 'execution' }>;

function toPost(
  { context, session, request }: ProvideOptions,
  route: PostRoute,
): Pick<Parameters<typeof startRun>[0], 'send'> {
  if (route.by === 'message') {
    const path = encodePath`/agent-sessions/${session}/messages`;
    const json = { content: route.content, stream: true };
    return { send: (rest) => context.http.request({ method: 'POST', path, json, ...rest }) };
  }
  const { checkpointName } = request;
  if (checkpointName === null) {
    throw new UbikError('misuse', 'This question names no checkpoint; answer it in another way.');
  }
  const checkpoint = { name: checkpointName, id: null };
  return { send: (rest) => postRestore(context, session, checkpoint, route.hint, rest) };
}

/** The run that asked is over: what is left to tell of it is the answer. */
function noteAnswer({ registry, session, request, answer }: ProvideOptions): Change[] {
  const asked = registry.of(session, request.message);
  const answered: Change = {
    do: 'set',
    message: request.message,
    part: request.key,
    path: ['state'],
    value: 'answered',
  };
  if (!asked) return [answered];
  asked.answer(request.key, JSON.stringify(toAnswerData(answer)));
  const changes = asked.takeChanges(true);
  if (asked.run.taskId !== null) registry.noteKnown(session, asked.run.taskId);
  registry.drop(session, request.message);
  return changes.filter((change) => change.do === 'set' && change.part !== null);
}

/** An answer that travels as a message is one, here as in the service's history. */
function showAnswer({ keys, request, context }: ProvideOptions, route: PostRoute): Change[] {
  const { user: message, answer } = keys;
  if (message === null || route.by !== 'message') return [];
  const value: MessageFields = {
    ...EMPTY_ANSWER,
    role: 'user',
    parent: request.message,
    createdAt: context.environment.now(),
    status: 'complete',
  };
  const part = '/0:text';
  const place = { message, part, parent: null, before: null };
  return [
    { do: 'message', message, value },
    { do: 'part', ...place, value: { kind: 'text' } },
    { do: 'text', message, part, at: 0, text: route.content },
    { do: 'set', message: answer, part: null, path: ['parent'], value: message },
  ];
}

async function* answerExecution(
  options: ProvideOptions,
  executionId: string | null,
): AsyncGenerator<Batch> {
  const { context, registry, session, keys, signal, request, answer } = options;
  if (executionId === null) {
    throw new UbikError('misuse', 'This question names no execution; it cannot be answered.');
  }
  await postInput(context, executionId, answer, signal);
  const head = registry.head(session);
  const memory = registry.of(session, keys.answer) ?? createMemory(context, keys, head?.size);
  registry.keep(session, memory);
  memory.answer(request.key, JSON.stringify(toAnswerData(answer)));
  const taskId = memory.run.taskId ?? head?.taskId ?? null;
  const body = await openTaskStream(context, session, { taskId }, signal);
  const stream = { context, registry, session, keys, memory, signal };
  yield* readTaskStream({ ...stream, expected: taskId, finished: null }, body);
}
