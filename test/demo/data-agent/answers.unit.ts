import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareTestServer } from '../test-server.js';
import {
  APP,
  applyPatches,
  readPath,
  CHAT_OPTION,
  DataAgentClient,
  readPatches,
  skillStep,
  stepsOf,
  textOf,
} from './data-agent-client.js';

const getServer = shareTestServer();

const QUESTIONS: readonly (readonly [question: string, skill: string | null])[] = [
  ['Hello', null],
  ['Which countries does the Danube flow through?', 'text2sql'],
  ['多瑙河流经哪些国家？', 'text2sql'],
  ['How does an answer survive a broken network?', 'doc_qa'],
  ['Search the web for shipping on the Danube', 'zhipu_search_tool'],
  ['网上有多瑙河航运的新闻吗？', 'zhipu_search_tool'],
  ['Draw a chart of the longest rivers', 'json2plot'],
  ['画一个饼图', 'json2plot'],
  ['Draw a line of the longest rivers', 'json2plot'],
  ['What is the total discharge?', 'text2metric'],
  ['Ask the expert what decides the discharge', 'river_expert'],
  ['What is 12.5 * (3 + 4)^2?', 'calculator'],
  ['Give the verdict as JSON', 'text2sql'],
];

test('Data Agent streams patches that rebuild the stored answer, for every kind of answer', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  for (const [question, skill] of QUESTIONS) {
    const id = await client.createConversation(question);
    const patches = await client.ask(question, { conversation_id: id });
    assert.deepEqual(
      patches.map((patch) => patch.seq_id),
      patches.map((_, index) => index),
    );
    assert.equal(patches.at(-1)?.action, 'end');
    const reply = applyPatches(patches);
    const stored = (await client.messages(id)).at(-1);
    assert.deepEqual(
      JSON.parse(textOf(stored?.['content'])),
      readPath(reply, 'message', 'content'),
    );
    assert.deepEqual(JSON.parse(textOf(stored?.['ext'])), readPath(reply, 'message', 'ext'));
    assert.equal(stored?.['status'], 'succeded');
    assert.equal(readPath(reply, 'error'), null);
    assert.ok(Number(readPath(reply, 'message', 'ext', 'total_time')) > 0, question);
    assert.equal(typeof readPath(reply, 'message', 'ext', 'total_tokens'), 'number');
    if (skill !== null) assert.equal(skillStep(reply, skill)['status'], 'completed', question);
  }
});

test('Data Agent sends the statement, all rows and the row count in an SQL step', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(await client.ask('Which countries does the Danube flow through?'));
  const step = skillStep(reply, 'text2sql');
  const rows = readPath(step, 'answer', 'full_result', 'data') as unknown[];
  assert.equal(rows.length, 10);
  assert.deepEqual(readPath(step, 'answer', 'result', 'data_desc'), {
    return_records_num: 1,
    real_records_num: 10,
  });
  const sql = textOf(readPath(step, 'answer', 'result', 'sql'));
  assert.match(sql, /IN \('Danube'\)/u);
  const again = skillStep(applyPatches(await client.ask(`SQL: ${sql}`)), 'text2sql');
  assert.deepEqual(readPath(again, 'answer', 'full_result', 'data'), rows);
  const final = readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text');
  assert.equal(final, stepsOf(reply).at(-1)?.['answer']);
});

test('Data Agent shows a statement as it was executed when its question marks are not parameters', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const sql = `SELECT 'It''s?' AS "Why?" -- really?`;
  const step = skillStep(applyPatches(await client.ask(`SQL: ${sql}`)), 'text2sql');
  assert.equal(readPath(step, 'answer', 'result', 'sql'), sql);
  assert.deepEqual(readPath(step, 'answer', 'full_result', 'data'), [{ 'Why?': "It's?" }]);
});

test('Data Agent draws a chart from the data of the preceding query', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  for (const [question, type] of [
    ['Draw a pie chart of the rivers', 'Pie'],
    ['Draw a line of the longest rivers', 'Line'],
    ['Draw a chart of the longest rivers', 'Column'],
  ] as const) {
    const reply = applyPatches(await client.ask(question));
    const chart = readPath(skillStep(reply, 'json2plot'), 'answer', 'full_result');
    assert.equal(readPath(chart, 'chart_config', 'chart_type'), type);
    const rows = readPath(
      skillStep(reply, 'text2sql'),
      'answer',
      'full_result',
      'data',
    ) as object[];
    assert.equal((readPath(chart, 'data') as object[]).length, rows.length);
  }
});

test('Data Agent answers in the language of the question', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const text = (question: string) =>
    client
      .ask(question)
      .then((patches) =>
        textOf(
          readPath(applyPatches(patches), 'message', 'content', 'final_answer', 'answer', 'text'),
        ),
      );
  assert.match(
    await text('最长的五条河流是哪些？'),
    /按长度排列，第一位是 \*\*Volga\*\*：\n\n\| 河流 \|/u,
  );
  assert.match(
    await text('Which are the five longest rivers?'),
    /By length, \*\*Volga\*\* comes first:\n\n\| River \|/u,
  );
});

test('Data Agent uses the history for a follow-up question only if is_need_history is true', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const rowsOf = async (history: boolean): Promise<unknown> => {
    const id = await client.createConversation();
    await client.ask('Which are the three longest rivers?', { conversation_id: id });
    const chat_option = { ...CHAT_OPTION, is_need_history: history };
    const patches = await client.ask('Draw that', { conversation_id: id, chat_option });
    const chart = skillStep(applyPatches(patches), 'json2plot');
    return (readPath(chart, 'answer', 'full_result', 'data') as unknown[]).length;
  };
  assert.equal(await rowsOf(true), 3);
  assert.equal(await rowsOf(false), 10);
});

test('Data Agent sends no steps without is_need_progress', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(await client.ask('Hello', { chat_option: {} }));
  assert.deepEqual(stepsOf(reply), []);
  assert.match(
    textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text')),
    /^Hello!/u,
  );
});

test('Data Agent completes a question from the application context', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const custom_querys = { title: 'Rhine', data: { river: 'Rhine' } };
  const reply = applyPatches(await client.ask('Which countries does it cross?', { custom_querys }));
  const sql = textOf(readPath(skillStep(reply, 'text2sql'), 'answer', 'result', 'sql'));
  assert.match(sql, /'Rhine'/u);
});

test('Data Agent sends the reasoning beside the answer in deep thinking', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(
    await client.ask('Which are the five longest rivers?', { chat_mode: 'deep_thinking' }),
  );
  assert.match(textOf(stepsOf(reply)[0]?.['think']), /database can answer/u);
  assert.match(
    textOf(readPath(reply, 'message', 'content', 'final_answer', 'thinking')),
    /database can answer/u,
  );
  const plain = applyPatches(await client.ask('Which are the five longest rivers?'));
  assert.equal(stepsOf(plain)[0]?.['think'], '');
});

test('stream and inc_stream choose between one object, snapshots and patches', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const body = { query: 'Hello', chat_option: CHAT_OPTION };
  const whole = await client.request('POST', `${APP}/chat/completion`, { ...body, stream: false });
  assert.equal(typeof readPath(whole.json, 'message', 'ext', 'total_time'), 'number');
  const response = await client.open('POST', `${APP}/chat/completion`, {
    ...body,
    inc_stream: false,
  });
  const records = readPatches(await response.text()) as unknown as Record<string, unknown>[];
  assert.ok(records.length > 2);
  assert.ok(records.slice(0, -1).every((record) => 'message' in record));
});

test('a failing statement ends the run with an error in the language of x-language', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const id = await client.createConversation();
  const patches = await client.ask(
    'SQL: SELECT * FROM nowhere',
    { conversation_id: id },
    { 'x-language': 'zh-CN' },
  );
  const reply = applyPatches(patches);
  assert.equal(skillStep(reply, 'text2sql')['status'], 'failed');
  assert.equal(readPath(reply, 'error', 'BaseError', 'description'), '工具执行失败。');
  assert.equal(readPath(reply, 'message', 'ext', 'error', 'type'), 'agent_executor');
  assert.equal(readPath(reply, 'message', 'ext', 'total_time'), undefined);
  assert.equal((await client.messages(id)).at(-1)?.['status'], 'failed');
});

test('Data Agent rejects an SQL statement that writes', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(await client.ask('SQL: DELETE FROM rivers'));
  assert.match(textOf(readPath(reply, 'error', 'BaseError', 'error_details')), /Only reading/u);
});
