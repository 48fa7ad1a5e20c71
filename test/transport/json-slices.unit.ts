import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonSlices } from '../../src/transport/json-slices.js';
import { createSliceYield } from '../../src/transport/slice-yield.js';
import { readJson } from '../../src/transport/response.js';
import { createStreamOf } from '../helpers/controlled-stream.js';
import { seedsUpTo } from '../helpers/sample.js';
import { createRandom, pickIndex, pickOne, type Random } from '../helpers/seeded-random.js';

/** Parses a text in pieces of random length, in batches of a few units. */
function parseInPieces(text: string, random: Random): unknown {
  const slices = new JsonSlices(pickIndex(random, 8));
  for (let at = 0; at < text.length;) {
    const end = at + 1 + pickIndex(random, 9);
    slices.push(text.slice(at, end));
    at = end;
  }
  return slices.end();
}

function parseAtOnce(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function makeValue(random: Random, depth: number): unknown {
  const scalars = [null, true, -1.5e3, '', 'a"\\\n[{', '😀\u0001,', ']}', 0];
  const kind = pickIndex(random, depth > 3 ? 1 : 3);
  if (kind === 0) return pickOne(random, scalars);
  const values = Array.from({ length: pickIndex(random, 5) }, () => makeValue(random, depth + 1));
  if (kind === 1) return values;
  const names = ['items', 'a', '__proto__', '"', '[', 'items'];
  return Object.fromEntries(values.map((value) => [pickOne(random, names), value]));
}

test('JSON slices return what JSON.parse returns, for any chunking', () => {
  for (const seed of seedsUpTo(3000)) {
    const random = createRandom(seed);
    const text = JSON.stringify(makeValue(random, 0), null, pickIndex(random, 3));
    assert.deepEqual(parseInPieces(text, random), parseAtOnce(text), text);
  }
});

test('JSON slices reject what JSON.parse rejects', () => {
  const pieces = ['[', ']', '{', '}', ',', ':', '"', '"a"', '"a":', '1', ' ', '\\', 'null', '\n'];
  let valid = 0;
  for (const seed of seedsUpTo(20_000)) {
    const random = createRandom(seed);
    const count = 1 + pickIndex(random, 9);
    const text = Array.from({ length: count }, () => pickOne(random, pieces)).join('');
    const expected = parseAtOnce(text);
    valid += Number(expected !== undefined);
    assert.deepEqual(parseInPieces(text, random), expected, JSON.stringify(text));
  }
  assert.ok(valid > 30, `${valid} valid texts`);
  for (const text of [
    '[1,]',
    '[,1]',
    '[         ,1]',
    '[1,,2]',
    '{"a":[1,]}',
    '{"a":[1}',
    '[1]2',
    '[[1],2',
  ]) {
    assert.equal(parseInPieces(text, createRandom(1)), undefined, text);
  }
});

/** Reads a list of `count` elements. Each check of the time finds that the slice has ended. */
async function readLong(count: number) {
  const items = Array.from({ length: count }, (_, index) => ({ index, text: 'word "'.repeat(40) }));
  const text = JSON.stringify({ items, head: 'x' });
  let clock = 0;
  let pauses = 0;
  const yieldSlice = createSliceYield({
    monotonic: () => (clock += 10),
    yieldToEventLoop: () => Promise.resolve(void (pauses += 1)),
  });
  const response = new Response(createStreamOf(text.match(/[^]{1,50000}/g) ?? []));
  assert.deepEqual(await readJson(response, undefined, yieldSlice), { items, head: 'x' });
  return pauses / (text.length / 65_536);
}

test('readJson pauses more than once per 65,536 UTF-16 units of a long response, and never in a short one', async () => {
  assert.ok((await readLong(10_000)) > 1);
  assert.equal(await readLong(1000), 0);
});

test('readJson rejects a long response that is invalid or exceeds the limit', async () => {
  const yieldSlice = createSliceYield({
    monotonic: () => 0,
    yieldToEventLoop: () => Promise.resolve(),
  });
  const long = `[${'1,'.repeat(400_000)}1`;
  const read = (text: string, limit?: number) =>
    readJson(new Response(createStreamOf([text, ' '])), limit, yieldSlice);
  await assert.rejects(read(`${long},]`), { code: 'not-an-api' });
  await assert.rejects(read(long), { code: 'not-an-api' });
  await assert.rejects(read(`${long}]`, 600_000), { code: 'too-large' });
  assert.equal(((await read(`${long}]`)) as unknown[]).length, 400_001);
});
