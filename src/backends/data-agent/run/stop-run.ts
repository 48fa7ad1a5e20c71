import { isUbikError } from '../../../errors.js';
import type { RunRef } from '../../backend.js';
import { omitNulls } from '../../fields.js';
import type { RunContext } from './data-agent-run.js';

/** Sends the request to stop a run. Resolves as well when the run has already ended. */
export async function stopRun(
  { client, state, conversation }: Pick<RunContext, 'client' | 'state' | 'conversation'>,
  { id, keys }: RunRef,
): Promise<void> {
  const answer = state.answers.get(keys.answer);
  const { messageId, runId } = answer?.reply ?? {};
  // A run that waits for approval has no stream: its stored message identifies it (Data Agent 9.4).
  const stored = answer ? undefined : [...state.approvals.values()].at(-1);
  const interrupted = answer?.pendingApproval ? messageId : stored?.messageId;
  const json = omitNulls({
    conversation_id: conversation,
    agent_run_id: runId ?? id ?? stored?.runId ?? null,
    interrupted_assistant_message_id: interrupted ?? null,
  });
  if (!state.stops.has(keys.answer)) state.stops.set(keys.answer, false);
  try {
    await client.request('POST', '/chat/termination', { json, timeout: undefined });
  } catch (error) {
    // The service responds with 500 when there is nothing to stop (Data Agent 3.4).
    if (!isUbikError(error) || error.status !== 500) throw error;
    return;
  }
  // The run may have ended and been released before the response. Another run of the same answer is not stopped.
  if (state.stops.has(keys.answer)) state.stops.set(keys.answer, true);
}
