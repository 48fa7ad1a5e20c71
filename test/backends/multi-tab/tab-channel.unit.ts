import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteError, TabChannel } from '../../../src/backends/multi-tab/tab-channel.js';
import {
  QUERY_TIMEOUT,
  TAKEOVER_TIMEOUT,
} from '../../../src/backends/multi-tab/takeover-timeout.js';
import type { TabRun } from '../../../src/backends/multi-tab/leader.js';
import type { TabLink } from '../../../src/backends/multi-tab/tab-link.js';
import type { TabMessage } from '../../../src/backends/multi-tab/messages.js';
import type { Json } from '../../../src/model/json.js';
import { UbikError } from '../../../src/errors.js';
import { Deferred } from '../../helpers/deferred.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';
import { runIs, setupLeader } from './setup-leader.js';

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
  const unanswered = callStop();
  await environment.settle();
  await reply('pending');
  await environment.advance(3 * QUERY_TIMEOUT);
  assert.equal((await unanswered).code, 'no-reply');
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
  // A backend of the host page may reject with any value; the calling tab ignores a reply without a code.
  stops[1]?.reject(new TypeError('Not a UbikError'));
  await send(stop);
  assert.deepEqual([stops.length, codes().slice(4)], [3, ['interrupted', 'pending']]);
});

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

test('TabChannel ignores that a message cannot be sent, and gets no lock when the request for it fails', async () => {
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
