import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastPartKey } from '../../src/message/part-selectors.js';
import { isRunning, listPendingRequests, shownBranch } from '../../src/message/thread-selectors.js';
import { workDuration } from '../../src/message/work-duration.js';
import type { Change } from '../../src/model/change.js';
import { ACTIVITY, type PartFields } from '../../src/model/part.js';
import type { RunState } from '../../src/model/thread.js';
import { setupMessage } from '../helpers/model-message.js';
import { threadOf } from './thread-of.js';

const put = (part: string, value: PartFields, parent: string | null = null): Change => ({
  ...{ type: 'part', message: 'm', part, parent, before: null, value },
});

const requestIn = (state: 'pending' | 'answered', prompt: string): PartFields => ({
  ...{ kind: 'request-activity', level: 'agent', prompt, inputTypes: ['text'], state },
  ...{ checkpointName: null, executionId: null, options: null, schema: null, deadline: null },
  ...{ toolName: null, part: null },
});

const stepTimes = (startedAt: number | null, endedAt: number | null): PartFields => ({
  ...{ kind: 'step-activity', number: 1, title: '', progress: null, status: '', results: null },
  ...{ state: 'completed', startedAt, endedAt },
});

test('isRunning is true for the states in which no other run can be started', () => {
  const expected: Record<RunState, boolean> = {
    ...{ idle: false, sending: true, streaming: true, stopping: true, stalled: true },
    ...{ broken: true, rejoining: true, complete: false, waiting: false, failed: false },
    ...{ stopped: false, interrupted: false },
  };
  for (const [state, running] of Object.entries(expected)) {
    const thread = threadOf(
      'a',
      { a: {} },
      {
        type: 'thread',
        set: { run: { state: state as RunState } },
      },
    );
    assert.equal(isRunning(thread), running, state);
  }
});

test('isRunning is false without a thread', () => {
  assert.equal(isRunning(null), false);
  assert.equal(isRunning(undefined), false);
});

test('shownBranch omits system messages and other branches', () => {
  const thread = threadOf('c', {
    s: { role: 'system' },
    a: { role: 'user', parent: 's' },
    b: { parent: 'a' },
    c: { parent: 'a' },
  });
  const keysTo = (head: string): string[] => shownBranch(thread, head).map(({ key }) => key);
  assert.deepEqual(
    [keysTo('c'), keysTo('b')],
    [
      ['a', 'c'],
      ['a', 'b'],
    ],
  );
});

test('listPendingRequests lists only pending requests, oldest first', () => {
  const { message, run } = setupMessage();
  run(
    put('@1', requestIn('pending', 'First'), ACTIVITY),
    put('@2', requestIn('answered', 'Second'), ACTIVITY),
    put('@3', requestIn('pending', 'Third'), ACTIVITY),
  );
  assert.deepEqual(
    listPendingRequests(message()).map(({ prompt }) => prompt),
    ['First', 'Third'],
  );
  assert.deepEqual(listPendingRequests(undefined), []);
});

test('lastPartKey skips checkpoints at the end', () => {
  const { message, run } = setupMessage();
  assert.equal(lastPartKey(message().parts), '');
  run(put('c0', { kind: 'checkpoint', name: '' }));
  assert.equal(lastPartKey(message().parts), '');
  run(put('a', { kind: 'text' }), put('b', { kind: 'text' }));
  run(put('c1', { kind: 'checkpoint', name: '' }), put('c2', { kind: 'checkpoint', name: '' }));
  assert.equal(lastPartKey(message().parts), 'b');
});

test('workDuration spans all steps and tools, and is null while a time is missing', () => {
  const { message, run } = setupMessage();
  assert.equal(workDuration(message()), null);
  run(put('@1', stepTimes(2000, 5000), ACTIVITY), put('@2', stepTimes(1000, 3000), ACTIVITY));
  assert.equal(workDuration(message()), 4000);
  run(put('@0', requestIn('pending', 'No times'), ACTIVITY));
  assert.equal(workDuration(message()), 4000);
  run(put('@3', stepTimes(4000, null), ACTIVITY));
  assert.equal(workDuration(message()), null);
  run(put('@3', stepTimes(null, 9000), ACTIVITY));
  assert.equal(workDuration(message()), null);
});

test('workDuration is null when no time has passed', () => {
  const { message, run } = setupMessage();
  run(put('@1', stepTimes(1000, 1000), ACTIVITY));
  assert.equal(workDuration(message()), null);
});
