import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PartTree } from '../../src/model/part.js';
import { toPartTrees } from '../../src/model/part-tree.js';
import { reconcile } from '../../src/model/reconcile.js';
import { setupMessage } from '../helpers/model-message.js';
import { createRandomContent } from '../helpers/random-content.js';
import { createRandom } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';

test('reconcile turns any content into any other, and then returns no changes', () => {
  for (const seed of seedsUpTo(2000)) {
    const random = createRandom(seed);
    const { message, run } = setupMessage();
    for (let round = 0; round < 4; round += 1) {
      const parts = createRandomContent(random);
      const { rejected } = run({ type: 'content', message: 'm', parts });
      assert.deepEqual(rejected, [], `seed ${String(seed)}`);
      assert.deepEqual(toPartTrees(message()), parts, `seed ${String(seed)}`);
      assert.deepEqual(reconcile(message(), parts), [], `seed ${String(seed)}`);
    }
  }
});

test('reconcile keeps the text objects of unmoved parts', () => {
  for (const seed of seedsUpTo(300)) {
    const random = createRandom(seed);
    const { message, run } = setupMessage();
    const first = createRandomContent(random);
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

test('reconcile appends when the new text is longer', () => {
  assert.deepEqual(changesFor([{ kind: 'text', key: 'a', text: 'Hello, you' }]), [
    { type: 'text', message: 'm', part: 'a', at: 5, text: ', you' },
  ]);
});

test('reconcile truncates where the texts begin to differ', () => {
  assert.deepEqual(changesFor([{ kind: 'text', key: 'a', text: 'Help' }]), [
    { type: 'text', message: 'm', part: 'a', at: 3, text: 'p' },
  ]);
});

test('reconcile returns no changes for equal content', () => {
  assert.deepEqual(changesFor(GREETING), []);
});

test('reconcile sets changed fields and removes missing ones', () => {
  const { message, run } = setupMessage();
  const mark = { kind: 'citation', label: '[1]', source: '<source_1>' } as const;
  run({ type: 'content', message: 'm', parts: [{ kind: 'text', key: 'a', marks: { 1: mark } }] });
  assert.deepEqual(reconcile(message(), [{ kind: 'text', key: 'a' }]), [
    { type: 'set', message: 'm', part: 'a', path: ['marks'] },
  ]);
});

test('reconcile adds only the moved part again', () => {
  const { message, run } = setupMessage();
  const named = (key: string): PartTree => ({ kind: 'text', key, text: key });
  run({ type: 'content', message: 'm', parts: ['a', 'b', 'c', 'd'].map(named) });
  const changes = reconcile(message(), ['d', 'a', 'b', 'c'].map(named));
  assert.deepEqual(
    changes.map((change) => change.type),
    ['remove', 'part', 'text'],
  );
});
