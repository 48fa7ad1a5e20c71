import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReplyFields } from '../../../../src/backends/data-agent/run/reply-fields.js';

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

test('reply fields describe an error by its sentences, else by its code, else by a general sentence', () => {
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
