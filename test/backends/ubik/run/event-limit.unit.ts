import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jsonResponse } from '../../../helpers/http-client.js';
import { onlyExhaustive } from '../../../helpers/sample.js';
import {
  eventsResponse,
  streamResponse,
  HELLO,
  KEYS,
  SESSION,
  setupSession,
  signal,
  textOf,
  type UbikSession,
} from '../support/ubik-session.js';

const END = { type: 'agent_processing_complete', content: '' };
const DRAFT = { text: 'Count', attachments: [] };
const chunk = (content: string, timestamp?: string) => ({
  type: 'response_chunk',
  content,
  ...(timestamp && { timestamp }),
});
const chunks = (count: number) => Array.from({ length: count }, (_, at) => chunk(`${at} `));
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at} `).join('');

/** A session whose n-th stream (the response to the POST is the first) has these events, and whose event log is limited to ten. */
function setup(...streams: readonly (readonly object[])[]): UbikSession {
  let opened = 0;
  return setupSession(
    ({ url, method }) => {
      if (method === 'GET' && !url.includes('/stream')) return jsonResponse({ items: [] });
      return eventsResponse(streams[opened++] ?? []);
    },
    { limits: { maxEvents: 10 } },
  );
}

const send = (session: UbikSession) =>
  session.read(session.backend.send(SESSION, DRAFT, KEYS, signal));
const rejoin = (session: UbikSession) =>
  session.read(session.backend.rejoin(SESSION, { id: 't1', keys: KEYS, otherRunIds: [] }, signal));
const codesOf = ({ diagnostics }: UbikSession) => diagnostics.map(({ code }) => code);

test('run over the limit of events is shown completely and ends, with one diagnostic', async () => {
  const session = setup([HELLO, ...chunks(50), END]);
  assert.equal(await send(session), null);
  assert.equal(textOf(session), numbers(50));
  assert.equal(session.thread.run.state, 'complete');
  assert.deepEqual(codesOf(session), ['too-many-events']);
});

test('run over the limit of event text is shown completely and ends', async () => {
  const session = setupSession(
    ({ method }) =>
      method === 'GET' ? jsonResponse({ items: [] }) : eventsResponse([HELLO, ...chunks(50), END]),
    { limits: { maxEventText: 100 } },
  );
  assert.equal(await send(session), null);
  assert.equal(textOf(session), numbers(50));
  assert.equal(session.thread.run.state, 'complete');
});

test('error over the limit of events ends the run', async () => {
  const session = setup([HELLO, ...chunks(50), { type: 'agent_processing_error', error: 'Oh' }]);
  assert.equal(await send(session), null);
  assert.deepEqual([session.thread.run.state, session.answer.failure?.message], ['failed', 'Oh']);
});

test('request over the limit of events is pending', async () => {
  const session = setup([
    HELLO,
    ...chunks(50),
    { type: 'input_required', prompt: 'Go on?', checkpoint_name: 'c', input_types: ['text'] },
  ]);
  assert.equal(await send(session), null);
  assert.equal(session.thread.run.state, 'waiting');
});

test('full content over the limit of events replaces the shown content', async () => {
  const session = setup([HELLO, ...chunks(50), { ...END, content: 'All of it' }]);
  await send(session);
  assert.equal(textOf(session), 'All of it');
});

test('replays over the limit of events show each event once', async () => {
  const session = setup(
    [HELLO, ...chunks(30)],
    [HELLO, ...chunks(20)],
    [HELLO, ...chunks(50), END],
  );
  assert.equal((await send(session))?.code, 'interrupted');
  assert.equal(textOf(session), numbers(30));
  assert.equal((await rejoin(session))?.code, 'interrupted');
  assert.equal(textOf(session), numbers(30));
  assert.equal(await rejoin(session), null);
  assert.equal(textOf(session), numbers(50));
  assert.deepEqual(codesOf(session), ['too-many-events']);
});

test('replay with other chunk boundaries over the limit of events replaces the content when it is as long', async () => {
  const pieces = Array.from({ length: 25 }, (_, at) => chunk(`${2 * at} ${2 * at + 1} `));
  const session = setup([HELLO, ...chunks(30)], [HELLO, ...pieces, END]);
  await send(session);
  assert.equal(await rejoin(session), null);
  assert.equal(textOf(session), numbers(50));
});

test('late events are sorted before the limit of events is exceeded', async () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  const late = Array.from({ length: 9 }, (_, index) => chunk(`${index} `, at(20 - index)));
  const session = setup([HELLO, ...late, chunk('9 ', at(30)), chunk('10 ', at(1)), END]);
  await send(session);
  assert.equal(textOf(session), '8 7 6 5 4 3 2 1 0 9 10 ');
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Runs of many events. `warm` is the number of events after which the event log is full. */
const LONG_RUNS = [
  {
    name: 'thirty times the limit of events',
    length: 120_000,
    warm: 20_000,
    limits: { maxEvents: 4_000, maxMessageText: 50_000 },
    options: {},
  },
  {
    name: 'a million events',
    length: 1_000_000,
    warm: 300_000,
    limits: {},
    options: onlyExhaustive,
  },
];

for (const { name, length, warm, limits, options } of LONG_RUNS)
  test(`run of ${name} ends on one connection without using more memory`, options, async () => {
    const encoder = new TextEncoder();
    const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
    const heapGrowth: number[] = [];
    let at = 0;
    let streams = 0;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      // Compiled code is part of the heap, so the first measurement comes when all of it has run many times.
      if (at === warm || at === length) {
        collectGarbage();
        heapGrowth.push(process.memoryUsage().heapUsed - before);
      }
      if (at === length) {
        controller.enqueue(encoder.encode(line({ ...END, content: 'Done' })));
        return controller.close();
      }
      const piece = Array.from({ length: 1000 }, (_, index) => line(chunk(`${at + index}\n`)));
      controller.enqueue(encoder.encode((at === 0 ? line(HELLO) : '') + piece.join('')));
      at += 1000;
    };
    const session = setupSession(
      ({ url, method }) => {
        if (method === 'GET' && !url.includes('/stream')) return jsonResponse({ items: [] });
        streams += 1;
        return streamResponse(new ReadableStream({ pull }, { highWaterMark: 0 }));
      },
      { limits },
    );
    const stream = session.backend.send(SESSION, DRAFT, KEYS, signal);
    const error = await session.read(stream, () => (session.batches.length = 0));
    assert.equal(error, null);
    assert.equal(session.thread.run.state, 'complete');
    assert.equal(textOf(session), 'Done');
    assert.equal(streams, 1);
    const [few = 0, many = Infinity] = heapGrowth;
    assert.ok(many < 2 * few, `${many / 1e6} MB over ${few / 1e6} MB`);
  });
