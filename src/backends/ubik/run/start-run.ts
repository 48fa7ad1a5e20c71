import type { RunRef } from '../../backend.js';
import { isUbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { readJson, sniffBody } from '../../../transport/response.js';
import { encodePath } from '../../../transport/http.js';
import { loadActiveBranch, readMessage, type WireMessage } from '../api/messages.js';
import { RequestLookups } from './request-lookups.js';
import { UbikRun, type RunContext } from './ubik-run.js';
import { findTask } from './session-state.js';
import type { TaskState } from './task-state.js';

/** The POST below a session that starts a run. What the service answers is told by its type: the stream, or a message that tells where the stream is. */
export function postRun(
  { client, session, signal }: RunContext,
  act: string,
  fields: object,
): Promise<Response> {
  const path = encodePath`/agent-sessions/${session}/` + act;
  const accept = 'text/event-stream, application/json';
  const json = { ...fields, stream: true };
  return client.http.request({ method: 'POST', path, json, accept, signal });
}

/**
 * Goes back to a checkpoint, as a new run. One refusal that asks for the other form of its name is met with that form, once: it has
 * started nothing.
 */
export async function postRestore(
  context: RunContext,
  { name, id }: { readonly name: string; readonly id: string | null },
  hint: string | null,
): Promise<Response> {
  const act = 'navigate-to-checkpoint';
  const more = hint === null ? {} : { checkpoint_hint: hint };
  try {
    return await postRun(context, act, { checkpoint_name: name, ...more });
  } catch (error) {
    const asksForId =
      isUbikError(error) &&
      error.status === 422 &&
      /\bcheckpoint_id\b/.test(error.offender ?? error.message);
    if (!asksForId) throw error;
    return postRun(context, act, { checkpoint_id: id ?? name, ...more });
  }
}

/** Starts a run by one POST, never repeated, and follows it whatever the answer is (3.1). `accepted`: what it has brought about. */
export async function* startRun(
  context: RunContext,
  send: (context: RunContext) => Promise<Response>,
  accepted: () => readonly Change[] = () => [],
): AsyncGenerator<Batch> {
  const response = await send(context);
  const run = new UbikRun(context);
  const { kind, body } = await sniffBody(response);
  const isStream = kind === 'events';
  const message = isStream ? null : readMessage(await readJson(new Response(body)));
  // Only now: something that is neither a stream nor JSON has accepted nothing.
  const changes = accepted();
  if (changes.length > 0) yield run.createBatch(changes);
  if (isStream) {
    yield* run.follow(body, {});
    return;
  }
  const { taskId = null, streamUrl = null } = message ?? {};
  if (message?.role === 'assistant' && taskId === null && streamUrl === null) {
    yield* run.finish(message);
    return;
  }
  yield run.createBatch([{ type: 'thread', set: { run: { state: 'streaming', id: taskId } } }]);
  yield* followTask(run, message);
}

/**
 * Joins a run again by GET. What was told before is not told twice; without a memory of it, it is built out of sight first.
 * `prepare`: takes what is known of it beside its stream.
 */
export async function* rejoinRun(
  context: RunContext,
  ref: RunRef,
  prepare: (memory: TaskState) => void = () => undefined,
): AsyncGenerator<Batch> {
  const { tasks, head } = context.state;
  const shown = ref.id === null ? head?.size : tasks.get(ref.id);
  const run = new UbikRun(context, shown, findTask(context.state, ref));
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
  yield* run.follow(body, { taskId, finishedTasks: ref.finishedRuns, lookups });
}

/** Opens the stream of a task; of the newest one when there is no id. */
function openTask(
  { client, session, signal }: RunContext,
  taskId: string | null,
  url: string | null = null,
): Promise<ReadableStream<Uint8Array>> {
  const path = encodePath`/agent-sessions/${session}/stream`;
  return client.openStream(url === null ? { path, query: { task_id: taskId } } : { url }, signal);
}

/** Under our own address: an absolute one of the service's may lead past a proxy. Without a stream the messages tell. */
async function* followTask(run: UbikRun, message: WireMessage | null): AsyncGenerator<Batch> {
  const { context } = run;
  const { taskId = null, streamUrl = null } = message ?? {};
  const url = taskId === null ? streamUrl : null;
  const opened = await openTask(context, taskId, url)
    .catch((error: unknown) => {
      if (!isUbikError(error) || error.code !== 'foreign-origin') throw error;
      return openTask(context, null);
    })
    .catch(async (error: unknown) => {
      const isNamed = taskId !== null || url !== null || context.signal.aborted;
      const answer = isNamed ? null : await findStoredAnswer(context, message);
      if (!answer) throw error;
      return answer;
    });
  if ('role' in opened) yield* run.finish(opened);
  else yield* run.follow(opened, { taskId, finishedTasks: [] });
}

async function findStoredAnswer(
  { client, session, signal }: RunContext,
  question: WireMessage | null,
): Promise<WireMessage | null> {
  const last = (await loadActiveBranch(client, session, { signal })).at(-1);
  if (last?.role !== 'assistant') return null;
  return question === null || last.parentId === question.id ? last : null;
}
