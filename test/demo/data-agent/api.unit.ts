import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../../demo/agent/auth/token.js';
import { shareTestServer, startTestServer } from '../test-server.js';
import {
  APP,
  applyPatches,
  DataAgentClient,
  readPath,
  type Value,
  textOf,
} from './data-agent-client.js';

const getServer = shareTestServer();

test('Data Agent conversations are created, listed, renamed, marked as read and deleted', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation('x'.repeat(60));
  const path = `${APP}/conversation/${id}`;
  const empty = (await client.request('GET', path)).json;
  assert.deepEqual([readPath(empty, 'status'), readPath(empty, 'Messages')], ['completed', []]);
  assert.equal(textOf(readPath(empty, 'title')).length, 50);
  await client.ask('Hello', { conversation_id: id });
  await client.createConversation('second');
  const list = (await client.request('GET', `${APP}/conversation?page=1&size=1`)).json;
  assert.deepEqual(
    [readPath(list, 'total'), (readPath(list, 'entries') as Value[]).length],
    [2, 1],
  );
  assert.equal((await client.request('PUT', path, { title: 'new' })).status, 204);
  assert.equal((await client.request('PUT', path, { title: ' ' })).status, 400);
  const read = `${path}/mark_read`;
  assert.equal((await client.request('PUT', read, { latest_read_index: 0 })).status, 400);
  assert.equal((await client.request('PUT', read, { latest_read_index: 2 })).status, 204);
  const stored = (await client.request('GET', path)).json;
  assert.deepEqual(
    ['title', 'message_index', 'read_message_index'].map((name) => readPath(stored, name)),
    ['new', 2, 2],
  );
  const session = `/api/agent-factory/v1/conversation/session/${id}`;
  assert.equal(readPath((await client.request('PUT', session, {})).json, 'ttl'), 600);
  assert.equal((await client.request('DELETE', path)).status, 204);
  const gone = await client.request('GET', path);
  assert.equal(gone.status, 404);
  assert.equal(readPath(gone.json, 'error_code'), 'AgentAPP.Agent.GetConversationFailed');
  assert.equal((await client.request('DELETE', `${APP}/conversation`)).status, 204);
  assert.equal(readPath((await client.request('GET', `${APP}/conversation`)).json, 'total'), 0);
});

test('Data Agent conversation is not visible to another user', async () => {
  const server = getServer();
  const owner = await DataAgentClient.connect(server.url);
  const other = await DataAgentClient.connect(server.url);
  const id = await owner.createConversation();
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await other.request(method, `${APP}/conversation/${id}`)).status, 404);
  }
  const resume = await other.request('POST', `${APP}/chat/resume`, { conversation_id: id });
  assert.equal(resume.status, 500);
});

test('Data Agent returns stored contents as JSON texts, and an empty one while the run is active', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  server.controls?.pauseAt({ point: 'text' });
  const asked = client.ask('Hello', { conversation_id: id });
  await server.controls?.whenPaused();
  const running = await client.messages(id);
  assert.deepEqual(JSON.parse(textOf(running[0]?.['content'])), {
    text: 'Hello',
    selected_files: [],
  });
  assert.deepEqual([running[1]?.['content'], running[1]?.['status']], ['', 'processing']);
  const listed = (await client.request('GET', `${APP}/conversation`)).json;
  assert.equal(readPath(listed, 'entries', 0, 'status'), 'processing');
  server.controls?.resumeRuns();
  await asked;
});

test('Data Agent creates a conversation for a question without one, with the question as its title', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(await client.ask('Hello'));
  const id = textOf(readPath(reply, 'conversation_id'));
  const stored = (await client.request('GET', `${APP}/conversation/${id}`)).json;
  assert.equal(readPath(stored, 'title'), 'Hello');
});

test('Data Agent keeps the id and the index of a regenerated answer', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  const first = applyPatches(await client.ask('Hello', { conversation_id: id }));
  const again = applyPatches(
    await client.ask('Hello', {
      conversation_id: id,
      regenerate_assistant_message_id: readPath(first, 'assistant_message_id'),
    }),
  );
  assert.equal(readPath(again, 'assistant_message_id'), readPath(first, 'assistant_message_id'));
  assert.equal(readPath(again, 'message', 'index'), 2);
  assert.equal((await client.messages(id)).length, 2);
});

test('Data Agent replaces the text of an edited question and deletes the messages after it', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  const first = applyPatches(await client.ask('Hello', { conversation_id: id }));
  await client.ask('Thanks', { conversation_id: id });
  await client.ask('What is 2 * 21?', {
    conversation_id: id,
    regenerate_user_message_id: readPath(first, 'user_message_id'),
  });
  const messages = await client.messages(id);
  assert.deepEqual(
    messages.map((message) => message['origin']),
    ['user', 'assistant'],
  );
  assert.match(textOf(messages[0]?.['content']), /2 \* 21/u);
  assert.match(textOf(messages[1]?.['content']), /\*\*42\*\*/u);
});

test('onboarding of the Data Agent describes the agent in both languages', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const path = '/api/agent-factory/v3/agent-market/agent/river-analyst/version/latest';
  const english = (await client.request('GET', path)).json;
  assert.equal(readPath(english, 'key'), 'river-analyst');
  assert.equal(
    readPath(english, 'config', 'preset_questions', 0, 'question'),
    'Which countries does the Danube flow through?',
  );
  const chinese = (await client.request('GET', path, undefined, { 'x-language': 'zh-CN' })).json;
  assert.equal(readPath(chinese, 'name'), '河流分析师');
  const unknown = await client.request('GET', path.replace('river-analyst', 'nobody'));
  assert.equal(readPath(unknown.json, 'error_code'), 'AgentAPP.Agent.GetAgentFailed');
});

test('Data Agent rejects requests without a business domain with the error body of the service', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const answer = await client.request('GET', `${APP}/conversation`, undefined, {
    'x-business-domain': '',
  });
  assert.deepEqual(answer, { status: 400, json: { error: 'biz domain id is required' } });
});

test('Data Agent rejects a missing or invalid token with 401, in the language of x-language', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const invalid = signToken('wrong secret', { user: 'u', expires: 0 });
  for (const authorization of ['', `Bearer ${invalid}`]) {
    const { status, json } = await client.request('GET', `${APP}/conversation`, undefined, {
      authorization,
      'x-language': 'zh-CN',
    });
    assert.equal(status, 401);
    assert.equal(readPath(json, 'description'), '令牌缺失或已过期。');
    assert.deepEqual(Object.keys(json as object).toSorted(), [
      'description',
      'error_code',
      'error_details',
      'error_link',
      'solution',
    ]);
  }
});

test('Data Agent serves both prefixes unless one is configured', async (context) => {
  const both = await startTestServer(context);
  const older = APP.replace('agent-factory', 'agent-app');
  const client = await DataAgentClient.connect(both.url);
  assert.equal((await client.request('GET', `${APP}/conversation`)).status, 200);
  assert.equal((await client.request('GET', `${older}/conversation`)).status, 200);
  const single = await startTestServer(context, {
    dataAgent: { prefixes: ['/api/agent-factory/v1'] },
  });
  const other = await DataAgentClient.connect(single.url);
  assert.equal((await other.request('GET', `${APP}/conversation`)).status, 200);
  const missing = await other.request('GET', `${older}/conversation`);
  assert.equal(missing.status, 404);
  assert.equal(readPath(missing.json, 'error_code'), 'AgentAPP.NotFound');
});

test('Data Agent rejects invalid bodies with the code InvalidParameter.RequestBody', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  for (const body of [
    {},
    { query: ' ' },
    { query: 'x', model_name: 'unknown' },
    { query: 'x', regenerate_assistant_message_id: 'a', regenerate_user_message_id: 'b' },
    { query: '', interrupted_assistant_message_id: 'a' },
  ]) {
    const answer = await client.request('POST', `${APP}/chat/completion`, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(readPath(answer.json, 'error_code'), 'AgentAPP.InvalidParameter.RequestBody');
  }
});
