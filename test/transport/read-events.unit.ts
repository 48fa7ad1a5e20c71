import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readEventChunks,
  readServerSentEvents,
  type ReadEventsOptions,
} from '../../src/transport/sse.js';
import { createControlledStream, createStreamOf } from '../helpers/controlled-stream.js';

async function readAll(chunks: readonly (string | Uint8Array)[], options?: ReadEventsOptions) {
  const data: string[] = [];
  for await (const event of readServerSentEvents(createStreamOf(chunks), options))
    data.push(event.data);
  return data;
}

test('readServerSentEvents yields events in order across chunks', async () => {
  assert.deepEqual(await readAll(['data: a\n\nda', 'ta: b\n', '\n', 'data: c']), ['a', 'b']);
});

test('readServerSentEvents yields an unfinished event block at the end of the stream with flushAtEnd', async () => {
  const options = { flushAtEnd: true };
  assert.deepEqual(await readAll(['data: a\n\nda', 'ta: b'], options), ['a', 'b']);
  assert.deepEqual(await readAll(['data: a\ndata: b\r'], options), ['a\nb']);
  assert.deepEqual(await readAll(['data: a\n\n'], options), ['a']);
  assert.deepEqual(await readAll([], options), []);
});

test('readServerSentEvents reads an empty stream', async () => {
  assert.deepEqual(await readAll([]), []);
});

test('readServerSentEvents yields an event before the next bytes arrive', async () => {
  const { stream, push } = createControlledStream();
  const events = readServerSentEvents(stream);
  push('data: a\n\n');
  assert.equal((await events.next()).value?.data, 'a');
});

test('readEventChunks yields an array for each arrival, which is empty for bytes that complete no event', async () => {
  const { stream, push } = createControlledStream();
  const chunks = readEventChunks(stream);
  const sizes: (number | undefined)[] = [];
  for (const pieces of [[':\n'], ['data: a\n'], ['\n'], ['data: b\n\nda', 'ta: c\n', '\n']]) {
    pieces.forEach(push);
    const { value } = await chunks.next();
    sizes.push(value?.length);
  }
  assert.deepEqual(sizes, [0, 0, 1, 2]);
});

test('readEventChunks yields the events before a failure that has already arrived', async () => {
  const { stream, push, fail } = createControlledStream();
  const chunks = readEventChunks(stream);
  push('data: a\n\n');
  const first = chunks.next();
  fail();
  assert.equal((await first).value?.[0]?.data, 'a');
  await assert.rejects(chunks.next(), { code: 'network' });
});

test('readEventChunks parses what arrives while it pauses together, and pauses once for each array', async () => {
  const { stream, push, close } = createControlledStream();
  const resumes: (() => void)[] = [];
  const chunks = readEventChunks(stream, {
    pause: () => new Promise((resolve) => resumes.push(resolve)),
  });
  push('data: a\n\n');
  const first = chunks.next();
  while (resumes.length === 0) await Promise.resolve();
  for (const name of 'bcd') push(`data: ${name}\n\n`);
  resumes[0]?.();
  assert.deepEqual(
    (await first).value?.map(({ data }) => data),
    ['a', 'b', 'c', 'd'],
  );
  const last = chunks.next();
  push('data: e\n\n');
  while (resumes.length === 1) await Promise.resolve();
  close();
  resumes[1]?.();
  assert.deepEqual(
    (await last).value?.map(({ data }) => data),
    ['e'],
  );
  assert.equal((await chunks.next()).done, true);
});

test('readEventChunks yields what has arrived during a pause before the stream broke', async () => {
  const { stream, push, fail } = createControlledStream();
  let resume: (() => void) | undefined;
  const chunks = readEventChunks(stream, {
    pause: () => new Promise((resolve) => (resume ??= resolve)),
  });
  push('data: a\n\n');
  const first = chunks.next();
  for (const name of 'bcd') {
    push(`data: ${name}\n\n`);
    await new Promise(setImmediate);
  }
  fail();
  await new Promise(setImmediate);
  resume?.();
  assert.deepEqual(
    (await first).value?.map(({ data }) => data),
    ['a', 'b', 'c', 'd'],
  );
});

test('readEventChunks reads at most 64 kB more than it yields', async () => {
  let produced = 0;
  const chunk = new TextEncoder().encode(`: ${'x'.repeat(1021)}\n`);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      produced += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  const chunks = readEventChunks(stream);
  for (let yielded = 0; yielded < 4; yielded += 1) {
    await chunks.next();
    await new Promise(setImmediate);
    // The arrays so far, 64 kB that were read ahead, and a few chunks that are over these limits or in the queue of the stream.
    const most = (yielded + 2) * 65_536 + 3 * chunk.byteLength;
    assert.ok(produced <= most, `${produced} bytes after ${yielded + 1} arrays`);
  }
  await chunks.return();
});

test('readServerSentEvents reports the bytes of every chunk, including heartbeats', async () => {
  const counts: number[] = [];
  await readAll([':\n', 'data: é\n\n'], { onBytes: (count) => counts.push(count) });
  assert.deepEqual(counts, [2, 10]);
});

test('readEventChunks splits a chunk of 20,000 events into short arrays', async () => {
  const sizes: number[] = [];
  const chunk = 'data: {"type":"response_chunk","content":"word "}\n\n'.repeat(20_000);
  for await (const events of readEventChunks(createStreamOf([chunk]))) sizes.push(events.length);
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    20_000,
  );
  assert.ok(sizes.length > 10 && Math.max(...sizes) < 2000, `${sizes.length} arrays`);
});

test('readServerSentEvents rejects with network when the stream breaks, after the events before it', async () => {
  const { stream, push, fail } = createControlledStream();
  const events = readServerSentEvents(stream);
  push('data: a\n\n');
  assert.equal((await events.next()).value?.data, 'a');
  fail(new TypeError('terminated'));
  await assert.rejects(events.next(), { name: 'UbikError', code: 'network' });
});

test('readServerSentEvents rejects with event-too-large after the events before it and cancels the stream', async () => {
  const controlled = createControlledStream();
  const events = readServerSentEvents(controlled.stream, { maxEventBytes: 50 });
  controlled.push(`data: a\n\ndata: ${'b'.repeat(50)}`);
  assert.equal((await events.next()).value?.data, 'a');
  await assert.rejects(events.next(), { code: 'event-too-large' });
  assert.ok(controlled.cancelled);
});

test('readServerSentEvents cancels the stream when its consumer breaks out of the loop', async () => {
  const controlled = createControlledStream();
  controlled.push('data: a\n\ndata: b\n\n');
  for await (const event of readServerSentEvents(controlled.stream)) {
    assert.equal(event.data, 'a');
    break;
  }
  assert.ok(controlled.cancelled);
});

test('readServerSentEvents rejects on abort even when the stream never settles its cancellation', async () => {
  const stream = new ReadableStream<Uint8Array>({ cancel: () => new Promise(() => undefined) });
  const abort = new AbortController();
  const next = readServerSentEvents(stream, { signal: abort.signal }).next();
  abort.abort();
  await assert.rejects(next, { code: 'aborted' });
});

test('readEventChunks yields no more of a chunk after an abort', async () => {
  const abort = new AbortController();
  const chunks = readEventChunks(createStreamOf(['data: a\n\n'.repeat(20_000)]), {
    signal: abort.signal,
  });
  await chunks.next();
  abort.abort();
  await assert.rejects(chunks.next(), { code: 'aborted' });
});

test('readServerSentEvents rejects when the signal is already aborted', async () => {
  const { stream } = createControlledStream();
  const events = readServerSentEvents(stream, { signal: AbortSignal.abort() });
  await assert.rejects(events.next(), { code: 'aborted' });
});

test('readServerSentEvents rejects with aborted when the abort breaks the body', async () => {
  const abort = new AbortController();
  const { stream } = createControlledStream(abort.signal);
  const next = readServerSentEvents(stream, { signal: abort.signal }).next();
  abort.abort();
  await assert.rejects(next, { code: 'aborted' });
});

test('readServerSentEvents leaves no listener on its signal', async () => {
  const abort = new AbortController();
  let listeners = 0;
  const { signal } = abort;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = ((...args: Parameters<typeof add>) => (
    listeners++,
    add(...args)
  )) as typeof add;
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => (
    listeners--,
    remove(...args)
  )) as typeof remove;
  await readAll(['data: a\n\n'], { signal });
  assert.equal(listeners, 0);
});
