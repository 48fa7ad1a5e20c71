import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunMirror } from '../../../src/backends/shared-tab/mirror/run-mirror.js';
import { TabDesk } from '../../../src/backends/shared-tab/tabs/desk.js';
import { Lead, type TabCall } from '../../../src/backends/shared-tab/tabs/lead.js';
import type { TabMessage } from '../../../src/backends/shared-tab/wire/message.js';
import type { Json } from '../../../src/model/json.js';
import { MemoryTabs } from '../../helpers/memory-tabs.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';

const OF_LEADER = { thread: 't', term: 1, run: 'r', seq: 0 } as const;

/** The desk of one tab, and another tab that tells it things. */
function setupDesk() {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const changed: string[] = [];
  const desk = new TabDesk(tabs.open(), environment, {
    stop: () => Promise.resolve(),
    changed: (thread) => changed.push(thread),
  });
  desk.hold();
  const other = tabs.open();
  const hear = async (message: TabMessage) => {
    other.post(message as unknown as Json);
    await environment.settle();
  };
  return { desk, changed, hear };
}

test('TabDesk tells a follower nothing more once it has left, and the others go on', async () => {
  const { desk, hear } = setupDesk();
  const heard: string[] = [];
  const leave = desk.follow('t', () => heard.push('first'));
  desk.follow('t', () => heard.push('second'));
  leave();
  await hear({ do: 'lead', ...OF_LEADER, begun: false, answers: null });
  assert.deepEqual(heard, ['second']);
});

test('TabDesk ignores a leader whose term is over', async () => {
  const { desk, hear } = setupDesk();
  await hear({ do: 'lead', ...OF_LEADER, term: 2, run: 'new', begun: false, answers: null });
  await hear({ do: 'lead', ...OF_LEADER, term: 1, run: 'old', begun: false, answers: null });
  assert.equal(desk.runElsewhere('t'), 'new');
  await hear({ do: 'left', thread: 't', term: 1 });
  assert.equal(desk.runElsewhere('t'), 'new');
  await hear({ do: 'left', thread: 't', term: 2 });
  assert.equal(desk.runElsewhere('t'), undefined);
});

test('TabDesk knows a question as answered until the thread has been read', async () => {
  const { desk, changed, hear } = setupDesk();
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q1' });
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q2' });
  const isAnswered = () => ['q1', 'q2', 'q3'].map((key) => desk.isAnswered('t', key));
  assert.deepEqual(isAnswered(), [true, true, false]);
  assert.equal(desk.isAnswered('other', 'q1'), false);
  assert.deepEqual(changed, ['t', 't']);
  desk.beginReading('t')();
  assert.deepEqual(isAnswered(), [false, false, false]);
});

test('TabDesk keeps an answer that comes while the thread is being read', async () => {
  const { desk, hear } = setupDesk();
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q1' });
  const finish = desk.beginReading('t');
  await hear({ do: 'lead', ...OF_LEADER, begun: true, answers: 'q2' });
  finish();
  assert.equal(desk.isAnswered('t', 'q2'), true);
});

/** A tab that reads, and what it posts. */
function setupLead() {
  const keys = { thread: 't', user: 'u', answer: 'a' };
  const mirror = new RunMirror(keys);
  const { signal } = new AbortController();
  const run = { id: null, finishedRuns: [] };
  const call: TabCall = { thread: 't', keys, signal, mirror, act: null, run };
  const posted: TabMessage[] = [];
  const lock = { lost: signal, release: () => undefined };
  const lead = new Lead(lock, 1, call, (message) => posted.push(message));
  return { lead, posted };
}

test('Lead tells a follower no state before the run has begun, so that nothing it shows is lost', () => {
  const { lead, posted } = setupLead();
  lead.tellAll();
  assert.deepEqual(
    posted.map((message) => message.do),
    ['lead'],
  );
  const changes = [{ do: 'thread', set: { run: { state: 'streaming', id: 'r' } } }] as const;
  lead.take({ thread: 't', at: 0, changes });
  lead.take({ thread: 't', at: 0, changes });
  assert.deepEqual(
    posted.map((message) => message.do),
    ['lead', 'state', 'batch'],
  );
});
