import type { WireMessage } from '../api/conversations.js';
import type { Outcome } from './answer-state.js';
import { readReplyFields, type ReplyFields } from './reply-fields.js';

/** Why a run has failed of which nothing else is known. */
export const UNEXPECTED_END = 'The service ended the answer unexpectedly.';

/** A stored answer as a reply in the form of the stream. */
export function toReply(message: WireMessage): unknown {
  const { id, replyId, content, contentType, ext, text, index } = message;
  return {
    assistant_message_id: id,
    user_message_id: replyId,
    message: {
      id,
      index,
      // A content that cannot be decoded is shown as it is.
      content: content ?? (text === '' ? null : { final_answer: { answer: { text } } }),
      content_type: contentType,
      ext,
    },
    error: null,
  };
}

/** What a stored answer says of its message and its run. */
export function readStoredFields(message: WireMessage): ReplyFields {
  return readReplyFields(toReply(message));
}

/** How the run of a stored answer has ended; null while it is running. */
export function readStoredOutcome(message: WireMessage): Outcome | null {
  const { status } = message;
  if (status !== 'streaming') return status;
  // A message that waits for an approval stays `processing` (9.4).
  return readStoredFields(message).approval ? 'waiting' : null;
}

/** What is known of a run whose stored answer is looked for. */
export interface KnownRun {
  readonly messageId: string | null;
  readonly runId: string | null;
  /** Ids of answers that are those of other runs. */
  readonly finishedMessages: ReadonlySet<string>;
}

/** Finds the stored answer of a run: by its message, by its run, else the newest answer. Null when the run is not stored. */
export function findStoredAnswer(
  messages: readonly WireMessage[],
  { messageId, runId, finishedMessages }: KnownRun,
): WireMessage | null {
  const answers = messages.filter(({ role }) => role === 'assistant');
  const newest = answers.at(-1);
  return (
    answers.find(({ id }) => id === messageId) ??
    answers.find((answer) => runId !== null && readStoredFields(answer).runId === runId) ??
    (newest && !finishedMessages.has(newest.id) ? newest : null)
  );
}
