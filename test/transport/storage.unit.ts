import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBoundedStorage } from '../../src/transport/storage.js';
import { createStorageArea } from '../helpers/storage-area.js';

const PREFIX = 'ubik-elements:';

test('storage stores, replaces and removes texts', async () => {
  for (const area of [createStorageArea(), undefined]) {
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

test('storage reads a text that another page has written meanwhile', async () => {
  const area = createStorageArea();
  const storage = createBoundedStorage(() => area);
  await storage.set('a', '1');
  await createBoundedStorage(() => area).set('a', '2');
  assert.equal(await storage.get('a'), '2');
});

test('storage updates a text atomically between two pages', async () => {
  const area = createStorageArea();
  const pages = [1, 2].map(() => createBoundedStorage(() => area));
  await Promise.all(
    pages.map(async (page, at) => page.update?.('a', (text) => `${text ?? ''}${at}`)),
  );
  assert.equal(await pages[0]?.get('a'), '01');
});

test('storage keeps a text for the next page', async () => {
  const area = createStorageArea();
  await createBoundedStorage(() => area).set('a', '1');
  assert.equal(await createBoundedStorage(() => area).get('a'), '1');
});

test('storage evicts the oldest entries when there are too many', async () => {
  for (const area of [createStorageArea(), undefined]) {
    const storage = createBoundedStorage(() => area, { entries: 3 });
    for (const key of ['a', 'b', 'c']) await storage.set(key, key);
    await storage.set('a', 'again');
    await storage.set('d', 'd');
    assert.equal(await storage.get('b'), null);
    for (const key of ['a', 'c', 'd']) assert.notEqual(await storage.get(key), null, key);
  }
});

test('storage evicts the oldest entries when their total size is too large', async () => {
  const area = createStorageArea();
  const storage = createBoundedStorage(() => area, { size: 100 });
  for (const key of 'abcde') await storage.set(key, key.repeat(24));
  assert.equal(await storage.get('a'), null);
  assert.equal(await storage.get('b'), 'b'.repeat(24));
});

test('storage counts the entries of earlier pages', async () => {
  const area = createStorageArea();
  const first = createBoundedStorage(() => area, { entries: 3 });
  for (const key of ['a', 'b', 'c']) await first.set(key, key);
  await createBoundedStorage(() => area, { entries: 3 }).set('d', 'd');
  assert.equal(area.values.size, 3);
  assert.equal(area.values.get(`${PREFIX}d`), 'd');
});

test('storage keeps a text over its limit in memory only', async () => {
  const area = createStorageArea();
  const storage = createBoundedStorage(() => area, { size: 100 });
  await storage.set('a', 'small');
  await storage.set('a', 'x'.repeat(200));
  assert.equal(area.values.get(`${PREFIX}a`), 'small');
  assert.equal((await storage.get('a'))?.length, 200);
  await storage.set('a', 'small again');
  assert.equal(area.values.size, 1);
  assert.equal(await storage.get('a'), 'small again');
});

test('storage removes no entry of the host page, even when the quota is exceeded', async () => {
  const area = createStorageArea(undefined, 100);
  area.setItem('host', 'h'.repeat(90));
  const storage = createBoundedStorage(() => area);
  await storage.set('a', 'x'.repeat(50));
  assert.equal(await storage.get('a'), 'x'.repeat(50));
  assert.equal(area.getItem('host')?.length, 90);
  assert.equal(area.values.size, 1);
});

test('storage continues in memory when the area rejects writes or starts to throw', async () => {
  const rejectingArea = {
    ...createStorageArea(),
    setItem: () => {
      throw new Error('no');
    },
  };
  const throwingArea = createStorageArea();
  for (const area of [rejectingArea, throwingArea]) {
    const storage = createBoundedStorage(() => area);
    if (area === throwingArea) {
      throwingArea.setItem =
        throwingArea.getItem =
        throwingArea.removeItem =
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

test('storage accepts keys such as __proto__', async () => {
  const storage = createBoundedStorage(() => undefined);
  assert.equal(await storage.get('__proto__'), null);
  await storage.set('__proto__', 'x');
  assert.equal(await storage.get('__proto__'), 'x');
});

test('storage keeps the previous text for the next page when the area is full', async () => {
  const area = createStorageArea(undefined, 200);
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
  const area = createStorageArea(undefined, 200);
  const storage = createBoundedStorage(() => area);
  await storage.set('draft', 'first');
  await storage.set('draft', 'x'.repeat(300));
  await storage.remove('draft');
  assert.equal(await storage.get('draft'), null);
  assert.equal(area.values.size, 0);
});
