import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../demo/server.js';
import { rebuild } from './rebuild.js';
import { DemoApiClient, shareTestServer, startTestServer } from './test-server.js';
import { readWire, type WireEvent } from './wire-reader.js';

const getServer = shareTestServer();

/** Starts a run and reads its stream until `count` tools have requested input. Returns the events of these requests. */
async function untilAsked(
  client: DemoApiClient,
  session: string,
  content: string,
  count: number,
): Promise<WireEvent[]> {
  const response = await client.open('POST', `/agent-sessions/${session}/messages`, { content });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    text += (await reader?.read())?.value ?? '';
    const asked = readWire(text.slice(0, text.lastIndexOf('\n\n') + 2)).filter(
      (event) => event.type === 'tool_input_required',
    );
    if (asked.length < count) continue;
    await reader?.cancel();
    return asked;
  }
}

function idOf(event: WireEvent | undefined): string {
  return String(event?.['tool_execution_id']);
}

async function answer(
  client: DemoApiClient,
  id: string,
  input: unknown,
  type = 'text',
): Promise<number> {
  const form = new FormData();
  form.set('input_data_json', JSON.stringify({ input, type }));
  return (await client.request('POST', `/tool-executions/${id}/provide-input`, form)).status;
}

for (const [kind, fields, defaults] of [
  ['number', { input_types: ['number'] }, { timeout: 3600 }],
  ['date', { input_types: ['date'] }, { timeout: 3600 }],
  ['choice', { input_types: ['choice'] }, { timeout: 3600 }],
  ['choices', { input_types: ['choices'] }, { timeout: 3600 }],
  ['yes or no', { input_types: ['boolean'] }, { timeout: 3600 }],
  ['long text', { input_types: ['long_text'] }, { timeout: 3600 }],
  ['file', { input_types: ['file'] }, { timeout: 3600 }],
  ['json', { input_types: ['json'] }, { timeout: 3600 }],
  ['form', { input_types: ['json'] }, { timeout: 3600 }],
  ['answer soon', { input_types: ['choice'], timeout: 60 }, {}],
  ['name', {}, { input_types: ['text'], timeout: 3600 }],
] as const) {
  test(`UBIK agent asks for a ${kind}`, async () => {
    const server = getServer();
    const client = await DemoApiClient.create(server.url);
    const session = await client.createSession();
    const [event] = await untilAsked(client, session, `Ask me for a ${kind}`, 1);
    assert.ok(event);
    assert.deepEqual(
      { input_types: event['input_types'], timeout: event['timeout'] },
      { input_types: undefined, timeout: undefined, ...fields },
    );
    const input = event['tool_input'] as Record<string, unknown>;
    assert.equal(typeof input['question'], 'string');
    if (kind === 'choice') assert.ok(Array.isArray(input['options']));
    if (kind === 'form') assert.equal(typeof input['schema'], 'object');
    assert.equal(await answer(client, idOf(event), { any: 'thing' }, 'json'), 202);
    const end = readWire(
      (await client.request('GET', `/agent-sessions/${session}/stream`)).text,
    ).at(-1);
    assert.match(String(end?.['content']), /You told me: `\{"any":"thing"\}`/u);
    const { text } = await client.request('GET', `/tool-executions/${idOf(event)}/stream`);
    const [, request = ''] = /^event: tool_input_required\ndata: (.*)$/mu.exec(text) ?? [];
    const streamed = JSON.parse(request) as Record<string, unknown>;
    assert.deepEqual(
      { input_types: streamed['input_types'], timeout: streamed['timeout'] },
      { ...fields, ...defaults },
    );
  });
}

test('UBIK agent accepts a file as an answer, and stores it as a document', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const [event] = await untilAsked(client, session, 'Ask me for a file', 1);
  const form = new FormData();
  form.set('file', new Blob(['one thing after the other, as it should be']), 'list.txt');
  const path = `/tool-executions/${idOf(event)}/provide-input`;
  assert.equal((await client.request('POST', path, form)).status, 202);
  const end = readWire((await client.request('GET', `/agent-sessions/${session}/stream`)).text).at(
    -1,
  );
  assert.match(String(end?.['content']), /"name":"list\.txt"/u);
});

test('UBIK agent rejects an empty or invalid answer, and keeps the request open', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const [event] = await untilAsked(client, session, 'Ask me for a name', 1);
  const path = `/tool-executions/${idOf(event)}/provide-input`;
  const nonsense = new FormData();
  nonsense.set('input_data_json', '{"input": ');
  assert.equal((await client.request('POST', path, nonsense)).status, 400);
  assert.equal((await client.request('POST', path, new FormData())).status, 400);
  assert.equal((await client.request('POST', path, { input: 'no form' })).status, 422);
  assert.equal(await answer(client, idOf(event), 'Ann'), 202);
});

test('UBIK agent has several open requests at once, which are answered in any order', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const asked = await untilAsked(client, session, 'Ask me for a number and a date', 2);
  assert.equal(await answer(client, idOf(asked[1]), '2026-05-01', 'date'), 202);
  assert.equal(await answer(client, idOf(asked[1]), '2026-05-02', 'date'), 409);
  assert.equal(await answer(client, idOf(asked[0]), 3, 'number'), 202);
  const events = readWire((await client.request('GET', `/agent-sessions/${session}/stream`)).text);
  assert.match(String(events.at(-1)?.['content']), /told me: `3`\n- You told me: `2026-05-01`$/u);
  assert.equal(rebuild(events), events.at(-1)?.['content']);
});

test('UBIK agent restores several open requests after restarts, and keeps the answers given before', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ubik-agent-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startServer({ port: 0, dataDir, speed: 0 });
  const client = await DemoApiClient.create(first.url);
  const session = await client.createSession();
  const asked = await untilAsked(client, session, 'Ask me for a number, a date and a choice', 3);
  assert.equal(await answer(client, idOf(asked[1]), '2026-05-01', 'date'), 202);
  await first.close();
  const second = await startServer({ port: 0, dataDir, speed: 0 });
  const again = new DemoApiClient(second.url, client.headers);
  assert.equal(await answer(again, idOf(asked[2]), 'Rhine', 'choice'), 202);
  await second.close();
  const third = await startTestServer(context, { dataDir });
  const last = new DemoApiClient(third.url, client.headers);
  assert.equal(await answer(last, idOf(asked[2]), 'Loire', 'choice'), 409);
  assert.equal(await answer(last, idOf(asked[0]), 3, 'number'), 202);
  const events = readWire((await last.request('GET', `/agent-sessions/${session}/stream`)).text);
  const content = String(events.at(-1)?.['content']);
  assert.match(content, /`3`\n- You told me: `2026-05-01`\n- You told me: `Rhine`$/u);
  assert.equal(rebuild(events), content);
  assert.equal(await last.lastContent(session), content);
});

/** Makes the agent itself request an input, in a new session. Returns the session and the event of the request. */
async function askAgent(client: DemoApiClient, wanted: string) {
  const session = await client.createSession();
  const [event] = (await client.send(session, `Ask me yourself for a ${wanted}`)).filter(
    ({ type }) => type === 'input_required',
  );
  return { session, event };
}

test('UBIK agent itself requests input, with choices, a schema and a deadline', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const { session, event } = await askAgent(client, 'choice within 60 seconds');
  assert.deepEqual(event?.['options'], ['Danube', 'Rhine', 'Loire']);
  assert.deepEqual([event['input_types'], event['timeout']], [['choice'], 60]);
  const { event: form } = await askAgent(client, 'form');
  assert.equal(typeof form?.['schema'], 'object');
  const end = (await client.send(session, 'Rhine')).at(-1);
  assert.match(String(end?.['content']), /You told me: `Rhine`/u);
});

test('a request of the UBIK agent expires, even after a restart of the server', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ubik-agent-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startServer({ port: 0, dataDir, speed: 0, controls: true });
  first.controls?.pauseAt({ point: 'deadline' });
  const client = await DemoApiClient.create(first.url);
  const { session } = await askAgent(client, 'choice within 0 seconds');
  assert.match(await client.lastContent(session), /checkpoint_name: .+\n<<INPUT_REQUIRED_END>>/u);
  await first.controls?.whenPaused();
  await first.close();
  const second = await startTestServer(context, { dataDir });
  const again = new DemoApiClient(second.url, client.headers);
  const events = readWire((await again.request('GET', `/agent-sessions/${session}/stream`)).text);
  const content = await again.lastContent(session);
  assert.match(content, /USER_INPUT_PROVIDED_START>>\n\{"input":null,"type":"expired"\}/u);
  assert.equal(events.at(-1)?.['content'], content);
  const next = (await again.send(session, 'What is 1 + 1?')).at(-1);
  assert.match(String(next?.['content']), /2/u, 'the next message is not the answer');
});

test('a tool continues without an answer after its deadline', async (context) => {
  const server = await startTestServer(context);
  server.controls?.pauseAt({ point: 'deadline' });
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const [event] = await untilAsked(client, session, 'Ask me for a name within 0 seconds', 1);
  await server.controls?.whenPaused();
  server.controls?.resumeRuns();
  const events = readWire((await client.request('GET', `/agent-sessions/${session}/stream`)).text);
  assert.match(String(events.at(-1)?.['content']), /You have not answered in time/u);
  assert.equal(await answer(client, idOf(event), 'Ann'), 409);
});
