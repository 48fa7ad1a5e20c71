import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readEventChunks,
  readServerSentEvents,
  type ReadEventsOptions,
} from '../../src/transport/sse.js';
import { createControlledStream, createStreamOf } from '../helpers/controlled-stream.js';

async function readAll(pieces: readonly (string | Uint8Array)[], options?: ReadEventsOptions) {
  const data: string[] = [];
  for await (const event of readServerSentEvents(createStreamOf(pieces), options))
    data.push(event.data);
  return data;
}

test('reads the events of a stream in order, over its pieces', async () => {
  assert.deepEqual(await readAll(['data: a\n\nda', 'ta: b\n', '\n', 'data: c']), ['a', 'b']);
});

test('reads a stream that ends at once', async () => {
  assert.deepEqual(await readAll([]), []);
});

test('gives the event to the reader before the next bytes are there', async () => {
  const { stream, push } = createControlledStream();
  const events = readServerSentEvents(stream);
  push('data: a\n\n');
  assert.equal((await events.next()).value?.data, 'a');
});

test('gives an empty list for bytes that complete nothing', async () => {
  const lists: number[] = [];
  for await (const events of readEventChunks(createStreamOf([':\n', 'data: a\n', '\n']))) {
    lists.push(events.length);
  }
  assert.deepEqual(lists, [0, 0, 1]);
});

test('tells the bytes of every piece, heartbeats too', async () => {
  const counts: number[] = [];
  await readAll([':\n', 'data: é\n\n'], { onBytes: (count) => counts.push(count) });
  assert.deepEqual(counts, [2, 10]);
});

test('parses a large piece in parts, so that 20,000 events can be worked off in slices', async () => {
  const sizes: number[] = [];
  const piece = 'data: {"type":"response_chunk","content":"word "}\n\n'.repeat(20_000);
  for await (const events of readEventChunks(createStreamOf([piece]))) sizes.push(events.length);
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    20_000,
  );
  assert.ok(sizes.length > 10 && Math.max(...sizes) < 2000, `${sizes.length} lists`);
});

test('breaks with `network` when the stream breaks, after the events before it', async () => {
  const { stream, push, fail } = createControlledStream();
  const events = readServerSentEvents(stream);
  push('data: a\n\n');
  assert.equal((await events.next()).value?.data, 'a');
  fail(new TypeError('terminated'));
  await assert.rejects(events.next(), { name: 'UbikError', code: 'network' });
});

test('ends with `event-too-large` after the events before it, and cancels the stream', async () => {
  const controlled = createControlledStream();
  const events = readServerSentEvents(controlled.stream, { maxEventBytes: 50 });
  controlled.push(`data: a\n\ndata: ${'b'.repeat(50)}`);
  assert.equal((await events.next()).value?.data, 'a');
  await assert.rejects(events.next(), { code: 'event-too-large' });
  assert.ok(controlled.cancelled);
});

test('cancels the stream when the reader leaves', async () => {
  const controlled = createControlledStream();
  controlled.push('data: a\n\ndata: b\n\n');
  for await (const event of readServerSentEvents(controlled.stream)) {
    assert.equal(event.data, 'a');
    break;
  }
  assert.ok(controlled.cancelled);
});

test('ends a reading that waits when its signal is aborted, although the stream never answers', async () => {
  const stream = new ReadableStream<Uint8Array>({ cancel: () => new Promise(() => undefined) });
  const abort = new AbortController();
  const next = readServerSentEvents(stream, { signal: abort.signal }).next();
  abort.abort();
  await assert.rejects(next, { code: 'aborted' });
});

test('gives nothing more of a piece after its signal was aborted', async () => {
  const abort = new AbortController();
  const pieces = readEventChunks(createStreamOf(['data: a\n\n'.repeat(20_000)]), abort);
  await pieces.next();
  abort.abort();
  await assert.rejects(pieces.next(), { code: 'aborted' });
});

test('reads nothing when its signal was aborted before', async () => {
  const { stream } = createControlledStream();
  const events = readServerSentEvents(stream, { signal: AbortSignal.abort() });
  await assert.rejects(events.next(), { code: 'aborted' });
});

test('calls an abort an abort, also when the body breaks by it', async () => {
  const abort = new AbortController();
  const { stream } = createControlledStream(abort.signal);
  const next = readServerSentEvents(stream, { signal: abort.signal }).next();
  abort.abort();
  await assert.rejects(next, { code: 'aborted' });
});

test('leaves no listener on a signal that outlives the stream', async () => {
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
