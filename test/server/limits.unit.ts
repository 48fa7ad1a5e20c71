import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { HttpError } from '../../server/http-error.js';
import { createUbikProxy, type BeforeForward, type ForwardCall } from '../../server/index.js';
import { DemoApiClient } from '../demo/test-server.js';
import { Deferred } from '../helpers/deferred.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY, startProxy, startRecordingService } from './start-proxy.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends a POST request and returns its response, which may come before the whole body was sent. */
async function send(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<IncomingMessage> {
  const request = httpRequest(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'x-user': 'ann', 'sec-fetch-site': 'same-origin', ...headers },
  });
  request.end(body);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.resume();
  return reply;
}

for (const [path, limit] of [
  ['/agent-sessions', 2 * 1024 * 1024],
  ['/agent-sessions/00000000-0000-4000-8000-000000000001/messages', 2 * 1024 * 1024],
  [
    '/agent-sessions/00000000-0000-4000-8000-000000000001/messages/00000000-0000-4000-8000-000000000002/regenerate',
    64 * 1024,
  ],
  ['/agent-sessions/00000000-0000-4000-8000-000000000001/documents', 64 * 1024],
] as const) {
  for (const [name, length] of [
    ['with a content length', {}],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ] as const) {
    test(`proxy responds with 413 to a body over the limit of ${path}, ${name}, without forwarding it`, async (context) => {
      const { url: service, requests } = await startRecordingService(context);
      const url = await startProxy(context, service);
      const body = `{"title":"${'x'.repeat(limit)}"}`;
      const reply = await send(url, path, { ...JSON_TYPE, ...length }, body);
      assert.equal(reply.statusCode, 413);
      assert.equal(requests.length, 0);
    });
  }
}

for (const [name, length] of [
  ['with a content length', {}],
  ['chunked', { 'transfer-encoding': 'chunked' }],
] as const) {
  test(`proxy responds with 413 to a form over the limit, ${name}, and never completes it at the service`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const url = await startProxy(context, service, { maxUploadBytes: 100_000 });
    const form = (size: number): string =>
      `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(size)}\r\n--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x', ...length };
    const path = '/agent-sessions/00000000-0000-4000-8000-000000000001/upload';
    assert.equal((await send(url, path, headers, form(100_000))).statusCode, 413);
    assert.equal(requests.length, 0);
    assert.equal((await send(url, path, headers, form(99_000))).statusCode, 200);
    assert.equal(requests.length, 1);
  });
}

/** Sends requests sequentially on one connection. */
function setupConnection(context: TestContext, url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  context.after(() => {
    agent.destroy();
  });
  const exchange = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<IncomingMessage> => {
    const request = httpRequest(`${url}/api/v1${path}`, {
      agent,
      method,
      headers: { 'x-user': 'ann', 'sec-fetch-site': 'same-origin', ...headers },
    });
    request.end(body);
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
    return reply;
  };
  return { exchange };
}

test('proxy keeps the connection usable after rejecting a body', async (context) => {
  const { url: service } = await startRecordingService(context);
  const { exchange } = setupConnection(context, await startProxy(context, service));
  const body = `{"title":"${'x'.repeat(3_000_000)}"}`;
  const rejected = await exchange('POST', '/agent-sessions', JSON_TYPE, body);
  assert.equal(rejected.statusCode, 413);
  assert.notEqual(rejected.headers.connection, 'close');
  const next = await exchange('GET', '/agent-sessions');
  assert.equal(next.statusCode, 200);
  assert.equal(next.socket, rejected.socket);
});

test('proxy keeps the connection usable when the service responds before the form was sent', async (context) => {
  const service = await startLocalServerForTest(context, (request, response) => {
    if (request.method === 'GET') response.end('{}');
    else response.writeHead(413).end('{"detail":"Too large"}');
  });
  const { exchange } = setupConnection(context, await startProxy(context, service));
  const form = `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(8_000_000)}\r\n--x--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const rejected = await exchange(
    'POST',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/upload',
    headers,
    form,
  );
  assert.equal(rejected.statusCode, 413);
  assert.equal((await exchange('GET', '/agent-sessions')).statusCode, 200);
  // The rest of the form was discarded, so no timer waits for a response.
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
  assert.deepEqual(timers, []);
});

test('proxy rejects headers and URLs over their limits', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const proxy = createUbikProxy({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const origin = await startLocalServerForTest(context, proxy, { maxHeaderSize: 100_000 });
  const url = `${origin}/agent-sessions`;
  // Not by `fetch`: the idle timer of its connection throws when the parser was garbage-collected (a defect of undici).
  const statusOf = async (address: string, length = 0): Promise<number | undefined> => {
    const request = httpRequest(address, { headers: { 'x-large': 'x'.repeat(length) } }).end();
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    reply.resume();
    return reply.statusCode;
  };
  // The server of the proxy accepts these headers, so that the proxy itself has to reject them.
  assert.equal(await statusOf(url, 17_000), 431);
  assert.equal(await statusOf(`${url}?page=${'1'.repeat(5000)}`), 414);
  assert.equal(requests.length, 0);
  assert.equal(await statusOf(url, 10_000), 200);
});

/** A proxy before a service that writes on demand, with mocked timers. */
async function setupSlowService(context: TestContext): Promise<{
  readonly url: string;
  readonly received: Promise<void>;
  readonly released: Promise<void>;
  /** What the first call of `onError` has received. */
  readonly reported: Promise<unknown>;
  write(text: string): void;
  tick(milliseconds: number): void;
}> {
  const [received, released] = [new Deferred<void>(), new Deferred<void>()];
  const reported = new Deferred<unknown>();
  let write = (_text: string): void => undefined;
  const service = await startLocalServerForTest(context, (_request, response) => {
    response.once('close', released.resolve);
    write = (text) => {
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      }
      if (text !== '') response.write(text);
    };
    received.resolve();
  });
  const url = await startProxy(context, service, {
    firstByteTimeout: 1000,
    idleTimeout: 5000,
    onError: reported.resolve,
  });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  return {
    url,
    received: received.promise,
    released: released.promise,
    reported: reported.promise,
    write: (text) => {
      write(text);
    },
    tick: (milliseconds) => {
      context.mock.timers.tick(milliseconds);
    },
  };
}

test('proxy closes the connection and responds with 504 when the service does not respond in time', async (context) => {
  const { url, received, released, tick } = await setupSlowService(context);
  const request = httpRequest(`${url}/api/v1/agent-sessions`, { headers: { 'x-user': 'ann' } });
  request.end();
  await received;
  tick(999);
  assert.equal(request.destroyed, false);
  tick(1);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(reply.statusCode, 504);
  reply.resume();
  await released;
});

test('proxy breaks a response that pauses longer than idleTimeout, and passes the reason to onError', async (context) => {
  const { url, received, released, reported, write, tick } = await setupSlowService(context);
  const request = httpRequest(
    `${url}/api/v1/agent-sessions/00000000-0000-4000-8000-000000000001/stream`,
    {
      headers: { 'x-user': 'ann' },
    },
  );
  request.end();
  await received;
  write('data: 1\n\n');
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  const texts = reply[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  assert.match(String((await texts.next()).value), /1/u);
  for (let count = 2; count < 6; count += 1) {
    tick(4000);
    write(`data: ${String(count)}\n\n`);
    assert.match(String((await texts.next()).value), new RegExp(String(count), 'u'));
  }
  tick(5000);
  await assert.rejects(texts.next());
  await released;
  assert.deepEqual(await reported, new HttpError(504, 'The service did not respond in time'));
});

test('proxy waits idleTimeout for the first chunk after the head of a response', async (context) => {
  const { url, received, released, write, tick } = await setupSlowService(context);
  const path = '/agent-sessions/00000000-0000-4000-8000-000000000001/stream';
  const request = httpRequest(`${url}/api/v1${path}`, { headers: { 'x-user': 'ann' } });
  request.end();
  await received;
  write('');
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  tick(4999);
  write('data: 1\n\n');
  const texts = reply[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  assert.match(String((await texts.next()).value), /1/u);
  tick(5000);
  await assert.rejects(texts.next());
  await released;
});

test('proxy closes a rejected response of the service while the page still sends a form', async (context) => {
  const released = new Deferred<void>();
  const service = await startLocalServerForTest(context, (request, response) => {
    request.on('error', () => undefined).resume();
    response.once('close', released.resolve);
    response.writeHead(302).write('x');
  });
  const url = await startProxy(context, service);
  const path = '/agent-sessions/00000000-0000-4000-8000-000000000001/upload';
  const request = httpRequest(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'x-user': 'ann',
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
    },
  });
  request.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nStart');
  await released.promise;
  request.end();
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.resume();
  assert.equal(reply.statusCode, 502);
});

type LimitRate = (
  options: { readonly capacity: number; readonly perSecond: number },
  now: () => number,
) => BeforeForward;

/** Imports the example in docs/server.md. */
async function readLimitRate(): Promise<LimitRate> {
  const page = await readFile(new URL('../../docs/server.md', import.meta.url), 'utf8');
  const code = /```js\n(export function limitRate[\s\S]*?)```/u.exec(page)?.[1];
  assert.ok(code !== undefined, 'docs/server.md has the example');
  const example = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    limitRate: LimitRate;
  };
  return example.limitRate;
}

test('beforeForward limits each user separately with the token bucket of docs/server.md', async (context) => {
  let time = 0;
  const limitRate = await readLimitRate();
  const { url: service, requests } = await startRecordingService(context);
  const url = await startProxy(context, service, {
    beforeForward: limitRate({ capacity: 3, perSecond: 0.5 }, () => time),
  });
  const [ann, bob] = [
    new DemoApiClient(url, { 'x-user': 'ann' }),
    new DemoApiClient(url, { 'x-user': 'bob' }),
  ];
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await ann.request('GET', '/agent-sessions')).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const rejected = await ann.request('POST', '/agent-sessions', {});
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [429, '2']);
  assert.match(rejected.text, /wait a moment/u);
  assert.equal((await bob.request('GET', '/agent-sessions')).status, 200);
  time = 2000;
  assert.equal((await ann.request('GET', '/agent-sessions')).status, 200);
  assert.equal(requests.length, 5);
});

test('beforeForward receives user and endpoint, only for requests that would be forwarded', async (context) => {
  const { url: service } = await startRecordingService(context);
  const calls: Omit<ForwardCall, 'request'>[] = [];
  const url = await startProxy(context, service, {
    beforeForward: ({ request: _request, ...call }) => {
      calls.push(call);
      return undefined;
    },
  });
  await new DemoApiClient(url, {}).request('GET', '/agent-sessions');
  await new DemoApiClient(url, { 'x-user': 'ann' }).request('PUT', '/agent-sessions');
  await new DemoApiClient(url, { 'x-user': 'ann' }).request(
    'POST',
    '/agent-sessions/00000000-0000-4000-8000-000000000007/messages',
    {
      content: 'Hello',
    },
  );
  assert.deepEqual(calls, [
    {
      user: 'ann',
      method: 'POST',
      endpoint: '/agent-sessions/{id}/messages',
      path: '/agent-sessions/00000000-0000-4000-8000-000000000007/messages',
    },
  ]);
});

for (const option of ['getUser', 'beforeForward'] as const) {
  test(`proxy responds with 500 without details and forwards nothing when ${option} throws`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const url = await startProxy(context, service, {
      [option]: () => {
        throw new Error(KEY);
      },
    });
    const reply = await new DemoApiClient(url, { 'x-user': 'ann' }).request(
      'GET',
      '/agent-sessions',
    );
    assert.equal(reply.status, 500);
    assert.doesNotMatch(reply.text, new RegExp(KEY, 'u'));
    assert.equal(requests.length, 0);
  });
}

test('proxy accepts a form of exactly the maximum size, and rejects it when the maximum is a byte less', async (context) => {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const form = `${head}aaa\r\n--x--\r\n`;
  const { url: service, requests } = await startRecordingService(context);
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const path = '/agent-sessions/00000000-0000-4000-8000-000000000001/upload';
  for (const encoding of [{}, { 'transfer-encoding': 'chunked' }]) {
    for (const [maxUploadBytes, status] of [
      [form.length, 200],
      [form.length - 1, 413],
    ] as const) {
      const url = await startProxy(context, service, { maxUploadBytes });
      const reply = await send(url, path, { ...headers, ...encoding }, form);
      assert.equal(reply.statusCode, status);
    }
  }
  assert.equal(requests.length, 2);
});

test('proxy begins no request to the service for a form whose content length is over the limit', async (context) => {
  let connections = 0;
  const service = await startLocalServerForTest(context, (_request, response) => {
    connections += 1;
    response.end('{}');
  });
  const url = await startProxy(context, service, { maxUploadBytes: 10 });
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const path = '/agent-sessions/00000000-0000-4000-8000-000000000001/upload';
  assert.equal((await send(url, path, headers, '--x\r\n'.repeat(10))).statusCode, 413);
  assert.equal(connections, 0);
});

test('proxy closes the connection after rejecting a body of which it has not read the end', async (context) => {
  const { url: service } = await startRecordingService(context);
  const url = await startProxy(context, service);
  const request = httpRequest(`${url}/api/v1/agent-sessions`, {
    method: 'POST',
    headers: { 'x-user': 'ann', 'sec-fetch-site': 'same-origin', ...JSON_TYPE },
  });
  request.on('error', () => undefined);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 80; count += 1) request.write(piece);
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.on('error', () => undefined).resume();
  assert.deepEqual([reply.statusCode, reply.headers.connection], [413, 'close']);
  request.destroy();
});

test('proxy sends the head of a stream before its first chunk', async (context) => {
  const received = new Deferred<void>();
  const service = await startLocalServerForTest(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    void received.promise.then(() => response.end());
  });
  const url = await startProxy(context, service);
  const request = httpRequest(
    `${url}/api/v1/agent-sessions/00000000-0000-4000-8000-000000000001/stream`,
    { headers: { 'x-user': 'ann' } },
  );
  request.end();
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(reply.statusCode, 200);
  received.resolve();
  await once(reply.resume(), 'end');
});

test('proxy measures firstByteTimeout from the last byte of a form that it has sent', async (context) => {
  const chunks = [new Deferred<void>(), new Deferred<void>()];
  const service = await startLocalServerForTest(context, (request, response) => {
    request.on('error', () => undefined);
    request.on('end', () => response.end('{}'));
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('first')) chunks[0]?.resolve();
      if (text.includes('second')) chunks[1]?.resolve();
    });
  });
  const url = await startProxy(context, service, { firstByteTimeout: 1000 });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const request = httpRequest(
    `${url}/api/v1/agent-sessions/00000000-0000-4000-8000-000000000001/upload`,
    {
      method: 'POST',
      headers: {
        'x-user': 'ann',
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=x',
      },
    },
  );
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  request.write(`${head}first chunk of the file`);
  await chunks[0]?.promise;
  context.mock.timers.tick(900);
  request.write('second chunk of the file');
  await chunks[1]?.promise;
  context.mock.timers.tick(900);
  request.end('\r\n--x--\r\n');
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.resume();
  assert.equal(reply.statusCode, 200);
});

test('proxy does not break a response while the page does not read it', async (context) => {
  const length = 32 * 1024 * 1024;
  const service = await startLocalServerForTest(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(length, 'x'));
  });
  const proxy = createUbikProxy({
    apiKey: KEY,
    baseUrl: service,
    getUser: () => 'ann',
    idleTimeout: 5000,
  });
  const called = new Deferred<{ readonly writableNeedDrain: boolean }>();
  const url = await startLocalServerForTest(context, (request, response) => {
    called.resolve(response);
    void proxy(request, response);
  });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const request = httpRequest(`${url}/agent-sessions`);
  request.end();
  const response = await called.promise;
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  while (!response.writableNeedDrain) await new Promise(setImmediate);
  for (let count = 0; count < 3; count += 1) context.mock.timers.tick(5000);
  let received = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) received += chunk.length;
  assert.equal(received, length);
});
