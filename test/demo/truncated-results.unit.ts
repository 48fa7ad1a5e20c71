import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoApiClient, startTestServer } from './test-server.js';
import { applyPatches, DataAgentClient, readPath, textOf } from './data-agent/data-agent-client.js';

/** A statement with more rows than the database returns. */
const MANY_ROWS = 'SQL: SELECT one.name FROM rivers AS one, rivers AS other';

test('UBIK agent does not count the rows of the truncated result of a question', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const rows = Array.from({ length: 250 }, (_, index) => `Part ${String(index)},${String(index)}`);
  const form = new FormData();
  form.set('file', new Blob([['Part,Stock', ...rows].join('\n')]), 'parts.csv');
  await client.request('POST', `/agent-sessions/${session}/upload`, form);
  await server.agent?.whenDocumentsIndexed();
  await client.send(session, 'Which parts have a stock of at least 10?');
  const content = await client.lastContent(session);
  assert.match(content, /: More than 200 rows fit the question:/u);
  assert.match(content, /The table is truncated: there are more rows\./u);
});

test('UBIK agent does not count the rows of the truncated result of a statement', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const content = String((await client.send(session, MANY_ROWS)).at(-1)?.['content']);
  assert.match(content, /The database gives more than 200 rows:/u);
  assert.match(content, /The table is truncated: there are more rows\./u);
});

test('Data Agent does not count the rows of the truncated result of a statement', async (context) => {
  const server = await startTestServer(context);
  const client = await DataAgentClient.connect(server.url);
  const reply = applyPatches(await client.ask(MANY_ROWS));
  const text = textOf(readPath(reply, 'message', 'content', 'final_answer', 'answer', 'text'));
  assert.match(text, /The database gives more than 200 rows:/u);
});
