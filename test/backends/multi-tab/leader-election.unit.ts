import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareRun } from '../../../src/backends/multi-tab/leader-election.js';
import { TabChannel } from '../../../src/backends/multi-tab/tab-channel.js';
import type { TabLink } from '../../../src/backends/multi-tab/tab-link.js';
import type { Change } from '../../../src/model/change.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';
import { runIs, setupLeader } from './setup-leader.js';

const { signal: noSignal } = new AbortController();

test('shareRun no longer waits for the lock when the takeover is refused', async () => {
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
      type: 'part',
      message: 'a',
      part: 'q',
      parent: '@activity',
      before: null,
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
