import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunMirror } from '../../../src/backends/multi-tab/run-mirror.js';
import { fromWire, toWire } from '../../../src/backends/multi-tab/wire-changes.js';
import type { Change } from '../../../src/model/change.js';

const KEYS = { thread: 't', user: 'u', answer: 'a' };
const ANSWER = 'answer';

const set = (message: string, name: string, value: unknown, part: string | null = null): Change =>
  ({ do: 'set', message, part, path: [name], value }) as Change;

test('toWire tells of the answer, of the names of the question and of how the run stands', () => {
  const told = (change: Change) => toWire(change, KEYS);
  assert.deepEqual(told(set('a', 'status', 'waiting')), [set(ANSWER, 'status', 'waiting')]);
  assert.deepEqual(told(set('u', 'id', 'm1')), [set('question', 'id', 'm1')]);
  assert.deepEqual(told(set('a', 'state', 'done', 'p')), [set(ANSWER, 'state', 'done', 'p')]);
  assert.deepEqual(
    told({ do: 'thread', set: { head: 'a', title: 'T', run: { state: 'waiting', attempt: 3 } } }),
    [{ do: 'thread', set: { title: 'T', run: { state: 'waiting' } } }],
  );
  const item: Change = { do: 'item', list: 'documents', key: 'd', value: 1 };
  assert.deepEqual(told(item), [item]);
});

test('toWire keeps what belongs to this tab', () => {
  const own: readonly Change[] = [
    set('a', 'parent', 'u'),
    set('u', 'status', 'complete'),
    set('u', 'text', 'x', 'p'),
    set('other', 'status', 'complete'),
    { do: 'text', message: 'u', part: 'p', at: 0, text: 'secret' },
    { do: 'thread', set: { head: 'a' } },
    { do: 'thread', set: { run: {} } },
    { do: 'item', list: 'queue', key: 'q', value: 'secret' },
    { do: 'item', list: 'threads', key: 'q', value: 'secret' },
  ];
  for (const change of own) assert.deepEqual(toWire(change, KEYS), [], JSON.stringify(change));
});

test('fromWire gives the messages the keys of this tab and drops a question that it does not show', () => {
  assert.deepEqual(fromWire(set(ANSWER, 'status', 'waiting'), KEYS), [
    set('a', 'status', 'waiting'),
  ]);
  assert.deepEqual(fromWire(set('question', 'id', 'm1'), KEYS), [set('u', 'id', 'm1')]);
  assert.deepEqual(fromWire(set('question', 'id', 'm1'), { ...KEYS, user: null }), []);
});

const text = (message: string, words: string): Change[] => [
  { do: 'part', message, part: 'p', parent: null, before: null, value: { kind: 'text' } },
  { do: 'text', message, part: 'p', at: 0, text: words },
];
const batch = (...changes: Change[]) => ({ thread: 't', at: 0, changes });

test('RunMirror keeps its own replay out of sight until it is as much as what another tab has shown', () => {
  const mirror = new RunMirror(KEYS);
  mirror.adoptState(text(ANSWER, 'Hello'));
  const behind = mirror.take(batch(...text('a', 'Hell'), set('u', 'id', 'm1')));
  assert.deepEqual(behind.own.changes, [set('u', 'id', 'm1')]);
  assert.deepEqual(behind.others, []);
  const level = mirror.take(batch({ do: 'text', message: 'a', part: 'p', at: 4, text: 'o' }));
  assert.equal(level.own.changes[0]?.do, 'content');
  assert.equal(level.others[0]?.do, 'content');
  const next = batch({ do: 'text', message: 'a', part: 'p', at: 5, text: '!' });
  const ahead = mirror.take(next);
  assert.equal(ahead.own, next);
  assert.deepEqual(ahead.others, toWire(next.changes[0] as Change, KEYS));
});

test('RunMirror says whether the own backend has read all that is shown', () => {
  const mirror = new RunMirror(KEYS);
  mirror.take(batch(...text('a', 'Hell')));
  assert.equal(mirror.isOwn, true);
  mirror.adoptState(text(ANSWER, 'Hello'));
  assert.equal(mirror.isOwn, false);
  mirror.take(batch({ do: 'text', message: 'a', part: 'p', at: 4, text: 'o' }));
  assert.equal(mirror.isOwn, true);
});

test('RunMirror shows its own replay when the run is over, however short it is', () => {
  const mirror = new RunMirror(KEYS);
  mirror.adoptState(text(ANSWER, 'A long text'));
  const { own } = mirror.take(
    batch(...text('a', 'Short'), { do: 'thread', set: { run: { state: 'complete', id: 'r' } } }),
  );
  assert.equal(own.changes[0]?.do, 'content');
  assert.equal(mirror.shown.isOver, true);
});

test('RunMirror takes away the activity that the state of another tab lacks', () => {
  const mirror = new RunMirror(KEYS);
  const phase = (part: string, parent: string): Change => ({
    do: 'part',
    message: ANSWER,
    part,
    parent,
    before: null,
    value: { kind: 'output-activity', outputKey: part },
  });
  mirror.adoptState([phase('@1', '@activity'), phase('@1.1', '@1'), phase('@2', '@activity')]);
  const changes = mirror.adoptState([phase('@2', '@activity'), phase('@3', '@activity')]);
  assert.deepEqual(
    changes.flatMap((change) => (change.do === 'remove' ? change.part : [])),
    ['@1'],
  );
  assert.deepEqual(
    changes.flatMap((change) => (change.do === 'part' ? change.part : [])),
    ['@3'],
  );
});

test('AnswerMirror knows whether its run has begun, waits or is over', () => {
  const shown = (...changes: Change[]) => {
    const mirror = new RunMirror(KEYS);
    mirror.adoptState(changes);
    const { isBegun, isAtRest, isOver } = mirror.shown;
    return [isBegun, isAtRest, isOver];
  };
  const run = (state: 'streaming' | 'waiting' | 'stopped', id: string | null = null): Change => ({
    do: 'thread',
    set: { run: { state, id } },
  });
  assert.deepEqual(shown(), [false, false, false]);
  assert.deepEqual(shown(run('streaming')), [false, false, false]);
  assert.deepEqual(shown(run('streaming', 'r')), [true, false, false]);
  assert.deepEqual(shown(...text(ANSWER, '')), [true, false, false]);
  assert.deepEqual(shown(run('waiting')), [true, true, false]);
  assert.deepEqual(shown(run('stopped')), [true, true, true]);
});
