import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  flagsOf,
  normalizeForSearch,
  sortThreads,
  titleOf,
  toolsOf,
  updatedAtOf,
} from '../../src/elements/threads/thread-summary.js';
import type { Json } from '../../src/model/json.js';

test('updatedAtOf returns the time of the last change, else of the creation, else 0', () => {
  assert.equal(updatedAtOf({ updatedAt: 5, createdAt: 3 }), 5);
  assert.equal(updatedAtOf({ createdAt: 3 }), 3);
  const others: readonly (Json | undefined)[] = [undefined, null, {}, { updatedAt: 'x' }, [5], 'x'];
  for (const summary of others) assert.equal(updatedAtOf(summary), 0, JSON.stringify(summary));
});

test('titleOf returns up to 200 UTF-16 units in one line', () => {
  assert.equal(titleOf({ title: ' a\u202eb\n' }), 'a b');
  assert.equal(titleOf({ title: 'x'.repeat(300) }).length, 200);
  assert.equal(titleOf({ title: `${'x'.repeat(199)}😀` }), 'x'.repeat(199));
  assert.equal(titleOf({ title: 7 }), '');
  assert.equal(titleOf(undefined), '');
});

test('toolsOf returns the names of the tools', () => {
  assert.deepEqual(toolsOf({ tools: [{ name: 'a' }, { name: 3 }, null, 'x', { name: 'b' }] }), [
    'a',
    'b',
  ]);
  assert.deepEqual(toolsOf({ tools: 'x' }), []);
  assert.deepEqual(toolsOf({}), []);
});

test('flagsOf returns flags that the service sets to true', () => {
  const none = { isRunning: false, isUnread: false, hasFailed: false };
  assert.deepEqual(flagsOf({ isRunning: true, isUnread: 'yes' }), { ...none, isRunning: true });
  assert.deepEqual(flagsOf({ isUnread: true, hasFailed: 1 }), { ...none, isUnread: true });
  assert.deepEqual(flagsOf({ hasFailed: true }), { ...none, hasFailed: true });
  assert.deepEqual(flagsOf(undefined), none);
});

test('sortThreads puts the last changed thread first', () => {
  const threads = new Map<string, Json>([
    ['a', { updatedAt: 1 }],
    ['none', {}],
    ['b', { updatedAt: 3 }],
  ]);
  assert.deepEqual(sortThreads(threads), ['b', 'a', 'none']);
});

test('normalizeForSearch removes case and diacritics', () => {
  assert.equal(normalizeForSearch('ÉCOLE', { lang: 'fr' } as never), 'ecole');
});
