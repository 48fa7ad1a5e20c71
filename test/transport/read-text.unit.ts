import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '../../src/transport/response.js';
import { createControlledStream, createStreamOf } from '../helpers/controlled-stream.js';

const read = (chunks: readonly string[], limit: number) =>
  readText(new Response(createStreamOf(chunks)), limit);

test('readText returns the first bytes of a body over the limit, for chunks of any size', async () => {
  const text = 'abcdefghij';
  for (let size = 1; size <= text.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    assert.deepEqual(await read(chunks, 7), { text: 'abcdefg', isWhole: false }, String(size));
    assert.deepEqual(await read(chunks, 10), { text, isWhole: true }, String(size));
  }
});

test('readText decodes a character that is split over two chunks', async () => {
  const bytes = new TextEncoder().encode('aé');
  const stream = createStreamOf([bytes.subarray(0, 2), bytes.subarray(2)]);
  assert.deepEqual(await readText(new Response(stream), 3), { text: 'aé', isWhole: true });
});

test('readText stops the download at the limit', async () => {
  const controlled = createControlledStream();
  const reading = readText(new Response(controlled.stream), 3);
  controlled.push('abcdef');
  assert.deepEqual(await reading, { text: 'abc', isWhole: false });
  assert.deepEqual(controlled.cancelled, { reason: undefined });
});

test('readText reads a response without a stream', async () => {
  const response = { body: null, text: () => Promise.resolve('abc') } as unknown as Response;
  assert.deepEqual(await readText(response, 1), { text: 'abc', isWhole: true });
});
