import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  toolCallDelta,
  startFailingModels,
  startModelServer,
  startUnfinishedModel,
  type Delta,
} from '../model-server.js';
import { startTestServer } from '../test-server.js';
import {
  APP,
  applyPatches,
  readPath,
  CHAT_OPTION,
  DataAgentClient,
  decide,
  skillStep,
  stepsOf,
  textOf,
  type Value,
} from './data-agent-client.js';

const LONGEST_RIVERS_SQL =
  'SELECT name AS River, length_km AS Length FROM rivers ORDER BY length_km DESC LIMIT 3';

/** Starts the demo with a stand-in model that answers with these turns. */
async function startWithModel(context: TestContext, turns: readonly (readonly Delta[])[]) {
  const { baseUrl, requests } = await startModelServer(context, turns);
  const model = { baseUrl, apiKey: 'llm-key', model: 'tiny' };
  const server = await startTestServer(context, { model });
  return { server, requests, client: await DataAgentClient.connect(server.url) };
}

function answerOf(reply: Value): string {
  return textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text'));
}

test('language model of the Data Agent thinks, queries, draws and answers in separate steps', async (context) => {
  const { client, requests } = await startWithModel(context, [
    [
      { reasoning_content: 'I need ' },
      { reasoning_content: 'the rows.' },
      { content: 'I look them up.' },
      toolCallDelta('query_database', { sql: LONGEST_RIVERS_SQL }),
    ],
    [toolCallDelta('draw_chart', { chart_type: 'column', category: 'River', value: 'Length' })],
    [{ content: 'The **Volga** ' }, { content: 'is the longest.' }],
  ]);
  const id = await client.createConversation();
  const reply = applyPatches(
    await client.ask('Draw the three longest rivers', { conversation_id: id }),
  );
  assert.deepEqual(
    stepsOf(reply).map((step) => [readPath(step, 'skill_info', 'name') ?? 'text', step['status']]),
    [
      ['text', 'completed'],
      ['text2sql', 'completed'],
      ['json2plot', 'completed'],
      ['text', 'completed'],
    ],
  );
  assert.equal(stepsOf(reply)[0]?.['think'], 'I need the rows.');
  assert.equal(answerOf(reply), 'The **Volga** is the longest.');
  const chart = readPath(skillStep(reply, 'json2plot'), 'answer', 'full_result');
  assert.deepEqual(readPath(chart, 'data', 0), { River: 'Volga', Length: 3530 });
  assert.deepEqual(
    JSON.parse(textOf((await client.messages(id)).at(-1)?.['content'])),
    readPath(reply, 'message', 'content'),
  );
  assert.equal(requests[0]?.authorization, 'Bearer llm-key');
  assert.equal(requests[0].body.model, 'tiny');
  const names = requests[0].body.tools.map((tool) => tool.function.name);
  assert.ok(names.includes('search_documents') && names.includes('export_table'), names.join());
  assert.match(requests[1]?.body.messages.at(-1)?.content ?? '', /"row_count":3.*Volga/u);
});

test('language model gets the previous turns and the application context', async (context) => {
  const { client, requests } = await startWithModel(context, [
    [{ content: 'First.' }],
    [{ content: 'Second.' }],
    [{ content: 'Third.' }],
  ]);
  const id = await client.createConversation();
  await client.ask('One?', { conversation_id: id });
  await client.ask('Two?', { conversation_id: id, custom_querys: { river: 'Rhine' } });
  await client.ask('Three?', {
    conversation_id: id,
    chat_option: { ...CHAT_OPTION, is_need_history: false },
  });
  const contents = requests.map(({ body }) => body.messages.slice(1).map(({ content }) => content));
  assert.deepEqual(contents, [['One?'], ['One?', 'First.', 'Two?'], ['Three?']]);
  assert.match(requests[1]?.body.messages[0]?.content ?? '', /"river":"Rhine"/u);
});

test('language model that calls a failing or unknown tool gets the error and continues', async (context) => {
  const { client, requests } = await startWithModel(context, [
    [
      toolCallDelta('query_database', { sql: 'DELETE FROM rivers' }, 0),
      toolCallDelta('rm -rf', {}, 1),
      toolCallDelta('draw_chart', { chart_type: 'Pie', category: 'a', value: 'b' }, 2),
    ],
    [{ content: 'Then without.' }],
  ]);
  const reply = applyPatches(await client.ask('Delete it'));
  assert.deepEqual(
    requests[1]?.body.messages.slice(-3).map(({ content }) => content),
    [
      '{"error":"Only reading is allowed: a query begins with SELECT."}',
      '{"error":"There is no such tool."}',
      '{"error":"The last query has no such column."}',
    ],
  );
  assert.equal(skillStep(reply, 'text2sql')['status'], 'failed');
  assert.equal(answerOf(reply), 'Then without.');
  assert.equal(readPath(reply, 'error'), null);
});

test('language model that exports a table waits for approval, then continues with the decision', async (context) => {
  const { client, requests } = await startWithModel(context, [
    [toolCallDelta('export_table', { table: 'countries' })],
    [{ content: 'Here it is.' }],
  ]);
  const reply = applyPatches(await client.ask('I want all countries'));
  const info = readPath(reply, 'message', 'ext', 'interrupt_info');
  assert.equal(readPath(info, 'data', 'tool_args', 0, 'value'), 'countries');
  const after = applyPatches(await client.ask('', decide(reply, 'confirm')));
  assert.equal(skillStep(after, 'export_table')['status'], 'completed');
  assert.equal(answerOf(after), 'Here it is.');
  assert.deepEqual(
    requests[1]?.body.messages.slice(1).map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  );
});

test('onboarding lists the language model first, and a question can choose the rules', async (context) => {
  const { client, requests } = await startWithModel(context, [[{ content: 'From the model.' }]]);
  const path = '/api/agent-factory/v3/agent-market/agent/river-analyst/version/latest';
  const { json } = await client.request('GET', path);
  assert.deepEqual(
    (readPath(json, 'config', 'llms') as Value[]).map((model) => [
      readPath(model, 'llm_config', 'name'),
      readPath(model, 'is_default'),
    ]),
    [
      ['tiny', true],
      ['rules', false],
    ],
  );
  const reply = applyPatches(await client.ask('What is 6 * 7?', { model_name: 'rules' }));
  assert.match(answerOf(reply), /\*\*42\*\*/u);
  assert.equal(requests.length, 0);
});

test('language model that cannot be reached or refuses ends the run with the error of the model', async (context) => {
  for (const { model, reason } of await startFailingModels(context)) {
    const server = await startTestServer(context, { model });
    const client = await DataAgentClient.connect(server.url);
    const id = await client.createConversation();
    const reply = applyPatches(await client.ask('Good day', { conversation_id: id }));
    assert.equal(
      readPath(reply, 'error', 'BaseError', 'error_code'),
      'AgentAPP.Agent.ModelExecption',
    );
    assert.match(textOf(readPath(reply, 'error', 'BaseError', 'error_details')), reason);
    assert.doesNotMatch(JSON.stringify(reply), /llm-key/u);
    assert.equal((await client.messages(id)).at(-1)?.['status'], 'failed');
  }
});

test('termination aborts the request to a language model that has not finished', async (context) => {
  const { model, aborted } = await startUnfinishedModel(context);
  const server = await startTestServer(context, { model });
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  server.controls?.pauseAt({ point: 'text' });
  const asked = client.ask('Good day', { conversation_id: id });
  await server.controls?.whenPaused();
  server.controls?.resumeRuns();
  const stop = { conversation_id: id };
  const stopped = await client.request('POST', `${APP}/chat/termination`, stop);
  assert.equal(stopped.status, 204);
  await aborted;
  await asked;
  const stored = (await client.messages(id)).at(-1);
  assert.equal(stored?.['status'], 'cancelled');
  assert.match(textOf(stored?.['content']), /Well, /u);
});
