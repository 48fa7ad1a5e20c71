import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenRequest } from '../../../../src/transport/http.js';
import {
  createDataAgentBackend,
  type DataAgentBackendOptions,
} from '../../../../src/backends/data-agent/index.js';
import { method } from '../support/connect.js';
import { refuse } from '../support/scripted-service.js';
import { Deferred } from '../../../helpers/deferred.js';
import { jsonResponse, errorOf } from '../../../helpers/http-client.js';
import { createTestEnvironment, type Respond } from '../../../helpers/test-environment.js';

const PAGE = { page: 1, limit: 10 };
const EMPTY = { entries: [], total: 0 };

function setup(respond: Respond, options: Partial<DataAgentBackendOptions> = {}) {
  const environment = createTestEnvironment({ respond });
  const backend = createDataAgentBackend({ agentId: 'river-analyst', environment, ...options });
  const list = () => method(backend, 'listThreads')(PAGE);
  const paths = () => environment.requests.map(({ url }) => url.pathname);
  return { environment, backend, list, paths };
}

const FACTORY = '/api/agent-factory/v1/app/river-analyst/conversation';
const APP = '/api/agent-app/v1/app/river-analyst/conversation';

test('data agent client sends every request with the business domain', async () => {
  const { environment, backend, list } = setup(() => jsonResponse({ id: 'C', ...EMPTY }));
  await list();
  await backend.createThread();
  await backend.loadOnboarding?.();
  await backend.renameThread?.('C', 'x');
  const domains = environment.requests.map(({ headers }) => headers.get('x-business-domain'));
  assert.deepEqual(domains, ['bd_public', 'bd_public', 'bd_public', 'bd_public']);
});

test('data agent client does not wait for the body of a response that the host page has cloned', async () => {
  const { backend } = setup(() => {
    const response = jsonResponse({});
    response.clone();
    return response;
  });
  assert.equal(await backend.renameThread?.('C', 'x'), undefined);
});

test('data agent client sends the domain, the language and the headers of the host page', async () => {
  const headers = () => ({ 'x-tenant': 't', 'x-business-domain': 'other' });
  const options = { businessDomain: 'bd_7', language: 'zh-CN', headers };
  const { environment, list } = setup(() => jsonResponse(EMPTY), options);
  await list();
  const sent = environment.requests[0]?.headers;
  assert.deepEqual(
    ['x-business-domain', 'x-language', 'x-tenant'].map((name) => sent?.get(name)),
    ['bd_7', 'zh-CN', 't'],
  );
});

test('data agent client maps the language of the interface to the nearest one of the service for each request', async () => {
  let tag = '';
  const { environment, list } = setup(() => jsonResponse(EMPTY), { language: () => tag });
  const nearest = [
    ['de-AT', 'en-US'],
    ['en', 'en-US'],
    ['zh', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
  ] as const;
  for (const [language] of nearest) {
    tag = language;
    await list();
  }
  assert.deepEqual(
    environment.requests.map(({ headers }) => headers.get('x-language')),
    nearest.map(([, sent]) => sent),
  );
});

test('data agent client adds `Bearer` exactly once', async () => {
  for (const token of ['abc', 'Bearer abc', ' bearer Bearer abc ']) {
    const { environment, list } = setup(() => jsonResponse(EMPTY), { getToken: () => token });
    await list();
    assert.equal(environment.requests[0]?.headers.get('authorization'), 'Bearer abc');
  }
});

test('data agent client tries the other prefix after a 404, and uses it from then on', async () => {
  const { list, paths } = setup(({ url }) =>
    url.includes('/agent-app/') ? jsonResponse(EMPTY) : new Response('404', { status: 404 }),
  );
  await list();
  await list();
  assert.deepEqual(paths(), [FACTORY, APP, APP]);
});

test('data agent client repeats a request whose 404 comes after another request has confirmed the other prefix', async () => {
  const late = new Deferred<Response>();
  const firsts = [refuse(404, 'x'), late.promise];
  const { list, paths } = setup(({ url }) =>
    url.includes('/agent-app/') ? jsonResponse(EMPTY) : (firsts.shift() ?? refuse(500, 'x')),
  );
  const [first, second] = [list(), list()];
  const listed = await first;
  late.resolve(refuse(404, 'x'));
  assert.deepEqual(await second, listed);
  assert.deepEqual(paths(), [FACTORY, FACTORY, APP, APP]);
});

test('data agent client tries no other prefix after a 404 once its prefix is confirmed', async () => {
  let isKnown = true;
  const { list, paths } = setup(() => {
    const found = isKnown;
    isKnown = false;
    return found ? jsonResponse(EMPTY) : refuse(404, 'AgentAPP.NotFound');
  });
  await list();
  assert.equal((await errorOf(list())).code, 'not-found');
  assert.deepEqual(paths(), [FACTORY, FACTORY]);
});

test('data agent client keeps its prefix when the other one responds with 404 too', async () => {
  const { list, paths } = setup(() => new Response('404', { status: 404 }));
  assert.equal((await errorOf(list())).code, 'not-found');
  assert.equal((await errorOf(list())).code, 'not-found');
  assert.deepEqual(paths(), [FACTORY, APP, FACTORY, APP]);
});

test('data agent client rejects with the 404 of the service when a gateway responds to the first prefix with a web page', async () => {
  const page = { status: 404, headers: { 'content-type': 'text/html' } };
  const { backend } = setup(({ url }) =>
    url.includes('/agent-app/') ? refuse(404, 'x') : new Response('<html>', page),
  );
  assert.equal((await errorOf(backend.loadThread('C'))).code, 'not-found');
});

test('data agent client does not repeat a request with the other prefix after an error other than 404', async () => {
  const { list, paths } = setup(() => refuse(500, 'AgentAPP.InternalError'));
  assert.equal((await errorOf(list())).code, 'server');
  assert.deepEqual(paths(), [FACTORY]);
});

test('data agent client rejects with the error of the other prefix when that knows the request', async () => {
  const { list, paths } = setup(({ url }) =>
    url.includes('/agent-app/') ? refuse(500, 'x') : new Response('404', { status: 404 }),
  );
  assert.equal((await errorOf(list())).code, 'server');
  assert.equal((await errorOf(list())).code, 'server');
  assert.deepEqual(paths(), [FACTORY, APP, APP]);
});

test('data agent client keeps its prefix once the service has described an error other than 401 and 404', async () => {
  const statuses = [500, 404];
  const { list, paths } = setup(() => refuse(statuses.shift() ?? 500, 'x'));
  assert.equal((await errorOf(list())).code, 'server');
  assert.equal((await errorOf(list())).code, 'not-found');
  assert.deepEqual(paths(), [FACTORY, FACTORY]);
});

test('data agent client tries the other prefix when the request before a 404 had no response', async () => {
  let isOnline = false;
  const { list, paths } = setup(({ url }) => {
    if (!isOnline) throw new TypeError('The network is gone.');
    return url.includes('/agent-app/') ? jsonResponse(EMPTY) : new Response('404', { status: 404 });
  });
  assert.equal((await errorOf(list())).code, 'network');
  isOnline = true;
  await list();
  assert.deepEqual(paths(), [FACTORY, FACTORY, APP]);
});

// The last column is the number of requests with this response: after the 401, the request is repeated with a new token.
for (const [what, refusal, count] of [
  ['502', { status: 502 }, 1],
  ['429', { status: 429 }, 1],
  ['HTML instead of JSON', { status: 200, headers: { 'content-type': 'text/html' } }, 1],
  ['401 in the form of the service', 401, 2],
] as const) {
  test(`data agent client tries the other prefix when the request before a 404 was answered with ${what}`, async () => {
    let requests = 0;
    const respond: Respond = ({ url }) => {
      requests += 1;
      if (requests <= count)
        return typeof refusal === 'number' ? refuse(refusal, 'x') : new Response('<html>', refusal);
      return url.includes('/agent-app/') ? jsonResponse(EMPTY) : refuse(404, 'x');
    };
    const { list, paths } = setup(respond, { getToken: () => 'token' });
    await errorOf(list());
    await list();
    assert.deepEqual(paths(), [...Array<string>(count + 1).fill(FACTORY), APP]);
  });
}

test('data agent client sends no language by default', async () => {
  const { environment, list } = setup(() => jsonResponse(EMPTY));
  await list();
  assert.equal(environment.requests[0]?.headers.has('x-language'), false);
});

test('data agent client sends requests to the origin of the page by default', async () => {
  for (const options of [{}, { baseUrl: null }, { baseUrl: '' }, { baseUrl: '/' }]) {
    const { list, environment } = setup(() => jsonResponse(EMPTY), options);
    await list();
    assert.deepEqual(
      environment.requests.map(({ url }) => url.origin),
      ['https://page.test'],
    );
  }
});

test('data agent client reads the prefix and the base URL of the API from its options', async () => {
  const cases: [Partial<DataAgentBackendOptions>, string][] = [
    [{ prefix: '/api/agent-app/v1' }, APP],
    [{ baseUrl: '/adp/' }, `/adp${FACTORY}`],
    [{ baseUrl: '/adp/api/agent-app/v1' }, `/adp${APP}`],
    [{ baseUrl: null }, FACTORY],
  ];
  for (const [options, path] of cases) {
    const { list, paths } = setup(() => jsonResponse(EMPTY), options);
    await list();
    assert.deepEqual(paths(), [path]);
  }
});

test('data agent client requests one new token for all requests that are rejected at the same time, and repeats each once', async () => {
  const asked: TokenRequest['reason'][] = [];
  const getToken = ({ reason }: TokenRequest) => {
    asked.push(reason);
    return `t${String(asked.length)}`;
  };
  const { environment, list } = setup(
    ({ headers }) =>
      headers.get('authorization') === 'Bearer t1' ? refuse(401, 'x') : jsonResponse(EMPTY),
    { getToken },
  );
  await Promise.all([list(), list(), list()]);
  assert.deepEqual(asked, ['connect', 'rejected']);
  assert.equal(environment.requests.length, 6);
});

test('data agent client rejects with the error of the repeated request', async () => {
  let count = 0;
  const { list } = setup(() => refuse((count += 1) === 1 ? 401 : 503, 'x'), {
    getToken: () => 't',
  });
  assert.equal((await errorOf(list())).status, 503);
});

test('data agent client lets shouldRefreshToken decide which status means an expired token', async () => {
  const statuses = [440, 401];
  const { environment, list } = setup(() => refuse(statuses.shift() ?? 500, 'x'), {
    getToken: () => 't',
    shouldRefreshToken: (status) => status === 440,
  });
  assert.equal((await errorOf(list())).code, 'unauthorized');
  assert.equal(environment.requests.length, 2);
});

test('data agent client rejects with the error that the service describes', async () => {
  const { list } = setup(() => refuse(403, 'AgentAPP.Forbidden.PermissionDenied'));
  const error = await errorOf(list());
  assert.equal(error.code, 'forbidden');
  assert.equal(error.message, 'Refused.');
  assert.deepEqual(error.serviceError, {
    description: 'Refused.',
    advice: 'Try again.',
    code: 'AgentAPP.Forbidden.PermissionDenied',
  });
  const domain = setup(() => jsonResponse({ error: 'biz domain id is required' }, 400));
  const undescribed = await errorOf(domain.list());
  assert.equal(undescribed.message, 'biz domain id is required');
  assert.equal(undescribed.serviceError, undefined, 'this text is not meant for users');
});

test('createDataAgentBackend throws misuse without the key of an agent', () => {
  for (const agentId of ['', null]) {
    assert.throws(() => createDataAgentBackend({ agentId }), { code: 'misuse' });
  }
});
