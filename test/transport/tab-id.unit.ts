import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTabId, type TabPlatform } from '../../src/transport/tab-id.js';

/** The locks of one browser, as far as they are used. */
class MemoryLocks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(
    name: string,
    { ifAvailable, signal }: LockOptions,
    hold: (lock: object | null) => Promise<void> | null,
  ): Promise<void> {
    const before = this.#held.get(name);
    if (before && ifAvailable) return void hold(null);
    const turn = (async () => {
      await before;
      if (!signal?.aborted) await hold({});
    })();
    this.#held.set(name, turn);
    await turn;
    if (this.#held.get(name) === turn) this.#held.delete(name);
    signal?.throwIfAborted();
  }
}

type Page = TabPlatform & { fire(type: string): Promise<void> };

let made = 0;
const uuid = () => `id-${(made += 1)}`;
const read = (page: Page) => readTabId(page, uuid);

function createArea(values: Map<string, string>) {
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** A page of a browser with these locks, in the tab with this storage. */
function load(values: Map<string, string>, locks: MemoryLocks | null, frame?: string): Page {
  const listeners = new Map<string, () => void>();
  return {
    sessionStorage: createArea(values),
    ...(locks && { navigator: { locks: locks as unknown as LockManager } }),
    ...(frame !== undefined && { top: {}, location: { pathname: frame } }),
    addEventListener: (type, listener) => void listeners.set(type, listener),
    fire: async (type) => {
      listeners.get(type)?.();
      await new Promise<void>((resolve) => void setImmediate(resolve));
    },
  };
}

for (const createLocks of [() => new MemoryLocks(), () => null]) {
  const locks = createLocks();
  const where = locks ? 'with Web Locks' : 'without Web Locks';

  test(`tab id is the same in the whole page and after a reload, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = load(values, locks);
    const id = await read(page);
    await page.fire('pageshow');
    assert.equal(await read(page), id);
    await page.fire('pagehide');
    assert.equal(await read(load(values, locks)), id);
  });

  test(`tab id of a copied tab is another one, also after reloads of both, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = load(values, locks);
    const id = await read(page);
    const copied = new Map(values);
    const copy = load(copied, locks);
    const other = await read(copy);
    assert.notEqual(other, id);
    await copy.fire('pagehide');
    await page.fire('pagehide');
    assert.equal(await read(load(copied, locks)), other);
    assert.equal(await read(load(values, locks)), id);
  });

  test(`tab id comes back with a page from the back/forward cache, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = load(values, locks);
    const id = await read(page);
    await page.fire('pagehide');
    const next = load(values, locks);
    assert.equal(await read(next), id);
    await next.fire('pagehide');
    await page.fire('pageshow');
    assert.equal(await read(page), id);
    assert.notEqual(await read(load(new Map(values), locks)), id);
  });

  test(`tab id of a frame is its own, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = load(values, locks);
    const frame = load(values, locks, '/frame.html');
    const ids = [await read(page), await read(frame)];
    assert.notEqual(ids[0], ids[1]);
    await page.fire('pagehide');
    await frame.fire('pagehide');
    const again = [await read(load(values, locks, '/frame.html')), await read(load(values, locks))];
    assert.deepEqual(again.reverse(), ids);
  });
}

test('tab id survives a crash where Web Locks tell that nobody has it', async () => {
  const values = new Map<string, string>();
  const id = await read(load(values, new MemoryLocks()));
  assert.equal(await read(load(values, new MemoryLocks())), id);
});

const REFUSING: Readonly<Record<string, TabPlatform>> = {
  'has no storage': {},
  'has no access to its storage': {
    get sessionStorage(): never {
      throw new TypeError('denied');
    },
  },
  'may have no locks': {
    sessionStorage: createArea(new Map()),
    navigator: {
      locks: { request: () => Promise.reject(new TypeError('denied')) } as unknown as LockManager,
    },
  },
};

for (const [what, platform] of Object.entries(REFUSING)) {
  test(`tab id lives as long as a page that ${what}`, async () => {
    const id = await readTabId(platform, uuid);
    assert.match(id, /^id-\d+$/u);
    assert.equal(await readTabId(platform, uuid), id);
  });
}
