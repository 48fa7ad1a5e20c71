import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Follower, type FollowResult } from '../../../src/backends/multi-tab/follower.js';
import type { TabRun } from '../../../src/backends/multi-tab/leader.js';
import type { TabMessage } from '../../../src/backends/multi-tab/messages.js';
import { RunMirror } from '../../../src/backends/multi-tab/run-mirror.js';
import { TabChannel } from '../../../src/backends/multi-tab/tab-channel.js';
import {
  QUERY_TIMEOUT,
  TAKEOVER_TIMEOUT,
} from '../../../src/backends/multi-tab/takeover-timeout.js';
import type { Change } from '../../../src/model/change.js';
import type { Json } from '../../../src/model/json.js';
import type { RunState } from '../../../src/model/thread.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';

const HEADER = { thread: 't', term: 1, run: 'r', seq: 0 } as const;

const runIs = (state: RunState): Change => ({ type: 'thread', set: { run: { state, id: 'r' } } });
const part: Change = {
  type: 'part',
  message: 'answer',
  part: 'p',
  parent: null,
  before: null,
  value: { kind: 'text' },
};
const textAt = (at: number, text: string): Change => {
  return { type: 'text', message: 'answer', part: 'p', at, text };
};

/** A follower of a run that another tab reads, which has the lock. The test sends the messages of that tab, and reads the batches. */
async function openFollower(ref: TabRun['ref'] = { id: null, otherRunIds: [] }) {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const listener = { onStop: () => Promise.resolve(), onChanged: () => undefined };
  const channel = new TabChannel(tabs.open(), environment, listener);
  channel.retain();
  const other = tabs.open();
  const requestLock = () => other.requestLock('t', 'if-available', new AbortController().signal);
  const lock = await requestLock();
  assert.ok(lock);
  const queries: boolean[] = [];
  other.subscribe((message) => {
    const { type, full } = message as { readonly type: string; readonly full: boolean };
    if (type === 'query') queries.push(full);
  });
  const keys = { thread: 'local', user: null, answer: 'a' };
  const mirror = new RunMirror(keys);
  const abort = new AbortController();
  const run = { thread: 't', keys, signal: abort.signal, mirror, start: null, ref };
  const send = async (message: TabMessage) => {
    other.post(message as unknown as Json);
    await environment.settle();
  };
  return {
    environment,
    lock,
    requestLock,
    queries,
    abort,
    send,
    reading: new Follower(channel, run).read(),
    sendState: (seq: number, ...changes: Change[]) =>
      send({ type: 'state', ...HEADER, seq, changes }),
    sendBatch: (seq: number, ...changes: Change[]) =>
      send({ type: 'batch', ...HEADER, seq, changes }),
    announce: (runId: string | null = 'r', seq = 0) =>
      send({ type: 'leader', ...HEADER, run: runId, seq, started: false, answered: null }),
  };
}

/** A follower whose batches are read at once. */
async function follow(ref?: TabRun['ref']) {
  const { reading, ...follower } = await openFollower(ref);
  const { environment } = follower;
  const batches: (readonly Change[])[] = [];
  let result: FollowResult | Error | null = null;
  const read = async (): Promise<FollowResult> => {
    for (;;) {
      const { done, value } = await reading.next();
      if (done) return value;
      assert.deepEqual([value.thread, value.time], ['local', environment.now()]);
      batches.push(value.changes);
    }
  };
  void read().then(
    (value) => (result = value),
    (error: unknown) => (result = error as Error),
  );
  await environment.settle();
  return { ...follower, batches, result: () => result };
}

test('Follower queries the whole state first, and shows it and the batches after it', async () => {
  const { queries, batches, sendState, sendBatch, result } = await follow();
  assert.deepEqual(queries, [true]);
  await sendBatch(5, textAt(0, 'lost'));
  assert.deepEqual(batches, [], 'without the state, nothing is shown');
  assert.deepEqual(queries, [true, true]);
  await sendState(5, runIs('streaming'), part, textAt(0, 'Hel'));
  assert.match(JSON.stringify(batches), /Hel/u);
  await sendBatch(6, textAt(3, 'lo'));
  assert.deepEqual(batches.at(-1), [{ ...textAt(3, 'lo'), message: 'a' }]);
  assert.deepEqual([queries.length, result()], [2, null]);
});

test('Follower skips a batch that its state contains, and queries the state after a gap', async () => {
  const { queries, batches, sendState, sendBatch } = await follow();
  await sendState(5, runIs('streaming'), part, textAt(0, 'Hello'));
  const count = batches.length;
  for (const seq of [4, 5]) await sendBatch(seq, textAt(0, 'Hello'));
  assert.deepEqual([queries, batches.length], [[true], count]);
  await sendBatch(7, textAt(5, '?'));
  assert.deepEqual([queries, batches.length], [[true, true], count]);
  await sendBatch(6, textAt(5, '!'));
  assert.equal(batches.length, count, 'it waits for the state');
  await sendState(7, runIs('streaming'), part, textAt(0, 'Hello!?'));
  await sendBatch(8, textAt(7, '!'));
  assert.deepEqual(batches.at(-1), [{ ...textAt(7, '!'), message: 'a' }]);
});

test('Follower reads the run itself when it lacks a state that cannot be sent', async () => {
  const { sendState, sendBatch, send, result } = await follow();
  await sendState(5, runIs('streaming'), part);
  await sendBatch(6, textAt(0, 'Hel'));
  await send({ type: 'unsendable', ...HEADER, seq: 6 });
  assert.equal(result(), null, 'it has everything');
  await send({ type: 'unsendable', ...HEADER, seq: 7 });
  assert.equal(result(), 'unshared');
  for (const header of [HEADER, { ...HEADER, term: 2 }]) {
    const other = await follow();
    if (header.term === 2) await other.sendState(0, runIs('streaming'), part);
    await other.send({ type: 'unsendable', ...header });
    assert.equal(other.result(), 'unshared');
  }
});

test('Follower queries the state when its leader announces a later one, or sends a batch of another term', async () => {
  const { queries, sendState, announce, batches, send } = await follow();
  await announce();
  assert.deepEqual(queries, [true], 'while the state is awaited, it is not queried again');
  await sendState(5, runIs('streaming'), part);
  for (const seq of [4, 5]) await announce('r', seq);
  assert.deepEqual(queries, [true]);
  await announce('r', 6);
  assert.deepEqual(queries, [true, true]);
  await sendState(6, runIs('streaming'), part);
  const count = batches.length;
  await send({ type: 'batch', ...HEADER, term: 2, seq: 7, changes: [textAt(0, 'x')] });
  assert.deepEqual([queries, batches.length], [[true, true, true], count]);
});

test('Follower ends with the run, and repeats its status last', async () => {
  const { batches, sendState, sendBatch, result, environment } = await follow();
  await sendState(0, runIs('streaming'), part);
  const status = { type: 'set', part: null, path: ['status'], value: 'complete' } as const;
  await sendBatch(1, { ...status, message: 'answer' }, runIs('complete'));
  assert.equal(result(), 'ended');
  assert.deepEqual(batches.at(-1), [
    { ...status, message: 'a' },
    { type: 'thread', set: { run: { state: 'complete', id: 'r', error: null } } },
  ]);
  assert.equal(environment.timers, 0);
});

test('Follower keeps following a run that waits for input, until another run replaces it', async () => {
  const { sendState, announce, result } = await follow();
  await sendState(0, runIs('waiting'), part);
  assert.equal(result(), null);
  await announce(null);
  assert.equal(result(), null, 'the id of that run is unknown');
  await announce('next');
  assert.equal(result(), 'ended');
});

test('Follower does not follow another run than its own', async () => {
  const known = await follow({ id: 'r', otherRunIds: [] });
  await known.announce('r');
  assert.equal(known.result(), null);
  await known.announce('other');
  assert.equal(known.result(), 'unshared');
  const unknown = await follow({ id: null, otherRunIds: ['earlier'] });
  await unknown.announce('new');
  assert.equal(unknown.result(), null);
  await unknown.announce('earlier');
  assert.equal(unknown.result(), 'unshared');
  assert.deepEqual(unknown.batches, []);
});

test('Follower queries a silent leader, and takes its lock when it does not reply', async () => {
  const { queries, environment, sendState, result, lock } = await follow();
  await environment.advance(QUERY_TIMEOUT);
  assert.deepEqual(queries, [true, true], 'it still needs the whole state');
  await sendState(0, runIs('streaming'), part);
  await environment.advance(QUERY_TIMEOUT);
  assert.deepEqual(queries, [true, true, false]);
  assert.equal(result(), null);
  await environment.advance(TAKEOVER_TIMEOUT - QUERY_TIMEOUT);
  const taken = result();
  assert.ok(taken !== null && typeof taken === 'object' && 'release' in taken);
  assert.equal(lock.lost.aborted, true);
  assert.equal(environment.timers, 0);
});

test('Follower does not take the lock from a leader that replies', async () => {
  const { environment, announce, result, lock } = await follow();
  for (let turn = 0; turn < 5; turn += 1) {
    await environment.advance(QUERY_TIMEOUT);
    await announce();
  }
  assert.deepEqual([result(), lock.lost.aborted], [null, false]);
});

test('Follower gets the lock that the leader releases after it has resigned', async () => {
  const { lock, send, sendState, environment, result } = await follow();
  await sendState(0, runIs('streaming'), part);
  await send({ type: 'resigned', thread: 't', term: 1 });
  assert.equal(result(), null);
  lock.release();
  await environment.settle();
  const granted = result();
  assert.ok(granted !== null && typeof granted === 'object' && 'release' in granted);
});

test('Follower releases the lock again when its run waits for input', async () => {
  const { lock, requestLock, sendState, environment, result } = await follow();
  await sendState(0, runIs('waiting'), part);
  lock.release();
  await environment.settle();
  assert.equal(result(), 'ended');
  assert.ok(await requestLock(), 'the lock is free');
});

test('Follower rejects when it is aborted, and no longer waits for the lock', async () => {
  const { abort, lock, requestLock, environment, result, sendState, batches } = await follow();
  abort.abort();
  await environment.settle();
  assert.equal((result() as { readonly code?: string } | null)?.code, 'aborted');
  assert.equal(environment.timers, 0);
  await sendState(0, runIs('streaming'), part);
  assert.deepEqual(batches, []);
  lock.release();
  await environment.settle();
  assert.ok(await requestLock(), 'the lock is free');
});

for (const [how, state, end] of [
  ['its run has ended', 'complete', ({ reading }) => reading.next()],
  [
    'it is aborted',
    'streaming',
    ({ reading, abort }) => {
      abort.abort();
      return assert.rejects(reading.next());
    },
  ],
  ['its reader stops', 'streaming', ({ reading }) => reading.return('ended')],
] as readonly (readonly [
  string,
  RunState,
  (follower: Awaited<ReturnType<typeof openFollower>>) => Promise<unknown>,
])[]) {
  test(`Follower releases a lock that it was granted just before ${how}`, async () => {
    const follower = await openFollower();
    const { reading, lock, requestLock, environment, sendState } = follower;
    const first = reading.next();
    await environment.settle();
    await sendState(0, part, runIs(state));
    await first;
    lock.release();
    await environment.settle();
    assert.equal(await requestLock(), null, 'the follower was granted the lock');
    await end(follower);
    assert.equal((await reading.next()).done, true);
    assert.ok(await requestLock(), 'the lock is free');
  });
}
