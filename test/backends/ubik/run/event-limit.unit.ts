import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  eventsAnswer,
  eventsResponse,
  HELLO,
  jsonResponse,
  KEYS,
  SESSION,
  setupSession,
  signal,
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

/** A session whose n-th stream (the answer to the POST is the first) brings these events, and whose log takes ten. */
function setup(...streams: readonly (readonly object[])[]): UbikSession {
  let opened = 0;
  return setupSession(
    ({ url, method }) => {
      if (method === 'GET' && !url.includes('/stream')) return jsonResponse({ items: [] });
      return eventsAnswer(streams[opened++] ?? []);
    },
    { limits: { events: 10 } },
  );
}

const send = (session: UbikSession) =>
  session.read(session.backend.send(SESSION, DRAFT, KEYS, signal));
const rejoin = (session: UbikSession) =>
  session.read(session.backend.rejoin(SESSION, { id: 't1', keys: KEYS, finishedRuns: [] }, signal));
const textOf = ({ answer }: UbikSession) =>
  answer.parts
    .children(null)
    .map((key) => answer.parts.get(key)?.text?.read() ?? '')
    .join('');
const codesOf = ({ diagnostics }: UbikSession) => diagnostics.map(({ code }) => code);

test('a run past the bound of its events is shown whole and ends, with one diagnostic', async () => {
  const session = setup([HELLO, ...chunks(50), END]);
  assert.equal(await send(session), null);
  assert.equal(textOf(session), numbers(50));
  assert.equal(session.thread.run.state, 'complete');
  assert.deepEqual(codesOf(session), ['too-many-events']);
});

test('a run past the bound of what its events hold ends too', async () => {
  const session = setupSession(
    ({ method }) =>
      method === 'GET' ? jsonResponse({ items: [] }) : eventsAnswer([HELLO, ...chunks(50), END]),
    { limits: { eventText: 100 } },
  );
  assert.equal(await send(session), null);
  assert.equal(textOf(session), numbers(50));
  assert.equal(session.thread.run.state, 'complete');
});

test('an error past the bound ends the run', async () => {
  const session = setup([HELLO, ...chunks(50), { type: 'agent_processing_error', error: 'Oh' }]);
  assert.equal(await send(session), null);
  assert.deepEqual([session.thread.run.state, session.answer.failure?.message], ['failed', 'Oh']);
});

test('a question past the bound is asked', async () => {
  const session = setup([
    HELLO,
    ...chunks(50),
    { type: 'input_required', prompt: 'Go on?', checkpoint_name: 'c', input_types: ['text'] },
  ]);
  assert.equal(await send(session), null);
  assert.equal(session.thread.run.state, 'waiting');
});

test('a full content past the bound replaces what was shown', async () => {
  const session = setup([HELLO, ...chunks(50), { ...END, content: 'All of it' }]);
  await send(session);
  assert.equal(textOf(session), 'All of it');
});

test('replays past the bound show each event once', async () => {
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

test('a replay in other pieces past the bound is swapped in when it is as long', async () => {
  const pieces = Array.from({ length: 25 }, (_, at) => chunk(`${2 * at} ${2 * at + 1} `));
  const session = setup([HELLO, ...chunks(30)], [HELLO, ...pieces, END]);
  await send(session);
  assert.equal(await rejoin(session), null);
  assert.equal(textOf(session), numbers(50));
});

test('what waits to be put in order is put in order before the bound is passed', async () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  const late = Array.from({ length: 8 }, (_, index) => chunk(`${index} `, at(20 - index)));
  const session = setup([HELLO, ...late, chunk('8 ', at(30)), chunk('9 ', at(1)), END]);
  await send(session);
  assert.equal(textOf(session), '7 6 5 4 3 2 1 0 8 9 ');
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('a run of fifty times the events of its log ends in one connection, and holds no more for it', async () => {
  const LENGTH = 200_000;
  const encoder = new TextEncoder();
  const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
  const held: number[] = [];
  let at = 0;
  let streams = 0;
  collect();
  const before = process.memoryUsage().heapUsed;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (at === 5_000 || at === LENGTH) {
      collect();
      held.push(process.memoryUsage().heapUsed - before);
    }
    if (at === LENGTH) {
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
      return eventsResponse(new ReadableStream({ pull }, { highWaterMark: 0 }));
    },
    { limits: { events: 4_000, messageText: 50_000 } },
  );
  const stream = session.backend.send(SESSION, DRAFT, KEYS, signal);
  const broken = await session.read(stream, () => (session.batches.length = 0));
  assert.equal(broken, null);
  assert.equal(session.thread.run.state, 'complete');
  assert.equal(textOf(session), 'Done');
  assert.equal(streams, 1);
  const [few = 0, many = Infinity] = held;
  assert.ok(many < 2 * few, `${many / 1e6} MB over ${few / 1e6} MB`);
});
