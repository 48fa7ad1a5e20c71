import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandomOrder, diffJson } from '../../../demo/data-agent/json-diff.js';
import { PatchedReply } from '../../../src/backends/data-agent/patched-reply.js';
import { createRandom, pickIndex, type Random } from '../../helpers/seeded-random.js';
import { diff, mutate, randomRecord, type Value, type WirePatch } from './support/json-chains.js';
import { SparseReply } from './support/sparse-reply.js';
import { RandomReplies } from './projection/random-replies.js';

type Differ = (before: Value, after: Value, random: Random) => readonly WirePatch[];

/** The differ of the local Data Agent, and that of the tests. They are implemented independently. */
const DIFFERS: Readonly<Record<string, Differ>> = {
  'the local agent': (before, after, random) =>
    diffJson(before, after, createRandomOrder(random)) as readonly WirePatch[],
  'the tests': diff,
};

/** Snapshots, each of which can follow the one before. */
const CHAINS: Readonly<Record<string, (random: Random) => Value[]>> = {
  'any JSON': (random) => {
    const snapshots: Value[] = [randomRecord(random)];
    for (let left = pickIndex(random, 6); left > 0; left -= 1) {
      const next = mutate(snapshots.at(-1) ?? null, random);
      if (typeof next === 'object' && next !== null && !Array.isArray(next)) snapshots.push(next);
    }
    return snapshots;
  },
  replies: (random) => {
    const replies = new RandomReplies(random);
    const snapshots: unknown[] = [replies.reply()];
    for (let left = pickIndex(random, 6); left > 0; left -= 1)
      snapshots.push(replies.next(snapshots.at(-1)));
    return snapshots as Value[];
  },
};

for (const [what, createChain] of Object.entries(CHAINS)) {
  for (const [whose, differ] of Object.entries(DIFFERS)) {
    test(`patches by the differ of ${whose} lead an independent implementation and the backend to each snapshot of ${what}`, () => {
      for (let seed = 1; seed <= 1000; seed += 1) {
        const random = createRandom(seed);
        const expected = new SparseReply();
        const reply = new PatchedReply();
        let snapshot: Value = {};
        for (const next of createChain(random)) {
          for (const patch of differ(snapshot, next, random)) {
            expected.apply(patch);
            const { key: path, action, content: value } = structuredClone(patch);
            reply.apply({ path, action, value });
          }
          snapshot = next;
          assert.deepEqual(expected.root, snapshot, `independent reply, seed ${String(seed)}`);
          assert.deepEqual(reply.root, snapshot, `backend, seed ${String(seed)}`);
        }
      }
    });
  }
}

test('independent implementation rejects patches that leave a gap in a list', () => {
  const reply = new SparseReply();
  reply.apply({ key: ['list'], content: ['a', 'b', 'c'], action: 'upsert' });
  reply.apply({ key: ['list', 1], content: null, action: 'remove' });
  assert.throws(() => reply.root, /lacks its index 1/u);
});
