import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyModule } from '../../src/dom/lazy-module.js';

/** A file whose fetches end when the test says so, in their order. */
function setupFile() {
  const fetches: { come(value: string): void; fail(): void }[] = [];
  const file = new LazyModule<string>(
    () =>
      new Promise((resolve, reject) => {
        fetches.push({
          come: resolve,
          fail: () => {
            reject(new Error('lost'));
          },
        });
      }),
  );
  return { file, fetches };
}

test('is fetched once, whoever asks for it', async () => {
  const { file, fetches } = setupFile();
  const asked = [file.load(), file.load()];
  fetches[0]?.come('all');
  assert.deepEqual(await Promise.all([...asked, file.load()]), ['all', 'all', 'all']);
  assert.deepEqual([fetches.length, file.value], [1, 'all']);
});

test('is fetched ahead once, whatever comes of it, and again for who needs it', async () => {
  const { file, fetches } = setupFile();
  file.prefetch();
  fetches[0]?.fail();
  await new Promise(setImmediate);
  file.prefetch();
  assert.equal(fetches.length, 1);
  const needed = file.load();
  fetches[1]?.come('all');
  assert.equal(await needed, 'all');
  assert.equal(fetches.length, 2);
});

test('is fetched again for who asks after it could not be fetched', async () => {
  const { file, fetches } = setupFile();
  const first = file.load();
  fetches[0]?.fail();
  await assert.rejects(first, /lost/);
  const second = file.load();
  fetches[1]?.come('all');
  assert.equal(await second, 'all');
});

test('is fetched again for who asks while it cannot be fetched, once for all of them', async () => {
  const { file, fetches } = setupFile();
  const first = file.load();
  const later = [file.load(), file.load()];
  fetches[0]?.fail();
  // Whoever asked before hears of it at once.
  await assert.rejects(first, /lost/);
  fetches[1]?.come('all');
  assert.deepEqual(await Promise.all(later), ['all', 'all']);
  assert.equal(fetches.length, 2);
});

test('tells whoever waits for it when it is there', async () => {
  const { file, fetches } = setupFile();
  const told: string[] = [];
  file.whenLoaded((value) => told.push(`before: ${value}`));
  const asked = file.load();
  fetches[0]?.come('all');
  await asked;
  file.whenLoaded((value) => told.push(`after: ${value}`));
  assert.deepEqual(told, ['before: all', 'after: all']);
});
