import { isUbikError, UbikError } from '../../../errors.js';
import type { Batch } from '../../../model/change.js';
import type { InputAnswer, InputRequest } from '../../backend.js';
import { loadConversation } from '../api/conversations.js';
import { createDecision } from './approval.js';
import { createChatRequest } from './chat-request.js';
import type { StoredApproval } from './conversation-state.js';
import { DataAgentRun, type RunContext } from './data-agent-run.js';
import { readStoredFields } from './stored-answer.js';

/** Statuses with which the service refuses a decision that comes too late. */
const REFUSALS: readonly unknown[] = [400, 404, 409, 422];

/** Sends the decision about a tool that waits for approval, and reads how the run goes on in the same message (9.4). */
export async function* provideInput(
  context: RunContext,
  request: InputRequest,
  input: InputAnswer,
): AsyncGenerator<Batch> {
  const { client, conversation, signal, state } = context;
  const found = findApproval(context, request) ?? (await loadApproval(context, request));
  if (!found) throw new UbikError('not-open');
  const { approval, runId, messageId } = found;
  const options = state.messageOptions ?? client.options.messageOptions ?? {};
  const body = {
    ...createChatRequest(client, conversation, { text: '' }, options),
    ...(runId === null ? {} : { agent_run_id: runId }),
    interrupted_assistant_message_id: messageId,
    resume_interrupt_info: createDecision(approval, input),
  };
  let response: Response;
  try {
    response = await client.openStream('/chat/completion', body, signal);
  } catch (error) {
    throw await explainRefusal(context, request, error);
  }
  state.approvals.delete(messageId);
  const run = new DataAgentRun(context);
  run.answer.answeredToken = approval.token;
  yield* run.follow(response, { isResumed: true });
}

/** The error for a refused decision: `not-open` when the message waits no more, because another client has decided. */
async function explainRefusal(
  context: RunContext,
  request: InputRequest,
  error: unknown,
): Promise<unknown> {
  if (!isUbikError(error) || !REFUSALS.includes(error.status)) return error;
  const isOpen = await loadApproval(context, request).then(Boolean, () => true);
  return isOpen ? error : new UbikError('not-open', { cause: error });
}

/** The approval that a request asks for, as this page knows it. */
function findApproval(
  { state, keys }: RunContext,
  { executionId }: InputRequest,
): StoredApproval | null {
  const { approval, messageId, runId } = state.answers.get(keys.answer)?.reply ?? {};
  if (approval?.token === executionId && approval && messageId != null) {
    return { approval, runId: runId ?? null, messageId };
  }
  const stored = [...state.approvals.values()];
  return stored.find((each) => each.approval.token === executionId) ?? null;
}

/** The approval that a request asks for, as the service has stored it; null when no message waits for it. */
async function loadApproval(
  { client, conversation, signal }: RunContext,
  { executionId }: InputRequest,
): Promise<StoredApproval | null> {
  const { messages } = await loadConversation(client, conversation, signal);
  for (const message of messages) {
    const { approval, runId } = readStoredFields(message);
    const isOpen = message.status === 'streaming' && approval?.token === executionId;
    if (isOpen && approval) return { approval, runId, messageId: message.id };
  }
  return null;
}
