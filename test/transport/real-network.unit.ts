import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sniffBody } from '../../src/transport/response.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { createHttpClient, type HttpRequest } from '../../src/transport/http.js';
import { readServerSentEvents } from '../../src/transport/sse.js';
import { errorOf } from '../helpers/http-client.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';

// The platform's own fetch against a real server on this machine.
const GET: HttpRequest = { method: 'GET', path: '/things' };
const servers: LocalServer[] = [];

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(listener: Listener): Promise<LocalServer> {
  const server = await startLocalServer(listener);
  servers.push(server);
  return server;
}

async function connect(listener: Listener) {
  const server = await start(listener);
  const getToken = () => 'secret';
  const client = createHttpClient({
    environment: createEnvironment(),
    baseUrl: server.origin,
    getToken,
  });
  return { server, client };
}

async function readAll(response: Response, signal?: AbortSignal): Promise<string[]> {
  const data: string[] = [];
  const { body } = await sniffBody(response);
  for await (const event of readServerSentEvents(body, { signal })) data.push(event.data);
  return data;
}

const openStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

test('real network: a stream that arrives byte by byte is read', async () => {
  const { client } = await connect(async (_, response) => {
    openStream(response);
    for (const byte of Buffer.from('\uFEFFdata: é🧪\r\n\r\n: beat\r\ndata: b\r\n\r\n')) {
      await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => resolve()));
    }
    response.end();
  });
  assert.deepEqual(await readAll(await client.request(GET)), ['é🧪', 'b']);
});

test('real network: a compressed stream is read', async () => {
  const { client } = await connect((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    response.end(gzipSync('data: a\n\ndata: b\n\n'));
  });
  assert.deepEqual(await readAll(await client.request(GET)), ['a', 'b']);
});

test('real network: a stream without a content type is read', async () => {
  const { client } = await connect((_, response) => response.end('\ndata: a\n\n'));
  assert.deepEqual(await readAll(await client.request(GET)), ['a']);
});

test('real network: a connection cut in the middle of a stream rejects with network after the events before it', async () => {
  for (const cut of ['destroy', 'resetAndDestroy'] as const) {
    const { client } = await connect((_, response) => {
      openStream(response).write('data: a\n\nda', () => response.socket?.[cut]());
    });
    const events = readServerSentEvents((await client.request(GET)).body ?? assert.fail('no body'));
    // Events that were still in transit may be lost; then the iteration rejects at once.
    const error = await errorOf(
      (async () => {
        for await (const { data } of events) assert.equal(data, 'a');
      })(),
    );
    assert.equal(error.code, 'network');
  }
});

test('real network: a refused connection and one cut before a response reject with network', async () => {
  const { client, server } = await connect((request) => request.socket.destroy());
  assert.equal((await errorOf(client.json(GET))).code, 'network');
  await server.close();
  assert.equal((await errorOf(client.json(GET))).code, 'network');
});

test('real network: an abort closes the connection while the stream is idle', async () => {
  let onClose: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (onClose = resolve));
  const { client } = await connect((_, response) => {
    response.on('close', onClose);
    openStream(response).write('data: a\n\n');
  });
  const abort = new AbortController();
  const response = await client.request({ ...GET, signal: abort.signal });
  const events = readServerSentEvents(response.body ?? assert.fail('no body'), {
    signal: abort.signal,
  });
  await events.next();
  const next = errorOf(events.next());
  abort.abort();
  assert.equal((await next).code, 'aborted');
  await closed;
});

test('real network: no redirect is followed, so that neither token nor data reaches another server', async () => {
  const redirectTarget = await start((_, response) => response.end('{}'));
  for (const status of [301, 302, 303, 307, 308]) {
    const { client } = await connect((_, response) =>
      response.writeHead(status, { location: `${redirectTarget.origin}/x` }).end(),
    );
    // In a browser, the diagnosis of the connection finds the redirect, and the code is `not-an-api`.
    assert.equal((await errorOf(client.json(GET))).code, 'network');
    assert.equal(
      (await errorOf(client.json({ method: 'POST', path: '/a', json: {} }))).code,
      'network',
    );
  }
  assert.equal(redirectTarget.requests.length, 0);
});

test('real network: the token is sent in a header, not in the URL', async () => {
  const { client, server } = await connect((_, response) => response.end('{}'));
  await client.json(GET);
  assert.equal(server.requests[0]?.headers.authorization, 'Bearer secret');
  assert.equal(server.requests[0]?.url, '/things');
  assert.equal(server.requests[0]?.headers.referer, undefined);
});

test('real network: a form is uploaded', async () => {
  let body = '';
  const { client, server } = await connect((request, response) => {
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => response.writeHead(201).end('{"id":"d1"}'));
  });
  const form = new FormData();
  form.set('file', new Blob(['hello']), 'a.txt');
  const result = await client.upload({ method: 'POST', path: '/up', form }, () => undefined);
  assert.deepEqual(result, { id: 'd1' });
  assert.match(
    server.requests[0]?.headers['content-type'] ?? '',
    /^multipart\/form-data; boundary=/,
  );
  assert.match(body, /filename="a.txt"[\s\S]*hello/);
});

test('real network: an error message is read, and an endless error body is cancelled', async () => {
  const { client } = await connect((_, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3' });
    response.end('{"detail":"slow down"}');
  });
  const error = await errorOf(client.json(GET));
  assert.deepEqual(
    [error.code, error.message, error.retryAfter],
    ['rate-limited', 'slow down', 3000],
  );
  const endless = await connect((_, response) => {
    response.writeHead(500);
    const write = () =>
      void response.write('x'.repeat(1 << 14), () => response.destroyed || write());
    write();
  });
  assert.equal((await errorOf(endless.client.json(GET))).code, 'server');
});

test('real network: an endless line is cancelled near its limit', async () => {
  let sent = 0;
  const { client } = await connect((_, response) => {
    openStream(response).write('data: ');
    const write = () => {
      sent++;
      response.write('x'.repeat(1 << 20), () => response.destroyed || sent > 119 || write());
    };
    write();
  });
  const response = await client.request(GET);
  assert.equal((await errorOf(readAll(response))).code, 'event-too-large');
  assert.ok(sent < 40, `${sent} MiB were sent`);
});
