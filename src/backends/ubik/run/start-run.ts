import type { RunKeys } from '../../backend.js';
import { isUbikError, UbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { readContentKind } from '../../../stream/content-kind.js';
import { parseJsonAnswer } from '../../../stream/http/json-answer.js';
import { readText } from '../../../stream/http/read-text.js';
import type { HttpRequest } from '../../../stream/http.js';
import type { UbikContext } from '../requests/context.js';
import { getBranch } from '../requests/messages.js';
import { readMessage, toStoredMessage, type WireMessage } from '../requests/read-message.js';
import { nameChanges } from './after-run.js';
import { TaskMemory } from './task-memory.js';
import type { TaskRegistry } from './task-registry.js';
import { openTaskStream, readTaskStream, type TaskStreamOptions } from './task-stream.js';

/** A run that one POST starts. */
export interface StartOptions {
  readonly context: UbikContext;
  readonly registry: TaskRegistry;
  readonly session: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
  /** Sends the POST. */
  readonly send: (request: Pick<HttpRequest, 'accept' | 'signal'>) => Promise<Response>;
  /** Changes that the accepted POST has brought about. */
  readonly accepted?: () => readonly Change[];
}

/** What the service answers is told by its type: the stream itself, or a message that tells where the stream is. */
const ACCEPT = 'text/event-stream, application/json';
/** Bytes of a message. */
const LONGEST_MESSAGE = 1 << 26;

/** Starts a run by one POST, never repeated, and follows it whatever the answer is (3.1). */
export async function* startRun(options: StartOptions): AsyncGenerator<Batch> {
  const response = await options.send({ accept: ACCEPT, signal: options.signal });
  const memory = createMemory(options.context, options.keys);
  options.registry.keep(options.session, memory);
  const accepted = options.accepted?.() ?? [];
  if (accepted.length > 0) yield makeBatch(options, accepted);
  const { kind, body } = await readContentKind(response);
  if (kind === 'events') {
    yield* readTaskStream({ ...streamOptions(options, memory, null), finished: null }, body);
    return;
  }
  const message = await readAnswer(kind, body);
  if (message?.taskId || message?.streamUrl) yield* follow(options, memory, message);
  else if (message?.role === 'assistant') yield finish(options, message);
  else yield* followNewest(options, memory, message);
}

/** The memory of a task that writes the answer of these keys. */
export function createMemory(
  context: UbikContext,
  keys: RunKeys,
  shown?: ConstructorParameters<typeof TaskMemory>[0]['shown'],
): TaskMemory {
  return new TaskMemory({
    message: keys.answer,
    maxEvents: context.limits.events,
    maxText: context.limits.messageText,
    onDiagnostic: (error) => context.report(error),
    shown,
  });
}

function streamOptions(
  options: StartOptions,
  memory: TaskMemory,
  expected: string | null,
): TaskStreamOptions {
  const { context, registry, session, keys, signal } = options;
  return { context, registry, session, keys, memory, signal, expected, finished: [] };
}

async function readAnswer(
  kind: string,
  body: ReadableStream<Uint8Array>,
): Promise<WireMessage | null> {
  if (kind === 'html') {
    await body.cancel();
    throw new UbikError('not-an-api', 'A web page answered instead of the service.');
  }
  const text = await readText(new Response(body), LONGEST_MESSAGE);
  return readMessage(parseJsonAnswer(text));
}

/** Under our own address: an absolute one of the service's may lead past a proxy. */
async function* follow(
  options: StartOptions,
  memory: TaskMemory,
  message: WireMessage,
): AsyncGenerator<Batch> {
  const { context, session, signal, keys } = options;
  const { taskId } = message;
  const run: Change = { do: 'thread', set: { run: { state: 'streaming', id: taskId } } };
  yield makeBatch(options, [...nameOwn(keys, message), run]);
  const url = taskId === null ? message.streamUrl : null;
  const body = await openTaskStream(context, session, { taskId, url }, signal).catch(
    (error: unknown) => {
      const isForeign = url !== null && isUbikError(error) && error.code === 'foreign-origin';
      if (!isForeign) throw error;
      return openTaskStream(context, session, { taskId: null }, signal);
    },
  );
  yield* readTaskStream(streamOptions(options, memory, taskId), body);
}

/** The service named no task: the newest one is ours. Without a stream the messages tell. */
async function* followNewest(
  options: StartOptions,
  memory: TaskMemory,
  question: WireMessage | null,
): AsyncGenerator<Batch> {
  const { context, session, signal, keys } = options;
  if (question) yield makeBatch(options, nameOwn(keys, question));
  let body: ReadableStream<Uint8Array>;
  try {
    body = await openTaskStream(context, session, { taskId: null }, signal);
  } catch (error) {
    const answer = signal.aborted ? null : await findAnswer(options, question);
    if (!answer) throw error;
    yield finish(options, answer);
    return;
  }
  yield* readTaskStream(streamOptions(options, memory, null), body);
}

async function findAnswer(
  { context, session, signal }: StartOptions,
  question: WireMessage | null,
): Promise<WireMessage | null> {
  const { items } = await getBranch(context, session, { signal });
  const last = items.at(-1);
  if (last?.role !== 'assistant') return null;
  return question === null || last.parentId === question.id ? last : null;
}

/** The finished answer, whole. */
function finish(options: StartOptions, message: WireMessage): Batch {
  const { keys, registry, session } = options;
  if (message.taskId !== null) registry.noteKnown(session, message.taskId);
  const { parts } = toStoredMessage(message);
  return makeBatch(options, [
    ...nameChanges(keys.answer, message),
    { do: 'content', message: keys.answer, parts },
    { do: 'set', message: keys.answer, part: null, path: ['status'], value: 'complete' },
    { do: 'thread', set: { run: { state: 'complete', id: message.taskId } } },
  ]);
}

/** The message may be the question or the answer: its role tells. */
function nameOwn(keys: RunKeys, message: WireMessage): Change[] {
  if (message.role === 'assistant') {
    const taskId: Change = {
      do: 'set',
      message: keys.answer,
      part: null,
      path: ['taskId'],
      value: message.taskId,
    };
    return [...nameChanges(keys.answer, message), taskId];
  }
  return message.role === 'user' && keys.user !== null ? nameChanges(keys.user, message) : [];
}

function makeBatch({ context, keys }: StartOptions, changes: readonly Change[]): Batch {
  return { thread: keys.thread, at: context.environment.now(), changes };
}
