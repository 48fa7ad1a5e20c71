import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunMirror } from '../../../src/backends/multi-tab/run-mirror.js';
import { shareRun } from '../../../src/backends/multi-tab/leader-election.js';
import { createRemoteError, TabChannel } from '../../../src/backends/multi-tab/tab-channel.js';
import {
  QUERY_TIMEOUT,
  TAKEOVER_TIMEOUT,
} from '../../../src/backends/multi-tab/takeover-timeout.js';
import { Leader, type TabRun } from '../../../src/backends/multi-tab/leader.js';
import type { TabLink } from '../../../src/backends/multi-tab/tab-link.js';
import type { TabMessage } from '../../../src/backends/multi-tab/messages.js';
import type { Change } from '../../../src/model/change.js';
import type { Json } from '../../../src/model/json.js';
import type { RunState } from '../../../src/model/thread.js';
import { UbikError } from '../../../src/errors.js';
import { Deferred } from '../../helpers/deferred.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';

const { signal: noSignal } = new AbortController();
const HEADER = { thread: 't', term: 1, run: 'r', seq: 0 } as const;

/** The channel of one tab, and another tab that sends it messages. */
function setupChannel(onStop = () => Promise.resolve()) {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const changed: string[] = [];
  const channel = new TabChannel(tabs.open(), environment, {
    onStop,
    onChanged: (thread) => changed.push(thread),
  });
  channel.retain();
  const other = tabs.open();
  const received: { readonly call?: string; readonly code?: string }[] = [];
  other.subscribe((message) => received.push(message as { call?: string; code?: string }));
  const send = async (message: TabMessage) => {
    other.post(message as unknown as Json);
    await environment.settle();
  };
  return { channel, environment, changed, send, received };
}

test('TabChannel calls the followers that have not unsubscribed', async () => {
  const { channel, send } = setupChannel();
  const called: string[] = [];
  const unfollow = channel.follow('t', () => called.push('first'));
  channel.follow('t', () => called.push('second'));
  unfollow();
  await send({ type: 'leader', ...HEADER, started: false, answered: null });
  assert.deepEqual(called, ['second']);
});

test('TabChannel ignores a leader of an earlier term', async () => {
  const { channel, send } = setupChannel();
  await send({ type: 'leader', ...HEADER, term: 2, run: 'new', started: false, answered: null });
  await send({ type: 'leader', ...HEADER, term: 1, run: 'old', started: false, answered: null });
  assert.equal(channel.getRemoteRun('t'), 'new');
  await send({ type: 'resigned', thread: 't', term: 1 });
  assert.equal(channel.getRemoteRun('t'), 'new');
  await send({ type: 'resigned', thread: 't', term: 2 });
  assert.equal(channel.getRemoteRun('t'), undefined);
});

test('TabChannel reports a request as answered elsewhere until the thread is loaded', async () => {
  const { channel, changed, send } = setupChannel();
  await send({ type: 'leader', ...HEADER, started: true, answered: 'q1' });
  await send({ type: 'leader', ...HEADER, started: true, answered: 'q2' });
  const isAnswered = () => ['q1', 'q2', 'q3'].map((key) => channel.isAnswered('t', key));
  assert.deepEqual(isAnswered(), [true, true, false]);
  assert.equal(channel.isAnswered('other', 'q1'), false);
  assert.deepEqual(changed, ['t', 't']);
  channel.beginLoad('t')();
  assert.deepEqual(isAnswered(), [false, false, false]);
});

test('TabChannel remembers a request that is answered while the thread is being loaded', async () => {
  const { channel, send } = setupChannel();
  await send({ type: 'leader', ...HEADER, started: true, answered: 'q1' });
  const finish = channel.beginLoad('t');
  await send({ type: 'leader', ...HEADER, started: true, answered: 'q2' });
  finish();
  assert.equal(channel.isAnswered('t', 'q2'), true);
});

/** A state of the run, as this tab's backend emits it. */
const runIs = (state: RunState): Change => ({ type: 'thread', set: { run: { state, id: 'r' } } });

/** A leader, and the messages that it posts. */
function setupLeader(start: TabRun['start'] = null) {
  const keys = { thread: 't', user: 'u', answer: 'a' };
  const mirror = new RunMirror(keys);
  const { signal } = new AbortController();
  const ref = { id: null, otherRunIds: [] };
  const run: TabRun = { thread: 't', keys, signal, mirror, start, ref };
  const posted: TabMessage[] = [];
  const lock = { lost: signal, release: () => undefined };
  const leader = new Leader(lock, 1, run, (message) => posted.push(message));
  const publish = (...changes: Change[]) => leader.publish({ thread: 't', time: 0, changes });
  return { leader, posted, run, publish };
}

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
  assert.deepEqual(
    posted.map((message) => ('seq' in message ? [message.type, message.seq] : null)),
    [
      ['state', 0],
      ['batch', 1],
      ['batch', 2],
      ['state', 2],
    ],
  );
});

test('Leader numbers a state that it cannot send, so that followers of the previous run know that they lack it', () => {
  const { run, leader, posted, publish } = setupLeader();
  /** A part with more than half of the values that a message between tabs may have. */
  const enlarge = (part: string): Change => ({
    ...{ type: 'part', message: 'a', part, parent: '@activity', before: null },
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
  assert.deepEqual(
    posted.map((message) => ('seq' in message ? [message.type, message.seq] : null)),
    [
      ['state', 0],
      ['batch', 1],
      ['batch', 2],
      ['unsendable', 2],
      ['batch', 3],
      ['unsendable', 4],
    ],
  );
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

test('LeaderCalls resolves with no-reply after the timeout, on abort and when the thread is taken over', async () => {
  const { channel, environment } = setupChannel();
  const callStop = (thread: string, signal?: AbortSignal) =>
    channel.calls.call(thread, (call) => ({ type: 'stop', thread, call }), signal);
  const unanswered = callStop('t');
  await environment.advance(TAKEOVER_TIMEOUT);
  assert.equal((await unanswered).code, 'no-reply');
  const abort = new AbortController();
  const aborted = callStop('t', abort.signal);
  abort.abort();
  assert.equal((await aborted).code, 'no-reply');
  const other = callStop('other');
  const taken = callStop('t');
  channel.calls.cancel('t');
  assert.equal((await taken).code, 'no-reply');
  channel.calls.cancel('other');
  await other;
  assert.equal(environment.timers, 0);
});

test('LeaderCalls repeats a pending call, and resolves with no-reply when the leader falls silent', async () => {
  const { channel, environment, send, received } = setupChannel();
  const callStop = () => channel.calls.call('t', (call) => ({ type: 'stop', thread: 't', call }));
  const reply = (code: string, message = '') =>
    send({ type: 'reply', call: received.at(-1)?.call ?? '', code, message });
  const answered = callStop();
  await environment.settle();
  await send({ type: 'reply', call: 'unknown', code: 'ok', message: '' });
  for (const turn of [1, 2, 3]) {
    assert.equal(received.length, turn);
    await reply('pending');
    await environment.advance(QUERY_TIMEOUT);
  }
  await reply('busy', 'Not now.');
  assert.deepEqual(await answered, { code: 'busy', message: 'Not now.' });
  assert.equal(new Set(received.map(({ call }) => call)).size, 1, 'it is one call');
  const left = callStop();
  await environment.settle();
  await reply('pending');
  await environment.advance(3 * QUERY_TIMEOUT);
  assert.equal((await left).code, 'no-reply');
  assert.equal(environment.timers, 0);
});

test('LeaderCalls ignores a late reply to a call that was resolved', async () => {
  const { channel, environment, send, received } = setupChannel();
  const resolved = channel.calls.call('t', (call) => ({ type: 'stop', thread: 't', call }));
  await environment.settle();
  const call = received.at(-1)?.call ?? '';
  await send({ type: 'reply', call, code: 'ok', message: '' });
  assert.equal((await resolved).code, 'ok');
  await send({ type: 'reply', call, code: 'pending', message: '' });
  assert.equal(environment.timers, 0);
  await environment.advance(QUERY_TIMEOUT);
  assert.equal(received.length, 1);
});

test('TabChannel sends one stop request for a call that is repeated meanwhile', async () => {
  const stops: Deferred<void>[] = [];
  const { channel, send, received } = setupChannel(() => {
    const stop = new Deferred<void>();
    stops.push(stop);
    return stop.promise;
  });
  const { run } = setupLeader({ request: null, continues: false });
  const lock = await channel.requestLock('t', 'if-available', run.signal);
  assert.ok(lock);
  channel.lead(lock, run);
  const stop = { type: 'stop', thread: 't', call: 'c' } as const;
  const codes = () => received.flatMap((each) => each.code ?? []);
  await send(stop);
  await send(stop);
  assert.deepEqual([stops.length, codes()], [1, ['pending', 'pending']]);
  stops[0]?.reject(new UbikError('forbidden'));
  await send(stop);
  assert.deepEqual([stops.length, codes().slice(2)], [2, ['forbidden', 'pending']]);
});

test('shareRun leaves the queue for the lock when the takeover is refused', async () => {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const listener = { onStop: () => Promise.resolve(), onChanged: () => undefined };
  const signals: AbortSignal[] = [];
  const [reader, actor] = [tabs.open(), tabs.open()].map((tab) => {
    const requestLock: TabLink['requestLock'] = (name, mode, signal) => {
      if (mode === 'queue') signals.push(signal);
      return tab.requestLock(name, mode, signal);
    };
    const link: TabLink = {
      post: (message) => tab.post(message),
      subscribe: (listener) => tab.subscribe(listener),
      requestLock,
    };
    return new TabChannel(link, environment, listener);
  }) as [TabChannel, TabChannel];
  const { run } = setupLeader({ request: null, continues: false });
  reader.retain();
  const lock = await reader.requestLock('t', 'if-available', run.signal);
  assert.ok(lock);
  reader.lead(lock, run);
  const open = () => assert.fail('no request is sent');
  const batches = shareRun(actor, { run, open, rejoin: undefined });
  await assert.rejects(batches.next(), { code: 'busy' });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
});

test('shareRun releases a lock that it gets although it was aborted meanwhile', async () => {
  const abort = new AbortController();
  let isReleased = false;
  const link: TabLink = {
    post: () => assert.fail('nothing is announced'),
    subscribe: () => () => undefined,
    requestLock: () => {
      abort.abort();
      return Promise.resolve({ lost: noSignal, release: () => (isReleased = true) });
    },
  };
  const listener = { onStop: () => Promise.resolve(), onChanged: () => undefined };
  const channel = new TabChannel(link, createTestEnvironment(), listener);
  const { run } = setupLeader({ request: null, continues: false });
  const open = () => assert.fail('no request is sent');
  const shared = { run: { ...run, signal: abort.signal }, open, rejoin: undefined };
  await assert.rejects(shareRun(channel, shared).next(), { code: 'aborted' });
  assert.equal(isReleased, true);
});

for (const isLeader of [true, false]) {
  const reader = isLeader ? 'the leader' : 'a tab without locks';
  test(`shareRun shows a run that waits as ${reader} has read it when the stream ends, even if it is shorter`, async () => {
    const { run } = setupLeader({ request: null, continues: false });
    const { signal } = run;
    const link: TabLink = {
      post: () => undefined,
      subscribe: () => () => undefined,
      requestLock: () =>
        Promise.resolve(isLeader ? { lost: signal, release: () => undefined } : null),
    };
    const listener = { onStop: () => Promise.resolve(), onChanged: () => undefined };
    const channel = new TabChannel(link, createTestEnvironment(), listener);
    const addText = (message: string, text: string): Change[] => [
      { type: 'part', message, part: 'p', parent: null, before: null, value: { kind: 'text' } },
      { type: 'text', message, part: 'p', at: 0, text },
    ];
    run.mirror.replaceState([...addText('answer', 'A long text'), runIs('streaming')]);
    const request: Change = {
      ...{ type: 'part', message: 'a', part: 'q', parent: '@activity', before: null },
      value: { kind: 'request-activity', state: 'pending' } as never,
    };
    async function* open() {
      const changes = [...addText('a', 'Short'), request, runIs('waiting')];
      yield { thread: 't', time: 1, changes };
      yield { thread: 't', time: 2, changes: [] };
    }
    const shown: (readonly Change[])[] = [];
    for await (const { changes } of shareRun(channel, { run, open, rejoin: undefined }))
      shown.push(changes);
    assert.deepEqual(shown.slice(0, 2), [[runIs('waiting')], []]);
    assert.match(JSON.stringify(shown[2]), /"content".*Short.*request-activity/u);
    assert.equal(shown.length, 3);
    assert.deepEqual([run.mirror.isInSync, run.mirror.shown.isSettled], [true, true]);
  });
}

/** A channel that leads the thread `t`, with a lock that the test can steal. */
async function setupLeading(start: TabRun['start'] = null) {
  const fixture = setupChannel();
  const { run } = setupLeader(start);
  const stolen = new AbortController();
  const lock = {
    lost: stolen.signal,
    isReleased: false,
    release() {
      this.isReleased = true;
    },
  };
  const leader = fixture.channel.lead(lock, run);
  await fixture.environment.settle();
  const typesOf = () => fixture.received.map((each) => (each as { type?: string }).type);
  return { ...fixture, run, leader, lock, steal: () => stolen.abort(), typesOf };
}

test('TabChannel leads with a term that is higher than all known terms', async () => {
  const { channel, environment, send } = setupChannel();
  const { run } = setupLeader();
  const lock = { lost: run.signal, release: () => undefined };
  assert.equal(channel.lead(lock, run).term, environment.now());
  const term = environment.now() + 1_000;
  await send({ type: 'leader', ...HEADER, term, started: false, answered: null });
  assert.equal(channel.lead(lock, run).term, term + 1);
  assert.equal(channel.getRemoteRun('t'), undefined);
});

test('TabChannel announces itself when it rejoins a run, not when it starts one', async () => {
  const rejoining = await setupLeading();
  assert.deepEqual(rejoining.typesOf(), ['leader']);
  const starting = await setupLeading({ request: null, continues: false });
  assert.deepEqual(starting.typesOf(), []);
});

test('TabChannel resigns for the current run only, and notifies other tabs unless its lock was stolen', async () => {
  const first = await setupLeading();
  const other = { ...first.run };
  first.channel.resign(first.leader, other);
  assert.equal(first.lock.isReleased, false);
  first.channel.resign(first.leader, first.run);
  await first.environment.settle();
  assert.deepEqual(first.typesOf(), ['leader', 'resigned']);
  assert.deepEqual([first.lock.isReleased, first.channel.leaders.size], [true, 0]);
  const second = await setupLeading();
  second.steal();
  second.channel.resign(second.leader, second.run);
  await second.environment.settle();
  assert.deepEqual(second.typesOf(), ['leader']);
});

test('TabChannel answers a query with the state or with the leader', async () => {
  const { send, typesOf, leader, steal } = await setupLeading();
  leader.publish({ thread: 't', time: 0, changes: [runIs('streaming')] });
  await send({ type: 'query', thread: 't', full: false });
  await send({ type: 'query', thread: 't', full: true });
  await send({ type: 'query', thread: 'other', full: true });
  assert.deepEqual(typesOf(), ['leader', 'leader', 'state']);
  steal();
  await send({ type: 'query', thread: 't', full: true });
  assert.equal(typesOf().length, 3);
});

test('TabChannel reserves the thread for a tab that may take over, until the reservation expires', async () => {
  const { environment, leader, received, send } = await setupLeading();
  const takeOver = { type: 'take-over', thread: 't', request: null, continues: false } as const;
  await send({ ...takeOver, call: 'early' });
  assert.equal(received.at(-1)?.code, 'busy');
  leader.publish({ thread: 't', time: 0, changes: [runIs('complete')] });
  await send({ ...takeOver, call: 'first' });
  assert.equal(received.at(-1)?.code, 'ok');
  await send({ ...takeOver, call: 'second' });
  assert.equal(received.at(-1)?.code, 'busy');
  await environment.advance(QUERY_TIMEOUT);
  assert.equal(leader.reservation, null);
  await send({ ...takeOver, call: 'third' });
  assert.equal(received.at(-1)?.code, 'ok');
});

test('TabChannel cancels the reservation when it resigns', async () => {
  const { channel, environment, leader, run, send } = await setupLeading();
  leader.publish({ thread: 't', time: 0, changes: [runIs('complete')] });
  const takeOver = { type: 'take-over', thread: 't', request: null, continues: false } as const;
  await send({ ...takeOver, call: 'c' });
  assert.equal(environment.timers, 1);
  channel.resign(leader, run);
  assert.equal(environment.timers, 0);
});

test('TabChannel subscribes once and unsubscribes with the last release', () => {
  const tab = new MemoryTabs().open();
  const listener = { onStop: () => Promise.resolve(), onChanged: () => undefined };
  const channel = new TabChannel(tab, createTestEnvironment(), listener);
  const [first, second] = [channel.retain(), channel.retain()];
  assert.equal(tab.listeners, 1);
  first();
  first();
  assert.equal(tab.listeners, 1);
  second();
  assert.equal(tab.listeners, 0);
  channel.retain();
  assert.equal(tab.listeners, 1);
});

test('TabChannel ignores messages that cannot be sent and locks that cannot be requested', async () => {
  const link: TabLink = {
    post: () => {
      throw new Error('closed');
    },
    subscribe: () => () => undefined,
    requestLock: () => Promise.reject(new Error('denied')),
  };
  const listener = { onStop: () => Promise.resolve(), onChanged: () => undefined };
  const channel = new TabChannel(link, createTestEnvironment(), listener);
  channel.post({ type: 'changed', thread: 't' });
  const { signal } = new AbortController();
  assert.equal(await channel.requestLock('t', 'queue', signal), null);
});

test('TabChannel reports changes of other tabs', async () => {
  const { changed, send } = setupChannel();
  await send({ type: 'changed', thread: 't' });
  await send({ type: 'leader', ...HEADER, started: false, answered: null });
  assert.deepEqual(changed, ['t']);
});

test('createRemoteError accepts only well-formed codes, and truncates the message', () => {
  const codeOf = (code: string) => createRemoteError(code, '').code;
  assert.deepEqual(
    [codeOf('busy'), codeOf('x'.repeat(40)), codeOf('x'.repeat(41)), codeOf('Bad code')],
    ['busy', 'x'.repeat(40), 'interrupted', 'interrupted'],
  );
  assert.equal(createRemoteError('busy', '').message, new UbikError('busy').message);
  assert.equal(createRemoteError('busy', 'x'.repeat(2_001)).message.length, 2_000);
});
