import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationMessage } from '../../../../src/backends/data-agent/api/conversations.js';
import {
  findStoredAnswer,
  readStoredFields,
  toReply,
} from '../../../../src/backends/data-agent/run/stored-answer.js';

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

test('findStoredAnswer finds the answer of a run by its message, else by its run, else the newest one when that belongs to no other run', () => {
  const messages = [
    createStored({ id: 'U1', role: 'user', ext: { agent_run_id: 'R2' } }),
    createStored({ id: 'A1', ext: { agent_run_id: 'R1' } }),
    createStored({ id: 'A2', ext: { agent_run_id: 'R2' } }),
    createStored({ id: 'A3' }),
    createStored({ id: 'U2', role: 'user' }),
  ];
  const find = (messageId: string | null, runId: string | null, others: string[] = []) =>
    findStoredAnswer(messages, { messageId, runId, otherAnswerIds: new Set(others) })?.id;
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

test('toReply returns a reply with the text of the answer where its content cannot be decoded', () => {
  const contentOf = (fields: Partial<ConversationMessage>): unknown => {
    const reply = toReply(createStored(fields)) as { message: { content: unknown } };
    return reply.message.content;
  };
  assert.equal(contentOf({}), null);
  assert.deepEqual(contentOf({ text: 'plain' }), { final_answer: { answer: { text: 'plain' } } });
  assert.deepEqual(contentOf({ text: 'plain', content: { a: 1 } }), { a: 1 });
});

test('readStoredFields returns the ids and the index of an answer', () => {
  const { messageId, questionId, runId, index } = readStoredFields(
    createStored({ ext: { agent_run_id: 'R1' } }),
  );
  assert.deepEqual([messageId, questionId, runId, index], ['A1', 'U1', 'R1', 2]);
});
