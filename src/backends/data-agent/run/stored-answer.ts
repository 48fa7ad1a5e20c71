import type { ConversationMessage } from '../api/conversations.js';
import type { Outcome } from './answer-state.js';
import type { SentQuestion } from './conversation-state.js';
import { readReplyFields, type ReplyFields } from './reply-fields.js';

/** The error of a failed run that has no reported reason. */
export const UNEXPECTED_END = 'The service ended the answer unexpectedly.';

/** Converts a stored answer to the shape of a streamed reply. */
export function toReply(message: ConversationMessage): unknown {
  const { id, replyId, content, contentType, ext, text, index } = message;
  return {
    assistant_message_id: id,
    user_message_id: replyId,
    message: {
      id,
      index,
      // Content that cannot be parsed is shown as plain text.
      content: content ?? (text === '' ? null : { final_answer: { answer: { text } } }),
      content_type: contentType,
      ext,
    },
    error: null,
  };
}

/** Reads the fields of a stored answer about its message and its run. */
export function readStoredFields(message: ConversationMessage): ReplyFields {
  return readReplyFields(toReply(message));
}

/** Returns the outcome of a stored answer, `waiting` included; null while it is being written. */
export function readStoredOutcome(message: ConversationMessage): Outcome | null {
  const { status } = message;
  if (status !== 'streaming') return status;
  // A message that waits for an approval stays `processing` (Data Agent 9.4).
  return readStoredFields(message).approval ? 'waiting' : null;
}

/** Finds the question of a stored answer; undefined when it is not stored. */
export function findQuestion(
  messages: readonly ConversationMessage[],
  answer: ConversationMessage,
): ConversationMessage | undefined {
  return messages.find(({ id }) => id === answer.replyId) ?? messages[messages.indexOf(answer) - 1];
}

/** Finds the newest stored answer to a question that was sent, by the text of the question. Null when it is not stored. */
export function findAnswerTo(
  messages: readonly ConversationMessage[],
  { query, earlierAnswerIds }: SentQuestion,
): ConversationMessage | null {
  const isItsAnswer = (message: ConversationMessage): boolean =>
    message.role === 'assistant' &&
    !earlierAnswerIds.has(message.id) &&
    findQuestion(messages, message)?.text === query;
  return [...messages].reverse().find(isItsAnswer) ?? null;
}

/** Identifies the run whose stored answer {@link findStoredAnswer} returns. */
export interface RunQuery {
  readonly messageId: string | null;
  readonly runId: string | null;
  /** Ids of answers that are known to belong to other runs. */
  readonly otherAnswerIds: ReadonlySet<string>;
}

/** Finds the stored answer of a run: by its message, by its run, else the newest answer if it is of no other run. Null when it is not stored. */
export function findStoredAnswer(
  messages: readonly ConversationMessage[],
  { messageId, runId, otherAnswerIds }: RunQuery,
): ConversationMessage | null {
  const answers = messages.filter(({ role }) => role === 'assistant');
  const newest = answers.at(-1);
  return (
    answers.find(({ id }) => id === messageId) ??
    answers.find((answer) => runId !== null && readStoredFields(answer).runId === runId) ??
    (newest && !otherAnswerIds.has(newest.id) ? newest : null)
  );
}
