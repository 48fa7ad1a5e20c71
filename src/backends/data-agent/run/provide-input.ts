import { isUbikError, UbikError } from '../../../errors.js';
import type { Batch } from '../../../model/change.js';
import { equalJson, type Json } from '../../../model/json.js';
import type { InputAnswer, InputRequest } from '../../backend.js';
import { asFields, toJson } from '../../fields.js';
import { loadConversation } from '../api/conversations.js';
import { readArguments, type Approval, type Argument } from './approval.js';
import { createChatRequest } from './chat-request.js';
import type { StoredApproval } from './conversation-state.js';
import { DataAgentRun, type RunContext } from './data-agent-run.js';
import { readStoredFields, readStoredOutcome } from './stored-answer.js';

/** Statuses with which the service rejects a decision that comes too late. */
const REJECTED_STATUSES: readonly unknown[] = [400, 404, 409, 422];

/** Sends the decision about a tool that waits for approval, and reads the continuation of the run in the same message (Data Agent 9.4). */
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
    throw await explainRejection(context, request, error);
  }
  const run = new DataAgentRun(context);
  run.answer.answeredToken = approval.token;
  yield* run.follow(response, { buildsOffScreen: true });
}

/** Returns the error for a rejected decision: `not-open` when the message no longer waits, because another client has decided. */
async function explainRejection(
  context: RunContext,
  request: InputRequest,
  error: unknown,
): Promise<unknown> {
  if (!isUbikError(error) || !REJECTED_STATUSES.includes(error.status)) return error;
  const isOpen = await loadApproval(context, request).then(Boolean, () => true);
  return isOpen ? error : new UbikError('not-open', { cause: error });
}

/** Returns the approval of an input request from the state of this page. */
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

/** Loads the approval of an input request from the stored conversation; null when no message waits for it. */
async function loadApproval(
  { client, conversation, signal }: RunContext,
  { executionId }: InputRequest,
): Promise<StoredApproval | null> {
  const { messages } = await loadConversation(client, conversation, signal);
  for (const message of messages) {
    const { approval, runId } = readStoredFields(message);
    const isOpen = readStoredOutcome(message) === 'waiting' && approval?.token === executionId;
    if (isOpen && approval) return { approval, runId, messageId: message.id };
  }
  return null;
}

/**
 * Creates the `resume_interrupt_info` for the user's decision. Arguments are sent only when they were changed.
 *
 * @throws {UbikError} `misuse` for a file.
 */
export function createDecision(approval: Approval, answer: InputAnswer): Json {
  const { handle, data } = approval;
  const isSkipped =
    answer.type === 'declined' || (answer.type === 'json' && answer.value === false);
  return {
    resume_handle: handle,
    data,
    action: isSkipped ? 'skip' : 'confirm',
    modified_args: isSkipped ? [] : listChangedArguments(readArguments(approval), answer),
  };
}

function listChangedArguments(args: readonly Argument[], answer: InputAnswer): Json[] {
  if (answer.type === 'file') throw new UbikError('misuse', 'A tool cannot be given a file.');
  const [first, ...others] = args;
  const values = new Map<string, unknown>();
  // A form with a single field may return its text without JSON.
  if (answer.type === 'text' && first && others.length === 0) values.set(first.name, answer.text);
  const changedValues = answer.type === 'json' ? (asFields(answer.value) ?? {}) : {};
  for (const [name, value] of Object.entries(changedValues)) values.set(name, value);
  return args.flatMap(({ name, value: before }) => {
    const value = toJson(values.get(name));
    return !values.has(name) || equalJson(before, value) ? [] : [{ key: name, value }];
  });
}
