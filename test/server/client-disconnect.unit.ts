import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { createTokenHandler, createUbikProxy, type UbikProxyOptions } from '../../server/index.js';
import { discardBody } from '../../server/disconnect.js';
import { Deferred } from '../helpers/deferred.js';
import { startServer } from './start-server.js';
import { KEY } from './start-proxy.js';

const HEADERS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

/** A page that can leave, the proxy that it asks, and the service behind it. */
async function setupLeaving(
  context: TestContext,
  options: Partial<UbikProxyOptions> = {},
  answer: 'nothing' | 'a beginning' = 'nothing',
): Promise<{
  /** Sends the head of a request, and the body's beginning. */
  ask(method: string, path: string, head?: Record<string, string>, begin?: string): ClientRequest;
  /** Resolves when the proxy has got the head of a request. */
  readonly arrived: Promise<void>;
  /** Resolves when the service has got the head of a request. */
  readonly reached: Promise<void>;
  /** Resolves when the service was left. */
  readonly released: Promise<void>;
  /** Requests that have reached the service so far. */
  count(): number;
  /** Resolves when the proxy knows that the page has left. */
  readonly left: Promise<void>;
  /** Resolves when the proxy has ended its work. */
  readonly ended: Promise<void>;
}> {
  const [arrived, reached, released, left, ended] = [
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
  ];
  let count = 0;
  const service = await startServer(context, (request, response) => {
    count += 1;
    request.on('error', () => undefined).resume();
    response.once('close', released.resolve);
    if (answer === 'a beginning') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
    }
    reached.resolve();
  });
  const proxy = createUbikProxy({
    apiKey: KEY,
    baseUrl: service,
    getUser: () => 'ann',
    ...options,
  });
  const url = await startServer(context, (request, response) => {
    response.once('close', left.resolve);
    void proxy(request, response).then(() => {
      ended.resolve();
    });
    arrived.resolve();
  });
  return {
    ask: (method, path, head = {}, begin) => {
      const asking = httpRequest(url + path, { method, headers: { ...HEADERS, ...head } });
      asking.on('error', () => undefined);
      if (begin === undefined) asking.end();
      else asking.write(begin);
      return asking;
    },
    arrived: arrived.promise,
    reached: reached.promise,
    released: released.promise,
    count: () => count,
    left: left.promise,
    ended: ended.promise,
  };
}

for (const [name, makeOptions] of [
  [
    'getUser',
    (asked: Deferred<void>, answer: Deferred<void>): Partial<UbikProxyOptions> => ({
      getUser: async () => {
        asked.resolve();
        await answer.promise;
        return 'ann';
      },
    }),
  ],
  [
    'beforeForward',
    (asked: Deferred<void>, answer: Deferred<void>): Partial<UbikProxyOptions> => ({
      beforeForward: async () => {
        asked.resolve();
        await answer.promise;
        return null;
      },
    }),
  ],
] as const) {
  test(`the proxy asks the service nothing when the page leaves while ${name} is pending`, async (context) => {
    const [asked, answer] = [new Deferred<void>(), new Deferred<void>()];
    const { ask, left, reached, ended, count } = await setupLeaving(
      context,
      makeOptions(asked, answer),
    );
    const asking = ask('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
    await asked.promise;
    asking.destroy();
    await left;
    answer.resolve();
    await Promise.race([ended, reached]);
    assert.equal(count(), 0);
  });
}

test('the proxy asks the service nothing when the page leaves in the middle of a JSON body', async (context) => {
  const { ask, arrived, left, reached, ended, count } = await setupLeaving(context);
  const asking = ask('POST', '/agent-sessions', { 'content-length': '1000' }, '{"title":');
  await arrived;
  asking.destroy();
  await left;
  await Promise.race([ended, reached]);
  assert.equal(count(), 0);
});

test('the proxy asks the service nothing for a page that left before the proxy was called', async (context) => {
  let count = 0;
  const [arrived, reached, ended] = [
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
  ];
  const service = await startServer(context, () => {
    count += 1;
    reached.resolve();
  });
  const proxy = createUbikProxy({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const url = await startServer(context, (request, response) => {
    response.once('close', () => {
      void proxy(request, response).then(() => {
        ended.resolve();
      });
    });
    arrived.resolve();
  });
  const asking = httpRequest(`${url}/agent-sessions`, { headers: HEADERS });
  asking.on('error', () => undefined).end();
  await arrived.promise;
  asking.destroy();
  await Promise.race([ended.promise, reached.promise]);
  assert.equal(count, 0);
});

test('the proxy leaves the service when the page leaves before the first byte', async (context) => {
  const { ask, reached, released, ended } = await setupLeaving(context);
  const asking = ask('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
  await reached;
  asking.destroy();
  await released;
  await ended;
});

test('the proxy leaves the service when the page leaves a stream that has begun', async (context) => {
  const { ask, released, ended } = await setupLeaving(context, {}, 'a beginning');
  const asking = ask('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
  await once(asking, 'response');
  asking.destroy();
  await released;
  await ended;
});

test('the proxy leaves the service when the page leaves in the middle of an upload', async (context) => {
  const { ask, reached, released, ended } = await setupLeaving(context);
  const asking = ask(
    'POST',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/upload',
    { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100000' },
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe beginning',
  );
  await reached;
  asking.destroy();
  await released;
  await ended;
});

test('a token is not minted for a page that has left', async (context) => {
  const [asked, answer, left, ended] = [
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
    new Deferred<void>(),
  ];
  let minted = 0;
  const handler = createTokenHandler({
    getUser: async () => {
      asked.resolve();
      await answer.promise;
      return 'ann';
    },
    mint: () => {
      minted += 1;
      return Promise.resolve('token');
    },
  });
  const url = await startServer(context, (request, response) => {
    response.once('close', left.resolve);
    void handler(request, response).then(() => {
      ended.resolve();
    });
  });
  const asking = httpRequest(url, { method: 'POST', headers: HEADERS });
  asking.on('error', () => undefined).end();
  await asked.promise;
  asking.destroy();
  await left.promise;
  answer.resolve();
  await ended.promise;
  assert.equal(minted, 0);
});

test('of a body that is not wanted all is read, and of one without an end no more than 64 MiB', async () => {
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
  assert.ok(pieces > 64 && pieces < 70, `${String(pieces)} MiB`);
});

test('a body that has been read is not waited for', async () => {
  const read = Readable.from([]) as IncomingMessage;
  for await (const _piece of read);
  await discardBody(read);
  await discardBody(Readable.from([]).destroy() as IncomingMessage);
});
