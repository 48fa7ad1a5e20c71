import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../src/model/change.js';
import type { MessageFields } from '../../src/model/message.js';
import type { Thread } from '../../src/model/thread.js';
import {
  drawBranches,
  ROW_HEIGHT,
  drawingWidth,
} from '../../src/message/branches/branch-drawing.js';
import {
  listBranchPoints,
  siblingPositions,
  messageExcerpt,
} from '../../src/message/branches/branch-tree.js';
import { threadOf } from './thread-of.js';

/** The points as lines, indented by lane, with a star on the visible path. */
function sketch(thread: Thread): string[] {
  return listBranchPoints(thread).map(
    ({ lane, active, key, messages, number, count, name, level }) => {
      const stretch = messages.length > 1 ? `+${String(messages.length - 1)}` : '';
      const version = count > 1 ? ` ${String(number)}/${String(count)}` : '';
      return `${' '.repeat(lane)}${active ? '*' : '-'}${name || key.replace(/^version /, '')}${stretch}${version} @${String(level)}`;
    },
  );
}

const user = { role: 'user' } as const;

test('listBranchPoints returns one point for a thread without versions', () => {
  assert.deepEqual(sketch(threadOf('b', { a: user, b: { parent: 'a' } })), ['*a+1 @1']);
  assert.deepEqual(sketch(threadOf('', {})), []);
});

test('listBranchPoints lists the visible branch last, in the lane of its parent', () => {
  const thread = threadOf('a2', {
    q1: user,
    a1: { parent: 'q1' },
    q2: user,
    a2: { parent: 'q2' },
    b1: { parent: 'a1' },
    c1: { parent: 'a1' },
  });
  assert.deepEqual(sketch(thread), [
    ' -q1+1 1/2 @1',
    '  -b1 1/2 @2',
    ' -c1 2/2 @2',
    '*q2+1 2/2 @1',
  ]);
});

test('listBranchPoints skips a system message before several roots', () => {
  const thread = threadOf('b', { s: { role: 'system' }, a: { ...user, parent: 's' }, b: user });
  assert.deepEqual(sketch(thread), [' -a 1/2 @1', '*b 2/2 @1']);
});

test('drawBranches joins several roots, and siblingPositions numbers them', () => {
  const thread = threadOf('c', { a: user, b: user, c: user });
  const points = listBranchPoints(thread);
  const lines = drawBranches(points).map(({ active, others }) => active + others);
  const [bend, half] = [
    `C7 ${String(ROW_HEIGHT / 2)} 7 ${String(ROW_HEIGHT / 2)}`,
    String(ROW_HEIGHT / 2),
  ];
  assert.deepEqual(lines, [
    `M21 ${half}${bend} 7 ${String(ROW_HEIGHT)}`,
    `M7 0${bend} 21 ${half}M7 0V${String(ROW_HEIGHT)}`,
    `M7 0V${half}`,
  ]);
  assert.deepEqual(siblingPositions(points), [
    { position: 1, size: 3 },
    { position: 2, size: 3 },
    { position: 3, size: 3 },
  ]);
});

test('listBranchPoints numbers no version while one is not loaded', () => {
  const thread = threadOf('a', { q2: { ...user, siblingIds: ['q1', 'q2'] }, a: { parent: 'q2' } });
  const points = listBranchPoints(thread);
  assert.deepEqual(sketch(thread), [' -q1 0/2 @1', '*q2+1 0/2 @1']);
  assert.deepEqual([points[0]?.id, points[0]?.siblingKey], ['q1', 'q2']);
});

test('listBranchPoints lists checkpoints below their version', () => {
  const value = { kind: 'checkpoint', name: 'step1_completed' } as const;
  const thread = threadOf(
    'a',
    { q: user, a: { parent: 'q' } },
    { type: 'part', message: 'a', part: 'c1', parent: null, before: null, value },
  );
  assert.deepEqual(sketch(thread), ['*q+1 @1', '*step1_completed @2']);
});

test('listBranchPoints leads to the newest loaded message of a branch', () => {
  const thread = threadOf('b', { q: user, a: { parent: 'q' }, b: user });
  assert.equal(listBranchPoints(thread)[0]?.id, 'a');
});

test('listBranchPoints leaves out a cycle of parents', () => {
  const thread = threadOf('c', { a: { parent: 'b' }, b: { parent: 'a' }, c: user });
  assert.deepEqual(sketch(thread), ['*c @1']);
});

test('listBranchPoints does not recurse for 2,000 nested versions', () => {
  const messages: Record<string, Partial<MessageFields>> = {};
  for (let at = 0; at < 2_000; at += 1) {
    const parent = at > 0 ? `m${String(at - 1)}` : null;
    messages[`m${String(at)}`] = { parent };
    messages[`x${String(at)}`] = { parent };
  }
  const points = listBranchPoints(threadOf('m1999', messages));
  assert.equal(points.length, 4_000);
  assert.equal(Math.max(...points.map(({ lane }) => lane)), 1);
});

test('drawBranches draws a line from each point to its children, past the rows between', () => {
  const thread = threadOf('d', {
    a: user,
    b: { parent: 'a' },
    c: { parent: 'a' },
    d: { parent: 'a' },
  });
  const points = listBranchPoints(thread);
  const lines = drawBranches(points);
  assert.deepEqual(
    points.map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
  );
  assert.equal(drawingWidth(points), 28);
  const half = String(ROW_HEIGHT / 2);
  assert.deepEqual(lines[0], { x: 7, active: `M7 ${half}V${String(ROW_HEIGHT)}`, others: '' });
  assert.match(lines[1]?.others ?? '', /^M7 0C.* 21 22$/);
  assert.equal(lines[1]?.active, `M7 0V${String(ROW_HEIGHT)}`, 'the way that is shown passes by');
  assert.deepEqual(lines[3], { x: 7, active: `M7 0V${half}`, others: '' });
});

test('messageExcerpt returns one line without control characters and Markdown syntax', () => {
  const text = (words: string): Change[] => [
    { type: 'part', message: 'a', part: 't', parent: null, before: null, value: { kind: 'text' } },
    { type: 'text', message: 'a', part: 't', at: 0, text: words },
  ];
  const say = (words: string): string => {
    const message = threadOf('a', { a: user }, ...text(words)).messages.get('a');
    assert.ok(message);
    return messageExcerpt(message);
  };
  assert.equal(say('  One\n\n\ttwo\u202Ethree\u0007  '), 'One two three');
  assert.equal(say('x'.repeat(500)).length, 121);
  assert.equal(say('\n\n'), '');
  // A screen reader would read out the syntax of Markdown.
  assert.equal(
    say('### Rivers\n\n- The **Danube** `flows`\n> 2 * 3 # is'),
    'Rivers The Danube flows 2 * 3 # is',
  );
});

test('key of a branch point stays the same when its version is loaded', () => {
  const known = { q2: { ...user, siblingIds: ['q1', 'q2'] } };
  const keysOf = (thread: Thread) =>
    listBranchPoints(thread)
      .map(({ key }) => key)
      .sort();
  const read = threadOf('q2', { q1: { ...user, siblingIds: ['q1', 'q2'] }, ...known });
  assert.deepEqual(keysOf(threadOf('q2', known)), keysOf(read));
});
