import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createEnvironment } from '../../src/transport/environment.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const originals = new Map<string, PropertyDescriptor | undefined>();
const channels: MessageChannel[] = [];

/** Node lives as long as a message port is open, so each one must be closed. */
class CountedChannel extends MessageChannel {
  constructor() {
    super();
    channels.push(this);
  }
}

/** Puts a value in the place of a global for the length of one test. */
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

test('tells both times', () => {
  const environment = createEnvironment();
  assert.ok(Math.abs(environment.now() - Date.now()) < 1000);
  const before = environment.monotonic();
  assert.ok(environment.monotonic() >= before);
});

test('gives numbers below one and uuids that differ', () => {
  const environment = createEnvironment();
  const number = environment.random();
  assert.ok(number >= 0 && number < 1);
  assert.match(environment.uuid(), UUID);
  assert.notEqual(environment.uuid(), environment.uuid());
});

test('makes uuids on pages without randomUUID, and without crypto at all', () => {
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

test('uuid uses every hexadecimal digit on pages without crypto', () => {
  setGlobal('crypto', undefined);
  const environment = createEnvironment();
  const digits = new Set<string>();
  // A digit is missing among 3000 about once in 10^83 runs.
  for (let count = 0; count < 100; count += 1) {
    for (const digit of environment.uuid().replaceAll('-', '')) digits.add(digit);
  }
  assert.deepEqual([...digits].sort().join(''), '0123456789abcdef');
});

test('sets and clears timers', async () => {
  const environment = createEnvironment();
  await new Promise<void>((resolve) => {
    const cleared = environment.setTimer(() => assert.fail('was cleared'), 0);
    environment.clearTimer(cleared);
    environment.setTimer(resolve, 1);
  });
});

test('does not fire a timer of many days at once', async () => {
  const environment = createEnvironment();
  const timer = environment.setTimer(() => assert.fail('fired'), 1e12);
  // A delay that the platform cannot keep counts as 1 ms: what is set after it with that delay comes behind it.
  await new Promise((resolve) => setTimeout(resolve, 1));
  environment.clearTimer(timer);
});

test('gives the event loop its turn, in whatever way the platform has', async () => {
  const ways: readonly (readonly [string, () => void])[] = [
    ['as it is', () => undefined],
    [
      'by a message',
      () => {
        setGlobal('setImmediate', undefined);
        setGlobal('MessageChannel', CountedChannel);
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
  for (const [title, arrange] of ways) {
    arrange();
    const environment = createEnvironment();
    let turned = false;
    setTimeout(() => (turned = true), 0);
    // Node takes up to a thousand messages in one turn of its loop.
    for (let turn = 0; turn < 10_000 && !turned; turn++) await environment.yieldToEventLoop();
    assert.ok(turned, title);
  }
});

test('calls the scheduler as its method', async () => {
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

test('resolves pauses by message in order, each once', async () => {
  setGlobal('setImmediate', undefined);
  setGlobal('MessageChannel', CountedChannel);
  const environment = createEnvironment();
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map((number) => environment.yieldToEventLoop().then(() => order.push(number))),
  );
  assert.deepEqual(order, [1, 2, 3]);
  assert.equal(channels.length, 1);
});

test('knows the address of the page, and none where there is none', () => {
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

test('uses the fetch that the page has at the time of the call', async () => {
  const environment = createEnvironment();
  setGlobal('fetch', () => Promise.resolve(new Response('wrapped')));
  assert.equal(await (await environment.fetch('https://a.test/', {})).text(), 'wrapped');
});

test('lets the caller replace any part', () => {
  const environment = createEnvironment({ now: () => 7, uuid: () => 'x' });
  assert.equal(environment.now(), 7);
  assert.equal(environment.uuid(), 'x');
});

test('sends uploads through a fetch that the caller has replaced', async () => {
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

test('keeps texts in both storages of the page, apart from those of others', async () => {
  const areas = [createArea(), createArea()];
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

test('works where the mere access to storage throws', async () => {
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

function createArea() {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index: number) => [...values.keys()][index] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
