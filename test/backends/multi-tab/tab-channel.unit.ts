import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunMirror } from '../../../src/backends/multi-tab/run-mirror.js';
import { shareRun } from '../../../src/backends/multi-tab/leader-election.js';
import { TabChannel, PATIENCE } from '../../../src/backends/multi-tab/tab-channel.js';
import { LeaderElection, type TabCall } from '../../../src/backends/multi-tab/leader.js';
import type { TabLink } from '../../../src/backends/multi-tab/tab-link.js';
import type { TabMessage } from '../../../src/backends/multi-tab/messages.js';
import type { Change } from '../../../src/model/change.js';
import type { Json } from '../../../src/model/json.js';
import type { RunState } from '../../../src/model/thread.js';
import { UbikError } from '../../../src/errors.js';
import { Deferred } from '../../helpers/deferred.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';

const OF_LEADER = { thread: 't', term: 1, run: 'r', seq: 0 } as const;

/** The channel of one tab, and another tab that tells it things. */
function setupDesk(stop = () => Promise.resolve()) {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const changed: string[] = [];
  const channel = new TabChannel(tabs.open(), environment, {
    stop,
    changed: (thread) => changed.push(thread),
  });
  channel.hold();
  const other = tabs.open();
  const heard: { readonly call?: string; readonly code?: string }[] = [];
  other.listen((message) => heard.push(message as { call?: string; code?: string }));
  const hear = async (message: TabMessage) => {
    other.post(message as unknown as Json);
    await environment.settle();
  };
  return { channel, environment, changed, hear, heard };
}

test('TabChannel tells a follower nothing more once it has left, and the others go on', async () => {
  const { channel, hear } = setupDesk();
  const heard: string[] = [];
  const leave = channel.follow('t', () => heard.push('first'));
  channel.follow('t', () => heard.push('second'));
  leave();
  await hear({ do: 'lead', ...OF_LEADER, begun: false, answers: null });
  assert.deepEqual(heard, ['second']);
});

test('TabChannel ignores a leader whose term is over', async () => {
  const { channel, hear } = setupDesk();
  await hear({ do: 'lead', ...OF_LEADER, term: 2, run: 'new', begun: false, answers: null });
  await hear({ do: 'lead', ...OF_LEADER, term: 1, run: 'old', begun: false, answers: null });
  assert.equal(channel.runElsewhere('t'), 'new');
  await hear({ do: 'left', thread: 't', term: 1 });
  assert.equal(channel.runElsewhere('t'), 'new');
  await hear({ do: 'left', thread: 't', term: 2 });
  assert.equal(channel.runElsewhere('t'), undefined);
});

test('TabChannel knows a question as answered until the thread has been read', async () => {
  const { channel, changed, hear } = setupDesk();
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q1' });
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q2' });
  const isAnswered = () => ['q1', 'q2', 'q3'].map((key) => channel.isAnswered('t', key));
  assert.deepEqual(isAnswered(), [true, true, false]);
  assert.equal(channel.isAnswered('other', 'q1'), false);
  assert.deepEqual(changed, ['t', 't']);
  channel.beginReading('t')();
  assert.deepEqual(isAnswered(), [false, false, false]);
});

test('TabChannel keeps an answer that comes while the thread is being read', async () => {
  const { channel, hear } = setupDesk();
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q1' });
  const finish = channel.beginReading('t');
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q2' });
  finish();
  assert.equal(channel.isAnswered('t', 'q2'), true);
});

/** How the run stands, as the backend of a tab tells it. */
const runIs = (state: RunState): Change => ({ do: 'thread', set: { run: { state, id: 'r' } } });

/** A tab that reads, and what it posts. */
function setupLead(act: TabCall['act'] = null) {
  const keys = { thread: 't', user: 'u', answer: 'a' };
  const mirror = new RunMirror(keys);
  const { signal } = new AbortController();
  const run = { id: null, finishedRuns: [] };
  const call: TabCall = { thread: 't', keys, signal, mirror, act, run };
  const posted: TabMessage[] = [];
  const lock = { lost: signal, release: () => undefined };
  const lead = new LeaderElection(lock, 1, call, (message) => posted.push(message));
  const take = (...changes: Change[]) => lead.take({ thread: 't', at: 0, changes });
  return { lead, posted, call, take };
}

test('LeaderElection tells a follower no state before the run has begun, so that nothing it shows is lost', () => {
  const { lead, posted, take } = setupLead();
  lead.tellAll();
  assert.deepEqual(
    posted.map((message) => message.do),
    ['lead'],
  );
  take(runIs('streaming'));
  take(runIs('streaming'));
  assert.deepEqual(
    posted.map((message) => message.do),
    ['lead', 'state', 'batch'],
  );
});

test('LeaderElection announces an act once, when its run has begun', () => {
  const { posted, take } = setupLead({ request: 'q', aside: false });
  take();
  assert.deepEqual(posted, []);
  take(runIs('streaming'));
  take(runIs('complete'));
  assert.deepEqual(posted, [
    { do: 'lead', thread: 't', term: 1, run: 'r', seq: 0, begun: true, answers: 'q' },
  ]);
});

test('LeaderElection numbers its batches from the state on, and tells all again after another act', () => {
  const { call, lead, posted, take } = setupLead();
  take(runIs('streaming'));
  assert.equal(posted.length, 0, 'nobody has asked');
  lead.tellAll();
  take(runIs('waiting'));
  take(runIs('streaming'));
  lead.begin({ ...call, act: null });
  take(runIs('waiting'));
  assert.deepEqual(
    posted.map((message) => ('seq' in message ? [message.do, message.seq] : null)),
    [
      ['state', 0],
      ['batch', 1],
      ['batch', 2],
      ['state', 2],
    ],
  );
});

test('LeaderElection refuses others the thread while its own act is not answered or its run is on', () => {
  const { lead, take } = setupLead({ request: 'q', aside: true });
  const refusals = () => [
    lead.refusalOf(null, false),
    lead.refusalOf('q', true),
    lead.refusalOf('other', true),
    lead.refusalOf('other', false),
  ];
  assert.deepEqual(refusals(), ['busy', 'not-open', 'busy', 'busy']);
  take(runIs('streaming'));
  assert.deepEqual(refusals(), ['busy', 'not-open', null, 'busy']);
  take(runIs('waiting'));
  assert.deepEqual(refusals(), [null, null, null, null]);
  lead.promise = { handle: 1 };
  assert.deepEqual(refusals(), ['busy', 'not-open', 'busy', 'busy']);
});

test('LeaderElection refuses an answer to a question that is known to be closed', () => {
  const { lead, take } = setupLead();
  const ask = (state: 'armed' | 'answered'): Change => ({
    do: 'part',
    message: 'a',
    part: 'q',
    parent: '@activity',
    before: null,
    value: { kind: 'request-activity', state } as never,
  });
  take(runIs('waiting'), ask('armed'));
  assert.deepEqual([lead.refusalOf('q', false), lead.refusalOf(null, false)], [null, null]);
  take(ask('answered'));
  assert.deepEqual([lead.refusalOf('q', false), lead.refusalOf(null, false)], ['not-open', null]);
});

test('Calls resolve as silent when nobody answers, when given up and when the thread is taken over', async () => {
  const { channel, environment } = setupDesk();
  const ask = (thread: string, signal?: AbortSignal) =>
    channel.calls.make(thread, (call) => ({ do: 'stop', thread, call }), signal);
  const quiet = ask('t');
  await environment.advance(2 * PATIENCE);
  assert.equal((await quiet).code, 'silent');
  const end = new AbortController();
  const givenUp = ask('t', end.signal);
  end.abort();
  assert.equal((await givenUp).code, 'silent');
  const other = ask('other');
  const taken = ask('t');
  channel.calls.give('t');
  assert.equal((await taken).code, 'silent');
  channel.calls.give('other');
  await other;
  assert.equal(environment.timers, 0);
});

test('Calls ask again as long as somebody is at it, and resolve as silent when it falls silent', async () => {
  const { channel, environment, hear, heard } = setupDesk();
  const ask = () => channel.calls.make('t', (call) => ({ do: 'stop', thread: 't', call }));
  const reply = (code: string, message = '') =>
    hear({ do: 'reply', call: heard.at(-1)?.call ?? '', code, message });
  const answered = ask();
  await environment.settle();
  await hear({ do: 'reply', call: 'unknown', code: 'ok', message: '' });
  for (const turn of [1, 2, 3]) {
    assert.equal(heard.length, turn);
    await reply('wait');
    await environment.advance(PATIENCE);
  }
  await reply('busy', 'Not now.');
  assert.deepEqual(await answered, { code: 'busy', message: 'Not now.' });
  assert.equal(new Set(heard.map(({ call }) => call)).size, 1, 'it is one call');
  const left = ask();
  await environment.settle();
  await reply('wait');
  await environment.advance(3 * PATIENCE);
  assert.equal((await left).code, 'silent');
  assert.equal(environment.timers, 0);
});

test('TabChannel stops a run once for a call that is repeated meanwhile', async () => {
  const stops: Deferred<void>[] = [];
  const { channel, hear, heard } = setupDesk(() => {
    const stop = new Deferred<void>();
    stops.push(stop);
    return stop.promise;
  });
  const { call } = setupLead({ request: null, aside: false });
  const lock = await channel.lock('t', 'if-free', call.signal);
  assert.ok(lock);
  channel.begin(lock, call);
  const stop = { do: 'stop', thread: 't', call: 'c' } as const;
  const codes = () => heard.flatMap((each) => each.code ?? []);
  await hear(stop);
  await hear(stop);
  assert.deepEqual([stops.length, codes()], [1, ['wait', 'wait']]);
  stops[0]?.reject(new UbikError('forbidden'));
  await hear(stop);
  assert.deepEqual([stops.length, codes().slice(2)], [2, ['forbidden', 'wait']]);
});

test('shareRun waits for the lock no longer once the act was refused', async () => {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const listener = { stop: () => Promise.resolve(), changed: () => undefined };
  const signals: AbortSignal[] = [];
  const [reader, actor] = [tabs.open(), tabs.open()].map((tab) => {
    const lock: TabLink['lock'] = (name, wish, end) => {
      if (wish === 'in-turn') signals.push(end);
      return tab.lock(name, wish, end);
    };
    const link: TabLink = {
      post: (message) => tab.post(message),
      listen: (hear) => tab.listen(hear),
      lock,
    };
    return new TabChannel(link, environment, listener);
  }) as [TabChannel, TabChannel];
  const { call } = setupLead({ request: null, aside: false });
  reader.hold();
  const lock = await reader.lock('t', 'if-free', call.signal);
  assert.ok(lock);
  reader.begin(lock, call);
  const open = () => assert.fail('nothing is asked of the service');
  const run = shareRun(actor, { call, open, rejoin: undefined });
  await assert.rejects(run.next(), { code: 'busy' });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
});
