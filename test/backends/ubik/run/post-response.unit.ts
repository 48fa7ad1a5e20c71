import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunStream } from '../../../../src/backends/backend.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  eventsResponse,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  textOf,
  type UbikSession,
} from '../support/ubik-session.js';

const DRAFT = { text: 'Weather?', attachments: [] };
const EVENTS = [
  { type: 'connection_established', task_id: 't1' },
  { type: 'response_chunk', content: 'Rain.' },
  { type: 'agent_processing_complete', message_id: 'm2', content: '' },
];
const ANSWER = {
  id: 'm2',
  role: 'assistant',
  content: 'Rain.',
  created_at: '2026-01-01T00:00:00Z',
};
const QUESTION = {
  id: 'm1',
  role: 'user',
  content: 'Weather?',
  created_at: '2026-01-01T00:00:00Z',
};

/** A session with a service that has a response to the POST, a stream to GET, and two messages. */
function setupService(
  post: () => Response,
  stream: () => Response = () => eventsResponse(EVENTS),
  messages: readonly object[] = [QUESTION, { ...ANSWER, parent_id: 'm1', sibling_ids: ['m3'] }],
): UbikSession & { send: () => RunStream } {
  const session = setupSession((request) => {
    if (request.method === 'POST') return post();
    if (new URL(request.url).pathname.endsWith('/stream')) return stream();
    return jsonResponse({ id: SESSION, items: messages, active_head_id: null });
  });
  const send = (): RunStream =>
    session.backend.send(SESSION, DRAFT, KEYS, new AbortController().signal);
  return Object.assign(Object.create(session) as UbikSession, { send });
}

function sent(session: UbikSession): string[] {
  return session.environment.requests.map(
    ({ method, url }) =>
      `${method} ${url.pathname.replace('/v1/agent-sessions/s1', '')}${url.search}`,
  );
}

test('send reads the events in the response to the POST', async () => {
  const session = setupService(() => eventsResponse(EVENTS));
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
  assert.deepEqual(sent(session), ['POST /messages', 'GET /messages']);
});

test('send opens the stream of the task that a JSON response names', async () => {
  const session = setupService(() => jsonResponse({ ...QUESTION, task_id: 't1' }));
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
  assert.deepEqual(sent(session), ['POST /messages', 'GET /stream?task_id=t1', 'GET /messages']);
  assert.equal(session.thread.messages.get('u')?.id, 'm1');
});

test('send shows a complete answer in a JSON response', async () => {
  const session = setupService(() => jsonResponse(ANSWER));
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
  assert.equal(session.answer.status, 'complete');
  assert.equal(session.thread.run.state, 'complete');
  assert.deepEqual(sent(session), ['POST /messages']);
});

test("send opens the newest stream when the JSON response is the user's message only", async () => {
  const session = setupService(() => jsonResponse(QUESTION));
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
  assert.deepEqual(sent(session), ['POST /messages', 'GET /stream', 'GET /messages']);
});

test('send loads the messages when there is no stream', async () => {
  const session = setupService(
    () => jsonResponse(QUESTION),
    () => jsonResponse({ detail: 'none' }, 404),
  );
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
  assert.equal(session.answer.id, 'm2');
});

for (const isKnown of [false, true]) {
  test(`send ${isKnown ? 'does not report' : 'reports'} the id of ${isKnown ? 'a known' : 'the new'} message in a JSON response`, async () => {
    const none = () => jsonResponse({ detail: 'none' }, 404);
    const session = setupService(() => jsonResponse(QUESTION), none, [QUESTION]);
    if (isKnown) await session.backend.loadThread(SESSION);
    assert.equal((await session.read(session.send()))?.code, 'not-found');
    assert.equal(session.thread.messages.get('u')?.id, isKnown ? null : 'm1');
  });
}

test('send distinguishes events from JSON by the first bytes of a text/plain response', async () => {
  const plain = { headers: { 'content-type': 'text/plain' } };
  const events = setupService(() => new Response(`: hi\n\n${printEvents(EVENTS)}`, plain));
  assert.equal(await events.read(events.send()), null);
  assert.equal(textOf(events), 'Rain.');
  const json = setupService(() => new Response(JSON.stringify(ANSWER), plain));
  assert.equal(await json.read(json.send()), null);
  assert.equal(textOf(json), 'Rain.');
});

test('send does not request a stream URL outside the base URL', async () => {
  for (const url of ['https://evil.test/agent-sessions/s1/stream?task_id=t1', '/logout']) {
    const session = setupService(() => jsonResponse({ ...QUESTION, stream_url: url }));
    assert.equal(await session.read(session.send()), null);
    const { requests } = session.environment;
    assert.ok(requests.every(({ url: { href } }) => href.startsWith('https://api.test/v1/')));
    assert.equal(textOf(session), 'Rain.');
  }
});

test('send requests the stream URL of the response when no task is named', async () => {
  const url = 'https://api.test/v1/agent-sessions/s1/stream?task_id=t1';
  const session = setupService(() => jsonResponse({ ...QUESTION, stream_url: url }));
  assert.equal(await session.read(session.send()), null);
  assert.equal(sent(session)[1], 'GET /stream?task_id=t1');
});

test('send opens the stream that a JSON response names, although the response is no message', async () => {
  const task = setupService(() => jsonResponse({ task_id: 't1', stream_url: null }));
  assert.equal(await task.read(task.send()), null);
  assert.equal(sent(task)[1], 'GET /stream?task_id=t1');
  const url = 'https://api.test/v1/agent-sessions/s1/stream?task_id=t9';
  const stream = setupService(() => jsonResponse({ stream_url: url }));
  await stream.read(stream.send());
  assert.equal(sent(stream)[1], 'GET /stream?task_id=t9');
});

test('send shows the stored answer when the response is no message, unless it is known to be an earlier one', async () => {
  const none = () => jsonResponse({ detail: 'none' }, 404);
  const session = setupService(() => jsonResponse({}), none);
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
  session.backend.releaseRun(SESSION, { id: null, keys: KEYS, otherRunIds: [] });
  assert.equal((await session.read(session.send()))?.code, 'not-found');
});

test('send rejects with not-sent when the newest stream replays an earlier task', async () => {
  const session = setupService(() => jsonResponse(QUESTION));
  await session.read(session.send());
  session.backend.releaseRun(SESSION, { id: 't1', keys: KEYS, otherRunIds: [] });
  const error = await session.read(session.send());
  assert.equal(error?.code, 'not-sent');
});

test('send rejects with not-sent when the newest stream replays a task that another tab has read', async () => {
  const session = setupService(() => jsonResponse(QUESTION));
  session.backend.releaseRun(SESSION, { id: 't1', keys: KEYS, otherRunIds: [] });
  const error = await session.read(session.send());
  assert.equal(error?.code, 'not-sent');
  assert.equal(textOf(session), '');
});

for (const type of ['agent_processing_started', 'response_stream_start']) {
  const replay = () =>
    eventsResponse([
      { type: 'connection_established', task_id: 'None' },
      { type, task_id: 't1', message_id: 'm2' },
      ...EVENTS.slice(1),
    ]);

  test(`rejoin rejects with not-sent when only ${type} names a finished task`, async () => {
    const session = setupService(() => jsonResponse(QUESTION), replay);
    const run = { id: null, keys: KEYS, otherRunIds: ['t1'] };
    const { signal } = new AbortController();
    const error = await session.read(session.backend.rejoin(SESSION, run, signal));
    assert.equal(error?.code, 'not-sent');
    const changes = session.batches.flatMap((batch) => batch.changes);
    assert.ok(changes.every((change) => change.type !== 'text' && change.type !== 'part'));
  });

  test(`send rejects as interrupted when only ${type} names another task`, async () => {
    const session = setupService(() => jsonResponse({ ...QUESTION, task_id: 't9' }), replay);
    const error = await session.read(session.send());
    assert.equal(error?.code, 'interrupted');
    assert.equal(textOf(session), '');
  });
}

test('send accepts the start of another task in the stream of its own task', async () => {
  const started = { type: 'agent_processing_started', task_id: 't5' };
  const session = setupService(() =>
    eventsResponse([EVENTS[0] ?? {}, started, ...EVENTS.slice(1)]),
  );
  assert.equal(await session.read(session.send()), null);
  assert.equal(textOf(session), 'Rain.');
});

test('send rejects with not-an-api when the response is an HTML page', async () => {
  const page = { headers: { 'content-type': 'text/html' } };
  const session = setupService(() => new Response('<!doctype html><p>Hi', page));
  const error = await session.read(session.send());
  assert.equal(error?.code, 'not-an-api');
});

test('send emits the ids of both messages before the end of the run', async () => {
  const session = setupService(() => eventsResponse(EVENTS));
  await session.read(session.send());
  assert.equal(session.answer.id, 'm2');
  assert.deepEqual([...session.answer.siblingIds].sort(), ['m2', 'm3']);
  assert.equal(session.thread.messages.get('u')?.id, 'm1');
  const ends = session.batches.map(({ changes }) =>
    changes.some((change) => change.type === 'thread' && change.set.run?.state === 'complete'),
  );
  assert.equal(ends.indexOf(true), session.batches.length - 1);
});

const FAILURES: readonly [status: string, respond: () => Response, code: string][] = [
  ['400', () => jsonResponse({ detail: 'No.' }, 400), 'bad-request'],
  ['403', () => jsonResponse({ detail: 'No.' }, 403), 'forbidden'],
  ['404', () => jsonResponse({ detail: 'No.' }, 404), 'not-found'],
  ['409', () => jsonResponse({ detail: 'Busy.' }, 409), 'busy'],
  ['413', () => new Response('<html>', { status: 413 }), 'too-large'],
  [
    '422',
    () => jsonResponse({ detail: [{ loc: ['body', 'content'], msg: 'x', type: 'y' }] }, 422),
    'invalid',
  ],
  ['429', () => jsonResponse({ detail: 'Slow.' }, 429), 'rate-limited'],
  ['503', () => jsonResponse({ detail: 'Down.' }, 503), 'server'],
];

for (const [status, respond, code] of FAILURES) {
  test(`send does not retry a POST with the status ${status}`, async () => {
    const session = setupService(respond);
    const error = await session.read(session.send());
    assert.equal(error?.code, code);
    assert.deepEqual(sent(session), ['POST /messages']);
  });
}

test('send does not retry a POST without a response', async () => {
  const session = setupService(() => {
    throw new TypeError('no network');
  });
  assert.equal((await session.read(session.send()))?.code, 'network');
  assert.deepEqual(sent(session), ['POST /messages']);
});

test('send rejects as interrupted when the stream ends early, and rejoin continues by GET', async () => {
  const session = setupService(() => eventsResponse(EVENTS.slice(0, 1)));
  const error = await session.read(session.send());
  assert.equal(error?.code, 'interrupted');
  assert.equal(session.thread.run.id, 't1');
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  assert.equal(
    await session.read(session.backend.rejoin(SESSION, run, new AbortController().signal)),
    null,
  );
  assert.equal(textOf(session), 'Rain.');
  assert.equal(session.environment.requests.filter(({ method }) => method === 'POST').length, 1);
});

test('rejoin of an ended run emits its end without a request', async () => {
  const session = setupService(() => eventsResponse(EVENTS));
  await session.read(session.send());
  const before = session.environment.requests.length;
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  await session.read(session.backend.rejoin(SESSION, run, new AbortController().signal));
  assert.equal(session.environment.requests.length, before);
  assert.equal(session.thread.run.state, 'complete');
});

/** A service that lists these messages, and answers a question with these events and a text. */
const setupListed = (items: readonly object[], events: readonly object[] = []) =>
  setupSession(({ method, url }) => {
    if (method === 'GET') return jsonResponse(url.endsWith('/messages') ? { items } : { id: 's1' });
    return eventsResponse([
      ...events,
      { type: 'response_chunk', content: 'Rain.' },
      { type: 'agent_processing_complete', content: '' },
    ]);
  });

test('send does not use the id of an older answer when the list of messages is outdated', async () => {
  const items = [QUESTION, { ...ANSWER, id: 'm0', content: 'Old.', parent_id: 'm1' }];
  const session = setupListed(items);
  await session.backend.loadThread(SESSION);
  const { signal } = new AbortController();
  assert.equal(await session.read(session.backend.send(SESSION, DRAFT, KEYS, signal)), null);
  assert.equal(session.answer.id, null);
});

test("send does not use the id of another client's answer", async () => {
  const items = [QUESTION, { ...ANSWER, id: 'm9', task_id: 't9', parent_id: 'm1' }];
  const session = setupListed(items, [{ type: 'connection_established', task_id: 't1' }]);
  const { signal } = new AbortController();
  assert.equal(await session.read(session.backend.send(SESSION, DRAFT, KEYS, signal)), null);
  assert.deepEqual([session.answer.runId, session.answer.id], ['t1', null]);
});

test('send emits no empty batch for a complete JSON response', async () => {
  const session = setupService(() => jsonResponse(ANSWER));
  await session.read(session.send());
  assert.ok(session.batches.length > 0);
  assert.deepEqual(
    session.batches.filter(({ changes }) => changes.length === 0),
    [],
  );
});
