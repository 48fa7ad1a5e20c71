import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareTestServer, startTestServer } from '../test-server.js';
import {
  APP,
  applyPatches,
  readPath,
  CHAT_OPTION,
  DataAgentClient,
  decide,
  readPatches,
  skillStep,
  type Value,
  textOf,
} from './data-agent-client.js';

const getServer = shareTestServer();

const QUESTION = 'Which countries does the Danube flow through?';

test('resume sends the snapshot twice, then differences, and ends like the first stream', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  server.controls?.pauseAt({ point: 'text', skip: 4 });
  const asked = client.ask(QUESTION, { conversation_id: id });
  await server.controls?.whenPaused();
  const resumed = await client.open('POST', `${APP}/chat/resume`, { conversation_id: id });
  assert.equal(resumed.status, 200);
  server.controls?.resumeRuns();
  const patches = readPatches(await resumed.text());
  assert.equal(patches[0]?.seq_id, 0);
  const snapshots = patches.filter(
    (patch) => patch.action === 'upsert' && patch.key.join('.') === 'message',
  );
  assert.equal(snapshots.length, 2);
  assert.ok(patches.length > 20);
  assert.deepEqual(applyPatches(patches), applyPatches(await asked));
});

test('resume of a finished or unknown run is refused with 500', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  await client.ask('Hello', { conversation_id: id });
  for (const conversation_id of [id, 'unknown']) {
    const { status, json } = await client.request('POST', `${APP}/chat/resume`, {
      conversation_id,
    });
    assert.deepEqual([status, readPath(json, 'error_code')], [500, 'AgentAPP.Agent.ResumeFailed']);
  }
});

test('run continues after its reader has disconnected', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  const fault = { 'x-demo-fault': 'cut; events=6' };
  server.controls?.pauseAt({ point: 'end' });
  await assert.rejects(client.ask(QUESTION, { conversation_id: id }, fault));
  await server.controls?.whenPaused();
  const resumed = await client.open('POST', `${APP}/chat/resume`, { conversation_id: id });
  assert.equal(resumed.status, 200);
  server.controls?.resumeRuns();
  await resumed.text();
  assert.equal((await client.messages(id)).at(-1)?.['status'], 'succeded');
});

test('termination ends the stream without totals and stores what was sent', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  server.controls?.pauseAt({ point: 'text', skip: 2 });
  const asked = client.ask(QUESTION, { conversation_id: id });
  await server.controls?.whenPaused();
  const stop = { conversation_id: id };
  assert.equal((await client.request('POST', `${APP}/chat/termination`, stop)).status, 204);
  const reply = applyPatches(await asked);
  assert.equal(readPath(reply, 'message', 'ext', 'total_time'), undefined);
  const stored = (await client.messages(id)).at(-1);
  assert.equal(stored?.['status'], 'cancelled');
  assert.deepEqual(JSON.parse(textOf(stored?.['content'])), readPath(reply, 'message', 'content'));
  assert.equal((await client.request('POST', `${APP}/chat/termination`, stop)).status, 500);
});

async function interrupt(
  client: DataAgentClient,
  more: Record<string, unknown> = {},
): Promise<{ id: string; reply: Value }> {
  const id = await client.createConversation();
  const question = 'Export the table of countries';
  const patches = await client.ask(question, { conversation_id: id, ...more });
  assert.equal(patches.at(-1)?.action, 'end');
  return { id, reply: applyPatches(patches) };
}

test('Data Agent waits for approval of a costly tool, and runs it with the modified arguments', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const { id, reply } = await interrupt(client);
  const info = readPath(reply, 'message', 'ext', 'interrupt_info', 'data');
  assert.equal(readPath(info, 'tool_args', 0, 'value'), 'countries');
  assert.equal(skillStep(reply, 'export_table')['answer'], null);
  const waiting = (await client.messages(id)).at(-1);
  assert.equal(waiting?.['status'], 'processing');
  assert.match(textOf(waiting?.['ext']), /interrupt_info/u);
  const changes = [
    { key: 'table', value: 'rivers' },
    { key: 'max_rows', value: 4 },
  ];
  const after = applyPatches(await client.ask('', decide(reply, 'confirm', changes)));
  assert.equal(readPath(after, 'assistant_message_id'), readPath(reply, 'assistant_message_id'));
  const step = skillStep(after, 'export_table');
  assert.equal(step['status'], 'completed');
  assert.equal((readPath(step, 'answer', 'full_result', 'data') as Value[]).length, 4);
  assert.equal(readPath(step, 'answer', 'full_result', 'title'), 'rivers');
  assert.equal(readPath(after, 'message', 'ext', 'interrupt_info'), undefined);
  assert.equal((await client.messages(id)).at(-1)?.['status'], 'succeded');
});

test('Data Agent does not run a tool that the user has skipped', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const { reply } = await interrupt(client);
  const after = applyPatches(await client.ask('', decide(reply, 'skip')));
  assert.equal(skillStep(after, 'export_table')['status'], 'skipped');
  assert.deepEqual(skillStep(after, 'export_table')['answer'], { skipped: true });
});

test('Data Agent runs an approved tool also for a client that has asked without is_need_progress', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const { id, reply } = await interrupt(client, { chat_option: {} });
  const after = applyPatches(await client.ask('', decide(reply, 'confirm')));
  assert.equal(skillStep(after, 'export_table')['status'], 'completed');
  assert.equal((await client.messages(id)).at(-1)?.['status'], 'succeded');
});

test('termination cancels an answer that waits for approval', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const { id, reply } = await interrupt(client);
  const body = {
    conversation_id: id,
    interrupted_assistant_message_id: readPath(reply, 'assistant_message_id'),
  };
  assert.equal((await client.request('POST', `${APP}/chat/termination`, body)).status, 204);
  assert.equal((await client.messages(id)).at(-1)?.['status'], 'cancelled');
  const late = await client.request('POST', `${APP}/chat/completion`, decide(reply, 'confirm'));
  assert.equal(late.status, 400);
});

test('a request for approval survives a restart; an answer that was running becomes failed', async (context) => {
  const first = await startTestServer(context);
  const client = await DataAgentClient.connect(first.url);
  const { reply } = await interrupt(client);
  const running = await client.createConversation();
  first.controls?.pauseAt({ point: 'text' });
  const asked = client.ask(QUESTION, { conversation_id: running }).catch(() => null);
  await first.controls?.whenPaused();
  await first.close();
  await asked;
  const second = await startTestServer(context, { dataDir: first.dataDir });
  const again = client.at(second.url);
  assert.equal((await again.messages(running)).at(-1)?.['status'], 'failed');
  const after = applyPatches(await again.ask('', decide(reply, 'confirm')));
  assert.equal(skillStep(after, 'export_table')['status'], 'completed');
});

test('snapshots are published every five frames unless configured otherwise', async (context) => {
  const count = async (dataAgent: { publishEvery?: number }): Promise<number> => {
    const server = await startTestServer(context, { dataAgent });
    const client = await DataAgentClient.connect(server.url);
    return (await client.ask(QUESTION)).length;
  };
  const usual = await count({});
  assert.equal(await count({ publishEvery: 5 }), usual);
  assert.ok((await count({ publishEvery: 1 })) > 2 * usual);
});

test('fault blank-message empties the reply before its error, and the stored answer keeps its content', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  const fault = { 'x-demo-fault': 'blank-message; events=12' };
  const reply = applyPatches(await client.ask(QUESTION, { conversation_id: id }, fault));
  assert.deepEqual(
    [
      readPath(reply, 'conversation_id'),
      readPath(reply, 'message', 'id'),
      readPath(reply, 'message', 'content'),
    ],
    ['', '', null],
  );
  assert.equal(readPath(reply, 'error', 'BaseError', 'error_code'), 'AgentAPP.InternalError');
  const stored = (await client.messages(id)).at(-1);
  assert.equal(stored?.['status'], 'failed');
  assert.match(textOf(stored?.['content']), /progress/u);
});

test('fault executor-death ends the stream cleanly without an error', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  const fault = { 'x-demo-fault': 'executor-death; events=4' };
  const patches = await client.ask(QUESTION, { conversation_id: id }, fault);
  assert.equal(patches.at(-1)?.action, 'end');
  const reply = applyPatches(patches);
  assert.equal(readPath(reply, 'error'), null);
  assert.equal(readPath(reply, 'message', 'ext', 'total_time'), undefined);
  assert.equal((await client.messages(id)).at(-1)?.['status'], 'failed');
});

test('fault raw-error sends an error object between the patches, and the stream continues', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const fault = { 'x-demo-fault': 'raw-error; events=5' };
  const records = await client.ask('Hello', {}, fault);
  assert.equal(records.filter((record) => 'BaseError' in record).length, 1);
  const reply = applyPatches(records.filter((record) => !('BaseError' in record)));
  assert.equal(typeof readPath(reply, 'message', 'ext', 'total_time'), 'number');
});

test('fault status sends the error body of the service, in the language of x-language', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const body = { conversation_id: 'x', chat_option: CHAT_OPTION };
  for (const [status, code, description] of [
    [401, 'AgentAPP.Unauthorized', '令牌缺失或已过期。'],
    [403, 'AgentAPP.Forbidden.PermissionDenied', '没有权限。'],
    [404, 'AgentAPP.NotFound', '请求的地址不存在。'],
    [429, 'AgentAPP.InvalidParameter.RequestBody', '请求参数无效。'],
    [503, 'AgentAPP.InternalError', '内部错误。'],
  ] as const) {
    server.controls?.addFaults({ kind: 'status', status, path: '/chat/resume' });
    const headers = { 'x-language': 'zh-CN' };
    const answer = await client.request('POST', `${APP}/chat/resume`, body, headers);
    assert.equal(answer.status, status);
    assert.deepEqual(
      ['error_code', 'description', 'error_details'].map((name) => readPath(answer.json, name)),
      [code, description, `Status ${String(status)}, on request`],
    );
    assert.ok(textOf(readPath(answer.json, 'solution')).length > 0);
  }
  assert.equal((await client.request('POST', `${APP}/chat/resume`, body)).status, 500);
});
