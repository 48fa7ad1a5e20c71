import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyExhaustive } from '../helpers/sample.js';
import { rebuild } from './rebuild.js';
import { DemoApiClient, eventOf, shareTestServer } from './test-server.js';

const getServer = shareTestServer();

const QUESTIONS: readonly (readonly [question: string, ...expected: RegExp[]])[] = [
  ['Hello', /I am a small agent/u],
  [
    'How does an answer survive a broken network?',
    /<citation id="[0-9a-f-]{36}">\[1\]<\/citation>/u,
    /how-answers-recover\.md/u,
    /An answer is not lost when the network is cut in the middle/u,
  ],
  ['Which countries does the Danube flow through?', /10 countries/u, /\| Austria \| Vienna \|/u],
  ['Which are the three longest rivers?', /\*\*Volga\*\* comes first/u, /\| Ural \| 2,428/u],
  ['Which cities lie on the Rhine?', /\| Cologne \|/u],
  ['How many rivers flow into the Black Sea?', /\*\*4\*\* such rivers/u],
  ['Which river flows through Vienna?', /about \*\*Danube\*\*/u],
  ['What is 12.5 * (3 + 4)^2?', /<<SINGLE_STEP_FLAG>>/u, /\*\*612\.5\*\*/u],
  ['What is 5 / 0?', /Division by zero/u],
  [
    'Summarise all documents',
    /### rivers-of-europe\.md/u,
    /### kettle-manual\.md/u,
    /the first 3 of \d+ documents/u,
  ],
  ['Write a newsletter from both documents', /## Newsletter/u],
  ['Write a newsletter', /## Newsletter/u, /the first 3 of \d+ documents/u],
  [
    'Draw a chart of the longest rivers',
    /"type":"media_reference"/u,
    /chart\.png/u,
    /One bar for each row/u,
  ],
  [
    'Draw a pie chart of the longest rivers',
    /"type":"media_reference"/u,
    /chart\.png/u,
    /One slice for each row/u,
  ],
  ['Analyse the rivers', /### Wet and dry rivers/u],
  [
    'Read https://example.org/page about checkpoints',
    /no way out to the network/u,
    /could not be read/u,
    /<citation id[\s\S]*“Going back”/u,
  ],
  [
    'Search the documents and the database for the longest rivers',
    /<<TOOL_STEP_START\/search_documents:[\s\S]*<<TOOL_STEP_START\/query_database:/u,
  ],
  ['What about zxqwv plugh?', /I found nothing about that/u],
  ['SQL: SELECT name FROM rivers ORDER BY name LIMIT 2', /Aare/u],
];

for (const [question, ...expected] of QUESTIONS) {
  test(`UBIK agent gives the same answer to "${question}" live, in the final content and stored`, async () => {
    const server = getServer();
    const client = await DemoApiClient.create(server.url);
    const session = await client.createSession();
    const events = await client.send(session, question);
    const end = events.at(-1);
    assert.equal(end?.type, 'agent_processing_complete');
    for (const pattern of expected) assert.match(String(end['content']), pattern);
    // Every answer ends with text for the user.
    assert.match(String(end['content']).split('<<CHECKPOINT_END>>').at(-1) ?? '', /\w{3}/u);
    assert.equal(rebuild(events), end['content']);
    assert.equal(await client.lastContent(session), end['content']);
    const chunks = events
      .filter((event) => event.type === 'response_chunk')
      .map((event) => event['content']);
    assert.doesNotMatch(chunks.join(''), /<<(?:STEP_|CHECKPOINT_|INPUT_REQUIRED|ERROR)/u);
  });
}

for (const piece of ['document and ', 'remove ', '1 (', '1+', '1          .']) {
  test(`UBIK agent answers a question of the maximum length that repeats "${piece}"`, async () => {
    const server = getServer();
    const client = await DemoApiClient.create(server.url);
    const question = piece.repeat(200_000 / piece.length).trim();
    const events = await client.send(await client.createSession(), question);
    assert.equal(events.at(-1)?.type, 'agent_processing_complete');
  });
}

test('UBIK agent accepts a very long answer that begins like a declined one', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, 'Which is the biggest river in Europe?');
  const events = await client.send(session, `skip${' '.repeat(190_000)}x by the water it carries`);
  assert.match(String(events.at(-1)?.['content']), /By discharge, \*\*Volga\*\*/u);
});

test('UBIK agent streams a long report in many chunks without losing one', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const events = await client.send(session, 'Write a long report about all rivers');
  assert.ok(events.length > 500);
  assert.equal(rebuild(events), events.at(-1)?.['content']);
  assert.equal(await client.lastContent(session), events.at(-1)?.['content']);
});

test('UBIK agent gives each event a later timestamp than the event before', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const events = await client.send(await client.createSession(), 'Which are the longest rivers?');
  const times = events
    // The event of the connection has no time.
    .filter(({ type }) => type !== 'connection_established')
    .map((event) => event['timestamp'] ?? event['created_at']) as string[];
  const micros = times.map((time) => time.replace('Z', '').padEnd(26, '0'));
  assert.deepEqual([...micros].sort(), micros);
  assert.equal(new Set(micros).size, micros.length);
});

test('UBIK agent ends a run with an invalid query by an error, which is stored with the message', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const events = await client.send(session, 'SQL: SELECT * FROM nowhere');
  const end = events.at(-1);
  assert.equal(end?.type, 'agent_processing_error');
  assert.match(String(end['error']), /no such table: nowhere/u);
  const stored = await client.lastContent(session);
  assert.match(stored, /<<ERROR_START>>\nError: The query could not be run: .*nowhere/u);
  assert.match(stored, /"status":"failed"/u);
  assert.equal(rebuild(events), stored);
});

test('sample database rejects queries that write or contain two statements, and executes the next one', async () => {
  const client = await DemoApiClient.create(getServer().url);
  for (const [sql, reason] of [
    ['DELETE FROM rivers', /Only reading/u],
    ['SELECT 1; DROP TABLE rivers', /one statement/u],
  ] as const) {
    const events = await client.send(await client.createSession(), `SQL: ${sql}`);
    assert.match(String(events.at(-1)?.['error']), reason);
  }
  await assertDatabaseAnswers(client);
});

// `sql-database.unit.ts` checks this without waiting.
test(
  'sample database aborts an endless query, and executes the next one',
  onlyExhaustive,
  async () => {
    const client = await DemoApiClient.create(getServer().url);
    const sql =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const events = await client.send(await client.createSession(), `SQL: ${sql}`);
    assert.match(String(events.at(-1)?.['error']), /four seconds/u);
    await assertDatabaseAnswers(client);
  },
);

/** Asserts that the sample database executes a query. */
async function assertDatabaseAnswers(client: DemoApiClient): Promise<void> {
  const session = await client.createSession();
  const events = await client.send(session, 'SQL: SELECT count(*) AS n FROM rivers');
  assert.match(String(events.at(-1)?.['content']), /\| 60 \|/u);
}

test('UBIK agent requests input for an ambiguous question, stores the answer with it, and continues in a new task', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const asked = await client.send(session, 'Which is the biggest river in Europe?');
  const request = asked.at(-1);
  assert.equal(request?.type, 'input_required');
  assert.deepEqual(await client.checkpoints(session), [request['checkpoint_name']]);
  assert.equal(rebuild(asked), await client.lastContent(session));
  const answered = await client.send(session, 'by the water it carries');
  assert.match(String(answered.at(-1)?.['content']), /By discharge, \*\*Volga\*\*/u);
  const messages = await client.messages(session);
  assert.deepEqual(
    messages.map((message) => message.role),
    ['user', 'assistant', 'user', 'assistant'],
  );
  assert.match(
    messages[1]?.content ?? '',
    /<<USER_INPUT_PROVIDED_START>>\n\{"input":"by the water it carries","type":"text"\}\n<<USER_INPUT_PROVIDED_END>>\n<<INPUT_REQUIRED_END>>/u,
  );
  assert.notEqual(messages[1]?.task_id, messages[3]?.task_id);
  const replay = await client.request(
    'GET',
    `/agent-sessions/${session}/stream?task_id=${messages[1]?.task_id ?? ''}`,
  );
  assert.match(replay.text, /agent_processing_complete.*USER_INPUT_PROVIDED/u);
});

test('UBIK agent repeats a request after an unusable answer with the reason, and completes the run when it is declined', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, 'Which is the biggest river?');
  const again = await client.send(session, 'by its colour');
  assert.equal(again.at(-1)?.type, 'input_required');
  assert.match(
    await client.lastContent(session),
    /“by its colour” is none of the three, so I ask again\./u,
  );
  const declined = await client.send(session, 'I don’t want to answer this.');
  assert.equal(declined.at(-1)?.type, 'agent_processing_complete');
  const messages = await client.messages(session);
  assert.match(messages[3]?.content ?? '', /\{"input":null,"type":"declined"\}/u);
  const names = await client.checkpoints(session);
  assert.equal(new Set(names).size, names.length);
});

test('UBIK agent says why it asks again which document to remove, and removes none when the question is declined', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, 'Remove a document');
  await client.send(session, 'the blue one');
  assert.match(await client.lastContent(session), /“the blue one” is none of the documents/u);
  const declined = await client.send(session, 'I don’t want to answer this.');
  assert.equal(declined.at(-1)?.type, 'agent_processing_complete');
  assert.match(await client.lastContent(session), /Nothing was removed\.$/u);
});

test('UBIK agent requests which one of several documents to summarize', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const asked = await client.send(session, 'Summarise the document');
  assert.match(
    String(eventOf(asked, 'input_required')['prompt']),
    /^Which document do you mean\?$/u,
  );
  const again = await client.send(session, 'the blue one');
  assert.equal(again.at(-1)?.type, 'input_required');
  assert.match(
    await client.lastContent(session),
    /“the blue one” is none of the documents of this conversation, so I ask again\./u,
  );
  const events = await client.send(session, 'putting it in a page');
  assert.match(String(events.at(-1)?.['content']), /### putting-it-in-a-page\.md/u);
});
