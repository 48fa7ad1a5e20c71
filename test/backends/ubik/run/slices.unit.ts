import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlledStream } from '../../../helpers/controlled-stream.js';
import type { Respond } from '../../../helpers/test-environment.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  streamResponse,
  HELLO,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  type UbikSession,
} from '../support/ubik-session.js';

const DRAFT = { text: 'Go', attachments: [] };
const END = { type: 'agent_processing_complete', content: '' };

/** Answers a POST with this stream. */
const streamBody =
  (body: BodyInit): Respond =>
  ({ method }) =>
    method === 'POST' ? streamResponse(body) : jsonResponse({ items: [] });

/** Sends a message and reads its run to the end. */
const sendMessage = (session: UbikSession) =>
  session.read(session.backend.send(SESSION, DRAFT, KEYS, new AbortController().signal));

function chunk(content: string, second: number): object {
  const timestamp = `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  return { type: 'response_chunk', content, timestamp };
}

test('run processes 20,000 events of one piece in slices', async () => {
  const chunks = Array.from({ length: 20_000 }, () => ({ type: 'response_chunk', content: 'a ' }));
  const body = printEvents([HELLO, ...chunks, END]);
  const session = setupSession(streamBody(body));
  // Each call advances the clock by 0.1 ms, so that a slice of 8 ms has about 80 events.
  let now = 0;
  session.environment.monotonic = () => (now += 0.1);
  await sendMessage(session);
  assert.ok(session.environment.pauses > 200, `${session.environment.pauses} pauses`);
  const parts = session.batches.flatMap(({ changes }) => changes);
  const largest = Math.max(
    ...parts.map((change) => (change.type === 'text' ? change.text.length : 0)),
  );
  assert.ok(largest <= 400, `${largest} units in one slice`);
});

test('run processes many buffered pieces in slices', async () => {
  const pieces = Array.from({ length: 1000 }, () => ({ type: 'response_chunk', content: 'a ' }));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const encoder = new TextEncoder();
      for (const event of [HELLO, ...pieces, END]) {
        controller.enqueue(encoder.encode(printEvents([event])));
      }
      controller.close();
    },
  });
  const session = setupSession(streamBody(body));
  // Each call advances the clock.
  let now = 0;
  session.environment.monotonic = () => (now += 0.1);
  await sendMessage(session);
  assert.ok(session.environment.pauses > 10, `${session.environment.pauses} pauses`);
});

test('run emits an empty batch at most once a second for bytes that change nothing', async () => {
  const stream = createControlledStream();
  const session = setupSession(() => streamResponse(stream.stream));
  const { environment, batches } = session;
  const reading = sendMessage(session);
  stream.push(printEvents([HELLO]));
  await environment.settle();
  const before = batches.length;
  for (let count = 0; count < 30; count += 1) {
    stream.push(': beat\n\n');
    await environment.advance(100);
  }
  const empty = batches.slice(before).filter(({ changes }) => changes.length === 0);
  assert.ok(empty.length >= 2 && empty.length <= 3, `${empty.length} empty batches`);
  stream.fail();
  await reading;
});

test('run sorts late events at most once in 250 ms, even while the service is silent', async () => {
  const stream = createControlledStream();
  const session = setupSession(() => streamResponse(stream.stream));
  const { environment } = session;
  const text = (): string => session.answer.parts.get('/0:text')?.text?.read() ?? '';
  const reading = sendMessage(session);
  stream.push(printEvents([HELLO, chunk('one ', 1), chunk('three', 3)]));
  await environment.settle();
  stream.push(printEvents([chunk('two ', 2)]));
  await environment.settle();
  assert.equal(text(), 'one two three');
  stream.push(printEvents([chunk('zero ', 0)]));
  await environment.settle();
  assert.equal(text(), 'one two three', 'too soon after the last time');
  await environment.advance(250);
  assert.equal(text(), 'zero one two three');
  assert.ok(session.diagnostics.every(({ code }) => code === 'late-event'));
  stream.fail();
  await reading;
});

test('run sorts late events before it rejects', async () => {
  const stream = createControlledStream();
  const session = setupSession(() => streamResponse(stream.stream));
  const reading = sendMessage(session);
  stream.push(printEvents([HELLO, chunk('b', 2), chunk('a', 1), chunk('c', 3), chunk('0', 0)]));
  await session.environment.settle();
  stream.push(printEvents([chunk('-', 0)]));
  await session.environment.settle();
  stream.fail();
  assert.equal((await reading)?.code, 'network');
  assert.equal(session.answer.parts.get('/0:text')?.text?.read(), '0-abc');
});

test('breaking out of the iteration closes the stream and sends no stop request', async () => {
  const stream = createControlledStream();
  const session = setupSession(() => streamResponse(stream.stream));
  stream.push(printEvents([HELLO, chunk('one', 1)]));
  for await (const batch of session.backend.send(
    SESSION,
    DRAFT,
    KEYS,
    new AbortController().signal,
  )) {
    if (batch.changes.some((change) => change.type === 'text')) break;
  }
  await session.environment.settle();
  assert.notEqual(stream.cancelled, null);
  assert.equal(session.environment.requests.length, 1);
});

test('run closes its stream at the end event when the service keeps it open', async () => {
  const stream = createControlledStream();
  const session = setupSession(streamBody(stream.stream));
  stream.push(printEvents([HELLO, chunk('one', 1), END]));
  await sendMessage(session);
  assert.notEqual(stream.cancelled, null);
});

test('run drops text over the limit of a message with a diagnostic, and continues', async () => {
  const body = printEvents([HELLO, chunk('x'.repeat(60), 1), chunk('y'.repeat(60), 2), END]);
  const session = setupSession(streamBody(body), { limits: { maxMessageText: 100 } });
  await sendMessage(session);
  assert.equal(session.answer.parts.get('/0:text')?.text?.length, 60);
  assert.deepEqual(
    session.diagnostics.map(({ code }) => code),
    ['message-too-large'],
  );
  assert.equal(session.answer.status, 'complete');
});

test('withheld text and tool output count toward the limit of a message', async () => {
  const output = { tool_execution_id: 'a', tool_name: 'find', data: { content: 'x'.repeat(60) } };
  for (const event of [
    { type: 'response_chunk', content: `<<TOOL_STEP_RESULT_START>>"${'x'.repeat(60)}` },
    { type: 'tool_partial_update', ...output },
  ]) {
    const body = printEvents([HELLO, event, event, event, END]);
    const session = setupSession(streamBody(body), { limits: { maxMessageText: 100 } });
    await sendMessage(session);
    assert.deepEqual(
      session.diagnostics.map(({ code }) => code),
      ['message-too-large'],
    );
  }
});

test('full content counts toward the limit of event text until the next one arrives', async () => {
  const contents = Array.from({ length: 50 }, (_, index) => ({
    type: 'agent_response_update',
    content: `${index} `.padEnd(1000, 'x'),
  }));
  const chunks = Array.from({ length: 9 }, () => chunk('y'.repeat(1000), 1));
  for (const [events, codes] of [
    [contents, []],
    [
      [...contents, ...chunks],
      ['message-too-large', 'too-many-events'],
    ],
  ] as const) {
    const body = printEvents([HELLO, ...events]);
    const session = setupSession(streamBody(body), {
      limits: { maxEventText: 8000, maxMessageText: 2500 },
    });
    await sendMessage(session);
    const text = session.answer.parts.get('/0:text')?.text?.read() ?? '';
    assert.ok(text.startsWith('49 '));
    assert.deepEqual(
      session.diagnostics.map(({ code }) => code),
      codes,
    );
  }
});
