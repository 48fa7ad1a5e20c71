import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { rebuild } from './rebuild.js';
import { DemoApiClient, eventOf, shareTestServer, startTestServer } from './test-server.js';
import { readWire } from './wire-reader.js';

const getServer = shareTestServer();

/** A session of the shared server, or of a server that is closed after the test. */
async function openSession(context?: TestContext) {
  const server = context === undefined ? getServer() : await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  return { server, client, session: await client.createSession() };
}

test('UBIK agent creates and selects branches by edit, regenerate and navigate, and loses none', async () => {
  const { client, session } = await openSession();
  await client.send(session, 'What is 1 + 1?');
  const [question, answer] = await client.messages(session);
  assert.ok(question && answer);
  const base = `/agent-sessions/${session}/messages`;
  await client.request('POST', `${base}/${answer.id}/regenerate`, {});
  const [, second] = await client.messages(session);
  assert.deepEqual(second?.sibling_ids, [answer.id]);
  await client.request('POST', `${base}/${question.id}/edit`, { content: 'What is 2 + 2?' });
  const [edited, third] = await client.messages(session);
  assert.match(third?.content ?? '', /\*\*4\*\*/u);
  assert.deepEqual(edited?.sibling_ids, [question.id]);
  assert.equal(edited.parent_id, null);
  await client.request('POST', `/agent-sessions/${session}/navigate`, {
    target_message_id: answer.id,
  });
  assert.deepEqual(
    (await client.messages(session)).map((message) => message.id),
    [question.id, answer.id],
  );
  await client.request('POST', `/agent-sessions/${session}/navigate`, {
    target_message_id: edited.id,
  });
  assert.equal((await client.messages(session)).at(-1)?.id, third?.id);
});

test('UBIK agent answers again when a question is regenerated, and rejects the edit of an answer', async () => {
  const { client, session } = await openSession();
  await client.send(session, 'What is 1 + 1?');
  const [question, answer] = await client.messages(session);
  const base = `/agent-sessions/${session}/messages`;
  const again = await client.request('POST', `${base}/${question?.id ?? ''}/regenerate`, {});
  assert.equal(readWire(again.text).at(-1)?.type, 'agent_processing_complete');
  const refused = await client.request('POST', `${base}/${answer?.id ?? ''}/edit`, {
    content: 'x',
  });
  assert.equal(refused.status, 400);
});

test('UBIK agent changes what follows a restored checkpoint by the hint, and keeps what precedes it', async () => {
  const { client, session } = await openSession();
  const first = await client.send(session, 'Summarise all documents');
  const [one = '', two = ''] = await client.checkpoints(session);
  const events = await client.restore(session, two, 'use only the second document');
  const before = String(first.at(-1)?.['content']);
  const after = String(events.at(-1)?.['content']);
  assert.match(before, /### rivers-of-europe\.md/u);
  assert.doesNotMatch(after, /### rivers-of-europe\.md/u);
  assert.match(after, /### kettle-manual\.md/u);
  const marker = `Checkpoint: ${two}`;
  assert.equal(after.slice(0, after.indexOf(marker)), before.slice(0, before.indexOf(marker)));
  assert.match(after, /Step 3: Take your hint into account ✓/u);
  assert.ok(one !== two);
  assert.equal(rebuild(events), after);
  const [, answer] = await client.messages(session);
  assert.equal(answer?.content, after);
  assert.equal(answer.sibling_ids.length, 1);
  const names = await client.checkpoints(session);
  assert.equal(new Set(names).size, names.length);
});

for (const [question, hint, before, after] of [
  [
    'Which are the longest rivers?',
    'only rivers in France',
    /\*\*Volga\*\*/u,
    /By length, \*\*Rhine\*\*/u,
  ],
  [
    'Which are the longest rivers?',
    'by discharge, only two',
    /Ural/u,
    /By discharge, \*\*Volga\*\*/u,
  ],
  [
    'How does an answer survive a broken network?',
    'use only SECURITY',
    /> An answer is not lost/u,
    /says:|nothing about that where you told me/u,
  ],
  [
    'How does an answer survive a broken network?',
    'look for tokens and keys',
    /> An answer is not lost/u,
    /token/u,
  ],
] as const) {
  test(`UBIK agent follows the hint "${hint}"`, async () => {
    const { client, session } = await openSession();
    const first = await client.send(session, question);
    assert.match(String(first.at(-1)?.['content']), before);
    const [name = ''] = await client.checkpoints(session);
    const end = (await client.restore(session, name, hint)).at(-1);
    const finalText = String(end?.['content']).split('<<CHECKPOINT_END>>').at(-1) ?? '';
    assert.match(finalText, after);
    assert.notEqual(
      finalText,
      String(first.at(-1)?.['content']).split('<<CHECKPOINT_END>>').at(-1),
    );
  });
}

test('UBIK agent uses the hint as the answer to a restored question', async () => {
  const { client, session } = await openSession();
  await client.send(session, 'Which is the biggest river?');
  const [name = ''] = await client.checkpoints(session);
  const events = await client.restore(session, name, 'drainage basin');
  assert.match(String(events.at(-1)?.['content']), /By drainage basin, \*\*Volga\*\*/u);
  assert.equal(rebuild(events), events.at(-1)?.['content']);
});

test('UBIK agent lists the hint in the metadata of the restored checkpoint and of later ones', async () => {
  const { client, session } = await openSession();
  await client.send(session, 'Which are the longest rivers?');
  const [name = ''] = await client.checkpoints(session);
  await client.restore(session, name, 'top 3');
  const { json } = await client.request('GET', `/agent-sessions/${session}/checkpoints`);
  const { checkpoints } = json as { checkpoints: { metadata: Record<string, unknown> }[] };
  assert.match(JSON.stringify(checkpoints[0]?.metadata['restores']), /top 3/u);
  assert.equal(checkpoints[1]?.metadata['checkpoint_hint'], 'top 3');
  assert.equal(checkpoints[1]?.metadata['restored_from'], name);
});

test('UBIK agent rejects the restore of an unknown checkpoint, or by the wrong field', async () => {
  const { client, session } = await openSession();
  await client.send(session, 'Which are the longest rivers?');
  const [name = ''] = await client.checkpoints(session);
  const path = `/agent-sessions/${session}/navigate-to-checkpoint`;
  assert.equal((await client.request('POST', path, { checkpoint_name: 'none' })).status, 404);
  const missing = await client.request('POST', path, { checkpoint_hint: name });
  assert.equal(missing.status, 422);
  assert.match(missing.text, /checkpoint_name/u);
  const { json } = await client.request('GET', `/agent-sessions/${session}/checkpoints`);
  const [checkpoint] = (json as { checkpoints: { checkpoint_id: string }[] }).checkpoints;
  const byId = await client.request('POST', path, { checkpoint_id: checkpoint?.checkpoint_id });
  assert.equal(byId.status, 200);
  const idDialect = { 'x-demo-dialect': 'checkpoint-id' };
  const named = await client.request('POST', path, { checkpoint_name: name }, idDialect);
  assert.match(named.text, /"checkpoint_id"\],"msg":"Field required"/u);
  assert.equal(
    (await client.request('POST', path, { checkpoint_id: name }, idDialect)).status,
    200,
  );
});

test('UBIK agent ends a stopped run after the tool that is running', async (context) => {
  const { server, client, session } = await openSession(context);
  server.controls?.pauseAt({ point: 'tool' });
  const running = client.send(session, 'Analyse the rivers');
  await server.controls?.whenPaused();
  const stopped = await client.request('POST', `/agent-sessions/${session}/stop`);
  assert.equal((stopped.json as { status: string }).status, 'stopping');
  server.controls?.resumeRuns();
  const events = await running;
  const types = events.map((event) => event.type);
  assert.ok(types.indexOf('agent_stop_requested') < types.lastIndexOf('tool_update'));
  assert.equal(types.at(-1), 'agent_processing_complete');
  const content = String(events.at(-1)?.['content']);
  assert.match(content, /<<TOOL_STEP_END\/analyse_rivers/u);
  assert.match(content, /Step 1: Go through every river\n/u);
  assert.doesNotMatch(content, /Wet and dry rivers/u);
  assert.equal(await client.lastContent(session), content);
  const idle = await client.request('POST', `/agent-sessions/${session}/stop`);
  assert.equal((idle.json as { status: string }).status, 'idle');
});

test('UBIK agent rejects messages and changes of branches with 409 during a run', async (context) => {
  const { server, client, session } = await openSession(context);
  await client.send(session, 'What is 1 + 1?');
  const [question, answer] = await client.messages(session);
  server.controls?.pauseAt({ point: 'start' });
  const running = client.send(session, 'What is 2 + 2?');
  await server.controls?.whenPaused();
  const path = `/agent-sessions/${session}`;
  for (const [route, body] of [
    ['/messages', { content: 'again' }],
    [`/messages/${question?.id ?? ''}/edit`, { content: 'again' }],
    [`/messages/${answer?.id ?? ''}/regenerate`, {}],
    ['/navigate', { target_message_id: answer?.id }],
    ['/navigate-to-checkpoint', { checkpoint_name: 'any' }],
  ] as const) {
    assert.equal((await client.request('POST', path + route, body)).status, 409, route);
  }
  server.controls?.resumeRuns();
  await running;
  assert.equal((await client.messages(session)).length, 4);
});

test('UBIK agent accepts only one of two concurrent messages', async () => {
  const { client, session } = await openSession();
  const path = `/agent-sessions/${session}/messages`;
  const replies = await Promise.all(
    [1, 2].map((number) =>
      client.request('POST', path, { content: `What is ${String(number)} + 1?` }),
    ),
  );
  assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 409]);
});

for (const [answer, expected, remains] of [
  [{ input: 'yes', type: 'text' }, /Done: \*\*how-answers-recover\.md\*\*/u, false],
  [{ input: 'no', type: 'text' }, /Nothing was removed/u, true],
  [{ input: null, type: 'declined' }, /Nothing was removed/u, true],
] as const) {
  test(`UBIK agent continues a tool that waits for the user with the answer ${JSON.stringify(answer.input)}`, async () => {
    const { client, session } = await openSession();
    const response = await client.open('POST', `/agent-sessions/${session}/messages`, {
      content: 'Remove the document how answers recover',
    });
    const id = await untilToolAsks(response);
    const path = `/tool-executions/${id}`;
    assert.equal(
      ((await client.request('GET', path)).json as { status: string }).status,
      'waiting_for_input',
    );
    const form = new FormData();
    form.set('input_data_json', JSON.stringify(answer));
    assert.equal((await client.request('POST', `${path}/provide-input`, form)).status, 202);
    assert.equal((await client.request('POST', `${path}/provide-input`, form)).status, 409);
    const stream = await client.request('GET', `/agent-sessions/${session}/stream`);
    const events = readWire(stream.text);
    assert.match(String(events.at(-1)?.['content']), expected);
    assert.equal(rebuild(events), events.at(-1)?.['content']);
    const documents = await client.request('GET', `/agent-sessions/${session}/documents?limit=100`);
    assert.equal(documents.text.includes('"how-answers-recover.md"'), remains);
  });
}

test('UBIK agent cancels the input request of a tool when the run is stopped', async () => {
  const { client, session } = await openSession();
  const response = await client.open('POST', `/agent-sessions/${session}/messages`, {
    content: 'Remove the document how answers recover',
  });
  const id = await untilToolAsks(response);
  await client.request('POST', `/agent-sessions/${session}/stop`);
  const events = readWire((await client.request('GET', `/agent-sessions/${session}/stream`)).text);
  assert.equal(events.at(-1)?.type, 'agent_processing_complete');
  assert.match(String(events.at(-1)?.['content']), /"status":"cancelled"/u);
  const form = new FormData();
  form.set('input_data_json', '{"input":"yes","type":"text"}');
  assert.equal(
    (await client.request('POST', `/tool-executions/${id}/provide-input`, form)).status,
    409,
  );
});

test('UBIK agent assigns the results of parallel tools to their calls', async () => {
  const { client, session } = await openSession();
  const events = await client.send(
    session,
    'Search the documents and the database for the longest rivers',
  );
  const content = String(events.at(-1)?.['content']);
  const [, search = '', query = ''] =
    /START\/search_documents:(\w+)>>[\s\S]*START\/query_database:(\w+)>>/u.exec(content) ?? [];
  // A result has no name: it belongs to the newest open call without a result, so the last call comes first.
  assert.ok(
    content.indexOf(`END/query_database:${query}`) <
      content.indexOf(`END/search_documents:${search}`),
  );
  assert.match(
    content,
    new RegExp(
      `"execution_id":"${query}"\\}\\n<<TOOL_STEP_RESULT_END>>\\n<<TOOL_STEP_END/query_database:${query}>>`,
      'u',
    ),
  );
  assert.equal(eventOf(events, 'tool_update')['tool_execution_id'], search);
});

/** Reads a stream until a tool asks, then cancels it. Returns the execution id of the tool. */
async function untilToolAsks(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: '', done: true };
    text += value ?? '';
    const asked = readWire(text.slice(0, text.lastIndexOf('\n\n') + 2)).find(
      (event) => event.type === 'tool_input_required',
    );
    if (asked !== undefined) {
      await reader?.cancel();
      return String(asked['tool_execution_id']);
    }
    if (done) throw new Error('The tool did not ask.');
  }
}

test('UBIK agent applies a hint at the first checkpoint to a document that is read after it', async () => {
  const { client, session } = await openSession();
  await client.send(session, 'Summarise all documents');
  const [first = ''] = await client.checkpoints(session);
  const events = await client.restore(session, first, 'use only the second document');
  const content = String(events.at(-1)?.['content']);
  assert.match(content, /### kettle-manual\.md/u);
  assert.doesNotMatch(content, /### (?:rivers-of-europe|asking-the-agent)\.md/u);
});
