import { isUbikError, UbikError } from '../../../errors.js';
import type { Batch } from '../../../model/change.js';
import type { RunRef } from '../../backend.js';
import { loadConversation } from '../api/conversations.js';
import { DataAgentRun, type RunContext } from './data-agent-run.js';
import { findAnswerTo, findStoredAnswer, readStoredFields } from './stored-answer.js';

/** Interval, in ms, at which the conversation of a run that cannot be resumed is loaded (Data Agent 9.6). */
const POLL_INTERVAL = 2000;
/** Time, in ms, after which the conversation is no longer loaded (Data Agent 9.6). */
const POLL_LIMIT = 60_000;

/** Statuses of a failed resume request after which loading the conversation would fail as well. */
const NOT_RECOVERABLE_BY_POLLING: readonly unknown[] = [401, 403, 429];

/** Thrown when the resumed stream is that of another run. */
class OtherRunError extends Error {}

/** Reads a run again: resumes its stream, else polls its stored answer (Data Agent 9.6). Emits nothing twice. */
export async function* rejoinRun(context: RunContext, ref: RunRef): AsyncGenerator<Batch> {
  const run = new DataAgentRun(context);
  const response = await resume(context);
  if (response) {
    const runId = run.answer.reply.runId ?? ref.id;
    const checkRun = (streamed: string | null) => assertSameRun(streamed, runId, ref);
    try {
      yield* run.follow(response, { buildsOffScreen: true, checkRun });
      return;
    } catch (error) {
      if (!(error instanceof OtherRunError)) throw error;
    }
  }
  yield* pollStoredAnswer(run, ref);
}

/** Opens the stream of the run in progress; null when the service refuses it, though the run may still be in progress. */
async function resume(context: RunContext): Promise<Response | null> {
  const { client, conversation, signal } = context;
  try {
    return await client.openStream('/chat/resume', { conversation_id: conversation }, signal);
  } catch (error) {
    // The service responds with 500, whatever the reason (Data Agent 3.4).
    const isRefused = isUbikError(error) && (error.status ?? 0) >= 400;
    if (!isRefused || NOT_RECOVERABLE_BY_POLLING.includes(error.status)) throw error;
    return null;
  }
}

function assertSameRun(streamed: string | null, runId: string | null, ref: RunRef): void {
  if (streamed === null || streamed === runId) return;
  // If the id of this run is unknown, `otherRunIds` is only an indication: it contains this run itself if the stored question differs from the
  // text that the user wrote. `pollStoredAnswer` then decides by the question that was sent.
  if (runId !== null || ref.otherRunIds.includes(streamed)) throw new OtherRunError();
}

/** Polls the stored answer of a run until the run has ended. */
async function* pollStoredAnswer(run: DataAgentRun, ref: RunRef): AsyncGenerator<Batch> {
  const { client, conversation, signal, state, keys } = run.context;
  const { finishedAnswerIds: otherAnswerIds, lastQuestion } = state;
  for (let waited = 0; ; waited += POLL_INTERVAL) {
    const { messages } = await loadConversation(client, conversation, signal);
    const { messageId, runId } = run.answer.reply;
    const query = { messageId, runId: runId ?? ref.id, otherAnswerIds };
    // While the ids of the run are unknown, its question distinguishes its answer from those of other clients.
    const isUnknown = query.messageId === null && query.runId === null;
    const isOwn = isUnknown && lastQuestion?.answer === keys.answer;
    const own = isOwn ? findAnswerTo(messages, lastQuestion) : null;
    const stored = own ?? findStoredAnswer(messages, query);
    const streamed = stored && readStoredFields(stored).runId;
    const isOtherRun = streamed !== null && ref.otherRunIds.includes(streamed);
    if (!stored || (isOtherRun && stored !== own && stored.id !== messageId)) {
      throw new UbikError('not-sent');
    }
    if (yield* run.finishFromStoredAnswer(stored)) return;
    yield run.createBatch(run.answer.setIds(stored.id, stored.replyId));
    // Status 204 keeps the controller from retrying automatically, which would poll the same conversation again.
    if (waited >= POLL_LIMIT) throw new UbikError('interrupted', { status: 204 });
    await delay(run.context, POLL_INTERVAL);
  }
}

function delay({ client, signal }: RunContext, ms: number): Promise<void> {
  const { environment } = client;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      environment.clearTimer(timer);
      reject(new UbikError('aborted'));
    };
    const timer = environment.setTimer(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}
