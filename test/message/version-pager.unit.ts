import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findVersions } from '../../src/message/branches/version-pager.js';
import type { MessageFields } from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import { threadOf } from './thread-of.js';

const user = { role: 'user' } as const;

/** The versions of a message in a thread, with ids for the versions themselves. */
function versionsOf(thread: Thread, key: string) {
  const message = thread.messages.get(key);
  assert.ok(message);
  const versions = findVersions(thread, message);
  return versions && { ...versions, all: versions.all.map(({ id }) => id) };
}

const siblings = (...ids: string[]): Pick<MessageFields, 'siblingIds'> => ({ siblingIds: ids });

test('findVersions returns null for a message with one version', () => {
  const thread = threadOf('b', { a: { ...user, ...siblings('a') }, b: { parent: 'a' } });
  assert.equal(versionsOf(thread, 'a'), null);
  assert.equal(versionsOf(thread, 'b'), null);
});

test('findVersions orders loaded versions by time', () => {
  const both = siblings('a', 'b');
  const thread = threadOf('b1', {
    a: { ...user, ...both, createdAt: 2 },
    a1: { parent: 'a' },
    a2: { parent: 'a1' },
    b: { ...user, ...both, createdAt: 1 },
    b1: { parent: 'b' },
  });
  const expected = { all: ['b', 'a'], unloaded: [] };
  assert.deepEqual(versionsOf(thread, 'b'), { ...expected, index: 0 });
  assert.deepEqual(versionsOf(thread, 'a'), { ...expected, index: 1 });
});

test('findVersions lists unloaded versions', () => {
  const all = siblings('a', 'b');
  const thread = threadOf('a1', { a: { ...user, ...all }, a1: { parent: 'a' } });
  assert.deepEqual(versionsOf(thread, 'a')?.unloaded, ['b']);
});
