import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadContent } from '../../../../src/backends/backend.js';
import { createDataAgentBackend } from '../../../../src/backends/data-agent/index.js';
import { canonicalize } from '../../../../src/model/canonicalize.js';
import { jsonResponse, errorOf } from '../../../helpers/http-client.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import {
  method as methodOf,
  noSignal,
  readFixture,
  send,
  setupRun,
  shown,
} from '../support/connect.js';
import { refuse } from '../support/scripted-service.js';
import { ANSWER, QUESTION } from '../support/stored-messages.js';

async function load(
  messages: readonly object[],
  wrap: (fields: object) => object = (fields) => fields,
): Promise<ThreadContent> {
  const fields = { id: 'C', title: 'Pumps', Messages: messages };
  const environment = createTestEnvironment({ respond: () => jsonResponse(wrap(fields)) });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  return backend.loadThread('C');
}

test('loadThread returns messages in the order of their index, each as the child of the one before', async () => {
  const { thread, messages, headId, unfinishedRun } = await load([ANSWER, QUESTION]);
  assert.deepEqual(thread, { id: 'C', title: 'Pumps' });
  assert.deepEqual(
    messages.map(({ id, parentId, fields }) => [id, parentId, fields.role]),
    [
      ['U1', null, 'user'],
      ['A1', 'U1', 'assistant'],
    ],
  );
  assert.equal(headId, 'A1');
  assert.equal(unfinishedRun, null);
});

test('loadThread returns questions as text, and answers with their run, totals and follow-ups', async () => {
  const { messages } = await load([QUESTION, ANSWER]);
  assert.deepEqual(messages[0]?.parts, [{ kind: 'text', key: 'text', text: 'Where?' }]);
  const { fields, parts = [] } = messages[1] ?? {};
  assert.match(JSON.stringify(canonicalize(parts)), /In hall 3\./u);
  assert.deepEqual(
    [fields?.runId, fields?.status, fields?.createdAt, fields?.followUps],
    ['R1', 'complete', 1_767_225_600_000, ['Who?']],
  );
  assert.deepEqual(fields?.usage, { seconds: 2, tokens: 9, firstTokenMs: null });
});

test('loadThread accepts the other forms of a conversation', async () => {
  for (const wrap of [
    ({ Messages, ...fields }: { Messages?: unknown }) => ({ ...fields, messages: Messages }),
    (fields: object) => ({ data: fields }),
  ]) {
    assert.equal((await load([QUESTION, ANSWER], wrap)).messages.length, 2);
  }
});

test('loadThread returns the files of a question from both of their fields', async () => {
  const content = JSON.stringify({
    text: 'x',
    selected_files: [{ file_name: 'a.csv' }],
    temp_files: [{ id: 'f2', name: 'b.pdf' }],
  });
  const { messages } = await load([{ ...QUESTION, content }]);
  assert.deepEqual(messages[0]?.fields.attachments, [
    { id: 'a.csv', name: 'a.csv' },
    { id: 'f2', name: 'b.pdf' },
  ]);
});

test('loadThread returns the run of an answer that is still empty', async () => {
  const running = { ...ANSWER, status: 'processing', content: '', ext: '' };
  const before = { ...ANSWER, id: 'A0', index: 0 };
  const { messages, unfinishedRun } = await load([before, QUESTION, running]);
  assert.equal(messages.at(-1)?.fields.status, 'streaming');
  assert.deepEqual(messages.at(-1)?.parts, []);
  assert.deepEqual(unfinishedRun, {
    id: null,
    keys: { thread: 'C', user: null, answer: 'A1' },
    otherRunIds: ['R1'],
  });
});

test('loadThread maps the statuses of answers', async () => {
  const states = { succeded: 'complete', failed: 'failed', cancelled: 'stopped' } as const;
  for (const [status, expected] of Object.entries(states)) {
    const { messages } = await load([QUESTION, { ...ANSWER, status }]);
    assert.equal(messages[1]?.fields.status, expected);
    assert.equal(messages[1]?.fields.failure !== null, expected === 'failed');
  }
});

test('loadThread returns content that is not JSON as text', async () => {
  const { messages } = await load([QUESTION, { ...ANSWER, content: 'plain words' }]);
  assert.match(JSON.stringify(messages[1]?.parts), /plain words/u);
});

test('loadThread returns a thread that was just streamed with the same parts', async () => {
  for (const name of ['e01-plain-answer', 'e02-sql-tool', 'e03-web-search', 'e05-sub-agent']) {
    const { service, reader, backend } = await setupRun();
    service.scripts.push({ events: readFixture(name) });
    const { stream, keys } = send(reader);
    await reader.read(stream);
    const stored = (await backend.loadThread(reader.session)).messages.at(-1);
    assert.deepEqual(shown(reader, keys.answer).content, canonicalize(stored?.parts ?? []));
  }
});

test('loadThread returns the stored error of a run as an error part', async () => {
  const error = {
    error_code: 'AgentAPP.Agent.ModelExecption',
    description: 'The model call failed.',
    solution: 'Try again later.',
  };
  const failed = {
    ...ANSWER,
    status: 'failed',
    ext: JSON.stringify({ agent_run_id: 'R1', error: { type: 'agent_executor', error } }),
  };
  const { messages } = await load([QUESTION, failed]);
  const part = messages[1]?.parts.find(({ kind }) => kind === 'error');
  if (part?.kind !== 'error') throw new Error('There is no error.');
  const { message, code, advice } = part;
  assert.deepEqual([message, code, advice], [error.description, error.error_code, error.solution]);
});

test('loadThread rejects with `not-found` when the thread does not exist', async () => {
  const environment = createTestEnvironment({
    respond: () => refuse(404, 'AgentAPP.Agent.GetConversationFailed'),
  });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  assert.equal((await errorOf(backend.loadThread('C'))).code, 'not-found');
});

test('loadThread rejects with `not-an-api` what is neither a conversation nor its messages', async () => {
  const loadBody = (body: object) => load([], () => body);
  for (const body of [{}, { data: {} }, { code: 502, message: 'Bad gateway' }, { Messages: 'x' }]) {
    assert.equal((await errorOf(loadBody(body))).code, 'not-an-api', JSON.stringify(body));
  }
  for (const body of [{ id: 'C' }, { messages: [] }, { Messages: null }]) {
    assert.deepEqual((await loadBody(body)).messages, [], JSON.stringify(body));
  }
});

test('data agent thread gives the reason of a failed answer, or a general one when the service stores none', async () => {
  const reasonOf = async (ext: string) => {
    const { messages } = await load([QUESTION, { ...ANSWER, status: 'failed', ext }]);
    return messages[1]?.fields.failure?.message;
  };
  assert.equal(await reasonOf('{"error":"No model."}'), 'No model.');
  assert.equal(await reasonOf(''), 'The service ended the answer unexpectedly.');
});

test('data agent thread has no totals and no follow-ups for an answer without them', async () => {
  const { messages } = await load([QUESTION, { ...ANSWER, ext: '' }]);
  const { fields } = messages[1] ?? {};
  assert.ok(fields && !('usage' in fields) && !('followUps' in fields));
});

test('data agent thread shows no part for a question without a text, and no files without a name', async () => {
  const content = JSON.stringify({ selected_files: [{ id: 'f1' }, null] });
  const { messages } = await load([{ ...QUESTION, content }]);
  assert.deepEqual([messages[0]?.parts, messages[0]?.fields.attachments], [[], []]);
});

for (const [what, ext, after] of [
  ['is still empty', '', { status: 'succeded', content: ANSWER.content }],
  [
    'waits for an approval',
    JSON.stringify({
      interrupt_info: { handle: { resume_token: 't' }, data: { tool_name: 'send_mail' } },
    }),
    { status: 'succeded', content: ANSWER.content, ext: '' },
  ],
] as const) {
  test(`data agent thread whose last answer ${what} is rejoined by the id of that answer`, async () => {
    let messages: object[] = [QUESTION, { ...ANSWER, status: 'processing', content: '', ext }];
    const environment = createTestEnvironment({
      respond: ({ method }) =>
        method === 'POST'
          ? refuse(500, 'AgentAPP.Agent.ResumeFailed')
          : jsonResponse({ id: 'C', title: '', Messages: messages }),
    });
    const backend = createDataAgentBackend({ agentId: 'a', environment });
    await backend.loadThread('C');
    messages = [QUESTION, { ...ANSWER, ...after }];
    const run = { id: null, keys: { thread: 't', user: null, answer: 'A1' }, otherRunIds: [] };
    const changes: unknown[] = [];
    for await (const batch of methodOf(backend, 'rejoin')('C', run, noSignal())) {
      changes.push(...batch.changes);
    }
    assert.match(JSON.stringify(changes), /In hall 3\..*"complete"/u);
  });
}
