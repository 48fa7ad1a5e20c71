import { USER_TEXT, type MessageFields } from '../../../model/message.js';
import type { PartTree } from '../../../model/part.js';
import type { StoredMessage, ThreadContent } from '../../backend.js';
import type { DataAgentClient } from '../api/client.js';
import { loadConversation, type ConversationMessage } from '../api/conversations.js';
import { deriveStoredAnswer } from '../projection/answer-projection.js';
import { createApprovalRequest } from './approval.js';
import { splitQuery } from './chat-request.js';
import type { ConversationState } from './conversation-state.js';
import { readStoredFields, readStoredOutcome, toReply, UNEXPECTED_END } from './stored-answer.js';

/**
 * Loads a conversation, with the approvals that its messages wait for, and updates `state` from it. Does not mark it as read.
 */
export async function loadThread(
  client: DataAgentClient,
  state: ConversationState,
  id: string,
  signal?: AbortSignal,
): Promise<ThreadContent> {
  const { title, messages, readIndex } = await loadConversation(client, id, signal);
  const stored: StoredMessage[] = [];
  for (const message of messages) {
    stored.push(toStoredMessage(message, stored.at(-1)?.id ?? null));
  }
  state.hasTitle = title !== '';
  recordAnswers(state, messages);
  const newest = messages.at(-1);
  state.lastIndex = newest?.index ?? 0;
  // If the service does not send the index, all messages count as read.
  state.readIndex = Math.min(readIndex, state.lastIndex);
  return {
    thread: { id, title },
    messages: stored,
    headId: newest?.id ?? null,
    unfinishedRun: findUnfinishedRun(id, messages),
  };
}

/** Returns the run of the last message while that message is being written. */
function findUnfinishedRun(
  thread: string,
  messages: readonly ConversationMessage[],
): ThreadContent['unfinishedRun'] {
  const newest = messages.at(-1);
  if (newest?.role !== 'assistant' || readStoredOutcome(newest) !== null) return null;
  const others = messages.slice(0, -1).map((message) => readStoredFields(message).runId);
  return {
    id: readStoredFields(newest).runId,
    // Placeholders: the controller uses its own keys.
    keys: { thread, user: null, answer: newest.id },
    otherRunIds: others.filter((run) => run !== null),
  };
}

/** Records which answers are finished, and which wait for an approval. */
function recordAnswers(state: ConversationState, messages: readonly ConversationMessage[]): void {
  state.approvals.clear();
  for (const message of messages) {
    if (message.role === 'user') continue;
    const outcome = readStoredOutcome(message);
    // Another client may have requested a finished answer again, which keeps its id.
    if (outcome === null || outcome === 'waiting') state.finishedAnswerIds.delete(message.id);
    else state.finishedAnswerIds.add(message.id);
    const { approval, runId } = readStoredFields(message);
    if (outcome !== 'waiting' || !approval) continue;
    state.approvals.set(message.id, { approval, runId, messageId: message.id });
  }
}

function toStoredMessage(message: ConversationMessage, parentId: string | null): StoredMessage {
  const { id, role, createdAt, attachments } = message;
  const fields = { role, siblingIds: [], createdAt, attachments, restoredFrom: null } as const;
  if (role === 'user') {
    const { text, contextTitle } = splitQuery(message.text);
    const parts: readonly PartTree[] = text ? [{ kind: 'text', key: USER_TEXT, text }] : [];
    const questionFields = { runId: null, status: 'complete', failure: null } as const;
    const contextFields = contextTitle !== '' && { contextTitle };
    return {
      ...{ id, parentId, parts, requests: [] },
      fields: { ...fields, ...questionFields, ...contextFields },
    };
  }
  const outcome = readStoredOutcome(message);
  const { approval } = readStoredFields(message);
  const { parts, activity } = deriveStoredAnswer(toReply(message));
  return {
    id,
    parentId,
    fields: { ...fields, ...readAnswerFields(message), status: outcome ?? 'streaming' },
    parts,
    activity,
    requests: outcome === 'waiting' && approval ? [createApprovalRequest(approval, '')] : [],
  };
}

function readAnswerFields(
  message: ConversationMessage,
): Pick<MessageFields, 'runId' | 'failure' | 'usage' | 'followUps'> {
  const { runId, usage, followUps, error } = readStoredFields(message);
  const isFailed = message.status === 'failed';
  const reason = error ?? UNEXPECTED_END;
  return {
    runId,
    failure: isFailed ? { code: 'run-failed', message: reason } : null,
    ...(usage && { usage }),
    ...(followUps && { followUps }),
  };
}
