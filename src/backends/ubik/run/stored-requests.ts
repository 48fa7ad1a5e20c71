import { isUbikError, type UbikErrorCode } from '../../../errors.js';
import type { Key } from '../../../model/json.js';
import type { PartTree, RequestActivityFields } from '../../../model/part.js';
import { combineSignals } from '../../../transport/abort-signals.js';
import { encodePath } from '../../../transport/http.js';
import { readEventChunks } from '../../../transport/sse.js';
import type { InputRequest, StoredMessage } from '../../backend.js';
import { readId } from '../../fields.js';
import type { UbikClient } from '../api/client.js';
import { loadExecution } from '../api/executions.js';
import { getEventTime, type WireEvent } from '../events/wire-event.js';
import { toReducerEvent } from '../reducer/event-handler.js';
import { readRequest } from '../reducer/input-events.js';
import { loadCheckpoints } from './checkpoints.js';
import type { SessionState } from './session-state.js';

/** Maximum number of executions of one message that are looked up. */
const MAX_EXECUTIONS = 8;

/** The newest message of a loaded session. */
interface LoadedHead {
  readonly session: string;
  readonly head: StoredMessage;
  readonly signal: AbortSignal | undefined;
}

/**
 * Adds to a stored message the requests that are pending according to the service (UBIK R7), with the fields that only the events of its
 * task contain. Returns the message with the same content when no request is pending.
 */
export async function addPendingRequests(
  client: UbikClient,
  state: SessionState,
  { session, head, signal }: LoadedHead,
): Promise<StoredMessage> {
  const { pending, lacksRequests } = await findPendingRequests(client, session, head, signal);
  const known = { ...head, lacksRequests };
  const { runId: taskId } = head.fields;
  if (pending.some(({ level }) => level === 'tool')) state.waitingTask = taskId;
  if (pending.length === 0) {
    // The tool was answered elsewhere, and the stored message may contain only the content before the answer (UBIK R11).
    if (!lacksRequests && taskId === state.waitingTask) {
      state.continuedTask = taskId;
      state.waitingTask = null;
    }
    return known;
  }
  const requests = await fillInRequests(client, state, { session, taskId, pending, signal });
  return {
    ...known,
    requests,
    fields: { ...head.fields, status: 'waiting' },
    parts: markWaitingTools(head.parts, new Set(requests.map((each) => each.executionId))),
  };
}

/**
 * Errors after which a request counts as not pending, because another lookup would fail as well. `lacksRequests` is set after any other error,
 * and after one of these without an HTTP error status, such as `not-an-api` for the page of a captive portal.
 */
const REFUSALS: readonly UbikErrorCode[] = [
  'not-found',
  'forbidden',
  'invalid',
  'bad-request',
  'not-an-api',
];

/**
 * Finds the pending requests of a message: those of the agent whose checkpoint is listed, and those of tools that wait for input (UBIK R7).
 * `lacksRequests`: whether some could not be looked up, so that `pending` may lack them.
 */
async function findPendingRequests(
  client: UbikClient,
  session: string,
  { parts }: StoredMessage,
  signal: AbortSignal | undefined,
): Promise<{ readonly pending: readonly InputRequest[]; readonly lacksRequests: boolean }> {
  let lacksRequests = false;
  const handleFailure = (error: unknown): null => {
    const isRefused = isUbikError(error) && REFUSALS.includes(error.code);
    if (!isRefused || (error.status ?? 0) < 400) lacksRequests = true;
    return null;
  };
  const all = flatten(parts);
  const unanswered = all
    .filter((part) => part.kind === 'input-request')
    .filter((part) => part.answer === null && part.checkpointName !== null);
  const running = all
    .filter((part) => part.kind === 'tool')
    .filter((tool) => tool.state !== 'done' && tool.result === null && tool.toolId !== '');
  const toolRequests = running.slice(-MAX_EXECUTIONS).map(async ({ toolId, name }) => {
    const execution = await loadExecution(client, toolId, signal).catch(handleFailure);
    if (execution?.status !== 'waiting_for_input') return [];
    const { id, inputs } = execution;
    const fields = { tool_execution_id: id, ...(inputs !== null && { tool_input: inputs }) };
    return [toInputRequest(readRequest({ fields, time: null }, name))];
  });
  const checkpoints =
    unanswered.length > 0
      ? await loadCheckpoints(client, session, signal).catch(handleFailure)
      : null;
  const agentRequests = unanswered.flatMap(({ checkpointName, prompt, inputTypes }) => {
    if (!checkpoints?.some(({ name }) => name === checkpointName)) return [];
    const fields = { checkpoint_name: checkpointName, prompt, input_types: inputTypes };
    return [toInputRequest(readRequest({ fields, time: null }, null))];
  });
  const pending = [...agentRequests, ...(await Promise.all(toolRequests)).flat()];
  return { pending, lacksRequests };
}

function flatten(parts: readonly PartTree[]): PartTree[] {
  return parts.flatMap((part) => [part, ...flatten(part.parts ?? [])]);
}

/** Sets the state `waiting` of tools whose executions wait for input, as the events of a live run do. */
function markWaitingTools(
  trees: readonly PartTree[],
  executions: ReadonlySet<string | null>,
): PartTree[] {
  return trees.map((tree) => {
    const inner = tree.parts && { parts: markWaitingTools(tree.parts, executions) };
    return tree.kind === 'tool' && executions.has(tree.toolId)
      ? { ...tree, ...inner, state: 'waiting' }
      : { ...tree, ...inner };
  });
}

function toInputRequest({
  kind: _kind,
  part: _part,
  state: _state,
  answer: _answer,
  ...question
}: RequestActivityFields): InputRequest {
  const { executionId, checkpointName } = question;
  const name = question.level === 'tool' ? `tool:${executionId ?? ''}` : (checkpointName ?? '');
  return { ...question, key: `@request:${name}`, message: '' };
}

/**
 * Adds to the pending requests of a message the fields that only the events of its task contain. The events are read once, and not at all
 * when this page has read the stream of that task, because the shown message then has the complete requests.
 */
async function fillInRequests(
  client: UbikClient,
  state: SessionState,
  { taskId, ...stored }: Omit<StoredRequests, 'taskId'> & { readonly taskId: string | null },
): Promise<readonly InputRequest[]> {
  const { pending, signal } = stored;
  const isRead = [...state.runs.values()].some(({ status }) => status.taskId === taskId);
  if (taskId === null || isRead) return pending;
  // Includes the prompt, because a later request at the same checkpoint has the same key.
  const idOf = ({ key, prompt }: InputRequest) => JSON.stringify([taskId, key, prompt]);
  if (pending.some((request) => !state.requests.has(idOf(request)))) {
    const requests = await readRequests(client, { ...stored, taskId });
    if (!signal?.aborted)
      state.requests = new Map([...requests.values()].map((each) => [idOf(each), each]));
  }
  return pending.map((request) => state.requests.get(idOf(request)) ?? request);
}

/** The pending requests of a stored message, and the task that wrote it. */
interface StoredRequests {
  readonly session: string;
  readonly taskId: string;
  readonly pending: readonly InputRequest[];
  readonly signal: AbortSignal | undefined;
}

/** Longest time, in ms, that reading the events delays the messages of the thread. */
const TIMEOUT = 1000;
/** Silence, in ms, after which no further request of the execution of a tool is expected. */
const SILENCE = 100;

/** The events that contain a request. */
const REQUEST_EVENTS: readonly string[] = ['input_required', 'tool_input_required'];

/**
 * Adds to pending requests the fields that only the events of their task contain: choices, schema, deadline, and the input types of a tool.
 * The stream of the task replays these events (UBIK 3.4). It is closed when all are found, after a short silence if a tool may have asked
 * again, and at the latest after a second. Requests whose events were not found are returned unchanged. Returns the requests by their keys.
 */
async function readRequests(
  client: UbikClient,
  { session, taskId, pending, signal }: StoredRequests,
): Promise<ReadonlyMap<Key, InputRequest>> {
  const requests = new Map(pending.map((request) => [request.key, request]));
  const missing = new Set(requests.keys());
  const closing = new AbortController();
  const { environment } = client;
  const close = (): void => closing.abort();
  const timer = environment.setTimer(close, TIMEOUT);
  let silence: typeof timer | undefined;
  try {
    const task = { session, taskId, signal: combineSignals(signal, closing.signal) };
    for await (const events of readEvents(client, task)) {
      if (events.some((event) => isOfOtherTask(event, taskId))) break;
      for (const event of events.filter(({ type }) => REQUEST_EVENTS.includes(type))) {
        for (const request of pending) {
          const filled = fillInRequest(request, event, client);
          if (!filled) continue;
          // Also when an earlier event has filled it in: the execution may have asked again, and the later request is the open one.
          requests.set(request.key, filled);
          missing.delete(request.key);
        }
      }
      if (missing.size > 0) continue;
      if (pending.every(({ level }) => level === 'agent')) break;
      if (silence) environment.clearTimer(silence);
      silence = environment.setTimer(close, SILENCE);
    }
  } catch (error) {
    if (!isUbikError(error)) throw error;
  } finally {
    environment.clearTimer(timer);
    if (silence) environment.clearTimer(silence);
  }
  return requests;
}

/** Reads the events of a task. Yields events that arrive together as one array. Asks the service to omit the chunks of text. */
async function* readEvents(
  client: UbikClient,
  {
    session,
    taskId,
    signal,
  }: Pick<StoredRequests, 'session' | 'taskId'> & { readonly signal: AbortSignal },
): AsyncGenerator<readonly WireEvent[]> {
  const path = encodePath`/agent-sessions/${session}/stream`;
  const query = { task_id: taskId, include_chunks: 'false' };
  const body = await client.openStream({ path, query }, signal);
  const reader = client.createEventReader();
  const { maxEventBytes } = client.limits;
  for await (const records of readEventChunks(body, { signal, maxEventBytes })) {
    yield records.flatMap((record) => reader.read(record) ?? []);
  }
}

function isOfOtherTask({ type, fields }: WireEvent, taskId: string): boolean {
  const streamed = type === 'connection_established' ? readId(fields, 'task_id') : null;
  return streamed !== null && streamed !== taskId;
}

/** Stored text can have other white space than the event that it was written from. */
function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns a request with the fields of its event; null for the event of another request. */
function fillInRequest(
  request: InputRequest,
  event: WireEvent,
  { clock }: UbikClient,
): InputRequest | null {
  const isTool = event.type === 'tool_input_required';
  const instant = getEventTime(event) ?? Number.NEGATIVE_INFINITY;
  const found = readRequest(
    toReducerEvent(event, instant),
    isTool ? (request.toolName ?? '') : null,
  );
  const isSame =
    request.level === found.level &&
    (isTool
      ? request.executionId === found.executionId
      : // Several requests of a task can be at the same checkpoint.
        request.checkpointName === found.checkpointName &&
        collapseSpaces(request.prompt) === collapseSpaces(found.prompt));
  if (!isSame) return null;
  const { inputTypes, deadline } = found;
  return {
    ...request,
    inputTypes,
    options: found.options ?? request.options,
    schema: found.schema ?? request.schema,
    deadline: deadline === null ? null : clock.toPageTime(deadline),
  };
}
