import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { translateChinese } from '../../demo/agent/plan/chinese-question.js';
import { keywordsOf, toIndexText, wordsOf } from '../../demo/agent/plan/words.js';
import { bestExcerpt, sentencesOf } from '../../demo/agent/skills/sentences.js';
import { openDatabase } from '../../demo/agent/store/database.js';
import { openRiverDatabase } from '../../demo/agent/tools/river-database.js';
import { DemoApiClient, shareTestServer, startTestServer } from './test-server.js';

const getServer = shareTestServer();

const SAMPLE = new URL('../../demo/sample/', import.meta.url);

test('words of Chinese text are its overlapping pairs of characters, in the index as well', () => {
  assert.deepEqual(wordsOf('多瑙河 Danube 长'), ['多瑙', '瑙河', 'danube', '长']);
  assert.equal(toIndexText('多瑙河是 Danube').replaceAll(/\s+/gu, ' '), ' 多瑙 瑙河 河是 Danube');
  assert.deepEqual(keywordsOf('多瑙河的航运怎么样？'), ['多瑙', '瑙河', '航运']);
});

test('sentences of Chinese text end at their punctuation, without a space after it', () => {
  const text = '多瑙河发源于黑森林地区。它流经十个国家，注入黑海！三角洲在哪里？在罗马尼亚境内。';
  assert.deepEqual(sentencesOf(text), [
    '多瑙河发源于黑森林地区。',
    '它流经十个国家，注入黑海！',
    '在罗马尼亚境内。',
  ]);
  assert.equal(bestExcerpt(text, '黑森林'), '多瑙河发源于黑森林地区。它流经十个国家，注入黑海！');
});

test('every name in the sample database has a Chinese one, except those of capitals', async () => {
  const rivers = openRiverDatabase(SAMPLE);
  const values = [...rivers.schema.names.values()].flat();
  await rivers.close();
  const terms = await readFile(
    new URL('../../demo/agent/plan/chinese-question.ts', import.meta.url),
    'utf8',
  );
  const all = new Set(
    values.filter(({ concept }) => concept !== 'capital').map(({ value }) => value),
  );
  const chineseOf = (name: string): string | undefined =>
    terms
      .split(/[|\n]/u)
      .find((pair) => pair.endsWith(` ${name}`))
      ?.split(' ', 1)[0];
  assert.deepEqual(
    [...all].filter((name) => translateChinese(chineseOf(name) ?? '').english !== name),
    [],
  );
});

const TRANSLATIONS: readonly (readonly [question: string, english: string, unknown: string[]])[] = [
  ['多瑙河流经哪些国家？', 'Danube flows through countries ？', []],
  ['罗马尼亚和罗马', 'Romania Rome', []],
  ['白俄罗斯的河流', 'Belarus rivers', []],
  ['第聂伯河有多长', 'Dnieper length', []],
  ['长度超过2000公里的河流', 'length more than 2000 km rivers', []],
  ['第二长的河流', 'rivers', ['第二长']],
  ['中国最长的河流', 'longest rivers', ['中国']],
  ['尼罗河有多长', 'length', ['尼罗河']],
  ['德国人口最多的城市', 'Germany population most cities', []],
  ['Which rivers are longest?', 'Which rivers are longest?', []],
];

for (const [question, english, unknown] of TRANSLATIONS) {
  test(`translateChinese translates "${question}"`, () => {
    const translated = translateChinese(question);
    assert.equal(translated.english.replaceAll(/\s+/gu, ' '), english);
    assert.deepEqual(translated.unknown, unknown);
  });
}

/** Uploads a text document and waits until it is read. */
async function upload(
  server: Awaited<ReturnType<typeof startTestServer>>,
  client: DemoApiClient,
  session: string,
  text: string,
): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([text]), 'notes.txt');
  const reply = await client.request('POST', `/agent-sessions/${session}/upload`, form);
  assert.equal(reply.status, 200, reply.text);
  await server.agent?.whenDocumentsIndexed();
}

const NOTES = '鸻鹬是一种小型涉禽，在靠近水边的开阔地上筑巢。它们以昆虫和小型甲壳动物为食。';

test('a Chinese question finds the passage of an uploaded Chinese document', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await upload(server, client, session, NOTES);
  const content = String((await client.send(session, '涉禽在哪里筑巢？')).at(-1)?.['content']);
  assert.match(content, /\*\*notes\.txt\*\* 中的相关内容/u);
  assert.match(content, /> 鸻鹬是一种小型涉禽，在靠近水边的开阔地上筑巢。/u);
});

test('a Chinese question that nothing answers gets a sentence that says so', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  for (const [question, answer] of [
    ['今天的股票价格怎么样？', /文档中没有相关内容/u],
    ['哪些河流不流经德国？', /我没有理解“不”/u],
  ] as const) {
    const events = await client.send(await client.createSession(), question);
    assert.match(String(events.at(-1)?.['content']), answer);
  }
});

const UBIK_ANSWERS: readonly (readonly [question: string, answer: RegExp])[] = [
  ['你好', /你好！/u],
  ['多瑙河流经哪些国家？', /共有 10 个国家符合条件：[\s\S]*\| 国家 \| 首都 \|/u],
  ['最长的三条河流是哪些？', /第一位是 \*\*Volga\*\*：[\s\S]*\| Ural \| 2,428/u],
  ['有多少条河流流入黑海？', /数据库中有 \*\*4\*\* 条河流符合条件/u],
  ['12.5乘以4等于多少？', /\*\*50\*\*/u],
  ['长度超过2000公里的河流有哪些？', /共有 4 条河流符合条件/u],
  ['河流的平均长度', /平均值: 长度（60 条河流）：\*\*/u],
  ['网络中断后回答如何恢复？', /zh-how-answers-recover\.md/u],
  ['画一个最长河流的柱状图', /"type":"media_reference"[\s\S]*每行一个柱/u],
];

for (const [question, answer] of UBIK_ANSWERS) {
  test(`UBIK agent answers "${question}" in Chinese`, async () => {
    const server = getServer();
    const client = await DemoApiClient.create(server.url);
    const events = await client.send(await client.createSession(), question);
    assert.match(String(events.at(-1)?.['content']), answer);
  });
}

test('UBIK agent asks in Chinese by what rivers are compared, and reads a Chinese answer', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, '欧洲最大的河流是哪条？');
  assert.match(await client.lastContent(session), /按什么比较：长度、流量还是流域面积？/u);
  const answered = await client.send(session, '流量');
  assert.match(String(answered.at(-1)?.['content']), /按流量排列，第一位是 \*\*Volga\*\*/u);
});

test('database whose index has no pairs of Chinese characters is indexed again at the start', async (context) => {
  const first = await startTestServer(context);
  const { dataDir } = first;
  await first.close();
  const database = openDatabase(join(dataDir, 'agent.sqlite'));
  database.script(`UPDATE passage_index SET heading = (SELECT heading FROM passages WHERE place = passage_index.rowid),
    text = (SELECT text FROM passages WHERE place = passage_index.rowid)`);
  database.script('PRAGMA user_version = 1');
  database.close();
  const second = await startTestServer(context, { dataDir });
  const client = await DemoApiClient.create(second.url);
  const events = await client.send(await client.createSession(), '网络中断后回答如何恢复？');
  assert.match(String(events.at(-1)?.['content']), /zh-how-answers-recover\.md/u);
});

test('UBIK agent answers in English when only the end of a long question, which it does not read, is Chinese', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, `${'qwerty '.repeat(300)}最长的河流`);
  const content = await client.lastContent(session);
  assert.match(content, /Step 1: Search the documents/u);
  assert.doesNotMatch(
    content.slice(content.indexOf('<<thinking>>')).replaceAll('最长的河流', ''),
    /\p{Script=Han}/u,
  );
});
