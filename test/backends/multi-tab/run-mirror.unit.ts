import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunMirror } from '../../../src/backends/multi-tab/run-mirror.js';
import { toWireChanges } from '../../../src/backends/multi-tab/wire-changes.js';
import type { Change } from '../../../src/model/change.js';

const KEYS = { thread: 't', user: 'u', answer: 'a' };
const ANSWER = 'answer';

const set = (message: string, name: string, value: unknown, part: string | null = null): Change =>
  ({ type: 'set', message, part, path: [name], value }) as Change;

/** Adds a text part. */
const text = (message: string, content: string): Change[] => [
  { type: 'part', message, part: 'p', parent: null, before: null, value: { kind: 'text' } },
  { type: 'text', message, part: 'p', at: 0, text: content },
];
const batch = (...changes: Change[]) => ({ thread: 't', time: 0, changes });
/** Adds an output of a tool. */
const addOutput = (part: string, parent = '@activity'): Change => ({
  type: 'part',
  message: ANSWER,
  part,
  parent,
  before: null,
  value: { kind: 'output-activity', outputKey: part },
});

test('RunMirror hides its own replay until it is as long as what another tab has shown', () => {
  const mirror = new RunMirror(KEYS);
  mirror.replaceState(text(ANSWER, 'Hello'));
  const title: Change = { type: 'thread', set: { title: 'T' } };
  const checkpoint: Change = { type: 'item', list: 'checkpoints', key: 'c', value: 1 };
  const run: Change = { type: 'thread', set: { run: { state: 'streaming' } } };
  const others = [set('u', 'id', 'm1'), title, checkpoint, run];
  const behind = mirror.receive(batch(...text('a', 'Hell'), ...others));
  assert.deepEqual(behind.local.changes, others);
  assert.deepEqual(behind.remote, [set('question', 'id', 'm1'), title, checkpoint]);
  const level = mirror.receive(batch({ type: 'text', message: 'a', part: 'p', at: 4, text: 'o' }));
  assert.equal(level.local.changes[0]?.type, 'content');
  assert.equal(level.remote[0]?.type, 'content');
  const next = batch({ type: 'text', message: 'a', part: 'p', at: 5, text: '!' });
  const ahead = mirror.receive(next);
  assert.equal(ahead.local, next);
  assert.deepEqual(ahead.remote, toWireChanges(next.changes[0] as Change, KEYS));
});

test('RunMirror is in sync when its own backend has read everything that is shown', () => {
  const mirror = new RunMirror(KEYS);
  mirror.receive(batch(...text('a', 'Hell')));
  assert.equal(mirror.isInSync, true);
  mirror.replaceState(text(ANSWER, 'Hello'));
  assert.equal(mirror.isInSync, false);
  mirror.receive(batch({ type: 'text', message: 'a', part: 'p', at: 4, text: 'o' }));
  assert.equal(mirror.isInSync, true);
});

test('RunMirror shows its own replay when the run ends, even if it is shorter', () => {
  const mirror = new RunMirror(KEYS);
  mirror.replaceState(text(ANSWER, 'A long text'));
  const { local } = mirror.receive(
    batch(...text('a', 'Short'), { type: 'thread', set: { run: { state: 'complete', id: 'r' } } }),
  );
  assert.equal(local.changes[0]?.type, 'content');
  assert.equal(mirror.shown.isEnded, true);
});

test('RunMirror shows its own replay although it lacks an output that another tab has shown', () => {
  const mirror = new RunMirror(KEYS);
  mirror.replaceState([
    ...text(ANSWER, 'Hello'),
    addOutput('@1'),
    { type: 'text', message: ANSWER, part: '@1', at: 0, text: 'A long output' },
  ]);
  const { local } = mirror.receive(batch(...text('a', 'Hello')));
  assert.deepEqual(
    local.changes.flatMap((change) => (change.type === 'remove' ? change.part : [])),
    ['@1'],
  );
  assert.equal(mirror.isInSync, true);
});

test('RunMirror removes activity that the state of another tab lacks', () => {
  const mirror = new RunMirror(KEYS);
  mirror.replaceState([addOutput('@1'), addOutput('@1.1', '@1'), addOutput('@2')]);
  const changes = mirror.replaceState([addOutput('@2'), addOutput('@3')]);
  assert.deepEqual(
    changes.flatMap((change) => (change.type === 'remove' ? change.part : [])),
    ['@1'],
  );
  assert.deepEqual(
    changes.flatMap((change) => (change.type === 'part' ? change.part : [])),
    ['@3'],
  );
});

test('RunMirror reports whether the shown run has started, is settled or has ended', () => {
  const shown = (...changes: Change[]) => {
    const mirror = new RunMirror(KEYS);
    mirror.replaceState(changes);
    const { isStarted, isSettled, isEnded } = mirror.shown;
    return [isStarted, isSettled, isEnded];
  };
  const run = (state: 'streaming' | 'waiting' | 'stopped', id: string | null = null): Change => ({
    type: 'thread',
    set: { run: { state, id } },
  });
  assert.deepEqual(shown(), [false, false, false]);
  assert.deepEqual(shown(run('streaming')), [false, false, false]);
  assert.deepEqual(shown(run('streaming', 'r')), [true, false, false]);
  assert.deepEqual(shown(...text(ANSWER, '')), [true, false, false]);
  assert.deepEqual(shown(run('waiting')), [true, true, false]);
  assert.deepEqual(shown(run('stopped')), [true, true, true]);
});

test('RunMirror changes only the activity and the texts that differ from the state of another tab', () => {
  const mirror = new RunMirror(KEYS);
  const output = (key: string, content: string): Change[] => [
    addOutput(key),
    { type: 'text', message: ANSWER, part: key, at: 0, text: content },
  ];
  mirror.replaceState([...output('@1', 'same'), ...output('@2', 'old')]);
  const changes = mirror.replaceState([...output('@1', 'same'), ...output('@2', 'new')]);
  assert.deepEqual(
    changes.filter(({ type }) => type === 'part' || type === 'text'),
    [{ type: 'text', message: 'a', part: '@2', at: 0, text: 'new' }],
  );
});

test('RunMirror repeats the status of a run that has one', () => {
  const mirror = new RunMirror(KEYS);
  assert.deepEqual(mirror.localStatusChanges, []);
  mirror.replaceState([
    set(ANSWER, 'status', 'waiting'),
    { type: 'thread', set: { run: { state: 'waiting', id: 'r' } } },
  ]);
  assert.deepEqual(mirror.localStatusChanges, [
    set('a', 'status', 'waiting'),
    { type: 'thread', set: { run: { state: 'waiting', id: 'r', error: null } } },
  ]);
});

/** Adds a request. */
const request = (part: string, state: string, executionId: string | null = null): Change => ({
  type: 'part',
  message: ANSWER,
  part,
  parent: '@activity',
  before: null,
  value: { kind: 'request-activity', state, executionId } as never,
});

test('RunMirror reports a request as closed unless it is pending or unknown', () => {
  const mirror = new RunMirror(KEYS);
  mirror.replaceState([request('@1', 'pending'), request('@2', 'closed'), ...text(ANSWER, 'x')]);
  assert.deepEqual(
    ['@1', '@2', '@3', 'p'].map((key) => mirror.shown.isRequestClosed(key)),
    [false, true, false, false],
  );
});

test('RunMirror does not report a request as closed while a further request of its execution is pending', () => {
  const mirror = new RunMirror(KEYS);
  mirror.replaceState([
    request('@x', 'answered', 'x'),
    request('@x#2', 'pending', 'x'),
    request('@y', 'answered', 'y'),
    request('@y#2', 'answered', 'y'),
    request('@z', 'answered', null),
    request('@z#2', 'pending', null),
  ]);
  assert.deepEqual(
    ['@x', '@y', '@z'].map((key) => mirror.shown.isRequestClosed(key)),
    [false, true, true],
  );
});
