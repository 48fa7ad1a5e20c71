import type { Draft, RunRef } from '../../backend.js';
import { asFields, readId } from '../../fields.js';
import { isUbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { readJson, sniffBody } from '../../../transport/response.js';
import { encodePath } from '../../../transport/http.js';
import { loadActiveBranch, readMessage, type SessionMessage } from '../api/messages.js';
import { RequestLookups } from './request-lookups.js';
import { createIdChanges } from './message-ids.js';
import { UbikRun, type RunContext } from './ubik-run.js';
import { findTask } from './session-state.js';
import type { TaskState } from './task-state.js';

/**
 * Sends the POST that starts a run. The content type of the response distinguishes the stream from a message that contains the task of the
 * stream (UBIK 3.1).
 */
export function postRun(
  { client, session, signal }: RunContext,
  action: string,
  fields: object,
): Promise<Response> {
  const path = encodePath`/agent-sessions/${session}/` + action;
  const accept = 'text/event-stream, application/json';
  const json = { ...fields, stream: true };
  return client.http.request({ method: 'POST', path, json, accept, signal });
}

/** Sends a message, as a new run. */
export function postMessage(
  context: RunContext,
  { text, attachments }: Pick<Draft, 'text' | 'attachments'>,
): Promise<Response> {
  const ids = attachments.map(({ id }) => id);
  const attached = ids.length > 0 ? { attachment_document_ids: ids } : {};
  return postRun(context, 'messages', { content: text, ...attached });
}

/**
 * Starts a run by one POST and reads it in any form of the response (UBIK 3.1). The POST is never repeated, except by `postRestore` in
 * `checkpoints.ts` and with a new token after a 401, because the service has then rejected the first request (UBIK R8).
 *
 * @param accepted returns changes to emit when the service has accepted the request
 */
export async function* startRun(
  context: RunContext,
  send: (context: RunContext) => Promise<Response>,
  accepted: () => readonly Change[] = () => [],
): AsyncGenerator<Batch> {
  const response = await send(context);
  const run = new UbikRun(context);
  const { kind, body } = await sniffBody(response);
  const isStream = kind === 'events';
  const json = isStream ? null : await readJson(new Response(body));
  const message = readMessage(json);
  // For a response that is neither a stream nor JSON, `readJson` has thrown: such a response does not accept the request.
  const changes = accepted();
  if (changes.length > 0) yield run.createBatch(changes);
  if (isStream) {
    yield* run.follow(body, {});
    return;
  }
  // The response may name the stream without being a complete message.
  const fields = asFields(json) ?? {};
  const named = { taskId: readId(fields, 'task_id'), streamUrl: readId(fields, 'stream_url') };
  const { taskId, streamUrl } = named;
  if (message?.role === 'assistant' && taskId === null && streamUrl === null) {
    yield* run.finish(message);
    return;
  }
  const { keys, state } = context;
  // A service that stores an edited message under its old id responds with a known one.
  const isStored =
    message?.role === 'user' && keys.user !== null && !state.messageIds.has(message.id);
  yield run.createBatch([
    ...(isStored ? createIdChanges(keys.user, message) : []),
    { type: 'thread', set: { run: { state: 'streaming', id: taskId } } },
  ]);
  yield* followTask(run, message, named);
}

/**
 * Rejoins a run by GET. Replayed content that is shown already changes nothing. Without a state of the task, builds the message off screen
 * until it is as large as the shown one (UBIK R5).
 *
 * @param prepare adds data to the state of the task that its stream does not contain
 */
export async function* rejoinRun(
  context: RunContext,
  ref: RunRef,
  prepare: (task: TaskState) => void = () => undefined,
): AsyncGenerator<Batch> {
  const { taskSizes, head } = context.state;
  context.state.continuedTask = null;
  const shownSize = ref.id === null ? head?.size : taskSizes.get(ref.id);
  const run = new UbikRun(context, shownSize, findTask(context.state, ref));
  const { task } = run;
  prepare(task);
  if (task.status.ended) {
    task.repeatStatus();
    yield run.createBatch(run.drainChanges(true));
    return;
  }
  const taskId = ref.id ?? task.status.taskId;
  const body = await openTask(context, taskId);
  const lookups = new RequestLookups(context, task);
  yield* run.follow(body, { taskId, otherTaskIds: ref.otherRunIds, lookups });
}

/** Opens the stream at a URL; without a URL, the stream of a task; without a task id, that of the newest task. */
function openTask(
  { client, session, signal }: RunContext,
  taskId: string | null,
  url: string | null = null,
): Promise<ReadableStream<Uint8Array>> {
  const path = encodePath`/agent-sessions/${session}/stream`;
  return client.openStream(url === null ? { path, query: { task_id: taskId } } : { url }, signal);
}

/**
 * Reads the stream of the task that the response names. The stream is opened by the id of the task, because an absolute URL of the service
 * may bypass a proxy (UBIK 3.1); without an id, by the URL in the response. If that URL is missing or not below the base URL, the stream of
 * the newest task is opened. If the response contains neither id nor URL and no stream can be opened, reads the answer from the stored
 * messages.
 */
async function* followTask(
  run: UbikRun,
  message: SessionMessage | null,
  { taskId, streamUrl }: Pick<SessionMessage, 'taskId' | 'streamUrl'>,
): AsyncGenerator<Batch> {
  const { context } = run;
  const url = taskId === null ? streamUrl : null;
  const opened = await openTask(context, taskId, url)
    .catch((error: unknown) => {
      if (!isUbikError(error) || error.code !== 'foreign-origin') throw error;
      return openTask(context, null);
    })
    .catch(async (error: unknown) => {
      const isNamed = taskId !== null || url !== null || context.signal.aborted;
      const stored = isNamed ? null : await findStoredAnswer(context, message);
      if (!stored) throw error;
      return stored;
    });
  if ('role' in opened) yield* run.finish(opened);
  else yield* run.follow(opened, { taskId, otherTaskIds: [] });
}

async function findStoredAnswer(
  { client, session, signal, state }: RunContext,
  question: SessionMessage | null,
): Promise<SessionMessage | null> {
  const last = (await loadActiveBranch(client, session, { signal })).at(-1);
  if (last?.role !== 'assistant') return null;
  const isNew = question ? last.parentId === question.id : !state.messageIds.has(last.id);
  return isNew ? last : null;
}
