import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchRoute } from '../../server/routes.js';

/** Path and query to which a request is forwarded, or the reason why not. */
function targetOf(method: string, url: string): unknown {
  const route = matchRoute(method, url);
  return typeof route === 'string' || 'allow' in route
    ? route
    : { path: route.path, query: route.query };
}

const ID = 'd2719bd1-6a0c-4d1e-9d2f-1f9f3a0c7b11';

test('matchRoute accepts the endpoints of a chat with their methods', () => {
  for (const [method, path] of [
    ['GET', '/agent-sessions'],
    ['POST', '/agent-sessions'],
    ['PATCH', `/agent-sessions/${ID}`],
    ['POST', `/agent-sessions/${ID}/messages/${ID}/edit`],
    ['GET', `/agent-sessions/${ID}/stream`],
    ['PUT', `/agent-sessions/${ID}/documents/${ID}/star`],
    ['POST', '/tool-executions/call_1/provide-input'],
    ['GET', `/assets/tools/${ID}/call_1/chart.png`],
  ] as const) {
    assert.deepEqual(targetOf(method, path), { path, query: '' });
  }
});

test('matchRoute rejects all other endpoints, including the token endpoint', () => {
  for (const path of [
    '/auth/token',
    '/tools',
    '/users/me',
    '/models',
    '/',
    '',
    '/agent-sessions/',
    '//agent-sessions',
    '/documents',
    'agent-sessions',
    `/tools/${ID}/execute`,
  ]) {
    assert.equal(matchRoute('GET', path), 'unknown', path);
    assert.equal(matchRoute('POST', path), 'unknown', path);
  }
});

test('matchRoute returns the methods of a known path for a request with another method', () => {
  assert.deepEqual(matchRoute('DELETE', '/agent-sessions'), { allow: 'GET, POST' });
  assert.deepEqual(matchRoute('TRACE', `/agent-sessions/${ID}`), { allow: 'GET, PATCH, DELETE' });
});

test('matchRoute rejects segments with dots, slashes or control characters', () => {
  for (const segment of [
    '..',
    '.',
    '%2e%2e',
    '%2E%2e',
    '..%2fauth',
    '%2fauth%2ftoken',
    '..\\auth',
    '%5cauth',
    'a%00b',
    'a%0d%0ab',
    '%252e%252e',
    '%252fauth',
    'a%',
    '%c0%af',
  ]) {
    assert.equal(matchRoute('GET', `/documents/${segment}`), 'unknown', segment);
    assert.equal(matchRoute('GET', `/agent-sessions/${segment}/messages`), 'unknown', segment);
  }
});

test('matchRoute re-encodes segments', () => {
  const route = targetOf('GET', `/assets/tools/${ID}/call_1/my chart;v=1?x=1`);
  assert.deepEqual(route, { path: `/assets/tools/${ID}/call_1/my%20chart%3Bv%3D1`, query: '?x=1' });
  assert.deepEqual(targetOf('GET', `/assets/tools/${ID}/call_1/a%3Fapi_key=1`), {
    path: `/assets/tools/${ID}/call_1/a%3Fapi_key%3D1`,
    query: '',
  });
});

test('matchRoute removes user ids and API keys from the query in any spelling', () => {
  const route = targetOf(
    'GET',
    `/agent-sessions/${ID}/stream?task_id=t&token=x&api_key=k&API_KEY=k&external_user_id=bob&%61pi_key=k&include_chunks=false&filter[api_key]=k&filter.jwt=t&External-User-Id=bob`,
  );
  assert.deepEqual(route, {
    path: `/agent-sessions/${ID}/stream`,
    query: '?task_id=t&include_chunks=false',
  });
});

const GENERATED_IDS = ['call_123abc', 'toolu_01AbC', 'exec-7', 'exec_7f', 'chatcmpl-tool-9'];

/** The ids that each endpoint accepts besides UUIDs. Only the last one accepts words, because they can be ids of tools. */
const ACCEPTED_IDS: readonly (readonly [pattern: string, ids: readonly string[]])[] = [
  ['/agent-sessions/*', []],
  ['/agent-sessions/*/stream', []],
  [`/agent-sessions/${ID}/messages/*`, []],
  ['/chunks/*', []],
  ['/chunks/*/document', []],
  ['/documents/*', ['doc_123', 'doc_abc']],
  ['/tool-executions/*', GENERATED_IDS],
  ['/tool-executions/*/stream', GENERATED_IDS],
  [`/assets/tools/${ID}/*/chart.png`, GENERATED_IDS],
  ['/assets/tools/*/call_1/chart.png', ['image_generation', 'web-search']],
];

for (const [pattern, ids] of ACCEPTED_IDS) {
  test(`matchRoute accepts only documented ids in ${pattern}`, () => {
    for (const id of [ID, ID.toUpperCase(), ...ids]) {
      const path = pattern.replace('*', id);
      assert.deepEqual(targetOf('GET', path), { path, query: '' });
    }
    for (const id of [
      '__proto__',
      '-1',
      `${ID} `,
      `{${ID}}`,
      `${ID};v=1`,
      'a%3Fb',
      "'%20or%201=1",
      '*',
      'é',
      `call_${'a'.repeat(200)}`,
    ]) {
      assert.equal(matchRoute('GET', pattern.replace('*', id)), 'invalid-id', id);
    }
  });
}

for (const word of ['1', 'me', 'all', 'search', 'constructor']) {
  test(`matchRoute rejects the id "${word}" for sessions, messages, chunks, documents and executions`, () => {
    for (const [pattern] of ACCEPTED_IDS.slice(0, -1)) {
      assert.equal(matchRoute('GET', pattern.replace('*', word)), 'invalid-id', pattern);
    }
  });
}
