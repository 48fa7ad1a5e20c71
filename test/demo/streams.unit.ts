import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ToolCaller, type ToolContext } from '../../demo/agent/run/tool-caller.js';
import type { ExecutionRow } from '../../demo/agent/store/executions.js';
import { PLAIN_DIALECT } from '../../demo/agent/wire/dialect.js';
import { streamExecution } from '../../demo/agent/wire/stream-execution.js';
import { openRun } from './open-run.js';
import { rebuild } from './rebuild.js';
import { DemoApiClient, eventOf, shareTestServer, startTestServer } from './test-server.js';
import { readWire, type WireEvent } from './wire-reader.js';

const getServer = shareTestServer();

const QUESTION = 'How does an answer survive a broken network?';

function withoutConnection(events: readonly WireEvent[]): unknown[] {
  return events.map((event) => ({ ...event, connection_id: '' }));
}

test('replay of a task has all of its events', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const live = await client.send(session, QUESTION);
  const replay = await client.request('GET', `/agent-sessions/${session}/stream`);
  assert.match(replay.headers.get('content-type') ?? '', /^text\/event-stream/u);
  assert.deepEqual(withoutConnection(readWire(replay.text)), withoutConnection(live));
  const first = readWire(replay.text)[0];
  assert.deepEqual([first?.type, first?.['session_id']], ['connection_established', session]);
  assert.equal(first?.['timestamp'], undefined);
});

test('stream can be requested without chunks', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, QUESTION);
  const replay = await client.request(
    'GET',
    `/agent-sessions/${session}/stream?include_chunks=false`,
  );
  const types = new Set(readWire(replay.text).map((event) => event.type));
  assert.ok(
    !types.has('response_chunk') &&
      types.has('tool_update') &&
      types.has('agent_processing_complete'),
  );
});

test('stream that is joined in the middle has the earlier and the following events', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  server.controls?.pauseAt({ point: 'text', skip: 12 });
  const running = client.send(session, QUESTION);
  await server.controls?.whenPaused();
  const joined = await client.open('GET', `/agent-sessions/${session}/stream`);
  server.controls?.resumeRuns();
  const [all, later] = [await running, readWire(await joined.text())];
  assert.deepEqual(withoutConnection(later), withoutConnection(all));
});

test('run continues when its reader disconnects', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  server.controls?.pauseAt({ point: 'text', skip: 5 });
  const abortController = new AbortController();
  const response = await client.open(
    'POST',
    `/agent-sessions/${session}/messages`,
    { content: QUESTION },
    {},
    abortController.signal,
  );
  await server.controls?.whenPaused();
  abortController.abort();
  await response.text().catch(() => undefined);
  server.controls?.resumeRuns();
  const replay = readWire((await client.request('GET', `/agent-sessions/${session}/stream`)).text);
  assert.equal(await client.lastContent(session), replay.at(-1)?.['content']);
});

const DIALECTS = [
  ...['F1', 'F2', 'F3', 'F4', 'F5', 'F6'].flatMap((form) => [form, `${form},crlf`]),
  'cr',
  'bom,ids,retry=3000',
  'naive',
  'alias',
  'F3,delta=120',
  'delta=200,delta-reverse',
  'F4,delta=97,delta-shuffle,delta-no-last',
  'F6,crlf,delta=150,delta-repeat',
  'cut=1',
  'merge',
  'merge,cut=40',
];

test('stream has the same events in every dialect', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const plain = await client.send(session, QUESTION);
  for (const dialect of DIALECTS) {
    const replay = await client.request('GET', `/agent-sessions/${session}/stream`, undefined, {
      'x-demo-dialect': dialect,
    });
    const events = readWire(replay.text);
    assert.equal(rebuild(events), rebuild(plain), dialect);
    assert.equal(events.at(-1)?.['content'], plain.at(-1)?.['content'], dialect);
    if (dialect === 'naive')
      assert.doesNotMatch(String(eventOf(events, 'agent_progress')['timestamp']), /Z|\+/u);
    if (dialect.includes('delta')) assert.match(replay.text, /_delta_sse/u);
    if (dialect.includes('crlf')) assert.doesNotMatch(replay.text, /[^\r]\n/u);
  }
});

test('shuffled stream has all events, the end event last', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const plain = await client.send(session, QUESTION);
  const replay = await client.request('GET', `/agent-sessions/${session}/stream`, undefined, {
    'x-demo-dialect': 'shuffle=9',
  });
  const events = readWire(replay.text);
  const time = (event: WireEvent): string => {
    const at = event['timestamp'] ?? event['created_at'];
    return (typeof at === 'string' ? at : '').replace('Z', '').padEnd(26, '0');
  };
  assert.notDeepEqual(
    events.map((event) => event.type),
    plain.map((event) => event.type),
  );
  const sorted = [...events].sort((one, other) => (time(one) < time(other) ? -1 : 1));
  assert.equal(rebuild(sorted), rebuild(plain));
  assert.equal(events.at(-1)?.type, 'agent_processing_complete');
});

test('end event can have an empty or a bare content', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const empty = await client.send(session, QUESTION, { 'x-demo-dialect': 'final=empty' });
  assert.equal(empty.at(-1)?.['content'], '');
  const bare = await client.send(session, QUESTION, { 'x-demo-dialect': 'final=bare' });
  assert.match(String(bare.at(-1)?.['content']), /^\d+ passages? from|^This is what/u);
  assert.doesNotMatch(String(bare.at(-1)?.['content']), /<</u);
});

test('message is answered with JSON when the dialect or the request chooses it', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const path = `/agent-sessions/${session}/messages`;
  const ask = async (
    content: string,
    dialect: string,
    more = {},
  ): Promise<Record<string, unknown>> => {
    const reply = await client.request(
      'POST',
      path,
      { content, ...more },
      { 'x-demo-dialect': dialect },
    );
    assert.match(reply.headers.get('content-type') ?? '', /json/u);
    const message = reply.json as Record<string, unknown>;
    await client.request('GET', `/agent-sessions/${session}/stream`);
    return message;
  };
  const question = await ask('What is 1 + 1?', 'answer=json');
  assert.equal(question['role'], 'user');
  assert.match(
    String(question['stream_url']),
    new RegExp(`stream\\?task_id=${String(question['task_id'])}$`, 'u'),
  );
  const answer = await ask('What is 1 + 2?', 'answer=json-assistant');
  assert.equal(answer['role'], 'assistant');
  assert.equal((await client.messages(session)).at(-1)?.id, answer['id']);
  const bare = await ask('What is 1 + 3?', 'answer=json-bare');
  assert.deepEqual([bare['role'], bare['task_id']], ['user', null]);
  const finished = await ask('What is 1 + 4?', 'F1', { stream: false });
  assert.deepEqual([finished['role'], finished['task_id']], ['assistant', null]);
  assert.match(String(finished['content']), /\*\*5\*\*/u);
});

test('stream of a waiting task is closed, completed or kept open, as the dialect chooses', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const closed = await client.send(session, 'Which is the biggest river?');
  assert.equal(closed.at(-1)?.type, 'input_required');
  const stream = `/agent-sessions/${session}/stream`;
  const completed = readWire(
    (await client.request('GET', stream, undefined, { 'x-demo-dialect': 'waiting=complete' })).text,
  );
  assert.equal(completed.at(-1)?.type, 'agent_processing_complete');
  assert.equal(completed.at(-1)?.['content'], await client.lastContent(session));
  const abortController = new AbortController();
  const open = await client.open(
    'GET',
    stream,
    undefined,
    { 'x-demo-dialect': 'waiting=open,heartbeat=5' },
    abortController.signal,
  );
  const reader = open.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/input_required[\s\S]*: keep-alive[\s\S]*: keep-alive/u.test(text))
    text += (await reader?.read())?.value ?? '';
  abortController.abort();
});

test('tool execution has a separate stream of named records', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const events = await client.send(session, QUESTION);
  const id = String(eventOf(events, 'tool_update')['tool_execution_id']);
  const stream = await client.request('GET', `/tool-executions/${id}/stream`);
  assert.match(stream.text, /^event: tool_update\ndata: \{"phase":"SEARCH_PREPARATION"/u);
  assert.match(stream.text, /event: tool_end\ndata: \{"execution_id":"call_/u);
  const execution = (await client.request('GET', `/tool-executions/${id}`)).json as Record<
    string,
    unknown
  >;
  assert.equal(execution['status'], 'completed');
});

test('stream of an execution that has just ended has all of its events', async (context) => {
  const { runContext, run } = await openRun(context);
  const { database } = runContext;
  const caller = new ToolCaller(runContext, run);
  const server = createServer((_request, response) => {
    const execute = (tool: ToolContext): Promise<string> => {
      tool.update({ phase: 'LAST' });
      return Promise.resolve('found');
    };
    // The stream is opened before any timer of the log can fire.
    void caller.call({ name: 'search_documents', input: {}, execute }).then(() => {
      const row = database.one<ExecutionRow>('SELECT * FROM executions', []);
      assert.ok(row?.completed_at);
      return streamExecution(response, {
        database,
        execution: row,
        log: run.log,
        dialect: PLAIN_DIALECT,
        streamFault: null,
      });
    });
  }).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${String(port)}`)).text();
  assert.deepEqual(text.match(/^event: \w+/gmu), ['event: tool_update', 'event: tool_end']);
});

test('image of a tool is served only with the token of its user', async () => {
  const server = getServer();
  const client = await DemoApiClient.create(server.url);
  const events = await client.send(
    await client.createSession(),
    'Draw a chart of the longest rivers',
  );
  const picture = JSON.parse(
    /"images":\[(\{.*?\})\]/u.exec(String(events.at(-1)?.['content']))?.[1] ?? '{}',
  ) as Record<string, string>;
  const path = `/assets/tools/${picture['tool_id'] ?? ''}/${picture['execution_id'] ?? ''}/${picture['asset_filename'] ?? ''}`;
  const response = await client.open('GET', path);
  assert.equal(response.headers.get('content-type'), 'image/png');
  const expected = {
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-disposition': null,
  };
  for (const [name, value] of Object.entries(expected))
    assert.equal(response.headers.get(name), value, name);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.deepEqual([...bytes.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const other = await DemoApiClient.create(server.url);
  assert.equal((await other.request('GET', path)).status, 404);
  assert.equal((await new DemoApiClient(server.url, {}).request('GET', path)).status, 401);
});
