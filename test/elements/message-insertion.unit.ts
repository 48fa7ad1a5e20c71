import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import type { Entry, MessageGroup } from '../../src/elements/transcript/message-group.js';
import { MessageInsertion } from '../../src/elements/transcript/message-insertion.js';
import { ANSWER, setupMessage } from '../helpers/model-message.js';

/** The insertion only compares groups, so strings stand in for them. */
const GROUPS = ['first', 'second'] as unknown as readonly MessageGroup[];

/** Messages with texts of this length, the second half of them in the second group. */
function createEntries(count: number, length: number): Entry[] {
  const { run, store } = setupMessage();
  return Array.from({ length: count }, (_, at) => {
    const message = `m${at}`;
    const value = { kind: 'text' } as const;
    run(
      { type: 'message', message, value: ANSWER },
      { type: 'part', message, part: 'text', parent: null, before: null, value },
      { type: 'text', message, part: 'text', at: 0, text: 'x'.repeat(length) },
    );
    const found = store.threads.get('t')?.messages.get(message);
    return { message: found, group: GROUPS[at < count / 2 ? 0 : 1] } as unknown as Entry;
  });
}

function setupInsertion(count: number, length = 10) {
  const frames = createManualFrameScheduler();
  const entries = createEntries(count, length);
  /** Indexes of the inserted messages, in the order of their insertion. */
  const inserted: number[] = [];
  const rendered: number[] = [];
  const groups: unknown[] = [];
  const insertion = new MessageInsertion({
    frames,
    insert: (entry, isRendered) => {
      const index = entries.indexOf(entry);
      inserted.push(index);
      if (isRendered) rendered.push(index);
    },
    insertInto: (group, insert) => {
      groups.push(group);
      insert();
    },
  });
  return { entries, frames, groups, inserted, insertion, rendered };
}

const messagesOf = (entries: readonly Entry[]) => entries.map(({ message }) => message);

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) }, (_, at) => (to > from ? from + at : from - at));

test('the messages before the newest ones of an opened list are inserted in frames, the newest first', () => {
  const { entries, frames, groups, inserted, insertion, rendered } = setupInsertion(60);
  insertion.open([]);
  insertion.add(entries, 'opening');
  assert.deepEqual(inserted, []);
  assert.deepEqual([insertion.isActive, insertion.nextGroup], [true, 'second']);
  frames.frame(0);
  assert.deepEqual(inserted, [59]);
  frames.frame(30);
  assert.deepEqual(inserted, range(59, 27));
  assert.deepEqual(groups, ['second', 'second']);
  assert.equal(insertion.nextGroup, 'first');
  frames.flush();
  assert.deepEqual(inserted, range(59, -1));
  assert.deepEqual(rendered, inserted);
  assert.deepEqual(groups, ['second', 'second', 'first']);
  assert.deepEqual([insertion.isActive, insertion.nextGroup], [false, undefined]);
  assert.equal(frames.scheduledCount, 0);
});

test('at once, up to 25 messages are inserted, and none after 1536 UTF-16 units of text', () => {
  for (const [length, expected] of [
    [10, 25],
    [512, 3],
    [511, 4],
    [1536, 1],
    [7000, 1],
  ] as const) {
    const { entries, inserted, insertion } = setupInsertion(40, length);
    insertion.add(entries, 'after');
    assert.equal(inserted.length, expected, String(length));
    assert.equal(insertion.open(messagesOf(entries)), expected, String(length));
  }
  const { entries, insertion } = setupInsertion(3);
  assert.equal(insertion.open(messagesOf(entries)), 3);
});

test('after other messages, the oldest are inserted first', () => {
  const { entries, frames, inserted, insertion } = setupInsertion(40);
  insertion.add(entries, 'after');
  assert.deepEqual(inserted, range(0, 25));
  frames.flush();
  assert.deepEqual(inserted, range(0, 40));
});

test('before other messages, all are inserted in frames and as placeholders, the newest first', () => {
  const { entries, frames, inserted, insertion, rendered } = setupInsertion(40);
  insertion.add(entries, 'before');
  assert.deepEqual(inserted, []);
  frames.flush();
  assert.deepEqual([inserted, rendered], [range(39, -1), []]);
});

test('the first 100 inserted messages are rendered, and none after 262,144 UTF-16 units of text', () => {
  for (const [count, length, expected] of [
    [120, 10, 100],
    [70, 4096, 64],
    [70, 4095, 65],
  ] as const) {
    const { entries, frames, insertion, rendered } = setupInsertion(count, length);
    const atOnce = insertion.open(messagesOf(entries));
    insertion.add(entries.slice(0, -atOnce), 'opening');
    frames.flush();
    assert.deepEqual(rendered, range(count - 1 - atOnce, count - 1 - expected));
    insertion.add(entries.slice(0, 10), 'after');
    frames.flush();
    assert.equal(rendered.length, expected - atOnce + 10, 'after others, the limits apply anew');
  }
});

test('all messages can be inserted at once, after which frames insert none', () => {
  const { entries, frames, groups, inserted, insertion } = setupInsertion(60);
  insertion.add(entries, 'opening');
  insertion.finish();
  assert.deepEqual(inserted, range(59, -1));
  frames.flush();
  assert.deepEqual([inserted.length, groups], [60, []]);
});

test('messages that were waiting when the list was cleared are not inserted, and need no frame', () => {
  const { entries, frames, inserted, insertion } = setupInsertion(60);
  insertion.add(entries, 'opening');
  insertion.clear();
  assert.deepEqual([frames.scheduledCount, insertion.isActive], [0, false]);
  insertion.add(entries.slice(0, 3), 'after');
  assert.deepEqual(inserted, [0, 1, 2]);
  assert.equal(frames.scheduledCount, 0);
});
