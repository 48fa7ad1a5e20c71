import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareTestServer } from '../test-server.js';
import {
  applyPatches,
  readPath,
  DataAgentClient,
  skillStep,
  textOf,
  type Value,
} from './data-agent-client.js';

const getServer = shareTestServer();

/** Chinese questions about the sample data, with the English ones that have the same result. */
const PAIRS: readonly (readonly [chinese: string, english: string])[] = [
  ['多瑙河流经哪些国家？', 'Which countries does the Danube flow through?'],
  ['请问莱茵河流经哪几个国家', 'Which countries does the Rhine flow through?'],
  ['最长的五条河流是哪些？', 'Which are the five longest rivers?'],
  ['列出流域面积最大的三条河流', 'List the 3 rivers with the largest basin'],
  ['流量最大的十条河流', 'Which 10 rivers have the largest discharge?'],
  ['最短的河流有哪些', 'Which are the shortest rivers?'],
  ['莱茵河沿岸有哪些城市？', 'Which cities lie on the Rhine?'],
  ['有多少条河流流入黑海？', 'How many rivers flow into the Black Sea?'],
  ['一共有多少条河流？', 'How many rivers are there?'],
  ['每个国家有多少条河流？', 'How many rivers per country?'],
  ['维也纳位于哪条河边？', 'Which river flows through Vienna?'],
  ['法国的首都是哪里？', 'What is the capital of France?'],
  ['塞纳河有多长？', 'What is the length of the Seine?'],
  ['比较易北河和奥得河', 'Compare the Elbe and the Oder'],
  ['流经德国的河流有哪些？', 'Which rivers flow through Germany?'],
  ['流入波罗的海的最长河流', 'Longest rivers that flow into the Baltic Sea'],
  ['长度超过2000公里的河流有哪些？', 'Which rivers are longer than 2000 km?'],
];

async function rowsOf(client: DataAgentClient, question: string): Promise<Value | undefined> {
  const step = skillStep(applyPatches(await client.ask(question)), 'text2sql');
  return readPath(step, 'answer', 'full_result', 'data');
}

test('Chinese questions about the sample data have the results of the English ones', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  for (const [chinese, english] of PAIRS) {
    const rows = await rowsOf(client, chinese);
    assert.ok(Array.isArray(rows) && rows.length > 0, chinese);
    assert.deepEqual(rows, await rowsOf(client, english), chinese);
  }
});

/** Chinese questions that the agent cannot answer, and what it says in place of a wrong answer. */
const UNANSWERABLE: readonly (readonly [question: string, answer: RegExp])[] = [
  ['第二长的河流是哪条？', /没有理解“第二长”，因此没有查询数据库/u],
  ['哪些河流不流经德国？', /没有理解“不”/u],
  ['中国最长的河流是哪条？', /没有理解“中国”/u],
  ['多瑙河流域的平均降雨量', /没有理解“降雨量”/u],
  ['今天的股票价格怎么样？', /文档中没有相关内容/u],
  ['在网上查找股票价格', /语料中没有相关内容/u],
  ['问专家股票为什么上涨', /专家没有与该问题相关的数据/u],
];

test('Chinese questions that cannot be answered get a sentence that says so, and no query', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  for (const [question, answer] of UNANSWERABLE) {
    const reply = applyPatches(await client.ask(question));
    const text = textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text'));
    assert.match(text, answer, question);
    assert.doesNotMatch(JSON.stringify(reply), /text2sql/u, question);
  }
});

test('a Chinese question finds the Chinese document, and quotes whole sentences of it', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(await client.ask('网络中断后回答如何恢复？'));
  const result = readPath(skillStep(reply, 'doc_qa'), 'answer', 'full_result');
  assert.equal(readPath(result, 'cites', 0, 'doc_name'), 'zh-how-answers-recover.md');
  assert.match(
    textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text')),
    /文档中的相关内容：\n\n> [^\n]+。 \[1\]/u,
  );
});

/** Questions for the sub-agent, and what its text or the answer that sums it up has to contain. */
const EXPERT_ANSWERS: readonly (readonly [question: string, ...expected: RegExp[]])[] = [
  [
    'Ask the expert what decides the discharge',
    /Over the 60 rivers of the database, discharge correlates with the basin at 0\.\d+/u,
    /times as much water as the Guadiana|times as much water as the Ural/u,
  ],
  [
    'Ask the expert about the Danube and the Rhine',
    /\*\*Danube\*\*: 6,500 m³\/s from 817,000 km², or 8 litres/u,
    /\*\*Rhine\*\*: 2,900 m³\/s from 185,000 km², or 15\.7 litres/u,
    /gives the Rhine 2 times as much water as the Danube/u,
  ],
  ['问专家多瑙河的流量', /流量 6,500 m³\/s，流域 817,000 km²，每平方公里每秒 8 升/u, /低于|高于/u],
  ['Ask the expert about shares', /not about that/u, /no figures for this question/u],
];

test('the text of the sub-agent and the answer that sums it up are computed from the database for the question', async () => {
  const server = getServer();
  const client = await DataAgentClient.connect(server.url);
  for (const [question, ...expected] of EXPERT_ANSWERS) {
    const reply = applyPatches(await client.ask(question));
    const opinion = textOf(readPath(skillStep(reply, 'river_expert'), 'answer', 'answer'));
    const answer = textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text'));
    for (const pattern of expected) assert.match(`${opinion}\n${answer}`, pattern);
  }
});
