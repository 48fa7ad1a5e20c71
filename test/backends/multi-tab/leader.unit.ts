import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../../src/model/change.js';
import { runIs, setupLeader } from './setup-leader.js';

/** The types and numbers of posted messages. */
const listNumbers = (posted: ReturnType<typeof setupLeader>['posted']) =>
  posted.map((message) => ('seq' in message ? [message.type, message.seq] : null));

test('Leader publishes no state before the run has started, so that a follower keeps what it shows', () => {
  const { leader, posted, publish } = setupLeader();
  leader.publishState();
  assert.deepEqual(
    posted.map((message) => message.type),
    ['leader'],
  );
  publish(runIs('streaming'));
  publish(runIs('streaming'));
  assert.deepEqual(
    posted.map((message) => message.type),
    ['leader', 'state', 'batch'],
  );
});

test('Leader announces a new run once, when it has started', () => {
  const { posted, publish } = setupLeader({ request: 'q', continues: false });
  publish();
  assert.deepEqual(posted, []);
  publish(runIs('streaming'));
  publish(runIs('complete'));
  assert.deepEqual(posted, [
    { type: 'leader', thread: 't', term: 1, run: 'r', seq: 0, started: true, answered: 'q' },
  ]);
});

test('Leader numbers its batches from the state on, and publishes the state again with the first batch of the next run', () => {
  const { run, leader, posted, publish } = setupLeader();
  publish(runIs('streaming'));
  assert.equal(posted.length, 0, 'no follower has sent a query');
  leader.publishState();
  publish(runIs('waiting'));
  publish(runIs('streaming'));
  leader.switchTo({ ...run, start: null });
  publish(runIs('waiting'));
  assert.deepEqual(listNumbers(posted), [
    ['state', 0],
    ['batch', 1],
    ['batch', 2],
    ['state', 2],
  ]);
});

test('Leader numbers a state that it cannot send, so that followers of the previous run know that they lack it', () => {
  const { run, leader, posted, publish } = setupLeader();
  /** A part with more than half of the values that a message between tabs may have. */
  const enlarge = (part: string): Change => ({
    type: 'part',
    message: 'a',
    part,
    parent: '@activity',
    before: null,
    value: { kind: 'request-activity', schema: Array.from({ length: 300_000 }, () => 0) } as never,
  });
  publish(runIs('streaming'));
  leader.publishState();
  publish(enlarge('first'));
  publish(enlarge('second'));
  leader.publishState();
  publish(runIs('waiting'));
  leader.switchTo({ ...run, start: null });
  publish(runIs('streaming'));
  publish(runIs('streaming'));
  assert.deepEqual(listNumbers(posted), [
    ['state', 0],
    ['batch', 1],
    ['batch', 2],
    ['unsendable', 2],
    ['batch', 3],
    ['unsendable', 4],
  ]);
});

test('Leader refuses a takeover while its request is unanswered or its run is in progress', () => {
  const { leader, publish } = setupLeader({ request: 'q', continues: true });
  const refusals = () => [
    leader.checkTakeOver(null, false),
    leader.checkTakeOver('q', true),
    leader.checkTakeOver('other', true),
    leader.checkTakeOver('other', false),
  ];
  assert.deepEqual(refusals(), ['busy', 'not-open', 'busy', 'busy']);
  publish(runIs('streaming'));
  assert.deepEqual(refusals(), ['busy', 'not-open', null, 'busy']);
  publish(runIs('waiting'));
  assert.deepEqual(refusals(), [null, null, null, null]);
  leader.reservation = { handle: 1 };
  assert.deepEqual(refusals(), ['busy', 'not-open', 'busy', 'busy']);
});

test('Leader refuses an answer to a request that is closed', () => {
  const { leader, publish } = setupLeader();
  const ask = (state: 'pending' | 'answered'): Change => ({
    type: 'part',
    message: 'a',
    part: 'q',
    parent: '@activity',
    before: null,
    value: { kind: 'request-activity', state } as never,
  });
  publish(runIs('waiting'), ask('pending'));
  assert.deepEqual(
    [leader.checkTakeOver('q', false), leader.checkTakeOver(null, false)],
    [null, null],
  );
  publish(ask('answered'));
  assert.deepEqual(
    [leader.checkTakeOver('q', false), leader.checkTakeOver(null, false)],
    ['not-open', null],
  );
});
