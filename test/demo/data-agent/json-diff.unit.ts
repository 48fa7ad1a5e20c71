import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandomOrder, diffJson } from '../../../demo/data-agent/json-diff.js';
import type { Json } from '../../../demo/agent/json.js';
import { createRandom } from '../../helpers/seeded-random.js';
import { applyPatches, type Value, type WirePatch } from './data-agent-client.js';

const diffAsText = (previous: Json, next: Json): string[] =>
  diffJson(previous, next).map(
    ({ action, key, content }) => `${action} ${key.join('.')} ${JSON.stringify(content)}`,
  );

test('diffJson replaces a whole value whose JSON type changes', () => {
  assert.deepEqual(diffAsText({ a: null }, { a: [1] }), ['upsert a [1]']);
  assert.deepEqual(diffAsText({ a: null }, { a: [] }), ['upsert a []']);
  assert.deepEqual(diffAsText({ a: 1 }, { a: 'one' }), ['upsert a "one"']);
  assert.deepEqual(diffAsText({ a: [] }, { a: {} }), ['upsert a {}']);
  assert.deepEqual(diffAsText([], {}), ['upsert  {}']);
});

test('diffJson appends to a string that grows and replaces one that is rewritten', () => {
  assert.deepEqual(diffAsText({ a: 'ab' }, { a: 'abc' }), ['append a "c"']);
  assert.deepEqual(diffAsText({ a: 'ab' }, { a: 'ab' }), []);
  assert.deepEqual(diffAsText({ a: 'ab' }, { a: '' }), ['upsert a ""']);
  assert.deepEqual(diffAsText({ a: ['chec'] }, { a: ['check', 'again'] }), [
    'append a.0 "k"',
    'append a.1 "again"',
  ]);
});

test('diffJson removes missing array elements in ascending order with their old indexes', () => {
  assert.deepEqual(diffAsText({ a: [1, 2, 3, 4, 5] }, { a: [1, 2, 3] }), [
    'remove a.3 null',
    'remove a.4 null',
  ]);
});

test('diffJson adds, removes and recurses into object members', () => {
  assert.deepEqual(diffAsText({ a: 1, b: { c: 1 } }, { b: { c: 2 }, d: null }), [
    'remove a null',
    'upsert b.c 2',
    'upsert d null',
  ]);
  assert.deepEqual(diffAsText({ a: {} }, { a: { result: 1 } }), ['upsert a.result 1']);
});

test('diffJson visits the keys of an object in the order of `createRandomOrder`, which differs between calls', () => {
  const next = { a: 1, b: 2, c: 3, d: 4 };
  const orders = new Set(
    Array.from({ length: 50 }, () =>
      diffJson({}, next, createRandomOrder())
        .map(({ key }) => key.join('.'))
        .join(),
    ),
  );
  assert.ok(orders.size > 3);
});

test('patches of random chains of snapshots rebuild each snapshot', () => {
  const random = createRandom(7);
  const make = (depth: number): Json => {
    const kind = Math.floor(random() * (depth > 3 ? 4 : 7));
    if (kind === 0) return null;
    if (kind === 1) return random() < 0.5;
    if (kind === 2) return Math.floor(random() * 3);
    if (kind === 3) return 'abcabc'.slice(0, Math.floor(random() * 7));
    const size = Math.floor(random() * 5);
    if (kind < 6) return Array.from({ length: size }, () => make(depth + 1));
    return Object.fromEntries(
      Array.from({ length: size }, (_, index) => ['abcde'[index] ?? '', make(depth + 1)]),
    );
  };
  const order = createRandomOrder(random);
  for (let chain = 0; chain < 2000; chain += 1) {
    let previous: Json = {};
    let document: Value = {};
    for (let count = 0; count < 5; count += 1) {
      const next: Json = { a: make(0), b: make(0) };
      document = applyPatches(diffJson(previous, next, order) as unknown as WirePatch[], document);
      assert.deepEqual(document, next);
      previous = next;
    }
  }
});
