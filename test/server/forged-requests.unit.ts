import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokenHandler, createUbikProxy } from '../../server/index.js';
import { DemoApiClient } from '../demo/test-server.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY, startProxy, startRecordingService } from './start-proxy.js';

const SHOP = 'https://shop.example.com';

/** The origin of a request, its headers, and whether the request may change state. */
const ORIGINS: readonly (readonly [
  name: string,
  headers: Record<string, string>,
  accepted: boolean,
])[] = [
  ['a page of the same origin', { 'sec-fetch-site': 'same-origin' }, true],
  ['a navigation by the user', { 'sec-fetch-site': 'none' }, true],
  ['an allowed origin', { 'sec-fetch-site': 'cross-site', origin: SHOP }, true],
  ['an allowed origin in an old browser', { origin: SHOP }, true],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
  ['another host of the site', { 'sec-fetch-site': 'same-site' }, false],
  ['an origin with the same prefix', { origin: `${SHOP}.evil.example` }, false],
  ['an opaque origin', { origin: 'null' }, false],
  ['an unknown origin', { 'sec-fetch-site': '' }, false],
];

for (const [name, headers, accepted] of ORIGINS) {
  test(`proxy ${accepted ? 'forwards' : 'rejects'} a state-changing request from ${name}`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const url = await startProxy(context, service, { allowedOrigins: [SHOP] });
    const client = new DemoApiClient(url, { 'x-user': 'ann', 'sec-fetch-site': '', ...headers });
    const replies = [
      await client.request('POST', '/agent-sessions', {}),
      await client.request('PATCH', '/agent-sessions/00000000-0000-4000-8000-000000000001', {
        title: 'x',
      }),
      await client.request(
        'PUT',
        '/agent-sessions/00000000-0000-4000-8000-000000000001/documents/00000000-0000-4000-8000-000000000002/star',
        { is_starred: true },
      ),
      await client.request('DELETE', '/agent-sessions/00000000-0000-4000-8000-000000000001'),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => (accepted ? 200 : 403)),
    );
    assert.equal(requests.length, accepted ? 4 : 0);
    assert.equal((await client.request('GET', '/agent-sessions')).status, 200);
  });

  test(`token route ${accepted ? 'returns' : 'denies'} a token for a request from ${name}`, async (context) => {
    const handler = createTokenHandler({
      getUser: () => 'ann',
      mint: () => Promise.resolve('token'),
      allowedOrigins: [SHOP],
    });
    const url = await startLocalServerForTest(
      context,
      (request, response) => void handler(request, response),
    );
    const response = await fetch(url, { method: 'POST', headers });
    assert.equal(response.status, accepted ? 200 : 403);
    assert.equal((await response.text()).includes('"token"'), accepted);
  });
}

for (const type of [
  '',
  'text/plain',
  'text/plain; application/json',
  'application/json, text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
]) {
  test(`proxy rejects a JSON body with the content type "${type}"`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const url = await startProxy(context, service);
    const client = new DemoApiClient(url, { 'x-user': 'ann' });
    const body = new TextEncoder().encode('{"title":"x"}');
    const response = await fetch(`${url}/api/v1/agent-sessions`, {
      method: 'POST',
      headers: { ...client.headers, 'sec-fetch-site': 'same-origin', 'content-type': type },
      body,
    });
    assert.equal(response.status, 415);
    assert.equal(requests.length, 0);
  });
}

/** Fields that change the configuration or permissions of the agent. */
const PRIVILEGED: readonly (readonly [method: string, path: string, field: string])[] = [
  ['POST', '/agent-sessions', 'mcp_config'],
  ['POST', '/agent-sessions', 'initial_system_prompt'],
  ['POST', '/agent-sessions', 'model_name'],
  ['POST', '/agent-sessions', 'assistant_id'],
  ['POST', '/agent-sessions', 'tool_ids'],
  ['POST', '/agent-sessions', 'skill_ids'],
  ['POST', '/agent-sessions', 'prompt_variables'],
  ['POST', '/agent-sessions', 'a_field_of_next_year'],
  ['PATCH', '/agent-sessions/00000000-0000-4000-8000-000000000001', 'mcp_config'],
  ['PATCH', '/agent-sessions/00000000-0000-4000-8000-000000000001', 'tool_ids'],
  ['POST', '/agent-sessions/00000000-0000-4000-8000-000000000001/messages', 'tool_choice'],
  [
    'POST',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/messages/00000000-0000-4000-8000-000000000002/edit',
    'tool_choice',
  ],
  [
    'POST',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/messages/00000000-0000-4000-8000-000000000002/regenerate',
    'tool_choice',
  ],
];

for (const [method, path, field] of PRIVILEGED) {
  test(`proxy forwards ${field} in ${method} ${path} only when allowSessionOptions names it`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const strict = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
    const rejected = await strict.request(method, path, { [field]: null });
    assert.equal(rejected.status, 403);
    assert.match(rejected.text, new RegExp(`${field}.*allowSessionOptions`, 'u'));
    assert.equal(requests.length, 0);
    const permissive = new DemoApiClient(
      await startProxy(context, service, { allowSessionOptions: [field] }),
      { 'x-user': 'ann' },
    );
    assert.equal((await permissive.request(method, path, { [field]: 'x' })).status, 200);
    assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { [field]: 'x' });
    assert.equal(
      (await permissive.request(method, path, { [field.toUpperCase()]: 'x' })).status,
      403,
    );
  });
}

test('proxy removes user ids and API keys from a JSON body at any depth', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const url = await startProxy(context, service, { allowSessionOptions: ['prompt_variables'] });
  const reply = await new DemoApiClient(url, { 'x-user': 'ann' }).request(
    'POST',
    '/agent-sessions',
    `{"title":"x","External-User-Id":"bob","api_key":"k","prompt_variables":{"a":1,"external_user_id":"bob",
      "list":[{"X-API-KEY":"k","b":2},[{"endUserId":"bob","__proto__":{"api_key":"k"}}]],"api\\u005fkey":"k"}}`,
    { 'content-type': 'application/json' },
  );
  assert.equal(reply.status, 200);
  assert.equal(
    requests[0]?.body,
    '{"title":"x","prompt_variables":{"a":1,"list":[{"b":2},[{"__proto__":{}}]]}}',
  );
});

for (const [name, body] of [
  ['a list', '[{"title":"x"}]'],
  ['a string', '"external_user_id"'],
  ['null', 'null'],
  ['too deep for recursion', `{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
] as const) {
  test(`proxy rejects a JSON body that is ${name}`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const client = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
    const json = { 'content-type': 'application/json' };
    assert.equal((await client.request('POST', '/agent-sessions', body, json)).status, 400);
    assert.equal(requests.length, 0);
  });
}

/** Forms by which a page claims an identity, or which the service could read differently than the proxy. */
const FORMS: readonly (readonly [
  name: string,
  fields: readonly (readonly [string, string | Blob])[],
])[] = [
  ['a user id in a field', [['external_user_id', 'bob']]],
  [
    'an API key in a field after the file',
    [
      ['file', new Blob(['x'])],
      ['api_key', 'k'],
    ],
  ],
  ['a user id in a file', [['external_user_id', new Blob(['bob'])]]],
  [
    'a user id in the metadata',
    [
      ['file', new Blob(['x'])],
      ['api_metadata', '{"a":[{"external_user_id":"bob"}]}'],
    ],
  ],
  ['metadata that is not JSON', [['api_metadata', 'external_user_id=bob']]],
  [
    'a second file',
    [
      ['file', new Blob(['x'])],
      ['file', new Blob(['y'])],
    ],
  ],
];

for (const [name, fields] of FORMS) {
  test(`proxy rejects a form with ${name}, and never completes it at the service`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const client = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
    const form = new FormData();
    for (const [field, value] of fields) form.append(field, value);
    const reply = await client.request(
      'POST',
      '/agent-sessions/00000000-0000-4000-8000-000000000001/upload',
      form,
    );
    assert.equal(Math.floor(reply.status / 100), 4, reply.text);
    assert.equal(typeof (reply.json as { detail: unknown }).detail, 'string');
    assert.equal(requests.length, 0);
  });
}

test('proxy rejects an answer to an input request with a reserved name instead of changing it', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const client = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
  const form = new FormData();
  form.set('input_data_json', '{"input":{"api_key":"k"},"type":"form"}');
  const rejected = await client.request('POST', '/tool-executions/call_1/provide-input', form);
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /api_key/u);
  form.set('input_data_json', '{"input":{"name":"Ann"},"type":"form"}');
  assert.equal(
    (await client.request('POST', '/tool-executions/call_1/provide-input', form)).status,
    200,
  );
  assert.match(requests[0]?.body ?? '', /\r\n\r\n\{"input":\{"name":"Ann"\},"type":"form"\}\r\n/u);
});

test('proxy removes user ids and API keys from URL and headers', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const client = new DemoApiClient(await startProxy(context, service), {
    'x-user': 'ann',
    'x-end-user-id': 'bob',
    'x-api-key': 'k',
    external_user_id: 'bob',
    authorization: 'Bearer t',
    cookie: 'api_key=k',
    forwarded: 'for=1.2.3.4',
  });
  await client.request(
    'GET',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/stream?token=t&task_id=2&X-End-User-Id=bob&a[api_key]=k',
  );
  const { url, headers } = requests[0] ?? assert.fail('The service has received no request.');
  assert.equal(url, '/agent-sessions/00000000-0000-4000-8000-000000000001/stream?task_id=2');
  assert.deepEqual(Object.keys(headers).sort(), [
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'user-agent',
    'x-api-key',
    'x-end-user-id',
  ]);
  assert.deepEqual([headers['x-end-user-id'], headers['x-api-key']], ['ann', KEY]);
});

for (const apiKey of [undefined, null, '', ' ', 'two words', 'a\nb', 42]) {
  test(`server handlers throw for the API key ${JSON.stringify(apiKey) ?? 'undefined'}`, () => {
    const options = { apiKey: apiKey as string, getUser: () => 'ann' };
    assert.throws(() => createUbikProxy(options), /^TypeError: apiKey/u);
    assert.throws(() => createTokenHandler(options), /^TypeError: apiKey/u);
  });
}

test('server handlers throw for invalid options', () => {
  const options = { apiKey: KEY, getUser: () => 'ann' };
  for (const origin of ['null', 'shop.example.com', `${SHOP}/`, `${SHOP}/chat`, '*', '']) {
    assert.throws(() => createUbikProxy({ ...options, allowedOrigins: [origin] }), TypeError);
    assert.throws(() => createTokenHandler({ ...options, allowedOrigins: [origin] }), TypeError);
  }
  for (const amount of [0, -1, 1.5, NaN, Infinity, 2 ** 31]) {
    assert.throws(() => createUbikProxy({ ...options, idleTimeout: amount }), RangeError);
    assert.throws(() => createUbikProxy({ ...options, firstByteTimeout: amount }), RangeError);
    assert.throws(() => createUbikProxy({ ...options, maxUploadBytes: amount }), RangeError);
  }
  assert.throws(
    () => createUbikProxy({ ...options, allowSessionOptions: ['external_user_id'] }),
    TypeError,
  );
  const none = undefined as unknown as () => string;
  assert.throws(() => createUbikProxy({ ...options, getUser: none }), TypeError);
  assert.throws(() => createTokenHandler({ ...options, getUser: none }), TypeError);
});
