import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createEnvironment } from '../../src/transport/environment.js';
import { createStorageArea } from '../helpers/storage-area.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const originals = new Map<string, PropertyDescriptor | undefined>();
const channels: MessageChannel[] = [];

/** Records each channel so that its ports can be closed: an open port keeps the Node process alive. */
class RecordedChannel extends MessageChannel {
  constructor() {
    super();
    channels.push(this);
  }
}

/** Replaces a global until the end of the test. */
function setGlobal(name: string, value: unknown): void {
  if (!originals.has(name)) originals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

afterEach(() => {
  for (const [name, descriptor] of originals) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
  }
  originals.clear();
  for (const { port1 } of channels.splice(0)) port1.close();
});

test('environment reads the wall clock and a monotonic clock', () => {
  const environment = createEnvironment();
  assert.ok(Math.abs(environment.now() - Date.now()) < 1000);
  const before = environment.monotonic();
  assert.ok(environment.monotonic() >= before);
});

test('environment returns random numbers below one and unique UUIDs', () => {
  const environment = createEnvironment();
  const number = environment.random();
  assert.ok(number >= 0 && number < 1);
  assert.match(environment.uuid(), UUID);
  assert.notEqual(environment.uuid(), environment.uuid());
});

test('environment creates UUIDs on pages without crypto.randomUUID or without crypto', () => {
  for (const crypto of [
    { getRandomValues: (bytes: Uint8Array) => bytes.fill(255) },
    {},
    undefined,
  ]) {
    setGlobal('crypto', crypto);
    const environment = createEnvironment();
    assert.match(environment.uuid(), UUID);
  }
});

test('environment uses every hexadecimal digit in UUIDs on pages without crypto', () => {
  setGlobal('crypto', undefined);
  const environment = createEnvironment();
  const digits = new Set<string>();
  // The chance that 3,000 random digits lack one is about 10^-83.
  for (let count = 0; count < 100; count += 1) {
    for (const digit of environment.uuid().replaceAll('-', '')) digits.add(digit);
  }
  assert.deepEqual([...digits].sort().join(''), '0123456789abcdef');
});

test('environment sets and clears timers', async () => {
  const environment = createEnvironment();
  await new Promise<void>((resolve) => {
    const cleared = environment.setTimer(() => assert.fail('was cleared'), 0);
    environment.clearTimer(cleared);
    environment.setTimer(resolve, 1);
  });
});

test('environment does not fire a timer of many days at once', async () => {
  const environment = createEnvironment();
  const timer = environment.setTimer(() => assert.fail('fired'), 1e12);
  // The platform would treat such a delay as 1 ms, so a timer of 1 ms that is set later fires after it.
  await new Promise((resolve) => setTimeout(resolve, 1));
  environment.clearTimer(timer);
});

test('environment yields to the event loop by each method that a platform may offer', async () => {
  const methods: readonly (readonly [string, () => void])[] = [
    ['by default', () => undefined],
    [
      'by a message',
      () => {
        setGlobal('setImmediate', undefined);
        setGlobal('MessageChannel', RecordedChannel);
      },
    ],
    ['by a timer', () => setGlobal('MessageChannel', undefined)],
    [
      'by the scheduler',
      () =>
        setGlobal('scheduler', {
          yield: () => new Promise<void>((resolve) => setTimeout(resolve)),
        }),
    ],
  ];
  for (const [title, prepare] of methods) {
    prepare();
    const environment = createEnvironment();
    let hasFired = false;
    setTimeout(() => (hasFired = true), 0);
    // Node delivers up to 1,000 messages in one turn of its event loop.
    for (let turn = 0; turn < 10_000 && !hasFired; turn++) await environment.yieldToEventLoop();
    assert.ok(hasFired, title);
  }
});

test('environment calls scheduler.yield with the scheduler as this', async () => {
  const scheduler = {
    calls: 0,
    yield() {
      this.calls++;
      return Promise.resolve();
    },
  };
  setGlobal('scheduler', scheduler);
  await createEnvironment().yieldToEventLoop();
  assert.equal(scheduler.calls, 1);
});

test('environment resolves concurrent yields in order over one message channel', async () => {
  setGlobal('setImmediate', undefined);
  setGlobal('MessageChannel', RecordedChannel);
  const environment = createEnvironment();
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map((number) => environment.yieldToEventLoop().then(() => order.push(number))),
  );
  assert.deepEqual(order, [1, 2, 3]);
  assert.equal(channels.length, 1);
});

test('environment ends a yield whose message the back/forward cache dropped, and those after it', async () => {
  const page = new EventTarget();
  let isCached = true;
  class CachedChannel extends RecordedChannel {
    constructor() {
      super();
      const { port2 } = this;
      const post = port2.postMessage.bind(port2);
      port2.postMessage = (message: unknown) => {
        if (!isCached) post(message);
      };
    }
  }
  setGlobal('setImmediate', undefined);
  setGlobal('MessageChannel', CachedChannel);
  setGlobal('addEventListener', page.addEventListener.bind(page));
  setGlobal('removeEventListener', page.removeEventListener.bind(page));
  const environment = createEnvironment();
  const dropped = environment.yieldToEventLoop();
  page.dispatchEvent(new Event('pageshow'));
  await dropped;
  const second = environment.yieldToEventLoop();
  isCached = false;
  await environment.yieldToEventLoop();
  await second;
  await environment.yieldToEventLoop();
});

test('environment reads streams in intervals only in a visible page', () => {
  assert.equal(createEnvironment().readInterval(), 0, 'without a page');
  const page = { hidden: false };
  setGlobal('document', page);
  const environment = createEnvironment();
  assert.equal(environment.readInterval(), 8);
  page.hidden = true;
  assert.equal(environment.readInterval(), 0, 'hidden');
});

test('environment returns the page URL, its origin for about:srcdoc, and null without either', () => {
  assert.equal(createEnvironment().pageUrl(), null);
  setGlobal('location', { href: 'https://page.test/a/b?c' });
  assert.equal(createEnvironment().pageUrl(), 'https://page.test/a/b?c');
  setGlobal('location', { href: 'about:srcdoc' });
  assert.equal(createEnvironment().pageUrl(), null);
  setGlobal('origin', 'https://page.test');
  assert.equal(createEnvironment().pageUrl(), 'https://page.test');
  setGlobal('origin', 'null');
  assert.equal(createEnvironment().pageUrl(), null);
});

test('environment uses the fetch that is global at the time of the call', async () => {
  const environment = createEnvironment();
  setGlobal('fetch', () => Promise.resolve(new Response('wrapped')));
  assert.equal(await (await environment.fetch('https://a.test/', {})).text(), 'wrapped');
});

test('createEnvironment replaces the members that the caller passes', () => {
  const environment = createEnvironment({ now: () => 7, uuid: () => 'x' });
  assert.equal(environment.now(), 7);
  assert.equal(environment.uuid(), 'x');
});

test('environment uploads with the fetch that the caller passes', async () => {
  const urls: string[] = [];
  const environment = createEnvironment({
    fetch: (url) => {
      urls.push(url);
      return Promise.resolve(new Response('{}'));
    },
  });
  const request = {
    method: 'POST',
    url: 'https://a.test/up',
    headers: {},
    body: new FormData(),
    credentials: 'omit',
  } as const;
  await environment.upload(request, () => undefined);
  assert.deepEqual(urls, ['https://a.test/up']);
});

test('environment stores texts in localStorage and sessionStorage under a prefix', async () => {
  const areas = [createStorageArea(), createStorageArea()];
  setGlobal('localStorage', areas[0]);
  setGlobal('sessionStorage', areas[1]);
  const environment = createEnvironment();
  await environment.storage.set('a', 'long');
  await environment.tabStorage.set('a', 'short');
  assert.deepEqual(
    areas.map((area) => area.getItem('ubik-elements:a')),
    ['long', 'short'],
  );
});

test('environment stores texts in memory where access to localStorage throws', async () => {
  originals.set('localStorage', Object.getOwnPropertyDescriptor(globalThis, 'localStorage'));
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('denied');
    },
  });
  const { storage } = createEnvironment();
  await storage.set('a', '1');
  assert.equal(await storage.get('a'), '1');
});
