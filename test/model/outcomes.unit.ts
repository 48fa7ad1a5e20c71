import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomesAt, wayLeft } from '../../src/model/outcomes.js';
import { plantThread, type Leaf } from '../controller/ways/tree.js';

const SIBLINGS = ['a', 'b', 'unread'];
const TREE: Readonly<Record<string, Leaf>> = {
  q: { role: 'user', createdAt: 1 },
  a: { parent: 'q', createdAt: 2, siblingIds: SIBLINGS },
  a2: { parent: 'a', role: 'user', createdAt: 3 },
  a3: { parent: 'a2', createdAt: 4 },
  b: { parent: 'q', createdAt: 5, siblingIds: SIBLINGS },
  b2: { parent: 'b', role: 'user', createdAt: 6 },
};

const outline = (thread: ReturnType<typeof plantThread>, key: string): unknown[] =>
  outcomesAt(thread, key).map(({ id, message, head, shown }) => [id, message?.key, head, shown]);

test('lists the ways from one place, each to its newest message', () => {
  const expected = [
    ['a', 'a', 'a3', false],
    ['b', 'b', 'b2', true],
    ['unread', undefined, null, false],
  ];
  assert.deepEqual(outline(plantThread(TREE, 'b2'), 'b'), expected);
  assert.deepEqual(outline(plantThread(TREE, 'b2'), 'a'), expected);
});

test('shows the way that is shown as far as it is shown', () => {
  assert.deepEqual(outline(plantThread(TREE, 'b'), 'b')[1], ['b', 'b', 'b', true]);
});

test('finds the way that was left', () => {
  const thread = plantThread(TREE, 'b2');
  assert.equal(wayLeft(thread, 'b')?.id, 'a');
  // The first one has left none: any other.
  assert.equal(wayLeft(thread, 'a')?.id, 'b');
  assert.equal(wayLeft(thread, 'q'), null);
  assert.equal(wayLeft(thread, 'gone'), null);
});

test('knows the new way before the service has named it', () => {
  const thread = plantThread({ ...TREE, b: { parent: 'q', createdAt: 5 } }, 'b');
  assert.equal(wayLeft(thread, 'b')?.id, 'a');
});
