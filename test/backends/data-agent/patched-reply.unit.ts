import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PatchedReply, type Patch } from '../../../src/backends/data-agent/patched-reply.js';
import { isUbikError } from '../../../src/errors.js';
import { createRandom, pickIndex } from '../../helpers/seeded-random.js';
import { diff, mutate, randomRecord, type Value, type WirePatch } from './support/json-chains.js';

const toPatch = ({ key, content, action }: WirePatch): Patch => ({
  path: key,
  action,
  value: structuredClone(content),
});
const upsert = (path: Patch['path'], value: unknown): Patch => ({ path, action: 'upsert', value });
const append = (path: Patch['path'], value: unknown): Patch => ({ path, action: 'append', value });
const remove = (...path: (string | number)[]): Patch => ({ path, action: 'remove', value: null });

function replyOf(root: unknown, ...patches: readonly Patch[]): PatchedReply {
  const reply = new PatchedReply();
  reply.replace(structuredClone(root));
  for (const patch of patches) reply.apply(patch);
  return reply;
}

function isRejected(reply: PatchedReply, path: Patch['path'], action = 'upsert'): boolean {
  const before = JSON.stringify(reply.root);
  try {
    reply.apply({ path, action: action as Patch['action'], value: 'x' });
    return false;
  } catch (error) {
    assert.ok(isUbikError(error) && error.code === 'malformed-event');
    assert.equal(JSON.stringify(reply.root), before, 'a rejected patch changes nothing');
    return true;
  }
}

test('patched reply equals each snapshot of 2,000 random chains that a differ has converted to patches', () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const random = createRandom(seed);
    const reply = new PatchedReply();
    let snapshot: Value = {};
    for (let left = 1 + pickIndex(random, 6); left > 0; left -= 1) {
      const mutated: Value = snapshot === null ? randomRecord(random) : mutate(snapshot, random);
      const isReply: boolean = typeof mutated === 'object' && !Array.isArray(mutated);
      const next: Value = isReply ? (mutated ?? {}) : snapshot;
      const readProbability = random();
      for (const patch of diff(snapshot, next, random)) {
        reply.apply(toPatch(patch));
        if (random() < readProbability) void reply.root;
      }
      snapshot = next;
      assert.deepEqual(reply.root, snapshot, `seed ${String(seed)}`);
    }
  }
});

test('patched reply keeps the identity of containers that no patch has changed', () => {
  const reply = replyOf({ steps: [{ text: 'a' }, { text: 'b' }], other: {} });
  const before = reply.root as { steps: object[]; other: object };
  reply.apply(append(['steps', 1, 'text'], 'c'));
  const after = reply.root as typeof before;
  assert.notEqual(after, before);
  assert.equal(after.steps[0], before.steps[0]);
  assert.notEqual(after.steps[1], before.steps[1]);
  assert.equal(after.other, before.other);
  assert.deepEqual(before.steps[1], { text: 'b' }, 'a root that was read does not change');
});

test('patched reply creates missing containers, an array for a number and an object for a name', () => {
  const { root } = replyOf({ message: null }, upsert(['message', 'progress', 0, 'answer'], 'x'));
  assert.deepEqual(root, { message: { progress: [{ answer: 'x' }] } });
});

test('patched reply replaces a scalar on the path of a patch', () => {
  const { root } = replyOf({ ext: 3 }, upsert(['ext', 'total_time'], 1));
  assert.deepEqual(root, { ext: { total_time: 1 } });
});

test('patched reply appends to a string in an array', () => {
  const { root } = replyOf(
    { hints: ['chec'] },
    append(['hints', 0], 'k'),
    append(['hints', 1], 'again'),
  );
  assert.deepEqual(root, { hints: ['check', 'again'] });
});

test('patched reply pushes a value that is appended to an array', () => {
  const { root } = replyOf({ list: ['a'] }, append(['list'], 'b'), append(['list'], ['c', 'd']));
  assert.deepEqual(root, { list: ['a', 'b', 'c', 'd'] });
});

test('patched reply assigns a value that is appended to anything but a string or an array', () => {
  const { root } = replyOf({ n: 1, s: 'a' }, append(['n'], 'one'), append(['s'], { b: 1 }));
  assert.deepEqual(root, { n: 'one', s: { b: 1 } });
});

test('patched reply removes ascending indexes of the old array', () => {
  const { root } = replyOf(
    { list: ['a', 'b', 'c', 'd', 'e'] },
    remove('list', 3),
    remove('list', 4),
  );
  assert.deepEqual(root, { list: ['a', 'b', 'c'] });
});

test('patched reply leaves a hole where an element is removed from the middle, and fills it again', () => {
  const reply = replyOf({ list: ['a', 'b', 'c'] }, remove('list', 1));
  const { list } = reply.root as { list: unknown[] };
  assert.deepEqual(Object.entries(list), [
    ['0', 'a'],
    ['2', 'c'],
  ]);
  assert.equal(list.length, 3);
  reply.apply(append(['list', 3], 'd'));
  assert.equal((reply.root as { list: unknown[] }).list[1], undefined);
  reply.apply(upsert(['list', 1], null));
  assert.deepEqual(reply.root, { list: ['a', null, 'c', 'd'] });
});

test('patched reply keeps a null at the end of an array', () => {
  const { root } = replyOf({ list: ['a', null, 'c'] }, remove('list', 2));
  assert.deepEqual(root, { list: ['a', null] });
});

test('patched reply ignores the removal of a missing value, and creates no container for it', () => {
  const reply = replyOf({ a: [1] });
  for (const path of [['b'], ['b', 0], ['a', 1], ['a', 0, 'x'], ['a', 5]] as const) {
    assert.equal(reply.apply(remove(...path)), null);
  }
  assert.deepEqual(reply.root, { a: [1] });
});

test('patched reply reads a string of digits as an index of an array, and a number as a name in an object', () => {
  const { root } = replyOf(
    { list: ['a'], names: {} },
    append(['list', '0'], 'b'),
    upsert(['names', 7], 'x'),
  );
  assert.deepEqual(root, { list: ['ab'], names: { 7: 'x' } });
});

test('patched reply replaces, concatenates and resets its root', () => {
  assert.deepEqual(replyOf({ a: 1 }, upsert([], { b: 2 })).root, { b: 2 });
  assert.deepEqual(replyOf({}, append([], { b: 2 })).root, { b: 2 });
  assert.deepEqual(replyOf({ a: 1 }, append([], { b: 2 })).root, { a: 1 });
  assert.equal(replyOf('ab', append([], 'c')).root, 'abc');
  assert.deepEqual(replyOf({ a: 1 }, remove()).root, {});
});

test('patched reply does not change for `end`', () => {
  const reply = replyOf({ a: 1 });
  assert.equal(reply.apply({ path: [], action: 'end', value: null }), null);
  assert.deepEqual(reply.root, { a: 1 });
});

test('patched reply rejects the three unsafe names at every depth', () => {
  const reply = replyOf({ a: { b: {} } });
  for (const name of ['__proto__', 'prototype', 'constructor']) {
    const deep = Array.from({ length: 32 }, (_, depth) => [
      ...Array.from({ length: depth }, () => 'a'),
      name,
    ]);
    for (const path of [...deep, ['a', 'b', name, 'c'], ['x', name]]) {
      assert.ok(isRejected(reply, path), path.join());
      assert.ok(isRejected(reply, path, 'remove'), path.join());
    }
  }
  assert.equal(({} as Record<string, unknown>)['c'], undefined);
});

test('patched reply copies a value with unsafe names as plain data', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}');
  const reply = replyOf({}, upsert(['a'], value), upsert(['a', 'b'], 1));
  const { a } = reply.root as { a: Record<string, unknown> };
  assert.equal(a['polluted'], undefined);
  assert.equal(Object.getPrototypeOf(a), Object.prototype);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('patched reply rejects a path of 33 segments and accepts one of 32', () => {
  const path = Array.from({ length: 33 }, (_, at) => `s${String(at)}`);
  assert.ok(isRejected(new PatchedReply(), path));
  assert.ok(!isRejected(new PatchedReply(), path.slice(1)));
});

test('patched reply rejects an index that is negative, fractional, above the length of the array, or 10,000 or more', () => {
  const long = Array.from({ length: 10_000 }, () => 0);
  const reply = replyOf({ list: ['a'], long, names: {} });
  for (const index of [-1, 0.5, 2, 10_000, NaN, Infinity]) {
    assert.ok(isRejected(reply, ['list', index]), String(index));
  }
  assert.ok(isRejected(reply, ['long', 10_000]));
  assert.ok(isRejected(reply, ['names', -1]));
  assert.ok(isRejected(reply, ['missing', 1]));
  assert.ok(isRejected(reply, ['list', 'name']));
  assert.ok(isRejected(reply, ['list', '01']));
  assert.ok(isRejected(reply, ['long'], 'append'));
  assert.ok(!isRejected(reply, ['missing', 0]));
});

test('patched reply compares paths segment by segment', () => {
  const { root } = replyOf({}, upsert(['a.b'], 1), upsert(['a', 'b'], 2));
  assert.deepEqual(root, { 'a.b': 1, a: { b: 2 } });
});

test('patched reply ignores inherited members', () => {
  const { root } = replyOf({}, append(['toString'], 'x'), append(['valueOf', 'name'], 'y'));
  assert.deepEqual(root, { toString: 'x', valueOf: { name: 'y' } });
});

test('patched reply returns the path that a patch has changed, and appended text', () => {
  const reply = replyOf({ text: 'a', list: ['x'], n: 1 });
  assert.deepEqual(reply.apply(append(['text'], 'b')), { path: ['text'], appended: 'b' });
  assert.deepEqual(reply.apply(upsert(['n'], 2)), { path: ['n'], appended: null });
  assert.deepEqual(reply.apply(append(['list'], 'y')), { path: ['list', 1], appended: null });
  assert.deepEqual(reply.apply(remove('list', 1)), { path: ['list', 1], appended: null });
  assert.deepEqual(reply.apply(append(['list', '0'], 'z')), {
    path: ['list', 0],
    appended: 'z',
  });
});

test('patched reply returns the outermost container that a patch has created', () => {
  const reply = replyOf({ a: null });
  assert.deepEqual(reply.apply(upsert(['a', 'b', 0], 1)), { path: ['a'], appended: null });
  assert.deepEqual(reply.apply(upsert(['a', 'b', 1], 1))?.path, ['a', 'b', 1]);
});

test('patched reply returns null for a patch that changes nothing', () => {
  const reply = replyOf({ text: 'a', none: null });
  assert.equal(reply.apply(append(['text'], '')), null);
  assert.equal(reply.apply(upsert(['text'], 'a')), null);
  assert.equal(reply.apply(upsert(['none'], null)), null);
  assert.notEqual(reply.apply(upsert(['other'], null)), null);
});

test('patched reply does not change a list that was read when further patches append to it', () => {
  const reply = replyOf({ list: [] });
  reply.apply(append(['list', 0], 'a'));
  const { list } = reply.root as { list: unknown[] };
  reply.apply(append(['list', 1], 'b'));
  reply.apply(append(['list', 2], 'c'));
  assert.deepEqual(list, ['a']);
  assert.deepEqual(reply.root, { list: ['a', 'b', 'c'] });
});
