import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFailingModels, startModelServer, startUnfinishedModel } from './model-server.js';
import { rebuild } from './rebuild.js';
import { DemoApiClient, startTestServer } from './test-server.js';

test('language model thinks, answers and calls the tools of the UBIK agent', async (context) => {
  const { baseUrl, requests } = await startModelServer(context, [
    [
      { reasoning_content: 'I should ' },
      { reasoning_content: 'look it up.' },
      { content: 'Let me ' },
      { content: 'see.' },
      {
        tool_calls: [
          {
            index: 0,
            id: 'a',
            function: { name: 'query_database', arguments: '{"sql":"SELECT name ' },
          },
        ],
      },
      {
        tool_calls: [
          { index: 0, function: { arguments: 'FROM rivers ORDER BY length_km DESC LIMIT 1"}' } },
        ],
      },
      {
        tool_calls: [
          { index: 1, id: 'b', function: { name: 'calculate', arguments: '{"expression":"6*7"}' } },
        ],
      },
    ],
    [{ content: 'The longest is the ' }, { content: '**Volga**, and 42.' }],
  ]);
  const server = await startTestServer(context, {
    model: { baseUrl, apiKey: 'llm-key', model: 'tiny' },
  });
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const events = await client.send(session, 'Which river is the longest, and what is 6*7?');
  const content = String(events.at(-1)?.['content']);
  assert.match(content, /<<SINGLE_STEP_FLAG>>/u);
  assert.match(
    content,
    /<<thinking>>\nI should look it up\.\n<<\/thinking>>\nLet me see\.\n<<TOOL_STEP_START\/query_database:/u,
  );
  assert.match(content, /"rows":\[\["Volga"\]\]/u);
  assert.match(content, /"result":42/u);
  assert.match(content, /The longest is the \*\*Volga\*\*, and 42\.\n<<STEP_END>>$/u);
  assert.equal(rebuild(events), content);
  assert.equal(await client.lastContent(session), content);
  assert.equal(requests[0]?.authorization, 'Bearer llm-key');
  assert.equal(requests[0].body.model, 'tiny');
  assert.ok(requests[0].body.stream && requests[0].body.tools.length === 3);
  const second = requests[1]?.body.messages ?? [];
  assert.deepEqual(
    second.slice(-3).map((message) => message.role),
    ['assistant', 'tool', 'tool'],
  );
  assert.match(second.at(-2)?.content ?? '', /Volga/u);
});

test('language model gets the conversation without the tags of the protocol', async (context) => {
  const { baseUrl, requests } = await startModelServer(context, [
    [{ reasoning: 'Hm.' }, { content: 'Good day.' }],
    [{ content: 'Again.' }],
  ]);
  const server = await startTestServer(context, { model: { baseUrl, apiKey: '', model: 'tiny' } });
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, 'Good day to you, model');
  await client.send(session, 'And again');
  const talk = requests[1]?.body.messages ?? [];
  assert.deepEqual(
    talk.map((message) => message.role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.doesNotMatch(JSON.stringify(talk.slice(1)), /<</u);
  assert.match(talk[2]?.content ?? '', /Good day\./u);
});

test('language model continues after it has called an unknown tool, whose call is shown as failed', async (context) => {
  const { baseUrl } = await startModelServer(context, [
    [{ tool_calls: [{ index: 0, id: 'a', function: { name: 'rm -rf', arguments: 'not json' } }] }],
    [{ content: 'Then without it.' }],
  ]);
  const server = await startTestServer(context, { model: { baseUrl, apiKey: '', model: 'tiny' } });
  const client = await DemoApiClient.create(server.url);
  const events = await client.send(await client.createSession(), 'Do something odd');
  assert.match(
    String(events.at(-1)?.['content']),
    /There is no such tool\.[\s\S]*Then without it\./u,
  );
});

test('language model that is unreachable or rejects the request ends the run with an error', async (context) => {
  for (const { model, reason } of await startFailingModels(context)) {
    const server = await startTestServer(context, { model });
    const client = await DemoApiClient.create(server.url);
    const session = await client.createSession();
    const events = await client.send(session, 'Good day');
    assert.equal(events.at(-1)?.type, 'agent_processing_error');
    assert.match(String(events.at(-1)?.['error']), reason);
    assert.doesNotMatch(await client.lastContent(session), /llm-key/u);
  }
});

test('stopping a run aborts the request to a language model that has not finished', async (context) => {
  const { model, asked, aborted } = await startUnfinishedModel(context);
  const server = await startTestServer(context, { model });
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const sent = client.send(session, 'Good day');
  await asked;
  await client.request('POST', `/agent-sessions/${session}/stop`);
  await aborted;
  const end = (await sent).at(-1);
  assert.equal(end?.type, 'agent_processing_complete');
  assert.equal((end['result'] as { readonly status: string }).status, 'stopped');
});

test('closing the server aborts the request to a language model that has not finished', async (context) => {
  const { model, asked, aborted } = await startUnfinishedModel(context);
  const server = await startTestServer(context, { model });
  const client = await DemoApiClient.create(server.url);
  const path = `/agent-sessions/${await client.createSession()}/messages`;
  // Without a stream, which would still be read while the server closes.
  await client.request('POST', path, { content: 'Good day' }, { 'x-demo-dialect': 'answer=json' });
  await asked;
  await server.close();
  await aborted;
});
