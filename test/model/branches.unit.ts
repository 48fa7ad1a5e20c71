import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/model/change.js';
import { apply } from '../../src/model/apply.js';
import { childrenOf, countAfter, versionsAt } from '../../src/model/branches.js';
import { EMPTY_ANSWER, type MessageFields } from '../../src/model/message.js';
import { createStore } from '../../src/model/store.js';
import type { Thread } from '../../src/model/thread.js';

/** A thread of messages whose ids are their keys; the key before the colon is the one before them. */
function threadOf(messages: Readonly<Record<string, Partial<MessageFields>>>): Thread {
  const store = createStore();
  const changes = Object.entries(messages).map(([key, fields]): Change => {
    return { do: 'message', message: key, value: { ...EMPTY_ANSWER, id: key, ...fields } };
  });
  apply(store, { thread: 't', at: 0, changes });
  const thread = store.threads.get('t');
  assert.ok(thread);
  return thread;
}

/** Ids of the versions at a place. */
function idsAt(thread: Thread, place: string | null): (string | null)[] {
  return versionsAt(childrenOf(thread).get(place) ?? []).map(({ id }) => id);
}

test('sorts the messages of a thread by the one before them, several roots too', () => {
  const children = childrenOf(threadOf({ a: {}, b: { parent: 'a' }, c: {}, d: { parent: 'a' } }));
  const keys = [...children].map(([place, list]) => [place, list.map(({ key }) => key)]);
  assert.deepEqual(keys, [
    [null, ['a', 'c']],
    ['a', ['b', 'd']],
  ]);
});

test('takes what follows a word of the system, or what is not known, for a root', () => {
  const thread = threadOf({ s: { role: 'system' }, a: { parent: 's' }, b: { parent: 'gone' } });
  assert.deepEqual(idsAt(thread, null), ['a', 'b']);
});

test('orders versions by the time of their making, whatever the service calls them', () => {
  const siblingIds = ['c', 'a', 'b'];
  const thread = threadOf({
    a: { createdAt: 1, siblingIds },
    b: { createdAt: 2, siblingIds: ['a'] },
    c: { createdAt: 3 },
  });
  assert.deepEqual(idsAt(thread, null), ['a', 'b', 'c']);
});

test('keeps the order of the service while a version is not read, and knows itself where it is not named', () => {
  const thread = threadOf({ b: { createdAt: 1, siblingIds: ['c', 'a'] } });
  assert.deepEqual(idsAt(thread, null), ['c', 'a', 'b']);
});

test('puts a version without a name last, and one without a time behind those with one', () => {
  const thread = threadOf({
    new: { id: null, createdAt: null },
    b: { createdAt: null },
    a: { createdAt: 5 },
  });
  assert.deepEqual(idsAt(thread, null), ['a', 'b', null]);
});

test('counts what follows a message on all ways, and does not go round in circles', () => {
  const thread = threadOf({
    a: {},
    b: { parent: 'a' },
    c: { parent: 'b' },
    d: { parent: 'b' },
    x: { parent: 'y' },
    y: { parent: 'x' },
  });
  const children = childrenOf(thread);
  assert.equal(countAfter(children, 'a'), 3);
  assert.equal(countAfter(children, 'd'), 0);
  assert.equal(countAfter(children, 'x'), 1);
});
