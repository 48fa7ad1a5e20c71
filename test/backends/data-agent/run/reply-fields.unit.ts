import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationMessage } from '../../../../src/backends/data-agent/api/conversations.js';
import { readReplyFields } from '../../../../src/backends/data-agent/run/reply-fields.js';
import {
  findStoredAnswer,
  readStoredFields,
  toReply,
} from '../../../../src/backends/data-agent/run/stored-answer.js';

/** The fields of a reply whose message has this `ext`. */
const ofExtension = (ext: unknown) => readReplyFields({ message: { ext } });

test('reply fields prefer the ids of the reply to those of its message', () => {
  const message = { id: 'B', reply_id: 'V', index: 3, ext: { agent_run_id: 'S' } };
  const idsOf = (root: object) => {
    const { messageId, questionId, runId, index } = readReplyFields(root);
    return [messageId, questionId, runId, index];
  };
  const ids = { assistant_message_id: 'A', user_message_id: 'U', agent_run_id: 'R' };
  assert.deepEqual(idsOf({ ...ids, message }), ['A', 'U', 'R', 3]);
  assert.deepEqual(idsOf({ message }), ['B', 'V', 'S', 3]);
  assert.deepEqual(idsOf({}), [null, null, null, null]);
});

test('reply fields have the usage as far as the service sends it', () => {
  const nested = { token_usage: { total_tokens: 7 } };
  const usage = { seconds: null, tokens: null, firstTokenMs: null };
  assert.deepEqual(ofExtension({ total_tokens: 5, ...nested }).usage, { ...usage, tokens: 5 });
  assert.deepEqual(ofExtension(nested).usage, { ...usage, tokens: 7 });
  assert.deepEqual(ofExtension({ ttft: 640 }).usage, { ...usage, firstTokenMs: 640 });
  assert.deepEqual(ofExtension({ total_time: 2 }).usage, { ...usage, seconds: 2 });
  assert.equal(ofExtension({}).usage, null);
  assert.equal(ofExtension(null).usage, null);
});

test('reply fields have the follow-up questions, or null when there are none', () => {
  const followUpsOf = (queries: unknown) => ofExtension({ related_queries: queries }).followUps;
  assert.deepEqual(followUpsOf([{ query: 'Who?' }, 'Why?', { query: '' }]), ['Who?', 'Why?']);
  assert.equal(followUpsOf([]), null);
  assert.equal(followUpsOf(undefined), null);
});

test('reply fields describe an error by its sentences, else by its code, else in general', () => {
  const errorOf = (error: unknown) => readReplyFields({ error }).error;
  const described = { error_code: 'A.B', description: 'It failed.', solution: 'Try again.' };
  assert.equal(errorOf(described), 'It failed. Try again.');
  assert.equal(errorOf({ error_code: 'A.B', solution: 'Try again.' }), 'Try again.');
  assert.equal(errorOf({ error_code: 'A.B' }), 'A.B');
  assert.equal(errorOf({ HTTPCode: 500 }), 'The agent reported an error.');
  assert.equal(errorOf(null), null);
});

test('reply fields prefer the error of the reply to that of its message', () => {
  const message = { ext: { error: 'of the message' } };
  assert.equal(readReplyFields({ error: 'of the reply', message }).error, 'of the reply');
  assert.equal(readReplyFields({ error: null, message }).error, 'of the message');
});

test('reply fields report an open step while the last step is in progress', () => {
  const hasOpenStep = (...statuses: readonly string[]) => {
    const progress = statuses.map((status) => ({ status }));
    return readReplyFields({ message: { content: { middle_answer: { progress } } } }).hasOpenStep;
  };
  assert.equal(hasOpenStep(), false);
  assert.equal(hasOpenStep('completed', 'processing'), true);
  assert.equal(hasOpenStep('processing', 'completed'), false);
});

/** A stored message. */
function createStored(fields: Partial<ConversationMessage>): ConversationMessage {
  return {
    id: 'A1',
    role: 'assistant',
    replyId: 'U1',
    index: 2,
    status: 'complete',
    content: null,
    contentType: '',
    ext: null,
    text: '',
    attachments: [],
    createdAt: null,
    ...fields,
  };
}

test('stored answer of a run is found by its message, else by its run, else as the newest one when that belongs to no other run', () => {
  const messages = [
    createStored({ id: 'U1', role: 'user', ext: { agent_run_id: 'R2' } }),
    createStored({ id: 'A1', ext: { agent_run_id: 'R1' } }),
    createStored({ id: 'A2', ext: { agent_run_id: 'R2' } }),
    createStored({ id: 'A3' }),
    createStored({ id: 'U2', role: 'user' }),
  ];
  const find = (messageId: string | null, runId: string | null, finished: string[] = []) =>
    findStoredAnswer(messages, { messageId, runId, otherAnswerIds: new Set(finished) })?.id;
  assert.equal(find('A1', 'R2'), 'A1');
  assert.equal(find('gone', 'R2'), 'A2');
  assert.equal(find(null, 'R2'), 'A2');
  assert.equal(find(null, null), 'A3');
  assert.equal(find('U1', 'gone'), 'A3');
  assert.equal(find(null, null, ['A3']), undefined);
  assert.equal(find('A3', null, ['A3']), 'A3');
  const none = { messageId: null, runId: null, otherAnswerIds: new Set<string>() };
  assert.equal(findStoredAnswer([], none), null);
});

test('stored answer is a reply with its ids, and with its text where its content cannot be decoded', () => {
  const contentOf = (fields: Partial<ConversationMessage>): unknown => {
    const reply = toReply(createStored(fields)) as { message: { content: unknown } };
    return reply.message.content;
  };
  assert.equal(contentOf({}), null);
  assert.deepEqual(contentOf({ text: 'plain' }), { final_answer: { answer: { text: 'plain' } } });
  assert.deepEqual(contentOf({ text: 'plain', content: { a: 1 } }), { a: 1 });
  const { messageId, questionId, runId, index } = readStoredFields(
    createStored({ ext: { agent_run_id: 'R1' } }),
  );
  assert.deepEqual([messageId, questionId, runId, index], ['A1', 'U1', 'R1', 2]);
});
