import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTabMessage } from '../../../src/backends/multi-tab/messages.js';
import { createTabLink } from '../../../src/backends/multi-tab/index.js';

const PLACE = { thread: 't', term: 1, run: 'r', seq: 0 };
const batch = (...changes: unknown[]) => ({ do: 'batch', ...PLACE, changes });
const TOOL = { kind: 'tool', name: 'n', toolId: 'x', state: 'done', input: null, result: null };

const GOOD: readonly unknown[] = [
  { do: 'ask', thread: 't', whole: true },
  { do: 'lead', ...PLACE, begun: true, answers: null },
  { do: 'take', thread: 't', call: 'c', request: null, aside: false },
  { do: 'reply', call: 'c', code: 'ok', message: '' },
  batch(),
  batch({ do: 'text', message: 'answer', part: 'p', at: 0, text: 'x' }),
  batch({ do: 'part', message: 'answer', part: 'p', parent: null, before: null, value: TOOL }),
  batch({ do: 'set', message: 'answer', part: null, path: ['status'], value: 'waiting' }),
  batch({ do: 'set', message: 'question', part: null, path: ['id'], value: 'u' }),
  batch({ do: 'content', message: 'answer', parts: [{ ...TOOL, key: 'k', parts: [] }] }),
  batch({ do: 'thread', set: { title: 'x', run: { state: 'complete', id: 'r', error: null } } }),
  batch({ do: 'item', list: 'documents', key: 'k' }),
];

const cycle: { self?: unknown } = {};
cycle.self = cycle;
let deep: unknown = null;
for (let level = 0; level < 200; level += 1) deep = [deep];

const BAD: readonly unknown[] = [
  null,
  'ask',
  [],
  { do: 'ask' },
  { do: 'ask', thread: 1, whole: true },
  { do: 'constructor', thread: 't' },
  { do: 'lead', ...PLACE, begun: 'yes', answers: null },
  { do: 'lead', ...PLACE, term: Number.NaN, begun: true, answers: null },
  { do: 'ask', thread: 't', whole: true, more: new Date(0) },
  { do: 'ask', thread: 't', whole: true, more: cycle },
  { do: 'ask', thread: 't', whole: true, more: deep },
  { do: 'ask', thread: 'x'.repeat(17 * 1024 * 1024), whole: true },
  JSON.parse('{"do":"ask","thread":"t","whole":true,"more":{"__proto__":1}}'),
  { do: 'batch', ...PLACE, changes: 'x' },
  batch(null),
  batch({ do: 'nothing', message: 'answer' }),
  batch({ do: 'message', message: 'answer', value: {} }),
  batch({ do: 'text', message: 'message-3', part: 'p', at: 0, text: 'x' }),
  batch({ do: 'text', message: 'answer', part: 'p', at: -1, text: 'x' }),
  batch({ do: 'text', message: 'answer', part: 'p', at: 0, text: { length: 1 } }),
  batch({ do: 'text', message: 'question', part: 'p', at: 0, text: 'x' }),
  batch({ do: 'set', message: 'question', part: null, path: ['status'], value: 'failed' }),
  batch({ do: 'set', message: 'answer', part: null, path: ['parent'], value: 'x' }),
  batch({ do: 'set', message: 'answer', part: null, path: ['status'], value: 'broken' }),
  batch({ do: 'set', message: 'answer', part: null, path: ['status', 0], value: 'waiting' }),
  batch({ do: 'set', message: 'answer', part: null, path: ['siblingIds'], value: [1] }),
  batch({ do: 'remove', message: 'answer', part: null }),
  batch({ do: 'part', message: 'answer', part: 'p', parent: null, before: null, value: {} }),
  batch({ do: 'content', message: 'answer', parts: [{ ...TOOL, key: 'k', name: 7 }] }),
  batch({ do: 'content', message: 'answer', parts: [{ ...TOOL, key: 'k', parts: ['x'] }] }),
  batch({ do: 'content', message: 'answer', parts: [{ kind: 'toString', key: 'k' }] }),
  batch({ do: 'thread', set: { head: 'message-1' } }),
  batch({ do: 'thread', set: { run: { state: 'complete', answer: 'message-1' } } }),
  batch({ do: 'thread', set: { run: { state: 'sending' } } }),
  batch({ do: 'item', list: 'queue', key: 'k', value: {} }),
  batch({ do: 'item', list: 'threads', key: 'k' }),
];

test('what tabs of this version tell is read', () => {
  for (const message of GOOD) assert.equal(readTabMessage(message), message);
});

test('what has another shape or size is dropped', () => {
  for (const [at, message] of BAD.entries()) assert.equal(readTabMessage(message), null, `${at}`);
});

test('services and people have links of their own, and nothing is open while nobody listens', async () => {
  const names: string[] = [];
  const open = new Set<object>();
  class Channel {
    onmessage = null;
    constructor(name: string) {
      names.push(name);
      open.add(this);
    }
    postMessage(): void {}
    close(): void {
      open.delete(this);
    }
  }
  const locked: string[] = [];
  const locks = {
    request: async (name: string, _options: object, take: (lock: null) => unknown) => {
      locked.push(name);
      return take(null);
    },
  };
  const platform = { navigator: { locks }, BroadcastChannel: Channel } as never;
  for (const [service, user] of [
    ['a', 'b|c'],
    ['a|b', 'c'],
    ['a', 'b'],
  ] as const) {
    const link = createTabLink(service, user, platform);
    const leave = link?.listen(() => undefined);
    link?.post({ do: 'changed' });
    await link?.lock('thread', 'if-free', new AbortController().signal);
    leave?.();
    link?.post({ do: 'changed' });
  }
  assert.equal(new Set(names).size, 3);
  assert.equal(new Set(locked).size, 3);
  assert.equal(open.size, 0);
  assert.equal(createTabLink('a', 'b', { BroadcastChannel: Channel } as never), null);
  assert.equal(createTabLink('a', 'b', { navigator: { locks } } as never), null);
});

/** The link of one more tab, over real channels, and what it has heard. */
function openLink(service: string, user: string, page = new EventTarget()) {
  const locks = { request: async () => undefined };
  const addEventListener = page.addEventListener.bind(page);
  const platform = { navigator: { locks }, BroadcastChannel, addEventListener } as never;
  const link = createTabLink(service, user, platform);
  assert.ok(link);
  const heard: unknown[] = [];
  let tell: () => void = () => undefined;
  const leave = link.listen((message) => {
    heard.push(message);
    tell();
  });
  const hears = (message: string) =>
    new Promise<void>((resolve) => {
      tell = () => void (heard.includes(message) && resolve());
      tell();
    });
  return { heard, leave, hears, link, page };
}

test('two people of one service in one browser hear nothing of each other', async () => {
  const ann = openLink('https://service.test', 'ann');
  const again = openLink('https://service.test', 'ann');
  const bob = openLink('https://service.test', 'bob');
  const bobAgain = openLink('https://service.test', 'bob');
  ann.link.post('of ann');
  await again.hears('of ann');
  bobAgain.link.post('of bob');
  await bob.hears('of bob');
  assert.deepEqual([again.heard, bob.heard], [['of ann'], ['of bob']]);
  assert.deepEqual([ann.heard, bobAgain.heard], [[], []]);
  [ann, again, bob, bobAgain].forEach(({ leave }) => leave());
});

test('tabs of two people whose keys differ in half a surrogate pair hear nothing of each other', async () => {
  const ann = openLink('https://service.test', 'a\ud800');
  const again = openLink('https://service.test', 'a\ud800');
  const bob = openLink('https://service.test', 'a\ud801');
  const bobAgain = openLink('https://service.test', 'a\ud801');
  ann.link.post('of ann');
  await again.hears('of ann');
  bobAgain.link.post('of bob');
  await bob.hears('of bob');
  assert.deepEqual([again.heard, bob.heard], [['of ann'], ['of bob']]);
  [ann, again, bob, bobAgain].forEach(({ leave }) => leave());
});

test('a tab that the browser has frozen says and hears nothing until it wakes', async () => {
  const frozen = openLink('https://service.test', 'ann');
  const other = openLink('https://service.test', 'ann');
  const third = openLink('https://service.test', 'ann');
  frozen.page.dispatchEvent(new Event('freeze'));
  frozen.link.post('from a frozen tab');
  other.link.post('to a frozen tab');
  await third.hears('to a frozen tab');
  frozen.page.dispatchEvent(new Event('resume'));
  other.link.post('to one that is awake');
  await frozen.hears('to one that is awake');
  frozen.link.post('from one that is awake');
  await other.hears('from one that is awake');
  assert.deepEqual(other.heard, ['from one that is awake']);
  [frozen, other, third].forEach(({ leave }) => leave());
});
