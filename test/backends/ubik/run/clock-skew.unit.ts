import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlledStream } from '../../../helpers/controlled-stream.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  streamResponse,
  HELLO,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  signal,
  type UbikSession,
} from '../support/ubik-session.js';

const TIMEOUT = 300_000;
const HOUR = 3_600_000;
const SKEWS: readonly (readonly [name: string, skew: number])[] = [
  ['10 minutes ahead', 600_000],
  ['an hour behind', -HOUR],
];

/** A tool that requests input at this time of the service. `timeout` is in seconds. */
const createRequestAt = (time: number, timeout: number | null = 300): readonly object[] => {
  const tool = {
    tool_execution_id: 'x1',
    tool_name: 'ask',
    timestamp: new Date(time).toISOString(),
  };
  return [
    HELLO,
    { type: 'tool_input_required', ...tool, prompt: 'Which?', input_types: ['text'], timeout },
  ];
};

/** A session with a service that streams these events with these headers. */
function setup(events: readonly object[], headers: Readonly<Record<string, string>> = {}) {
  return setupSession(({ method, url }) => {
    const isStream = method === 'POST' || url.includes('/stream');
    if (!isStream) return jsonResponse({ id: 'x1', status: 'waiting_for_input', items: [] });
    const response = streamResponse(printEvents(events));
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  });
}

const deadlineOf = ({ answer }: UbikSession) => {
  const part = answer.parts.get('@request:tool:x1');
  return part?.kind === 'request-activity' ? part.deadline : undefined;
};
const send = ({ backend, read }: UbikSession) =>
  read(backend.send(SESSION, { text: 'Go', attachments: [] }, KEYS, signal));
const rejoin = ({ backend, read }: UbikSession) =>
  read(backend.rejoin(SESSION, { id: 't1', keys: KEYS, otherRunIds: [] }, signal));

for (const [name, skew] of SKEWS) {
  test(`deadline of a new request allows the whole timeout when the local clock is ${name}`, async () => {
    const time = Date.UTC(2026, 0, 1);
    const session = setup(createRequestAt(time));
    session.environment.jump(skew);
    await send(session);
    assert.equal(deadlineOf(session), time + skew + TIMEOUT);
  });

  test(`deadline of a request in a rejoined run allows the rest of the timeout when the local clock is ${name}`, async () => {
    const now = Date.UTC(2026, 0, 1, 12);
    const asked = now - 60_000;
    const session = setup(createRequestAt(asked), { date: new Date(now).toUTCString() });
    session.environment.jump(now + skew - session.environment.now());
    await rejoin(session);
    assert.equal(deadlineOf(session), asked + skew + TIMEOUT);
  });
}

test('clock skew is not inferred from the age of events in a rejoined run', async () => {
  const session = setup(createRequestAt(Date.UTC(2026, 0, 1)));
  session.environment.jump(HOUR);
  await rejoin(session);
  assert.equal(deadlineOf(session), Date.UTC(2026, 0, 1) + TIMEOUT);
});

test('clock skew is inferred from the event with the shortest delay', async () => {
  const time = Date.UTC(2026, 0, 1);
  const early = { type: 'response_chunk', content: 'Hm.', timestamp: new Date(time - HOUR) };
  const session = setup([HELLO, early, ...createRequestAt(time).slice(1)]);
  session.environment.jump(60_000);
  await send(session);
  assert.equal(deadlineOf(session), time + 60_000 + TIMEOUT);
});

test('deadline of a new request allows the whole timeout when the local clock is set forward during the run', async () => {
  const time = Date.UTC(2026, 0, 1);
  const { stream, push } = createControlledStream();
  const session = setupSession(({ method }) =>
    method === 'POST' ? streamResponse(stream) : jsonResponse({ items: [] }),
  );
  const { environment } = session;
  const start = { type: 'response_chunk', content: 'Hm.', timestamp: new Date(time) };
  const ask = createRequestAt(time + 1_000).slice(1);
  environment.jump(time - environment.now());
  const reading = send(session);
  push(printEvents([HELLO, start]));
  await environment.settle();
  environment.jump(HOUR);
  push(printEvents([...ask, { type: 'agent_processing_error', error: 'No.' }]));
  await reading;
  assert.equal(deadlineOf(session), time + HOUR + TIMEOUT);
});

test('a request without a timeout has no deadline when the local clock is ahead', async () => {
  const session = setup(createRequestAt(Date.UTC(2026, 0, 1), null));
  session.environment.jump(HOUR);
  await send(session);
  assert.equal(deadlineOf(session), null);
});
