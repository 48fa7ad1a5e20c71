import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedStorage } from '../../src/transport/storage.js';

const PREFIX = 'ubik-elements:';

/** A page's storage with room for `quota` units in all, as browsers count. */
function createArea(quota = Infinity) {
  const values = new Map<string, string>();
  const used = () => [...values].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return {
    values,
    get length() {
      return values.size;
    },
    key: (index: number) => [...values.keys()][index] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      const old = values.get(key);
      values.set(key, value);
      if (used() <= quota) return;
      if (old === undefined) values.delete(key);
      else values.set(key, old);
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: (key: string) => void values.delete(key),
  };
}

test('keeps, replaces and forgets texts', async () => {
  for (const area of [createArea(), undefined]) {
    const storage = createBoundedStorage(() => area);
    assert.equal(await storage.get('a'), null);
    await storage.set('a', '1');
    await storage.set('a', '2');
    assert.equal(await storage.get('a'), '2');
    await storage.set('b', '');
    assert.equal(await storage.get('b'), '');
    await storage.remove('a');
    await storage.remove('never');
    assert.equal(await storage.get('a'), null);
  }
});

test('reads what another page has written meanwhile', async () => {
  const area = createArea();
  const storage = createBoundedStorage(() => area);
  await storage.set('a', '1');
  await createBoundedStorage(() => area).set('a', '2');
  assert.equal(await storage.get('a'), '2');
});

test('changes a text in one step, so that two pages lose nothing of each other', async () => {
  const area = createArea();
  const pages = [1, 2].map(() => createBoundedStorage(() => area));
  await Promise.all(
    pages.map(async (page, at) => page.update?.('a', (text) => `${text ?? ''}${at}`)),
  );
  assert.equal(await pages[0]?.get('a'), '01');
});

test('outlives the page that wrote', async () => {
  const area = createArea();
  await createBoundedStorage(() => area).set('a', '1');
  assert.equal(await createBoundedStorage(() => area).get('a'), '1');
});

test('drops the entries written longest ago when there are too many', async () => {
  for (const area of [createArea(), undefined]) {
    const storage = createBoundedStorage(() => area, { entries: 3 });
    for (const key of ['a', 'b', 'c']) await storage.set(key, key);
    await storage.set('a', 'again');
    await storage.set('d', 'd');
    assert.equal(await storage.get('b'), null);
    for (const key of ['a', 'c', 'd']) assert.notEqual(await storage.get(key), null, key);
  }
});

test('drops the entries written longest ago when they are too large together', async () => {
  const area = createArea();
  const storage = createBoundedStorage(() => area, { size: 100 });
  for (const key of 'abcde') await storage.set(key, key.repeat(24));
  assert.equal(await storage.get('a'), null);
  assert.equal(await storage.get('b'), 'b'.repeat(24));
});

test('counts what earlier pages have left', async () => {
  const area = createArea();
  const first = createBoundedStorage(() => area, { entries: 3 });
  for (const key of ['a', 'b', 'c']) await first.set(key, key);
  await createBoundedStorage(() => area, { entries: 3 }).set('d', 'd');
  assert.equal(area.values.size, 3);
  assert.equal(area.values.get(`${PREFIX}d`), 'd');
});

test('keeps a very large text in memory only', async () => {
  const area = createArea();
  const storage = createBoundedStorage(() => area, { size: 100 });
  await storage.set('a', 'small');
  await storage.set('a', 'x'.repeat(200));
  assert.equal(area.values.get(`${PREFIX}a`), 'small');
  assert.equal((await storage.get('a'))?.length, 200);
  await storage.set('a', 'small again');
  assert.equal(area.values.size, 1);
  assert.equal(await storage.get('a'), 'small again');
});

test('touches nothing of the host, not even when there is no room', async () => {
  const area = createArea(100);
  area.setItem('host', 'h'.repeat(90));
  const storage = createBoundedStorage(() => area);
  await storage.set('a', 'x'.repeat(50));
  assert.equal(await storage.get('a'), 'x'.repeat(50));
  assert.equal(area.getItem('host')?.length, 90);
  assert.equal(area.values.size, 1);
});

test('goes on in memory when the storage refuses every write, or breaks later', async () => {
  const refusing = {
    ...createArea(),
    setItem: () => {
      throw new Error('no');
    },
  };
  const breaking = createArea();
  for (const area of [refusing, breaking]) {
    const storage = createBoundedStorage(() => area);
    if (area === breaking) {
      breaking.setItem =
        breaking.getItem =
        breaking.removeItem =
          () => {
            throw new Error('gone');
          };
    }
    await storage.set('a', '1');
    assert.equal(await storage.get('a'), '1');
    await storage.remove('a');
    assert.equal(await storage.get('a'), null);
  }
});

test('takes keys that reach a prototype', async () => {
  const storage = createBoundedStorage(() => undefined);
  assert.equal(await storage.get('__proto__'), null);
  await storage.set('__proto__', 'x');
  assert.equal(await storage.get('__proto__'), 'x');
});

test('storage keeps the previous text for the next page when the area is full', async () => {
  const area = createArea(200);
  const storage = createBoundedStorage(() => area);
  await storage.set('draft', 'first');
  await storage.set('draft', 'x'.repeat(300));
  assert.equal(await storage.get('draft'), 'x'.repeat(300));
  const nextPage = createBoundedStorage(() => area);
  assert.equal(await nextPage.get('draft'), 'first');
  await storage.set('draft', 'last');
  assert.equal(await nextPage.get('draft'), 'last');
});

test('storage removes a text from the area even when a newer one is only in memory', async () => {
  const area = createArea(200);
  const storage = createBoundedStorage(() => area);
  await storage.set('draft', 'first');
  await storage.set('draft', 'x'.repeat(300));
  await storage.remove('draft');
  assert.equal(await storage.get('draft'), null);
  assert.equal(area.values.size, 0);
});
