import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimTabId, type TabPlatform } from '../../src/transport/tab-id.js';
import { createStorageArea } from '../helpers/storage-area.js';

/** Web Locks of one browser in memory, as far as tab ids use them. */
class MemoryLocks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(
    name: string,
    { ifAvailable, signal }: LockOptions,
    callback: (lock: object | null) => Promise<void> | null,
  ): Promise<void> {
    const previous = this.#held.get(name);
    if (previous && ifAvailable) return void callback(null);
    const turn = (async () => {
      await previous;
      if (!signal?.aborted) await callback({});
    })();
    this.#held.set(name, turn);
    await turn;
    if (this.#held.get(name) === turn) this.#held.delete(name);
    signal?.throwIfAborted();
  }
}

type Page = TabPlatform & { fire(type: string): Promise<void> };

let created = 0;
const uuid = () => `id-${(created += 1)}`;
const idOf = (page: Page) => claimTabId(page, uuid);

/** Loads a page in a tab with this session storage and a browser with these locks. */
function loadPage(values: Map<string, string>, locks: MemoryLocks | null, frame?: string): Page {
  const listeners = new Map<string, () => void>();
  return {
    sessionStorage: createStorageArea(values),
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
    const page = loadPage(values, locks);
    const id = await idOf(page);
    await page.fire('pageshow');
    assert.equal(await idOf(page), id);
    await page.fire('pagehide');
    assert.equal(await idOf(loadPage(values, locks)), id);
  });

  test(`tab id of a duplicated tab differs, even after both are reloaded, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = loadPage(values, locks);
    const id = await idOf(page);
    const copiedValues = new Map(values);
    const copy = loadPage(copiedValues, locks);
    const other = await idOf(copy);
    assert.notEqual(other, id);
    await copy.fire('pagehide');
    await page.fire('pagehide');
    assert.equal(await idOf(loadPage(copiedValues, locks)), other);
    assert.equal(await idOf(loadPage(values, locks)), id);
  });

  test(`tab id is restored with a page from the back/forward cache, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = loadPage(values, locks);
    const id = await idOf(page);
    await page.fire('pagehide');
    const next = loadPage(values, locks);
    assert.equal(await idOf(next), id);
    await next.fire('pagehide');
    await page.fire('pageshow');
    assert.equal(await idOf(page), id);
    assert.notEqual(await idOf(loadPage(new Map(values), locks)), id);
  });

  test(`tab id of a frame differs from that of its page, ${where}`, async () => {
    const values = new Map<string, string>();
    const page = loadPage(values, locks);
    const frame = loadPage(values, locks, '/frame.html');
    const ids = [await idOf(page), await idOf(frame)];
    assert.notEqual(ids[0], ids[1]);
    await page.fire('pagehide');
    await frame.fire('pagehide');
    const again = [
      await idOf(loadPage(values, locks, '/frame.html')),
      await idOf(loadPage(values, locks)),
    ];
    assert.deepEqual(again.reverse(), ids);
  });
}

test('tab id survives a crash when no page holds its Web Lock', async () => {
  const values = new Map<string, string>();
  const id = await idOf(loadPage(values, new MemoryLocks()));
  assert.equal(await idOf(loadPage(values, new MemoryLocks())), id);
});

const RESTRICTED: Readonly<Record<string, TabPlatform>> = {
  'has no storage': {},
  'has no access to its storage': {
    get sessionStorage(): never {
      throw new TypeError('denied');
    },
  },
  'is denied locks': {
    sessionStorage: createStorageArea(new Map()),
    navigator: {
      locks: { request: () => Promise.reject(new TypeError('denied')) } as unknown as LockManager,
    },
  },
};

for (const [title, platform] of Object.entries(RESTRICTED)) {
  test(`tab id is stable for one page that ${title}`, async () => {
    const id = await claimTabId(platform, uuid);
    assert.match(id, /^id-\d+$/u);
    assert.equal(await claimTabId(platform, uuid), id);
  });
}

test('tab id is the same on all pages of a tab, whatever their paths', async () => {
  const values = new Map<string, string>();
  const page = { ...loadPage(values, null), location: { pathname: '/first' } };
  const id = await idOf(page);
  await page.fire('pagehide');
  assert.equal(await idOf({ ...loadPage(values, null), location: { pathname: '/second' } }), id);
});
