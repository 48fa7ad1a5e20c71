import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PartTree } from '../../src/model/part.js';
import { toPartTrees } from '../../src/model/part-tree.js';
import { reconcile } from '../../src/model/reconcile.js';
import { setupMessage } from '../helpers/model-message.js';
import { randomContent } from '../helpers/random-content.js';
import { createRandom } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';

test('turns any content into any other, after which nothing is left to do', () => {
  for (const seed of seedsUpTo(2000)) {
    const random = createRandom(seed);
    const { message, run } = setupMessage();
    for (let round = 0; round < 4; round += 1) {
      const parts = randomContent(random);
      const { rejected: refused } = run({ type: 'content', message: 'm', parts });
      assert.deepEqual(refused, [], `seed ${String(seed)}`);
      assert.deepEqual(toPartTrees(message()), parts, `seed ${String(seed)}`);
      assert.deepEqual(reconcile(message(), parts), [], `seed ${String(seed)}`);
    }
  }
});

test('keeps the text object of every part that stays where it is', () => {
  for (const seed of seedsUpTo(300)) {
    const random = createRandom(seed);
    const { message, run } = setupMessage();
    const first = randomContent(random);
    run({ type: 'content', message: 'm', parts: first });
    const texts = first.map((tree) => message().parts.get(tree.key)?.text);
    run({ type: 'content', message: 'm', parts: [...first, { kind: 'text', key: 'new' }] });
    first.forEach((tree, index) => {
      assert.equal(message().parts.get(tree.key)?.text, texts[index]);
    });
  }
});

const GREETING: readonly PartTree[] = [{ kind: 'text', key: 'a', text: 'Hello' }];

function changesFor(parts: readonly PartTree[]): unknown {
  const { message, run } = setupMessage();
  run({ type: 'content', message: 'm', parts: GREETING });
  return reconcile(message(), parts);
}

test('appends when the new text is longer', () => {
  assert.deepEqual(changesFor([{ kind: 'text', key: 'a', text: 'Hello, you' }]), [
    { type: 'text', message: 'm', part: 'a', at: 5, text: ', you' },
  ]);
});

test('cuts where the texts begin to differ', () => {
  assert.deepEqual(changesFor([{ kind: 'text', key: 'a', text: 'Help' }]), [
    { type: 'text', message: 'm', part: 'a', at: 3, text: 'p' },
  ]);
});

test('changes nothing when nothing differs', () => {
  assert.deepEqual(changesFor(GREETING), []);
});

test('sets only the fields that differ, and drops those that are gone', () => {
  const { message, run } = setupMessage();
  const mark = { kind: 'citation', label: '[1]', source: '<source_1>' } as const;
  run({ type: 'content', message: 'm', parts: [{ kind: 'text', key: 'a', marks: { 1: mark } }] });
  assert.deepEqual(reconcile(message(), [{ kind: 'text', key: 'a' }]), [
    { type: 'set', message: 'm', part: 'a', path: ['marks'] },
  ]);
});

test('moves as little as possible: one part that changes place is the only one made anew', () => {
  const { message, run } = setupMessage();
  const named = (key: string): PartTree => ({ kind: 'text', key, text: key });
  run({ type: 'content', message: 'm', parts: ['a', 'b', 'c', 'd'].map(named) });
  const changes = reconcile(message(), ['d', 'a', 'b', 'c'].map(named));
  assert.deepEqual(
    changes.map((change) => change.type),
    ['remove', 'part', 'text'],
  );
});
