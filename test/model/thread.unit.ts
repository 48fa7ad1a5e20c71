import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathTo } from '../../src/model/thread.js';
import { ANSWER, setupMessage } from '../helpers/model-message.js';

test('pathTo returns the branch up to a cycle or a missing parent', () => {
  const { store, run } = setupMessage();
  run(
    { type: 'message', message: 'b', value: { ...ANSWER, parent: 'm' } },
    { type: 'message', message: 'c', value: { ...ANSWER, parent: 'b' } },
    { type: 'message', message: 'other', value: { ...ANSWER, parent: 'm' } },
    { type: 'message', message: 'orphan', value: { ...ANSWER, parent: 'gone' } },
    { type: 'message', message: 'circle', value: { ...ANSWER, parent: 'circle' } },
    { type: 'thread', set: { head: 'c' } },
  );
  const thread = store.threads.get('t');
  assert.ok(thread);
  const keys = (head?: string): string[] => pathTo(thread, head).map((message) => message.key);
  assert.deepEqual(keys(), ['m', 'b', 'c']);
  assert.deepEqual(keys('other'), ['m', 'other']);
  assert.deepEqual(keys('orphan'), ['orphan']);
  assert.deepEqual(keys('circle'), ['circle']);
});
