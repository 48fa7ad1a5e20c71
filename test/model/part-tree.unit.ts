import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPartTrees } from '../../src/model/part-tree.js';
import { setupMessage } from '../helpers/model-message.js';

test('toPartTrees returns content without activity', () => {
  const { message, run } = setupMessage();
  const activity = { kind: 'run-activity' } as never;
  run(
    { type: 'part', message: 'm', part: 'a', parent: null, before: null, value: { kind: 'text' } },
    { type: 'part', message: 'm', part: 'live', parent: null, before: null, value: activity },
  );
  assert.deepEqual(
    toPartTrees(message()).map(({ key }) => key),
    ['a'],
  );
});
