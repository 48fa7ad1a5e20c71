import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTabLink } from '../../../src/backends/multi-tab/index.js';
import type { LockMode } from '../../../src/backends/multi-tab/tab-link.js';

/** A link over locks that the test grants. */
function setupLocks(isAvailable = true) {
  const options: unknown[] = [];
  const held: string[] = [];
  let steal = (): void => undefined;
  const request = (
    name: string,
    option: unknown,
    onGranted: (lock: object | null) => Promise<void> | null,
  ) => {
    options.push(option);
    const keeping = onGranted(isAvailable ? {} : null);
    if (keeping) held.push(name);
    return new Promise<void>((resolve, reject) => {
      steal = () => reject(new Error('stolen'));
      void keeping?.then(() => {
        held.splice(held.indexOf(name), 1);
        resolve();
      });
    });
  };
  const platform = { navigator: { locks: { request } }, BroadcastChannel };
  const link = createTabLink('service', 'user', platform as never);
  assert.ok(link);
  return { link, options, held, steal: () => steal() };
}

test('TabLink requests a lock with the options of its mode', async () => {
  const { link, options } = setupLocks();
  const { signal } = new AbortController();
  for (const mode of ['if-available', 'queue', 'steal'] satisfies LockMode[])
    await link.requestLock('t', mode, signal);
  assert.deepEqual(options, [{ ifAvailable: true }, { signal }, { steal: true }]);
});

test('TabLink holds a lock until it releases it', async () => {
  const { link, held } = setupLocks();
  const lock = await link.requestLock('t', 'queue', new AbortController().signal);
  assert.equal(held.length, 1);
  assert.equal(lock?.lost.aborted, false);
  lock.release();
  await Promise.resolve();
  assert.equal(held.length, 0);
});

test('TabLink reports that a lock is lost when another tab has stolen it', async () => {
  const { link, steal } = setupLocks();
  const lock = await link.requestLock('t', 'queue', new AbortController().signal);
  steal();
  await new Promise(setImmediate);
  assert.equal(lock?.lost.aborted, true);
});

test('TabLink resolves to null for a lock that is not available', async () => {
  const { link } = setupLocks(false);
  assert.equal(await link.requestLock('t', 'if-available', new AbortController().signal), null);
});

test('TabLink does not keep a lock that is granted after its request was aborted', async () => {
  const { link, held } = setupLocks();
  assert.equal(await link.requestLock('t', 'steal', AbortSignal.abort()), null);
  assert.equal(held.length, 0);
});

test('TabLink resolves to null where the page may not use locks', async () => {
  const locks = { request: () => Promise.reject(new Error('denied')) };
  const platform = { navigator: { locks }, BroadcastChannel } as never;
  const link = createTabLink('service', 'user', platform);
  assert.equal(await link?.requestLock('t', 'queue', new AbortController().signal), null);
});

/** A platform that counts its channels and listeners. */
function setupChannels() {
  const channels: { onmessage: ((event: { data: unknown }) => void) | null; isOpen: boolean }[] =
    [];
  const posted: unknown[] = [];
  class Channel {
    onmessage = null;
    isOpen = true;
    constructor() {
      channels.push(this);
    }
    postMessage(message: unknown): void {
      if (message === 'uncloneable') throw new Error('uncloneable');
      posted.push(message);
    }
    close(): void {
      this.isOpen = false;
    }
  }
  const page = new EventTarget();
  const platform = {
    navigator: { locks: {} },
    BroadcastChannel: Channel,
    addEventListener: page.addEventListener.bind(page),
  };
  const link = createTabLink('service', 'user', platform as never);
  assert.ok(link);
  return { link, channels, posted, page };
}

test('TabLink opens one channel for all subscriptions and closes it after the last one', () => {
  const { link, channels } = setupChannels();
  const received: string[] = [];
  const first = link.subscribe((message) => received.push(`first ${String(message)}`));
  const second = link.subscribe((message) => received.push(`second ${String(message)}`));
  assert.equal(channels.length, 1);
  channels[0]?.onmessage?.({ data: 'a' });
  first();
  channels[0]?.onmessage?.({ data: 'b' });
  assert.deepEqual(received, ['first a', 'second a', 'second b']);
  assert.equal(channels[0]?.isOpen, true);
  second();
  assert.equal(channels[0].isOpen, false);
});

test('TabLink posts over the open channel, or over one that it closes at once', () => {
  const { link, channels, posted } = setupChannels();
  link.post('alone');
  assert.deepEqual(
    channels.map(({ isOpen }) => isOpen),
    [false],
  );
  assert.throws(() => link.post('uncloneable'));
  assert.deepEqual(
    channels.map(({ isOpen }) => isOpen),
    [false, false],
  );
  const unsubscribe = link.subscribe(() => undefined);
  link.post('subscribed');
  assert.equal(channels.length, 3);
  assert.equal(channels[2]?.isOpen, true);
  assert.deepEqual(posted, ['alone', 'subscribed']);
  unsubscribe();
});

test('TabLink observes freezing only while it is subscribed', () => {
  const { link, posted, page } = setupChannels();
  link.subscribe(() => undefined)();
  page.dispatchEvent(new Event('freeze'));
  link.post('not observed');
  const unsubscribe = link.subscribe(() => undefined);
  page.dispatchEvent(new Event('freeze'));
  link.post('frozen');
  unsubscribe();
  link.post('later');
  assert.deepEqual(posted, ['not observed', 'later']);
});

test('createTabLink returns null without a user key, locks or channels', () => {
  const navigator = { locks: {} };
  const create = (platform: object, userKey = 'user') =>
    createTabLink('service', userKey, platform);
  assert.notEqual(create({ navigator, BroadcastChannel }), null);
  assert.equal(create({ navigator, BroadcastChannel }, ''), null);
  assert.equal(create({ BroadcastChannel }), null);
  assert.equal(create({ navigator }), null);
});

test('createTabLink separates services and users, and leaves no channel open without a subscription', async () => {
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
    request: async (name: string, _options: object, onGranted: (lock: null) => unknown) => {
      locked.push(name);
      return onGranted(null);
    },
  };
  const platform = { navigator: { locks }, BroadcastChannel: Channel } as never;
  for (const [service, user] of [
    ['a', 'b|c'],
    ['a|b', 'c'],
    ['a', 'b'],
  ] as const) {
    const link = createTabLink(service, user, platform);
    const unsubscribe = link?.subscribe(() => undefined);
    link?.post({ type: 'changed' });
    await link?.requestLock('thread', 'if-available', new AbortController().signal);
    unsubscribe?.();
    link?.post({ type: 'changed' });
  }
  assert.equal(new Set(names).size, 3);
  assert.equal(new Set(locked).size, 3);
  assert.equal(open.size, 0);
});

/** The link of one more tab over real channels, and the messages it has received. */
function openLink(service: string, user: string, page = new EventTarget()) {
  const locks = { request: async () => undefined };
  const addEventListener = page.addEventListener.bind(page);
  const platform = { navigator: { locks }, BroadcastChannel, addEventListener } as never;
  const link = createTabLink(service, user, platform);
  assert.ok(link);
  const received: unknown[] = [];
  let check: () => void = () => undefined;
  const unsubscribe = link.subscribe((message) => {
    received.push(message);
    check();
  });
  const waitFor = (message: string) =>
    new Promise<void>((resolve) => {
      check = () => void (received.includes(message) && resolve());
      check();
    });
  return { received, unsubscribe, waitFor, link, page };
}

for (const [title, annKey, bobKey] of [
  ['does not deliver messages between two users of one service', 'ann', 'bob'],
  ['separates users whose keys differ in a lone surrogate', 'a\ud800', 'a\ud801'],
] as const) {
  test(`TabLink ${title}`, async () => {
    const ann = openLink('https://service.test', annKey);
    const annAgain = openLink('https://service.test', annKey);
    const bob = openLink('https://service.test', bobKey);
    const bobAgain = openLink('https://service.test', bobKey);
    ann.link.post('of ann');
    await annAgain.waitFor('of ann');
    bobAgain.link.post('of bob');
    await bob.waitFor('of bob');
    assert.deepEqual([annAgain.received, bob.received], [['of ann'], ['of bob']]);
    assert.deepEqual([ann.received, bobAgain.received], [[], []]);
    [ann, annAgain, bob, bobAgain].forEach(({ unsubscribe }) => unsubscribe());
  });
}

test('TabLink sends and delivers nothing while its tab is frozen', async () => {
  const frozen = openLink('https://service.test', 'ann');
  const other = openLink('https://service.test', 'ann');
  const third = openLink('https://service.test', 'ann');
  frozen.page.dispatchEvent(new Event('freeze'));
  frozen.link.post('from a frozen tab');
  other.link.post('to a frozen tab');
  await third.waitFor('to a frozen tab');
  frozen.page.dispatchEvent(new Event('resume'));
  other.link.post('to a resumed tab');
  await frozen.waitFor('to a resumed tab');
  frozen.link.post('from a resumed tab');
  await other.waitFor('from a resumed tab');
  assert.deepEqual(other.received, ['from a resumed tab']);
  [frozen, other, third].forEach(({ unsubscribe }) => unsubscribe());
});
