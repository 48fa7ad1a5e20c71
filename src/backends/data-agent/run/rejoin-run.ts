import { isUbikError, UbikError } from '../../../errors.js';
import type { Batch } from '../../../model/change.js';
import type { RunRef } from '../../backend.js';
import { omitNulls } from '../../fields.js';
import { loadConversation } from '../api/conversations.js';
import { DataAgentRun, type RunContext } from './data-agent-run.js';
import { findStoredAnswer, readStoredFields } from './stored-answer.js';

/** ms between two readings of the record of a run that cannot be resumed (9.6). */
const POLL_INTERVAL = 2000;
/** ms after which the record of such a run is not read again (9.6). */
const POLL_LIMIT = 60_000;

/** Statuses of a refused resumption after which the record of the run says nothing new. */
const LASTING: readonly unknown[] = [401, 403, 429];

/** The stream is that of another run. */
class OtherRunError extends Error {}

/** Reads a run again: resumes its stream, else follows its record at the service (9.6). Emits nothing twice. */
export async function* rejoinRun(context: RunContext, ref: RunRef): AsyncGenerator<Batch> {
  const run = new DataAgentRun(context);
  const response = await resume(context);
  if (response) {
    const runId = run.answer.reply.runId ?? ref.id;
    const checkRun = (streamed: string | null) => assertSameRun(streamed, runId, ref);
    try {
      yield* run.follow(response, { isResumed: true, checkRun });
      return;
    } catch (error) {
      if (!(error instanceof OtherRunError)) throw error;
    }
  }
  yield* followRecord(run, ref);
}

/** Opens the stream of the run that is on; null when the service says that there is none. */
async function resume(context: RunContext): Promise<Response | null> {
  const { client, conversation, signal } = context;
  try {
    return await client.openStream('/chat/resume', { conversation_id: conversation }, signal);
  } catch (error) {
    // Refused with 500, whatever the reason (3.4).
    const isRefused = isUbikError(error) && (error.status ?? 0) >= 400;
    if (!isRefused || LASTING.includes(error.status)) throw error;
    return null;
  }
}

function assertSameRun(streamed: string | null, runId: string | null, ref: RunRef): void {
  if (streamed === null || streamed === runId) return;
  if (runId !== null) throw new OtherRunError();
  if (ref.finishedRuns.includes(streamed)) throw new UbikError('not-sent');
}

/** Reads the record of a run until the run has ended there. */
async function* followRecord(run: DataAgentRun, ref: RunRef): AsyncGenerator<Batch> {
  const { client, conversation, signal, state } = run.context;
  const { finishedMessages } = state;
  for (let waited = 0; ; waited += POLL_INTERVAL) {
    const { messages } = await loadConversation(client, conversation, signal);
    const { messageId, runId } = run.answer.reply;
    const known = { messageId, runId: runId ?? ref.id, finishedMessages };
    const stored = findStoredAnswer(messages, known);
    const streamed = stored && readStoredFields(stored).runId;
    const isOther = streamed !== null && ref.finishedRuns.includes(streamed);
    if (!stored || (isOther && stored.id !== messageId)) throw new UbikError('not-sent');
    if (yield* run.finishFromRecord(stored)) return;
    yield run.createBatch(run.answer.setIds(stored.id, stored.replyId));
    // 204 leaves further attempts to the user: they would only read the same record.
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

/** Asks the service to end a run. A run that is over already is no error. */
export async function stopRun(
  { client, state, conversation }: Pick<RunContext, 'client' | 'state' | 'conversation'>,
  { id, keys }: RunRef,
): Promise<void> {
  const answer = state.answers.get(keys.answer);
  const { messageId, runId = id } = answer?.reply ?? {};
  // A run that waits for approval has no stream: its message says which one it is (9.4).
  const stored = answer ? undefined : [...state.approvals.values()].at(-1);
  const interrupted = answer?.pendingApproval ? messageId : stored?.messageId;
  const json = omitNulls({
    conversation_id: conversation,
    agent_run_id: runId ?? stored?.runId ?? null,
    interrupted_assistant_message_id: interrupted ?? null,
  });
  try {
    await client.request('POST', '/chat/termination', { json, timeout: undefined });
  } catch (error) {
    // The service answers 500 when there is nothing to stop (3.4).
    if (!isUbikError(error) || error.status !== 500) throw error;
    return;
  }
  if (answer) answer.isStopConfirmed = true;
}
