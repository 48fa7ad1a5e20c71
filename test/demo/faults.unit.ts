import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rebuild } from './rebuild.js';
import { DemoApiClient, startTestServer } from './test-server.js';
import { readWire } from './wire-reader.js';
import { parseDialect } from '../../demo/agent/wire/dialect.js';

const QUESTION = 'How does an answer survive a broken network?';

/** Reads a response until its connection breaks or ends. */
async function readUntilBroken(response: Response): Promise<{ text: string; broke: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const piece = await reader?.read().catch(() => null);
    if (piece === null || piece === undefined) return { text, broke: true };
    if (piece.done) return { text, broke: false };
    text += piece.value;
  }
}

for (const [fault, broke] of [
  ['cut; events=5', true],
  ['cut; bytes=700', true],
  ['end; events=5', false],
] as const) {
  test(`run continues after the fault "${fault}", and can be rejoined`, async (context) => {
    const server = await startTestServer(context);
    const client = await DemoApiClient.create(server.url);
    const session = await client.createSession();
    const response = await client.open(
      'POST',
      `/agent-sessions/${session}/messages`,
      { content: QUESTION },
      { 'x-demo-fault': fault },
    );
    const first = await readUntilBroken(response);
    assert.equal(first.broke, broke);
    assert.doesNotMatch(first.text, /agent_processing_complete/u);
    if (fault.includes('bytes')) assert.equal(Buffer.byteLength(first.text), 700);
    else assert.equal(readWire(first.text).length, 5);
    const replay = readWire(
      (await client.request('GET', `/agent-sessions/${session}/stream`)).text,
    );
    assert.equal(replay.at(-1)?.type, 'agent_processing_complete');
    assert.equal(rebuild(replay), await client.lastContent(session));
  });
}

test('faults are injected once or as often as declared, and only into matching requests', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  server.controls?.addFaults(
    { kind: 'status', status: 503, times: 2, path: '/agent-sessions', method: 'GET' },
    { kind: 'status', status: 429, retryAfter: 3, method: 'POST', skip: 1 },
  );
  assert.equal((await client.request('GET', '/health')).status, 200);
  assert.equal((await client.request('GET', '/agent-sessions')).status, 503);
  assert.equal((await client.request('GET', '/agent-sessions')).status, 503);
  assert.equal((await client.request('GET', '/agent-sessions')).status, 200);
  assert.equal((await client.request('POST', '/agent-sessions', {})).status, 200);
  const busy = await client.request('POST', '/agent-sessions', {});
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '3']);
});

test('faults replace the response by one that is not of the API', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const ask = (fault: string): ReturnType<DemoApiClient['request']> =>
    client.request('GET', '/agent-sessions', undefined, { 'x-demo-fault': fault });
  assert.match((await ask('html')).headers.get('content-type') ?? '', /text\/html/u);
  const sent = await ask('redirect; to=http://elsewhere.invalid/');
  assert.deepEqual([sent.status, sent.headers.get('location')], [307, 'http://elsewhere.invalid/']);
  assert.equal((await ask('garbage')).json, undefined);
  assert.equal((await ask('empty')).text, '');
  assert.equal((await ask('status; status=401')).status, 401);
  await assert.rejects(ask('reset'));
});

test('faults duplicate the events of a stream, add malformed ones, change its content type or send it in small pieces', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const plain = await client.send(session, QUESTION);
  const replay = async (fault: string): Promise<{ text: string; type: string | null }> => {
    const response = await client.open('GET', `/agent-sessions/${session}/stream`, undefined, {
      'x-demo-fault': fault,
    });
    return { text: await response.text(), type: response.headers.get('content-type') };
  };
  const twice = readWire((await replay('duplicate')).text);
  assert.equal(twice.length, plain.length * 2);
  const noisy = await replay('malformed');
  assert.match(noisy.text, /this is not json/u);
  assert.match(noisy.text, /"chunk_id":"__proto__"/u);
  assert.equal((await replay('content-type; contentType=text/plain')).type, 'text/plain');
  const slow = await replay('drip; bytes=997; milliseconds=0');
  assert.equal(rebuild(readWire(slow.text)), rebuild(plain));
});

test('faults stall and never-end keep the connection open', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  await client.send(session, QUESTION);
  server.controls?.setDialect('linger,heartbeat=5');
  for (const [fault, expected] of [
    ['never-end', /agent_progress[\s\S]*: keep-alive[\s\S]*: keep-alive/u],
    ['stall; events=3', /response_stream_start/u],
  ] as const) {
    const abort = new AbortController();
    const response = await client.open(
      'GET',
      `/agent-sessions/${session}/stream`,
      undefined,
      { 'x-demo-fault': fault },
      abort.signal,
    );
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!expected.test(text)) text += (await reader?.read())?.value ?? '';
    assert.doesNotMatch(text, /agent_processing_complete/u);
    if (fault.startsWith('stall')) {
      // Nothing more is sent, not even a comment: another request is answered before the stream has data.
      const more = reader?.read().then(() => 'more');
      const other = client.request('GET', '/health').then(() => 'nothing');
      assert.equal(await Promise.race([more, other]), 'nothing');
      more?.catch(() => undefined);
    }
    abort.abort();
  }
});

test('controls are served over HTTP only when they are enabled', async (context) => {
  const server = await startTestServer(context);
  const ask = (command: unknown): Promise<Response> =>
    fetch(`${server.url}/demo/controls`, { method: 'POST', body: JSON.stringify(command) });
  assert.equal((await ask({ dialect: 'F4,crlf', faults: [{ kind: 'html' }] })).status, 200);
  assert.equal((await ask({ dialect: 'F9' })).status, 400);
  assert.equal((await ask({ faults: [{ kind: 'gremlins' }] })).status, 400);
  const client = await DemoApiClient.create(server.url);
  assert.match((await client.request('GET', '/health')).text, /Bad gateway/u);
  const reply = await client.request(
    'POST',
    `/agent-sessions/${await client.createSession()}/messages`,
    {
      content: 'What is 1 + 1?',
    },
  );
  assert.match(reply.text, /^data: \{"type":"connection_established","data":\{.*\}\}\r\n\r\n/u);
  const closed = await startTestServer(context, { controls: false });
  assert.equal(
    (await fetch(`${closed.url}/demo/controls`, { method: 'POST', body: '{}' })).status,
    404,
  );
  const plain = await DemoApiClient.create(closed.url);
  const faulty = await plain.request('GET', '/health', undefined, {
    'x-demo-fault': 'html',
    'x-demo-dialect': 'F4',
  });
  assert.equal(faulty.status, 200);
});

test('parseDialect accepts known words and names an unknown one', () => {
  assert.equal(parseDialect('F3 crlf, delta=99').delta, 99);
  assert.throws(() => parseDialect('F1,loud'), { name: 'RangeError', message: /"loud"/u });
  assert.throws(() => parseDialect('__proto__=1'), RangeError);
});

test('fault lag lists only a part of the newest run', async (context) => {
  const server = await startTestServer(context);
  const client = await DemoApiClient.create(server.url);
  const session = await client.createSession();
  const path = `/agent-sessions/${session}/messages`;
  for (const content of ['Hello', 'What is 1 + 1?']) {
    const response = await client.open('POST', path, { content });
    await readUntilBroken(response);
  }
  interface Listed {
    readonly items: readonly { readonly id: string; readonly content: string }[];
    readonly active_head_id: string | null;
  }
  const list = async (stored?: string): Promise<Listed> => {
    const headers = stored ? { 'x-demo-fault': `lag; stored=${stored}` } : {};
    return (await client.request('GET', path, undefined, headers)).json as Listed;
  };
  const { items: all, active_head_id: head } = await list();
  assert.equal(all.length, 4);
  for (const [stored, count] of [
    ['nothing', 2],
    ['question', 3],
  ] as const) {
    const { items, active_head_id: behind } = await list(stored);
    assert.deepEqual(items, all.slice(0, count));
    assert.equal(behind, all[count - 1]?.id);
  }
  const answer = all[3]?.content ?? '';
  for (const [stored, content] of [
    ['empty', ''],
    ['half', answer.slice(0, answer.length / 2)],
  ] as const) {
    const listed = await list(stored);
    assert.deepEqual(listed.items, [...all.slice(0, 3), { ...all[3], content }]);
    assert.equal(listed.active_head_id, head);
  }
  await readUntilBroken(await client.open('POST', `${path}/${all[2]?.id}/edit`, { content: 'Hi' }));
  const edited = await list('nothing');
  assert.deepEqual(edited.items, all, 'the branch before the edit');
  assert.equal((await list()).items.length, 4);
});
