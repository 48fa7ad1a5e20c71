import type { MessageUsage } from '../../../model/message.js';
import { asFields, asList, readId, readNumber, readString, type Fields } from '../../fields.js';
import { readQuestions } from '../api/onboarding.js';
import { readRunError } from '../projection/run-errors.js';
import { readApproval, type Approval } from './approval.js';

/**
 * The fields of a reply about its message and its run, without the content. Ids are null while unknown, and after the reply was emptied.
 */
export interface ReplyFields {
  readonly messageId: string | null;
  /** Id of the question. */
  readonly questionId: string | null;
  readonly runId: string | null;
  /** Position of the message in its conversation. */
  readonly index: number | null;
  readonly usage: MessageUsage | null;
  /** Null while the reply has none. */
  readonly followUps: readonly string[] | null;
  /** The reason of the failure; null when the run has not failed. */
  readonly error: string | null;
  readonly approval: Approval | null;
  /** Whether the last step is still in progress. */
  readonly hasOpenStep: boolean;
}

/** Reads the fields of a reply, which may be any JSON. Takes constant time: of the content, reads only the status of the last step. */
export function readReplyFields(root: unknown): ReplyFields {
  const reply = asFields(root) ?? {};
  const message = asFields(reply['message']) ?? {};
  const ext = asFields(message['ext']);
  const content = asFields(message['content']);
  const steps = asList(asFields(content?.['middle_answer'])?.['progress']);
  const lastStep = asFields(steps.at(-1)) ?? {};
  return {
    messageId: readId(reply, 'assistant_message_id') ?? readId(message, 'id'),
    questionId: readId(reply, 'user_message_id') ?? readId(message, 'reply_id'),
    runId: readId(reply, 'agent_run_id') ?? readId(ext ?? {}, 'agent_run_id'),
    index: readNumber(message, 'index'),
    usage: readUsage(ext ?? {}),
    followUps: readFollowUps(ext ?? {}),
    error: describeError(reply['error']) ?? describeError(ext?.['error']),
    approval: readApproval(ext),
    hasOpenStep: readString(lastStep, 'status') === 'processing',
  };
}

function readUsage(ext: Fields): MessageUsage | null {
  const seconds = readNumber(ext, 'total_time');
  const tokens =
    readNumber(ext, 'total_tokens') ??
    readNumber(asFields(ext['token_usage']) ?? {}, 'total_tokens');
  const firstTokenMs = readNumber(ext, 'ttft');
  return seconds === null && tokens === null && firstTokenMs === null
    ? null
    : { seconds, tokens, firstTokenMs };
}

function readFollowUps(ext: Fields): readonly string[] | null {
  const questions = readQuestions(ext['related_queries'], 'query');
  return questions.length > 0 ? questions : null;
}

/** Returns the reason of a failure as sentences; null for no error. */
function describeError(error: unknown): string | null {
  const found = readRunError(error);
  if (!found) return null;
  const { description, advice, code } = found;
  const sentences = [description, advice].filter((sentence) => sentence !== '').join(' ');
  return sentences || code || 'The agent reported an error.';
}
