import type { RunRef } from '../../backend.js';
import { isUbikError } from '../../../errors.js';
import type { Batch, Change } from '../../../model/change.js';
import { readJson, sniffBody } from '../../../transport/response.js';
import { encodePath } from '../../../transport/http.js';
import { getBranch, readMessage, type WireMessage } from '../api/messages.js';
import { QuestionLookUps } from './question-lookups.js';
import { Run, type RunPlace } from './run.js';
import { findMemory } from './session-state.js';
import type { TaskMemory } from './task-state.js';

/** The POST below a session that starts a run. What the service answers is told by its type: the stream, or a message that tells where the stream is. */
export function postRun(
  { service, session, signal }: RunPlace,
  act: string,
  fields: object,
): Promise<Response> {
  const path = encodePath`/agent-sessions/${session}/` + act;
  const accept = 'text/event-stream, application/json';
  const json = { ...fields, stream: true };
  return service.http.request({ method: 'POST', path, json, accept, signal });
}

/**
 * Goes back to a checkpoint, as a new run. One refusal that asks for the other form of its name is met with that form, once: it has
 * started nothing.
 */
export async function postRestore(
  place: RunPlace,
  { name, id }: { readonly name: string; readonly id: string | null },
  hint: string | null,
): Promise<Response> {
  const act = 'navigate-to-checkpoint';
  const more = hint === null ? {} : { checkpoint_hint: hint };
  try {
    return await postRun(place, act, { checkpoint_name: name, ...more });
  } catch (error) {
    const asksForId =
      isUbikError(error) &&
      error.status === 422 &&
      /\bcheckpoint_id\b/.test(error.offender ?? error.message);
    if (!asksForId) throw error;
    return postRun(place, act, { checkpoint_id: id ?? name, ...more });
  }
}

/** Starts a run by one POST, never repeated, and follows it whatever the answer is (3.1). `accepted`: what it has brought about. */
export async function* startRun(
  place: RunPlace,
  send: (place: RunPlace) => Promise<Response>,
  accepted: () => readonly Change[] = () => [],
): AsyncGenerator<Batch> {
  const response = await send(place);
  const run = new Run(place);
  const { kind, body } = await sniffBody(response);
  const isStream = kind === 'events';
  const message = isStream ? null : readMessage(await readJson(new Response(body)));
  // Only now: something that is neither a stream nor JSON has accepted nothing.
  const changes = accepted();
  if (changes.length > 0) yield run.batch(changes);
  if (isStream) {
    yield* run.follow(body, {});
    return;
  }
  const { taskId = null, streamUrl = null } = message ?? {};
  if (message?.role === 'assistant' && taskId === null && streamUrl === null) {
    yield* run.finish(message);
    return;
  }
  yield run.batch([{ type: 'thread', set: { run: { state: 'streaming', id: taskId } } }]);
  yield* followTask(run, message);
}

/**
 * Joins a run again by GET. What was told before is not told twice; without a memory of it, it is built out of sight first.
 * `prepare`: takes what is known of it beside its stream.
 */
export async function* rejoinRun(
  place: RunPlace,
  ref: RunRef,
  prepare: (memory: TaskMemory) => void = () => undefined,
): AsyncGenerator<Batch> {
  const { tasks, head } = place.notes;
  const shown = ref.id === null ? head?.size : tasks.get(ref.id);
  const run = new Run(place, shown, findMemory(place.notes, ref));
  const { memory } = run;
  prepare(memory);
  if (memory.run.ended) {
    memory.tellStanding();
    yield run.batch(memory.takeChanges(true));
    return;
  }
  const taskId = ref.id ?? memory.run.taskId;
  const body = await openTask(place, taskId);
  const questions = new QuestionLookUps(place, memory);
  yield* run.follow(body, { taskId, finished: ref.finishedRuns, questions });
}

/** Opens the stream of a task; of the newest one when there is no id. */
function openTask(
  { service, session, signal }: RunPlace,
  taskId: string | null,
  url: string | null = null,
): Promise<ReadableStream<Uint8Array>> {
  const path = encodePath`/agent-sessions/${session}/stream`;
  return service.open(url === null ? { path, query: { task_id: taskId } } : { url }, signal);
}

/** Under our own address: an absolute one of the service's may lead past a proxy. Without a stream the messages tell. */
async function* followTask(run: Run, message: WireMessage | null): AsyncGenerator<Batch> {
  const { place } = run;
  const { taskId = null, streamUrl = null } = message ?? {};
  const url = taskId === null ? streamUrl : null;
  const opened = await openTask(place, taskId, url)
    .catch((error: unknown) => {
      if (!isUbikError(error) || error.code !== 'foreign-origin') throw error;
      return openTask(place, null);
    })
    .catch(async (error: unknown) => {
      const isNamed = taskId !== null || url !== null || place.signal.aborted;
      const answer = isNamed ? null : await findAnswer(place, message);
      if (!answer) throw error;
      return answer;
    });
  if ('role' in opened) yield* run.finish(opened);
  else yield* run.follow(opened, { taskId, finished: [] });
}

async function findAnswer(
  { service, session, signal }: RunPlace,
  question: WireMessage | null,
): Promise<WireMessage | null> {
  const last = (await getBranch(service, session, { signal })).at(-1);
  if (last?.role !== 'assistant') return null;
  return question === null || last.parentId === question.id ? last : null;
}
