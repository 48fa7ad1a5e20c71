import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { createTokenHandler, createUbikProxy, type UbikProxyOptions } from '../../server/index.js';
import { discardBody } from '../../server/client-connection.js';
import { Deferred } from '../helpers/deferred.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY } from './start-proxy.js';

const HEADERS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

/** A client that can disconnect, the proxy that it requests, and the service behind it. */
async function setupDisconnect(
  context: TestContext,
  options: Partial<UbikProxyOptions> = {},
  responseBody: 'none' | 'partial' = 'none',
): Promise<{
  /** Sends the head of a request and the first part of its body. */
  send(
    method: string,
    path: string,
    head?: Record<string, string>,
    firstPart?: string,
  ): ClientRequest;
  /** Resolves when the proxy has received the head of a request. */
  readonly received: Promise<void>;
  /** Resolves when the service has received the head of a request. */
  readonly forwarded: Promise<void>;
  /** Resolves when the connection to the service was closed. */
  readonly released: Promise<void>;
  /** Number of requests that the service has received. */
  count(): number;
  /** Resolves when the proxy has noticed that the client has disconnected. */
  readonly disconnected: Promise<void>;
  /** Resolves when the proxy has finished. */
  readonly ended: Promise<void>;
  /** What `onError` has received. */
  readonly errors: readonly unknown[];
}> {
  const [received, forwarded, released, disconnected, ended] = [
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
  ];
  let count = 0;
  const errors: unknown[] = [];
  const service = await startLocalServerForTest(context, (request, response) => {
    count += 1;
    request.on('error', () => undefined).resume();
    response.once('close', released.resolve);
    if (responseBody === 'partial') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
    }
    forwarded.resolve();
  });
  const proxy = createUbikProxy({
    apiKey: KEY,
    baseUrl: service,
    getUser: () => 'ann',
    onError: (error) => errors.push(error),
    ...options,
  });
  const url = await startLocalServerForTest(context, (request, response) => {
    response.once('close', disconnected.resolve);
    void proxy(request, response).then(() => {
      ended.resolve();
    });
    received.resolve();
  });
  return {
    send: (method, path, head = {}, firstPart) => {
      const request = httpRequest(url + path, { method, headers: { ...HEADERS, ...head } });
      request.on('error', () => undefined);
      if (firstPart === undefined) request.end();
      else request.write(firstPart);
      return request;
    },
    received: received.promise,
    forwarded: forwarded.promise,
    released: released.promise,
    count: () => count,
    disconnected: disconnected.promise,
    ended: ended.promise,
    errors,
  };
}

for (const [name, expected] of [
  ['getUser', ['getUser']],
  ['beforeForward', ['getUser', 'beforeForward']],
] as const) {
  test(`proxy calls nothing more and sends no request when the client disconnects while ${name} is pending`, async (context) => {
    const [called, result] = [new Deferred<void>(), new Deferred<void>()];
    const calls: string[] = [];
    const call = async (callback: string): Promise<void> => {
      calls.push(callback);
      if (callback !== name) return;
      called.resolve();
      await result.promise;
    };
    const { send, disconnected, forwarded, ended, count } = await setupDisconnect(context, {
      getUser: async () => {
        await call('getUser');
        return 'ann';
      },
      beforeForward: async () => {
        await call('beforeForward');
        return null;
      },
    });
    const request = send('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
    await called.promise;
    request.destroy();
    await disconnected;
    result.resolve();
    await Promise.race([ended, forwarded]);
    assert.equal(count(), 0);
    assert.deepEqual(calls, expected);
  });
}

test('proxy sends no request when the client disconnects in the middle of a JSON body', async (context) => {
  const { send, received, disconnected, forwarded, ended, count } = await setupDisconnect(context);
  const request = send('POST', '/agent-sessions', { 'content-length': '1000' }, '{"title":');
  await received;
  request.destroy();
  await disconnected;
  await Promise.race([ended, forwarded]);
  assert.equal(count(), 0);
});

test('proxy sends no request for a client that disconnected before the proxy was called', async (context) => {
  let count = 0;
  const [received, forwarded, ended] = [
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
  ];
  const service = await startLocalServerForTest(context, () => {
    count += 1;
    forwarded.resolve();
  });
  const proxy = createUbikProxy({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const url = await startLocalServerForTest(context, (request, response) => {
    response.once('close', () => {
      void proxy(request, response).then(() => {
        ended.resolve();
      });
    });
    received.resolve();
  });
  const request = httpRequest(`${url}/agent-sessions`, { headers: HEADERS });
  request.on('error', () => undefined).end();
  await received.promise;
  request.destroy();
  await Promise.race([ended.promise, forwarded.promise]);
  assert.equal(count, 0);
});

test('proxy closes the connection to the service when the client disconnects before the first byte', async (context) => {
  const { send, forwarded, released, ended, errors } = await setupDisconnect(context);
  const request = send('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
  await forwarded;
  request.destroy();
  await released;
  await ended;
  assert.deepEqual(errors, []);
});

test('proxy closes the connection to the service when the client disconnects during a stream', async (context) => {
  const { send, released, ended, errors } = await setupDisconnect(context, {}, 'partial');
  const request = send('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
  await once(request, 'response');
  request.destroy();
  await released;
  await ended;
  assert.deepEqual(errors, []);
});

test('proxy closes the connection to the service when the client disconnects during an upload', async (context) => {
  const { send, forwarded, released, ended, errors } = await setupDisconnect(context);
  const request = send(
    'POST',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/upload',
    { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100000' },
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe beginning',
  );
  await forwarded;
  request.destroy();
  await released;
  await ended;
  assert.deepEqual(errors, []);
});

test('token route mints no token for a client that has disconnected', async (context) => {
  const [called, result, disconnected, ended] = [
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
  ];
  let minted = 0;
  const handler = createTokenHandler({
    getUser: async () => {
      called.resolve();
      await result.promise;
      return 'ann';
    },
    mint: () => {
      minted += 1;
      return Promise.resolve('token');
    },
  });
  const url = await startLocalServerForTest(context, (request, response) => {
    response.once('close', disconnected.resolve);
    void handler(request, response).then(() => {
      ended.resolve();
    });
  });
  const request = httpRequest(url, { method: 'POST', headers: HEADERS });
  request.on('error', () => undefined).end();
  await called.promise;
  request.destroy();
  await disconnected.promise;
  result.resolve();
  await ended.promise;
  assert.equal(minted, 0);
});

test('discardBody reads a whole body, or 64 MiB of an endless one', async () => {
  const piece = Buffer.alloc(1024 * 1024);
  const short = Readable.from([piece, piece]) as IncomingMessage;
  await discardBody(short);
  assert.equal(short.readableEnded, true);
  let pieces = 0;
  const endless = new Readable({
    read() {
      pieces += 1;
      this.push(piece);
    },
  }) as IncomingMessage;
  await discardBody(endless);
  assert.equal(endless.isPaused(), true);
  // A stream reads a few pieces ahead.
  assert.ok(pieces > 64 && pieces < 70, `${String(pieces)} MiB`);
});

test('discardBody reads a body of exactly 64 MiB to its end', async () => {
  const body = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(1024 * 1024)));
  await discardBody(body as IncomingMessage);
  assert.deepEqual([body.readableEnded, body.isPaused()], [true, false]);
});

test('discardBody resolves for a body that was read or destroyed', async () => {
  const read = Readable.from([]) as IncomingMessage;
  for await (const _piece of read);
  await discardBody(read);
  await discardBody(Readable.from([]).destroy() as IncomingMessage);
});
