import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { ACTIVITY } from '../../src/model/part.js';
import { toPartTrees } from '../../src/model/part-tree.js';
import { createStore } from '../../src/model/store.js';
import { setupMessage } from '../helpers/model-message.js';

const TEXT = { kind: 'text' } as const;

test('apply adds parts at the end and before a sibling', () => {
  const { message, run } = setupMessage();
  run(
    { type: 'part', message: 'm', part: 'b', parent: null, before: null, value: TEXT },
    { type: 'part', message: 'm', part: 'a', parent: null, before: 'b', value: TEXT },
    { type: 'text', message: 'm', part: 'b', at: 0, text: 'world' },
  );
  assert.deepEqual(message().parts.children(null), ['a', 'b']);
  assert.equal(message().parts.get('b')?.text?.read(), 'world');
});

test('apply replaces a part when its fields change, and keeps its text object', () => {
  const { message, run } = setupMessage();
  const value = { kind: 'thinking', state: 'open' } as const;
  run({ type: 'part', message: 'm', part: 'a', parent: null, before: null, value });
  run({ type: 'text', message: 'm', part: 'a', at: 0, text: 'Hm' });
  const before = message().parts.get('a');
  run({ type: 'set', message: 'm', part: 'a', path: ['state'], value: 'closed' });
  const after = message().parts.get('a');
  assert.notEqual(after, before);
  assert.equal(after?.text, before?.text);
  assert.equal(after?.kind === 'thinking' && after.state, 'closed');
});

test('apply keeps a part when only its text is appended to', () => {
  const { message, run } = setupMessage();
  run({ type: 'part', message: 'm', part: 'a', parent: null, before: null, value: TEXT });
  run({ type: 'text', message: 'm', part: 'a', at: 0, text: 'One' });
  const before = message().parts.get('a');
  run({ type: 'text', message: 'm', part: 'a', at: 3, text: ' two' });
  assert.equal(message().parts.get('a'), before);
  assert.equal(before?.text?.read(), 'One two');
});

test('apply rejects changes that do not fit, and applies the others of the batch', () => {
  const { message, run } = setupMessage();
  const { applied, rejected } = run(
    { type: 'text', message: 'm', part: 'none', at: 0, text: 'lost?' },
    { type: 'text', message: 'none', part: 'a', at: 0, text: 'lost?' },
    { type: 'part', message: 'm', part: 'a', parent: 'none', before: null, value: TEXT },
    { type: 'part', message: 'm', part: 'b', parent: null, before: 'none', value: TEXT },
    { type: 'remove', message: 'm', part: 'none' },
    { type: 'part', message: 'm', part: 'c', parent: null, before: null, value: TEXT },
    { type: 'text', message: 'm', part: 'c', at: 9, text: 'gap' },
    { type: 'set', message: 'm', part: 'c', path: ['kind'], value: 'error' },
    { type: 'set', message: 'm', part: null, path: ['parts'], value: [] },
  );
  assert.equal(applied.length, 1);
  assert.equal(rejected.length, 8);
  assert.deepEqual(message().parts.children(null), ['c']);
});

test('apply rejects paths that reach a prototype or an index out of range, and paths that are too long', () => {
  const { run } = setupMessage();
  const paths = [
    ['__proto__', 'polluted'],
    ['extra', '__proto__', 'polluted'],
    ['extra', 'constructor', 'prototype', 'polluted'],
    ['extra', -1],
    ['extra', 1.5],
    ['extra', 10_000],
    Array.from({ length: 33 }, () => 'deep'),
  ];
  for (const path of paths) {
    const { applied } = run({ type: 'set', message: 'm', part: null, path, value: true });
    assert.equal(applied.length, 0, path.join('.'));
  }
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('apply treats prototype names as ordinary keys', () => {
  const { message, run } = setupMessage();
  for (const part of ['__proto__', 'constructor', 'toString']) {
    run({ type: 'part', message: 'm', part, parent: null, before: null, value: TEXT });
    run({ type: 'text', message: 'm', part, at: 0, text: part });
    assert.equal(message().parts.get(part)?.text?.read(), part);
  }
  assert.equal(Object.hasOwn(Object.prototype, 'text'), false);
});

test('apply sets a nested field and shares all other values', () => {
  const { message, run } = setupMessage();
  run({
    type: 'set',
    message: 'm',
    part: null,
    path: ['extra'],
    value: { a: { b: 1 }, c: [1, 2] },
  });
  const listBefore = (message().extra as { c: unknown }).c;
  run({ type: 'set', message: 'm', part: null, path: ['extra', 'a', 'b'], value: 2 });
  assert.equal((message().extra as { c: unknown }).c, listBefore);
  run({ type: 'set', message: 'm', part: null, path: ['extra', 'c', 2], value: 3 });
  assert.deepEqual(message().extra, { a: { b: 2 }, c: [1, 2, 3] });
  run({ type: 'set', message: 'm', part: null, path: ['extra', 'a'] });
  assert.deepEqual(message().extra, { c: [1, 2, 3] });
});

test('apply removes a part with its descendants', () => {
  const { message, run } = setupMessage();
  const step = { kind: 'step', number: 1, title: '', single: false, state: 'running' } as const;
  run(
    { type: 'part', message: 'm', part: 's', parent: null, before: null, value: step },
    { type: 'part', message: 'm', part: 'a', parent: 's', before: null, value: TEXT },
    { type: 'remove', message: 'm', part: 's' },
  );
  assert.equal(message().parts.size, 0);
});

test('apply keeps activity when the content is replaced', () => {
  const { message, run } = setupMessage();
  const value = { kind: 'output-activity', outputKey: 'response' } as const;
  run(
    { type: 'part', message: 'm', part: '@o', parent: ACTIVITY, before: null, value },
    { type: 'text', message: 'm', part: '@o', at: 0, text: 'partial' },
    { type: 'content', message: 'm', parts: [{ kind: 'text', key: 'a', text: 'All of it.' }] },
  );
  assert.equal(message().parts.get('@o')?.text?.read(), 'partial');
  assert.deepEqual(toPartTrees(message()), [{ kind: 'text', key: 'a', text: 'All of it.' }]);
});

test('apply increases the revisions of a changed part and its ancestors only', () => {
  const { store, message, run } = setupMessage();
  const step = { kind: 'step', number: 1, title: '', single: false, state: 'running' } as const;
  run(
    { type: 'part', message: 'm', part: 's', parent: null, before: null, value: step },
    { type: 'part', message: 'm', part: 'a', parent: 's', before: null, value: TEXT },
    { type: 'part', message: 'm', part: 'b', parent: null, before: null, value: TEXT },
  );
  const { parts } = message();
  const before = { s: parts.revision('s'), a: parts.revision('a'), b: parts.revision('b') };
  const thread = store.threads.get('t')?.revision ?? 0;
  run({ type: 'text', message: 'm', part: 'a', at: 0, text: 'x' });
  assert.ok(parts.revision('a') > before.a && parts.revision('s') > before.s);
  assert.equal(parts.revision('b'), before.b);
  assert.equal(store.threads.get('t')?.revision, thread + 1);
});

test('revision of a part never decreases, even when the part is removed and added again', () => {
  const { message, run } = setupMessage();
  const add = { type: 'part', message: 'm', part: 'a', parent: null, before: null } as const;
  const seen: number[] = [message().parts.revision('a')];
  const recordRevision = (): void => void seen.push(message().parts.revision('a'));
  run({ ...add, value: TEXT });
  recordRevision();
  run({ type: 'text', message: 'm', part: 'a', at: 0, text: 'x' });
  recordRevision();
  run({ type: 'remove', message: 'm', part: 'a' });
  recordRevision();
  run({ ...add, value: TEXT });
  recordRevision();
  assert.deepEqual(
    seen,
    [...new Set(seen)].sort((left, right) => left - right),
  );
});

test('apply merges fields of the run and keeps the others', () => {
  const { store, run } = setupMessage();
  run({ type: 'thread', set: { title: 'Rain', run: { state: 'streaming', id: 'task' } } });
  run({ type: 'thread', set: { run: { state: 'complete' } } });
  const thread = store.threads.get('t');
  assert.equal(thread?.run.id, 'task');
  assert.equal(thread?.run.state, 'complete');
  assert.equal(thread?.title, 'Rain');
});

test('apply sets list entries by key, and the list of threads globally', () => {
  const store = createStore();
  apply(store, {
    thread: '',
    time: 0,
    changes: [{ type: 'item', list: 'threads', key: 'a', value: 1 }],
  });
  assert.equal(store.threads.size, 0);
  assert.equal(store.threadList.get('a'), 1);
  apply(store, {
    thread: 't',
    time: 0,
    changes: [{ type: 'item', list: 'queue', key: 'q', value: 'x' }],
  });
  assert.equal(store.threads.get('t')?.list('queue').get('q'), 'x');
  apply(store, { thread: 't', time: 0, changes: [{ type: 'item', list: 'queue', key: 'q' }] });
  assert.equal(store.threads.get('t')?.list('queue').size, 0);
});

test('apply returns changes of the list of threads without creating a thread', () => {
  const { store } = setupMessage();
  const change = { type: 'item', list: 'threads', key: 't1', value: null } as const;
  const { applied, rejected } = apply(store, {
    thread: 't9',
    time: 0,
    changes: [change],
  });
  assert.deepEqual([applied, rejected], [[change], []]);
  assert.equal(store.threads.has('t9'), false);
});

test('apply rejects changes of a message that the thread does not have', () => {
  const { store, run } = setupMessage();
  const changes: Change[] = [
    { type: 'part', message: 'x', part: 'a', parent: null, before: null, value: TEXT },
    { type: 'text', message: 'x', part: 'a', at: 0, text: 'One' },
    { type: 'set', message: 'x', part: 'a', path: ['state'], value: 'open' },
    { type: 'remove', message: 'x', part: 'a' },
  ];
  const revision = store.threads.get('t')?.revision;
  assert.deepEqual(run(...changes), { applied: [], rejected: changes });
  assert.equal(store.threads.get('t')?.revision, revision);
});

test('apply creates a thread whose run is idle', () => {
  const { store } = setupMessage();
  assert.deepEqual(store.threads.get('t')?.run, {
    state: 'idle',
    id: null,
    user: null,
    answer: null,
    resumed: false,
    attempt: 0,
    retryAt: null,
    error: null,
  });
});

test('apply removes a message, and rejects the removal of an unknown one', () => {
  const { store, run } = setupMessage();
  const remove = { type: 'remove', message: 'm', part: null } as const;
  assert.deepEqual(run(remove), { applied: [remove], rejected: [] });
  assert.equal(store.threads.get('t')?.messages.has('m'), false);
  assert.deepEqual(run(remove), { applied: [], rejected: [remove] });
});

test('apply rejects a part that exists below another parent', () => {
  const { message, run } = setupMessage();
  const step = { kind: 'step', number: 1, title: '', single: false, state: 'running' } as const;
  const add = { type: 'part', message: 'm', part: 'a', before: null, value: TEXT } as const;
  run(
    { type: 'part', message: 'm', part: 's', parent: null, before: null, value: step },
    { ...add, parent: 's' },
  );
  const moved = { ...add, parent: null };
  assert.deepEqual(run(moved), { applied: [], rejected: [moved] });
  assert.deepEqual([message().parts.children(null), message().parts.children('s')], [['s'], ['a']]);
});

test('apply rejects a text at a negative position', () => {
  const { message, run } = setupMessage();
  run({ type: 'part', message: 'm', part: 'a', parent: null, before: null, value: TEXT });
  run({ type: 'text', message: 'm', part: 'a', at: 0, text: 'One' });
  const change = { type: 'text', message: 'm', part: 'a', at: -1, text: 'x' } as const;
  assert.deepEqual(run(change).rejected, [change]);
  assert.equal(message().parts.get('a')?.text?.read(), 'One');
});

test('apply keeps the run object when a change of the thread has no run', () => {
  const { store, run } = setupMessage();
  run({ type: 'thread', set: { run: { state: 'streaming', id: 'task' } } });
  const before = store.threads.get('t')?.run;
  run({ type: 'thread', set: { title: 'Rain' } });
  assert.equal(store.threads.get('t')?.run, before);
});
