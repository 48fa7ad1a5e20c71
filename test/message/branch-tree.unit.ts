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
  listBranchMapPoints,
  siblingPositions,
  messageExcerpt,
  type BranchMapPoint,
} from '../../src/message/branches/branch-tree.js';
import { threadOf } from './thread-of.js';

/**
 * Formats each point as a line, indented by lane: `*` on the shown branch, else `-`; the name of a checkpoint or the id of a version; `+N`, the
 * number of messages that follow it; `number/count` of several versions; `@level`.
 */
function formatPoints(thread: Thread): string[] {
  return listBranchMapPoints(thread).map(
    ({ lane, active, key, messages, number, count, name, level }) => {
      const following = messages.length > 1 ? `+${String(messages.length - 1)}` : '';
      const version = count > 1 ? ` ${String(number)}/${String(count)}` : '';
      return `${' '.repeat(lane)}${active ? '*' : '-'}${name || key.replace(/^version /, '')}${following}${version} @${String(level)}`;
    },
  );
}

const user = { role: 'user' } as const;

test('listBranchMapPoints returns one point for a thread without versions', () => {
  assert.deepEqual(formatPoints(threadOf('b', { a: user, b: { parent: 'a' } })), ['*a+1 @1']);
  assert.deepEqual(formatPoints(threadOf('', {})), []);
});

test('listBranchMapPoints lists the shown branch last, in the lane of its parent', () => {
  const thread = threadOf('a2', {
    q1: user,
    a1: { parent: 'q1' },
    q2: user,
    a2: { parent: 'q2' },
    b1: { parent: 'a1' },
    c1: { parent: 'a1' },
  });
  assert.deepEqual(formatPoints(thread), [
    ' -q1+1 1/2 @1',
    '  -b1 1/2 @2',
    ' -c1 2/2 @2',
    '*q2+1 2/2 @1',
  ]);
});

test('listBranchMapPoints skips a system message before several roots', () => {
  const thread = threadOf('b', { s: { role: 'system' }, a: { ...user, parent: 's' }, b: user });
  assert.deepEqual(formatPoints(thread), [' -a 1/2 @1', '*b 2/2 @1']);
});

test('drawBranches joins several roots, and siblingPositions numbers them', () => {
  const thread = threadOf('c', { a: user, b: user, c: user });
  const points = listBranchMapPoints(thread);
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

test('listBranchMapPoints numbers no version while one is not loaded', () => {
  const thread = threadOf('a', { q2: { ...user, siblingIds: ['q1', 'q2'] }, a: { parent: 'q2' } });
  const points = listBranchMapPoints(thread);
  assert.deepEqual(formatPoints(thread), [' -q1 0/2 @1', '*q2+1 0/2 @1']);
  assert.deepEqual([points[0]?.id, points[0]?.siblingKey], ['q1', 'q2']);
});

test('listBranchMapPoints lists checkpoints below their version', () => {
  const value = { kind: 'checkpoint', name: 'step1_completed' } as const;
  const thread = threadOf(
    'a',
    { q: user, a: { parent: 'q' } },
    { type: 'part', message: 'a', part: 'c1', parent: null, before: null, value },
  );
  assert.deepEqual(formatPoints(thread), ['*q+1 @1', '*step1_completed @2']);
});

test('listBranchMapPoints returns the id of the newest loaded message of a branch', () => {
  const thread = threadOf('b', { q: user, a: { parent: 'q' }, b: user });
  assert.equal(listBranchMapPoints(thread)[0]?.id, 'a');
});

test('listBranchMapPoints omits a cycle of parents', () => {
  const thread = threadOf('c', { a: { parent: 'b' }, b: { parent: 'a' }, c: user });
  assert.deepEqual(formatPoints(thread), ['*c @1']);
});

test('listBranchMapPoints does not recurse for 2,000 nested versions', () => {
  const messages: Record<string, Partial<MessageFields>> = {};
  for (let at = 0; at < 2_000; at += 1) {
    const parent = at > 0 ? `m${String(at - 1)}` : null;
    messages[`m${String(at)}`] = { parent };
    messages[`x${String(at)}`] = { parent };
  }
  const points = listBranchMapPoints(threadOf('m1999', messages));
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
  const points = listBranchMapPoints(thread);
  const lines = drawBranches(points);
  assert.deepEqual(
    points.map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
  );
  assert.equal(drawingWidth(points), 28);
  const half = String(ROW_HEIGHT / 2);
  assert.deepEqual(lines[0], { x: 7, active: `M7 ${half}V${String(ROW_HEIGHT)}`, others: '' });
  assert.match(lines[1]?.others ?? '', /^M7 0C.* 21 22$/);
  assert.equal(
    lines[1]?.active,
    `M7 0V${String(ROW_HEIGHT)}`,
    'the line of the shown branch passes this row',
  );
  assert.deepEqual(lines[3], { x: 7, active: `M7 0V${half}`, others: '' });
});

test('messageExcerpt returns one line without control characters, inline marks and Markdown syntax', () => {
  const text = (words: string): Change[] => [
    { type: 'part', message: 'a', part: 't', parent: null, before: null, value: { kind: 'text' } },
    { type: 'text', message: 'a', part: 't', at: 0, text: words },
  ];
  const excerptOf = (words: string, fields: object = {}): string => {
    const message = threadOf('a', { a: fields }, ...text(words)).messages.get('a');
    assert.ok(message);
    return messageExcerpt(message);
  };
  assert.equal(excerptOf('  One\n\n\ttwo\u202Ethree\u0007  '), 'One two three');
  assert.equal(excerptOf('\n\n'), '');
  // Neither the delimiters nor the keys of inline marks.
  assert.equal(excerptOf('The Danube\uE000c1\uE001 flows\uE000c2\uE001.'), 'The Danube flows.');
  assert.equal(excerptOf(`x${' '.repeat(476)}\uE000c1\uE001`), 'x');
  // A text of the user has no marks, but may contain their delimiters, for example from a PDF file.
  assert.equal(excerptOf('Does \uE000 mean \uE001, too?', user), 'Does mean , too?');
  // A screen reader would read out the syntax of Markdown.
  assert.equal(
    excerptOf('### Rivers\n\n- The **Danube** `flows`\n> 2 * 3 # is'),
    'Rivers The Danube flows 2 * 3 # is',
  );
});

test('the key of a branch point stays the same when its version is loaded', () => {
  const known = { q2: { ...user, siblingIds: ['q1', 'q2'] } };
  const keysOf = (thread: Thread) =>
    listBranchMapPoints(thread)
      .map(({ key }) => key)
      .sort();
  const withVersionLoaded = threadOf('q2', { q1: { ...user, siblingIds: ['q1', 'q2'] }, ...known });
  assert.deepEqual(keysOf(threadOf('q2', known)), keysOf(withVersionLoaded));
});

test('listBranchMapPoints describes the version of a message that has no id yet', () => {
  const [point, ...others] = listBranchMapPoints(threadOf('a', { a: { ...user, id: null } }));
  assert.deepEqual(others, []);
  // Points of versions have a further field, which is used only while the list is created.
  const { messages, ...fields } = point as BranchMapPoint & { readonly version?: unknown };
  assert.deepEqual(
    messages.map(({ key }) => key),
    ['a'],
  );
  delete fields.version;
  assert.deepEqual(fields, {
    ...{ key: 'a', kind: 'version', id: null, siblingKey: 'a', name: '', number: 1, count: 1 },
    ...{ active: true, isHead: true, parent: -1, level: 1, lane: 0 },
  });
});

test('listBranchMapPoints marks the end of the shown branch only', () => {
  const thread = threadOf('b', { q: user, a: { parent: 'q' }, b: { parent: 'q' } });
  assert.deepEqual(
    listBranchMapPoints(thread).map(({ id, isHead, active }) => [id, isHead, active]),
    [
      ['q', false, true],
      ['a', false, false],
      ['b', true, true],
    ],
  );
});

test('listBranchMapPoints ends a version before a message with versions that are not loaded', () => {
  const thread = threadOf('a', { q: user, a: { parent: 'q', siblingIds: ['a', 'a2'] } });
  assert.deepEqual(formatPoints(thread), ['*q @1', ' -a2 0/2 @2', '*a 0/2 @2']);
});

test('listBranchMapPoints lists the checkpoints of every branch, except those without a name', () => {
  const checkpoint = (message: string, part: string, name: string): Change => ({
    ...{ type: 'part', message, part, parent: null, before: null },
    value: { kind: 'checkpoint', name },
  });
  const thread = threadOf(
    'b',
    { q: user, a: { parent: 'q' }, b: { parent: 'q' } },
    checkpoint('a', 'c1', 'first'),
    checkpoint('a', 'c2', ''),
    checkpoint('b', 'c1', 'second'),
  );
  const checkpoints = listBranchMapPoints(thread).filter(({ kind }) => kind === 'checkpoint');
  assert.deepEqual(
    checkpoints.map(({ messages, ...fields }) => ({
      ...fields,
      of: messages.map(({ key }) => key),
    })),
    [
      {
        ...{ parent: 1, level: 3, lane: 1, key: 'a c1', kind: 'checkpoint', id: 'a' },
        ...{ siblingKey: 'a', name: 'first', number: 1, count: 1, active: false, isHead: false },
        of: ['a'],
      },
      {
        ...{ parent: 3, level: 3, lane: 0, key: 'b c1', kind: 'checkpoint', id: 'b' },
        ...{ siblingKey: 'b', name: 'second', number: 1, count: 1, active: true, isHead: false },
        of: ['b'],
      },
    ],
  );
});

test('siblingPositions counts the children of each point separately', () => {
  const points = [-1, 0, 0, -1].map((parent) => ({ parent }) as BranchMapPoint);
  assert.deepEqual(siblingPositions(points), [
    { position: 1, size: 2 },
    { position: 1, size: 2 },
    { position: 2, size: 2 },
    { position: 2, size: 2 },
  ]);
});

test('drawBranches draws the shown branch apart from the other lines', () => {
  const children = { b: { parent: 'a' }, c: { parent: 'a' }, d: { parent: 'a' } };
  assert.deepEqual(drawBranches(listBranchMapPoints(threadOf('d', { a: user, ...children }))), [
    { x: 7, active: 'M7 22V44', others: '' },
    { x: 21, active: 'M7 0V44', others: 'M7 0C7 22 7 22 21 22' },
    { x: 21, active: 'M7 0V44', others: 'M7 0C7 22 7 22 21 22' },
    { x: 7, active: 'M7 0V22', others: '' },
  ]);
});

test('drawBranches draws branches of a branch that is not shown', () => {
  const thread = threadOf('q2', {
    q1: user,
    a1: { parent: 'q1' },
    q2: user,
    b1: { parent: 'a1' },
    c1: { parent: 'a1' },
  });
  assert.deepEqual(drawBranches(listBranchMapPoints(thread)), [
    { x: 21, active: '', others: 'M21 22C7 22 7 22 7 44M21 22V44' },
    { x: 35, active: '', others: 'M21 0C21 22 21 22 35 22M7 0V44M21 0V44' },
    { x: 21, active: '', others: 'M21 0V22M7 0V44' },
    { x: 7, active: '', others: 'M7 0V22' },
  ]);
});

test('drawBranches does not continue the line of the shown branch to a checkpoint', () => {
  const checkpoint: Change = {
    ...{ type: 'part', message: 'a', part: 'c1', parent: null, before: null },
    value: { kind: 'checkpoint', name: 'first' },
  };
  const path = { q: user, a: { parent: 'q' } };
  assert.deepEqual(drawBranches(listBranchMapPoints(threadOf('a', path, checkpoint))), [
    { x: 7, active: '', others: 'M7 22V44' },
    { x: 7, active: '', others: 'M7 0V22' },
  ]);
  const forked = { ...path, b: { parent: 'a' }, c: { parent: 'a' } };
  assert.deepEqual(drawBranches(listBranchMapPoints(threadOf('c', forked, checkpoint))), [
    { x: 7, active: 'M7 22V44', others: '' },
    { x: 7, active: 'M7 0V44', others: 'M7 0V22' },
    { x: 21, active: 'M7 0V44', others: 'M7 0C7 22 7 22 21 22' },
    { x: 7, active: 'M7 0V22', others: '' },
  ]);
});

test('drawBranches draws eight lanes, and further points in the last one', () => {
  const pointsIn = (...lanes: number[]) =>
    lanes.map((lane) => ({ lane, parent: -1, active: false, kind: 'version' }) as BranchMapPoint);
  const points = pointsIn(0, 6, 7, 8, 20);
  assert.deepEqual(
    drawBranches(points).map(({ x }) => x),
    [7, 91, 105, 105, 105],
  );
  assert.equal(drawingWidth(points), 112);
  assert.equal(drawingWidth(pointsIn(0, 6)), 98);
  assert.equal(drawingWidth([]), 14);
});

test('messageExcerpt returns the first text that is not blank, truncated after 120 UTF-16 units between characters', () => {
  const excerptOf = (...texts: string[]): string => {
    const changes = texts.flatMap((words, index): Change[] => [
      {
        ...{ type: 'part', message: 'a', part: `t${String(index)}`, parent: null, before: null },
        value: index === 0 ? { kind: 'thinking', state: 'closed' } : { kind: 'text' },
      },
      { type: 'text', message: 'a', part: `t${String(index)}`, at: 0, text: words },
    ]);
    const message = threadOf('a', { a: {} }, ...changes).messages.get('a');
    assert.ok(message);
    return messageExcerpt(message);
  };
  assert.equal(excerptOf('A thought', ' ', 'Second', 'Third'), 'Second');
  assert.equal(excerptOf('A thought'), '');
  assert.equal(excerptOf('', 'x'.repeat(120)), 'x'.repeat(120));
  assert.equal(excerptOf('', 'x'.repeat(121)), `${'x'.repeat(120)}…`);
  assert.equal(excerptOf('', 'x'.repeat(500)), `${'x'.repeat(120)}…`);
  assert.equal(excerptOf('', `${'x'.repeat(119)}😀`), `${'x'.repeat(119)}…`);
  // Only the first 480 units of a text are read.
  assert.equal(excerptOf('', `x${' '.repeat(478)}😀`), 'x');
  assert.equal(excerptOf('', `${' '.repeat(479)}abc`, 'Second'), 'a');
  assert.equal(excerptOf('', `${' '.repeat(480)}abc`, 'Second'), 'Second');
});

test('listBranchMapPoints keeps, on a branch that is not shown, the last loaded version in the lane of its parent', () => {
  const siblingIds = ['a', 'b', 'c'];
  const thread = threadOf('q2', {
    q1: user,
    a: { parent: 'q1', siblingIds },
    b: { parent: 'q1', siblingIds },
    q2: user,
  });
  const points = listBranchMapPoints(thread);
  const lanes = new Map(points.map(({ id, lane }) => [id, lane]));
  assert.deepEqual(
    ['q1', 'a', 'b', 'c'].map((id) => lanes.get(id)),
    [1, 2, 1, 2],
  );
});
