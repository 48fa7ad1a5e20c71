import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changesContent,
  findReport,
  provesRun,
  replaceRunStates,
} from '../../src/controller/run/run-batch.js';
import { createFieldChange, type Change } from '../../src/model/change.js';
import type { Run } from '../../src/model/thread.js';

const setRun = (run: Partial<Run>): Change => ({ type: 'thread', set: { run } });
const TEXT: Change = { type: 'text', message: 'm', part: 'p', at: 0, text: 'Hi' };
const PART: Change = {
  type: 'part',
  message: 'm',
  part: 'p',
  parent: null,
  before: null,
  value: { kind: 'text' },
};

test('provesRun accepts every change except the status streaming of a run or a message', () => {
  const cases: readonly (readonly [Change, boolean])[] = [
    [createFieldChange('m', null, 'status', 'streaming'), false],
    [createFieldChange('m', null, 'status', 'complete'), true],
    [setRun({ state: 'streaming' }), false],
    [setRun({ state: 'streaming', id: null }), false],
    [setRun({ state: 'streaming', id: 'task-1' }), true],
    [setRun({ state: 'waiting' }), true],
    [{ type: 'thread', set: { title: 'Title' } }, true],
    [TEXT, true],
    [PART, true],
  ];
  for (const [change, isProof] of cases)
    assert.equal(provesRun(change), isProof, JSON.stringify(change));
});

test('changesContent distinguishes content from the status of a message or a run', () => {
  const cases: readonly (readonly [Change, boolean])[] = [
    [createFieldChange('m', null, 'status', 'streaming'), false],
    [createFieldChange('m', 'p', 'state', 'done'), true],
    [{ type: 'remove', message: 'm', part: null }, false],
    [{ type: 'remove', message: 'm', part: 'p' }, true],
    [TEXT, true],
    [PART, true],
    [setRun({ state: 'streaming', id: 'task-1' }), false],
    [{ type: 'item', list: 'documents', key: 'd', value: 1 }, false],
  ];
  for (const [change, isContent] of cases)
    assert.equal(changesContent(change), isContent, JSON.stringify(change));
});

test('findReport returns the first id and the last state of the run', () => {
  const changes = [
    TEXT,
    setRun({ state: 'streaming' }),
    setRun({ id: 'task-1', state: 'waiting' }),
    setRun({ id: 'task-2' }),
    { type: 'thread', set: { title: 'Title' } },
  ] as const;
  assert.deepEqual(findReport(changes), { runId: 'task-1', state: 'waiting' });
  assert.deepEqual(findReport([TEXT]), { runId: null, state: undefined });
});

test('replaceRunStates replaces reported states and removes the error that came with them', () => {
  const error = { code: 'run-failed', message: 'Failed' };
  const changes = [
    TEXT,
    { type: 'thread', set: { title: 'Title' } },
    setRun({ id: 'task-1' }),
    setRun({ state: 'streaming', error }),
    setRun({ state: 'failed', error, id: 'task-1' }),
  ] as const;
  const batch = { thread: 't', time: 1, changes };
  const replaced = replaceRunStates(batch, (state) => (state === 'failed' ? 'stopped' : state));
  assert.deepEqual(replaced, {
    thread: 't',
    time: 1,
    changes: [...changes.slice(0, 4), setRun({ state: 'stopped', error: null, id: 'task-1' })],
  });
});
