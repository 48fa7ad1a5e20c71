import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { createUbikProxy } from '../../server/index.js';
import { rebuild } from '../demo/rebuild.js';
import { DemoApiClient, startTestServer } from '../demo/test-server.js';
import { readWire } from '../demo/wire-reader.js';
import { Deferred } from '../helpers/deferred.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY, startProxy, startRecordingService } from './start-proxy.js';

async function startBoth(
  context: TestContext,
): Promise<{ service: Awaited<ReturnType<typeof startTestServer>>; url: string }> {
  const service = await startTestServer(context, { apiKey: KEY });
  return { service, url: await startProxy(context, `${service.url}/api/v1`) };
}

test('proxy forwards session, stream, replay, upload and deletion', async (context) => {
  const { service, url } = await startBoth(context);
  const ann = new DemoApiClient(url, { 'x-user': 'ann' });
  const session = await ann.createSession();
  const events = await ann.send(session, 'Draw a chart of the longest rivers');
  assert.equal(rebuild(events), await ann.lastContent(session));
  const replay = readWire((await ann.request('GET', `/agent-sessions/${session}/stream`)).text);
  assert.equal(rebuild(replay), rebuild(events));
  const form = new FormData();
  form.set('file', new Blob(['A note that is long enough to be found again.']), 'note.txt');
  const uploaded = await ann.request('POST', `/agent-sessions/${session}/upload`, form);
  assert.equal(uploaded.status, 200);
  const direct = new DemoApiClient(service.url, { 'x-api-key': KEY, 'x-end-user-id': 'ann' });
  assert.equal((await direct.request('GET', `/agent-sessions/${session}`)).status, 200);
  assert.equal((await ann.request('DELETE', `/agent-sessions/${session}`)).status, 204);
});

test('proxy separates two users of one API key', async (context) => {
  const { url } = await startBoth(context);
  const session = await new DemoApiClient(url, { 'x-user': 'ann' }).createSession();
  const bob = new DemoApiClient(url, { 'x-user': 'bob' });
  assert.equal((await bob.request('GET', `/agent-sessions/${session}`)).status, 404);
  const impersonator = new DemoApiClient(url, {
    'x-user': 'bob',
    'x-end-user-id': 'ann',
    'x-api-key': KEY,
    external_user_id: 'ann',
    authorization: 'Bearer something',
  });
  assert.equal(
    (
      await impersonator.request(
        'GET',
        `/agent-sessions/${session}?external_user_id=ann&api_key=${KEY}`,
      )
    ).status,
    404,
  );
});

test('proxy forwards nothing without a signed-in user', async (context) => {
  let requestCount = 0;
  const service = await startLocalServerForTest(context, (_request, response) => {
    requestCount += 1;
    response.end('{}');
  });
  const url = await startProxy(context, service);
  const anonymous = new DemoApiClient(url, { 'x-api-key': KEY, 'x-end-user-id': 'ann' });
  for (const [method, path] of [
    ['GET', '/agent-sessions'],
    ['POST', '/agent-sessions'],
    ['GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream'],
  ] as const) {
    const reply = await anonymous.request(method, path, method === 'POST' ? {} : undefined);
    assert.equal(reply.status, 401);
    assert.deepEqual(reply.json, { detail: 'Not authenticated' });
  }
  assert.equal(
    (
      await new DemoApiClient(url, { 'x-user': 'ann' }).request('POST', '/auth/token', {
        external_user_id: 'bob',
      })
    ).status,
    404,
  );
  assert.equal(requestCount, 0);
});

test('proxy forwards the API key and the user, and no identity that the page claims', async (context) => {
  const { url: service, requests } = await startRecordingService(context, (_request, response) => {
    response.setHeader('set-cookie', 'service=1');
    response.setHeader('x-internal', 'secret');
    response.end('{}');
  });
  const url = await startProxy(context, `${service}/base`);
  const ann = new DemoApiClient(url, {
    'x-user': 'ann',
    cookie: 'session=of-the-integrator',
    authorization: 'Bearer of-the-page',
    'x-api-key': 'of-the-page',
    'x-end-user-id': 'bob',
    'x-forwarded-for': '1.2.3.4',
  });
  const reply = await ann.request(
    'POST',
    '/agent-sessions?token=t',
    '{"title":"x","external_user_id":"bob","External_User_Id":"bob","api_key":"k","external_user_id":"eve"}',
    { 'content-type': 'application/json' },
  );
  assert.equal(reply.headers.get('set-cookie'), null);
  assert.equal(reply.headers.get('x-internal'), null);
  const [{ url: path = '', headers = {}, body = '' } = {}] = requests;
  assert.equal(path, '/base/agent-sessions');
  assert.equal(headers['x-api-key'], KEY);
  assert.equal(headers['x-end-user-id'], 'ann');
  for (const name of ['cookie', 'authorization', 'x-user', 'x-forwarded-for'])
    assert.equal(headers[name], undefined, name);
  assert.deepEqual(JSON.parse(body), { title: 'x' });
});

test('proxy rejects bodies that it cannot parse', async (context) => {
  let requestCount = 0;
  const service = await startLocalServerForTest(context, (_request, response) => {
    requestCount += 1;
    response.end('{}');
  });
  const url = await startProxy(context, service);
  const ann = new DemoApiClient(url, { 'x-user': 'ann' });
  const json = { 'content-type': 'application/json' };
  assert.equal((await ann.request('POST', '/agent-sessions', '{"title":', json)).status, 400);
  assert.equal(
    (
      await ann.request('POST', '/agent-sessions', 'external_user_id=bob', {
        'content-type': 'application/x-www-form-urlencoded',
      })
    ).status,
    415,
  );
  assert.equal(requestCount, 0);
});

test('proxy forwards a stream piece by piece', async (context) => {
  let finishStream = (): void => undefined;
  const service = await startLocalServerForTest(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    response.write('data: {"type":"one"}\n\n');
    finishStream = () => response.end('data: {"type":"two"}\n\n');
  });
  const url = await startProxy(context, service);
  const response = await new DemoApiClient(url, { 'x-user': 'ann' }).open(
    'GET',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/stream',
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.match((await reader?.read())?.value ?? '', /one/u);
  finishStream();
  assert.match((await reader?.read())?.value ?? '', /two/u);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
});

test('proxy responds with 502 without details when the service is unreachable, breaks or redirects', async (context) => {
  const closed = await startLocalServerForTest(context, (request) => request.socket.destroy());
  const redirectingService = await startLocalServerForTest(context, (_request, response) => {
    response.writeHead(302, { location: `http://elsewhere.invalid/?key=${KEY}` }).end();
  });
  for (const service of [closed, redirectingService, 'http://127.0.0.1:1']) {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const reply = await new DemoApiClient(await startProxy(context, service, { onError }), {
      'x-user': 'ann',
    }).request('GET', '/agent-sessions');
    assert.equal(reply.status, 502);
    assert.equal(errors.length, 1, 'the log of the server receives the reason');
    assert.ok(errors[0] instanceof Error);
    assert.equal(typeof (reply.json as { detail: unknown }).detail, 'string');
    assert.equal(reply.headers.get('location'), null);
    assert.doesNotMatch(reply.text, new RegExp(KEY, 'u'));
  }
});

test('proxy passes what a callback throws to onError, and nothing that the client has caused', async (context) => {
  const { url: service } = await startRecordingService(context);
  const failure = new Error('the session store is down');
  const errors: unknown[] = [];
  const url = await startProxy(context, service, {
    getUser: (request) => {
      if (request.headers['x-user'] === 'broken') throw failure;
      return request.headers['x-user']?.toString();
    },
    onError: (error) => {
      errors.push(error);
      throw new Error('the log is full');
    },
  });
  const statusFor = async (headers: Record<string, string>): Promise<number> =>
    (await new DemoApiClient(url, headers).request('GET', '/agent-sessions')).status;
  assert.equal(await statusFor({}), 401);
  assert.deepEqual(errors, []);
  assert.equal(await statusFor({ 'x-user': 'broken' }), 500);
  assert.deepEqual(errors, [failure]);
});

test('proxy responds with 502 when the service switches protocols', async (context) => {
  const service = await startLocalServerForTest(context, (request) => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    request.socket.write(head);
  });
  const client = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
  const reply = await client.request('GET', '/agent-sessions');
  assert.equal(reply.status, 502);
  assert.deepEqual(reply.json, { detail: 'The service cannot be reached' });
});

test('proxy rejects a body, with a length or chunked, for an endpoint without one', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const url = `${await startProxy(context, service)}/api/v1/agent-sessions/00000000-0000-4000-8000-000000000001`;
  for (const encoding of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }]) {
    const request = httpRequest(url, {
      method: 'DELETE',
      headers: { 'x-user': 'ann', 'sec-fetch-site': 'same-origin', ...encoding },
    });
    request.end('{}');
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    const text = (await reply.toArray()).join('');
    assert.equal(reply.statusCode, 400);
    assert.deepEqual(JSON.parse(text), { detail: 'This request takes no body' });
  }
  assert.equal(requests.length, 0);
});

test('proxy breaks a stream for the page when the service breaks it, and passes the reason to onError', async (context) => {
  const reported = new Deferred<unknown>();
  const service = await startLocalServerForTest(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"type":"one"}\n\n', () => response.destroy());
  });
  const url = await startProxy(context, service, { onError: reported.resolve });
  const response = await new DemoApiClient(url, {
    'x-user': 'ann',
  }).open('GET', '/agent-sessions/00000000-0000-4000-8000-000000000001/stream');
  await assert.rejects(response.text());
  assert.equal((await (reported.promise as Promise<NodeJS.ErrnoException>)).code, 'ECONNRESET');
});

test('proxy forwards errors of the service with details and Retry-After', async (context) => {
  const { service, url } = await startBoth(context);
  service.controls?.addFaults({ kind: 'status', status: 429, retryAfter: 7 });
  const ann = new DemoApiClient(url, { 'x-user': 'ann' });
  const busy = await ann.request('GET', '/agent-sessions');
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '7']);
  const session = await ann.createSession();
  const invalid = await ann.request('POST', `/agent-sessions/${session}/navigate`, {});
  assert.equal(invalid.status, 422);
  assert.ok(Array.isArray((invalid.json as { detail: unknown }).detail));
});

test('proxy rejects an invalid id without a request, and only for a signed-in user', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const url = await startProxy(context, service);
  const path = '/agent-sessions/me/messages';
  const rejected = await new DemoApiClient(url, { 'x-user': 'ann' }).request('GET', path);
  assert.equal(rejected.status, 404);
  assert.deepEqual(rejected.json, { detail: 'The URL contains an invalid id' });
  assert.equal((await new DemoApiClient(url, {}).request('GET', path)).status, 401);
  assert.equal(requests.length, 0);
});

test('proxy names the methods of an endpoint when it rejects another one', async (context) => {
  const url = await startProxy(context, 'http://127.0.0.1:1');
  const response = await fetch(`${url}/api/v1/agent-sessions`, {
    method: 'DELETE',
    headers: { 'x-user': 'ann', 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'GET, POST');
});

test('proxy rejects a user id that is invalid in a header', async (context) => {
  const proxy = createUbikProxy({
    apiKey: KEY,
    baseUrl: 'http://127.0.0.1:1',
    getUser: () => 'ann\r\nx-end-user-id: bob',
  });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void proxy(request, response),
  );
  const response = await fetch(`${url}/agent-sessions`);
  assert.equal(response.status, 500);
});

test('demo server forwards to the service when it has an API key', async (context) => {
  const service = await startTestServer(context, { apiKey: KEY });
  const frontServer = await startTestServer(context, {
    service: { apiKey: KEY, baseUrl: `${service.url}/api/v1` },
  });
  const tokenResponse = await fetch(`${frontServer.url}/token`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const cookie = (tokenResponse.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const { access_token: token } = (await tokenResponse.json()) as { access_token: string };
  const client = new DemoApiClient(frontServer.url, { cookie, authorization: `Bearer ${token}` });
  const session = await client.createSession();
  const events = await client.send(session, 'What is 1 + 1?');
  assert.match(String(events.at(-1)?.['content']), /\*\*2\*\*/u);
  const anonymous = new DemoApiClient(frontServer.url, {});
  assert.equal((await anonymous.request('GET', '/agent-sessions')).status, 401);
  assert.equal((await client.request('POST', '/auth/token', {})).status, 404);
});
