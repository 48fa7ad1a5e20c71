import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, isDeeperThan } from '../../src/transport/fingerprint.js';
import { createRandom, pickIndex, type Random } from '../helpers/seeded-random.js';

test('canonicalJson sorts the names of an object', () => {
  assert.equal(
    canonicalJson({ b: 1, a: [true, null, { d: 'x', c: -1.5 }] }),
    '{"a":[true,null,{"c":-1.5,"d":"x"}],"b":1}',
  );
  for (const value of [null, true, 0, 'text', [], {}, [[]], [{}], { a: [] }]) {
    assert.equal(canonicalJson(value), JSON.stringify(value));
  }
});

test('canonicalJson returns the same text for any order of names', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const value = randomValue(createRandom(seed), 4);
    const reversed = reverseNames(value);
    assert.equal(canonicalJson(reversed), canonicalJson(value), `seed ${seed}`);
    assert.deepEqual(
      JSON.parse(canonicalJson(value)),
      JSON.parse(JSON.stringify(value)),
      `seed ${seed}`,
    );
  }
});

test('canonicalJson returns different texts for different values', () => {
  const values = [
    0,
    '0',
    null,
    'null',
    false,
    [],
    {},
    [null],
    [[], []],
    [[[]]],
    { a: 1 },
    { a: '1' },
    { 'a"': 1 },
    { a: { b: 1 } },
    { 'a.b': 1 },
    ['a', 'b'],
    ['a,b'],
    ['a","b'],
  ];
  assert.equal(new Set(values.map((value) => canonicalJson(value))).size, values.length);
});

test('canonicalJson omits the given names from the outermost object only', () => {
  const omitted = new Set(['connection_id']);
  assert.equal(
    canonicalJson({ connection_id: 1, a: { connection_id: 2 } }, omitted),
    '{"a":{"connection_id":2}}',
  );
  assert.equal(canonicalJson([{ connection_id: 1 }], omitted), '[{"connection_id":1}]');
  assert.equal(canonicalJson({ connection_id: 1 }, omitted), '{}');
});

test('canonicalJson keeps own names such as __proto__ and constructor', () => {
  const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
  assert.equal(canonicalJson(value), '{"__proto__":{"a":1},"constructor":2}');
});

test('canonicalJson serializes values that JSON does not have as null', () => {
  assert.equal(canonicalJson([undefined, NaN, () => 1]), '[null,null,null]');
});

test('isDeeperThan compares the nesting of a value, of any depth, with a limit', () => {
  assert.equal(isDeeperThan('x', 0), false);
  assert.equal(isDeeperThan([], 0), true);
  assert.equal(isDeeperThan([[]], 2), false);
  assert.equal(isDeeperThan([1, { a: [[]] }], 3), true);
  assert.equal(isDeeperThan([1, { a: [[]] }], 4), false);
  assert.equal(isDeeperThan(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 64), true);
  assert.equal(
    isDeeperThan(
      Array.from({ length: 1000 }, () => [[]]),
      3,
    ),
    false,
  );
});

function randomValue(random: Random, depth: number): unknown {
  const kind = pickIndex(random, depth > 0 ? 6 : 4);
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return pickIndex(random, 1000) / 8;
  if (kind === 3) return `é"\\\n${pickIndex(random, 100)}`;
  const items = Array.from({ length: pickIndex(random, 4) }, () => randomValue(random, depth - 1));
  return kind === 4
    ? items
    : Object.fromEntries(items.map((item) => [`n${pickIndex(random, 99)}`, item]));
}

function reverseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reverseNames(item)]),
  );
}
