import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/model/change.js';
import { apply } from '../../src/model/apply.js';
import {
  branchesAt,
  findPreviousBranch,
  groupByParent,
  listVersions,
} from '../../src/model/branches.js';
import { EMPTY_ANSWER, type MessageFields } from '../../src/model/message.js';
import { createStore } from '../../src/model/store.js';
import type { Thread } from '../../src/model/thread.js';
import { type TreeMessage, buildThread } from '../controller/checkpoints/build-tree.js';

/** A thread with messages by key, whose ids equal their keys. */
function threadOf(messages: Readonly<Record<string, Partial<MessageFields>>>): Thread {
  const store = createStore();
  const changes = Object.entries(messages).map(([key, fields]): Change => {
    return { type: 'message', message: key, value: { ...EMPTY_ANSWER, id: key, ...fields } };
  });
  apply(store, { thread: 't', time: 0, changes });
  const thread = store.threads.get('t');
  assert.ok(thread);
  return thread;
}

/** The ids of the versions that have this parent. */
function idsAt(thread: Thread, parent: string | null): (string | null)[] {
  return listVersions(groupByParent(thread).get(parent) ?? []).map(({ id }) => id);
}

test('groupByParent groups the messages of a thread with several roots', () => {
  const children = groupByParent(
    threadOf({ a: {}, b: { parent: 'a' }, c: {}, d: { parent: 'a' } }),
  );
  const keys = [...children].map(([parent, list]) => [parent, list.map(({ key }) => key)]);
  assert.deepEqual(keys, [
    [null, ['a', 'c']],
    ['a', ['b', 'd']],
  ]);
});

test('groupByParent treats children of system messages and of unknown parents as roots', () => {
  const thread = threadOf({ s: { role: 'system' }, a: { parent: 's' }, b: { parent: 'gone' } });
  assert.deepEqual(idsAt(thread, null), ['a', 'b']);
});

test('groupByParent moves the children of several system messages in a row to their visible parent', () => {
  const system = { role: 'system' } as const;
  const thread = threadOf({
    s1: system,
    s2: { ...system, parent: 's1' },
    a: { parent: 's2' },
    s3: { ...system, parent: 'a' },
    s4: { ...system, parent: 's3' },
    s5: { ...system, parent: 's4' },
    b: { parent: 's5' },
    s6: { ...system, parent: 'gone' },
    c: { parent: 's6' },
  });
  assert.deepEqual(idsAt(thread, null), ['a', 'c']);
  assert.deepEqual(idsAt(thread, 'a'), ['b']);
  assert.deepEqual([...groupByParent(thread).keys()], [null, 'a']);
  assert.deepEqual(
    branchesAt(thread, 'b').map(({ id }) => id),
    ['b'],
  );
});

test('groupByParent treats a child of system messages in a cycle as a root', () => {
  const thread = threadOf({
    s1: { role: 'system', parent: 's2' },
    s2: { role: 'system', parent: 's1' },
    a: { parent: 's2' },
  });
  assert.deepEqual(idsAt(thread, null), ['a']);
});

test('listVersions sorts loaded versions by creation time', () => {
  const siblingIds = ['c', 'a', 'b'];
  const thread = threadOf({
    a: { createdAt: 1, siblingIds },
    b: { createdAt: 2, siblingIds: ['a'] },
    c: { createdAt: 3 },
  });
  assert.deepEqual(idsAt(thread, null), ['a', 'b', 'c']);
});

test('listVersions keeps the order of the service while a version is not loaded', () => {
  const thread = threadOf({ b: { createdAt: 1, siblingIds: ['c', 'a'] } });
  assert.deepEqual(idsAt(thread, null), ['c', 'a', 'b']);
});

test('listVersions puts versions without an id or a creation time last', () => {
  const thread = threadOf({
    new: { id: null, createdAt: null },
    b: { createdAt: null },
    a: { createdAt: 5 },
  });
  assert.deepEqual(idsAt(thread, null), ['a', 'b', null]);
});

const SIBLINGS = ['a', 'b', 'unloaded'];
const TREE: Readonly<Record<string, TreeMessage>> = {
  q: { role: 'user', createdAt: 1 },
  a: { parent: 'q', createdAt: 2, siblingIds: SIBLINGS },
  a2: { parent: 'a', role: 'user', createdAt: 3 },
  a3: { parent: 'a2', createdAt: 4 },
  b: { parent: 'q', createdAt: 5, siblingIds: SIBLINGS },
  b2: { parent: 'b', role: 'user', createdAt: 6 },
};

/** Summarizes the branches at a message: id, key of the first message, head, and whether it is shown. */
const listBranches = (thread: ReturnType<typeof buildThread>, key: string): unknown[] =>
  branchesAt(thread, key).map(({ id, message, head, shown }) => [id, message?.key, head, shown]);

test('branchesAt lists the branches of a message, each with its head', () => {
  const expected = [
    ['a', 'a', 'a3', false],
    ['b', 'b', 'b2', true],
    ['unloaded', undefined, null, false],
  ];
  assert.deepEqual(listBranches(buildThread(TREE, 'b2'), 'b'), expected);
  assert.deepEqual(listBranches(buildThread(TREE, 'b2'), 'a'), expected);
});

test('branchesAt returns the head of the thread for the shown branch', () => {
  assert.deepEqual(listBranches(buildThread(TREE, 'b'), 'b')[1], ['b', 'b', 'b', true]);
});

test('findPreviousBranch returns the branch before the given one, else the one after it, else null', () => {
  const thread = buildThread(TREE, 'b2');
  assert.equal(findPreviousBranch(thread, 'b')?.id, 'a');
  // The first branch has no predecessor, so its successor is returned.
  assert.equal(findPreviousBranch(thread, 'a')?.id, 'b');
  assert.equal(findPreviousBranch(thread, 'q'), null);
  assert.equal(findPreviousBranch(thread, 'gone'), null);
});

test('findPreviousBranch returns the branch before a new one that the service has not listed yet', () => {
  const thread = buildThread({ ...TREE, b: { parent: 'q', createdAt: 5 } }, 'b');
  assert.equal(findPreviousBranch(thread, 'b')?.id, 'a');
});
