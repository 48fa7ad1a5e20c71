import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyModule } from '../../src/dom/lazy-module.js';

/** A module whose imports are settled by the test, in order. */
function setupModule() {
  const fetches: { resolve(value: string): void; fail(): void }[] = [];
  const file = new LazyModule<string>(
    () =>
      new Promise((resolve, reject) => {
        fetches.push({
          resolve,
          fail: () => {
            reject(new Error('lost'));
          },
        });
      }),
  );
  return { file, fetches };
}

test('a lazy module is imported once, however often it is requested', async () => {
  const { file, fetches } = setupModule();
  const loading = [file.load(), file.load()];
  fetches[0]?.resolve('all');
  assert.deepEqual(await Promise.all([...loading, file.load()]), ['all', 'all', 'all']);
  assert.deepEqual([fetches.length, file.value], [1, 'all']);
});

test('a lazy module is prefetched once, whatever the result, and imported again when it is needed', async () => {
  const { file, fetches } = setupModule();
  file.prefetch();
  fetches[0]?.fail();
  await new Promise(setImmediate);
  file.prefetch();
  assert.equal(fetches.length, 1);
  const needed = file.load();
  fetches[1]?.resolve('all');
  assert.equal(await needed, 'all');
  assert.equal(fetches.length, 2);
});

test('a lazy module is imported again when it is requested after a failure', async () => {
  const { file, fetches } = setupModule();
  const first = file.load();
  fetches[0]?.fail();
  await assert.rejects(first, /lost/);
  const second = file.load();
  fetches[1]?.resolve('all');
  assert.equal(await second, 'all');
});

test('a lazy module is imported again once for all requests made during a failing attempt', async () => {
  const { file, fetches } = setupModule();
  const first = file.load();
  const later = [file.load(), file.load()];
  fetches[0]?.fail();
  // Requests made during the failing attempt get the result of the second one.
  await assert.rejects(first, /lost/);
  fetches[1]?.resolve('all');
  assert.deepEqual(await Promise.all(later), ['all', 'all']);
  assert.equal(fetches.length, 2);
});

test('a lazy module notifies its listeners when it is loaded', async () => {
  const { file, fetches } = setupModule();
  const calls: string[] = [];
  file.whenLoaded((value) => calls.push(`before: ${value}`));
  const loading = file.load();
  fetches[0]?.resolve('all');
  await loading;
  file.whenLoaded((value) => calls.push(`after: ${value}`));
  assert.deepEqual(calls, ['before: all', 'after: all']);
});

test('a lazy module is loaded and notifies its other listeners when one of them throws', async (context) => {
  const { file, fetches } = setupModule();
  const reported: unknown[] = [];
  const { reportError } = globalThis;
  globalThis.reportError = (error: unknown) => void reported.push(error);
  context.after(() => Object.assign(globalThis, { reportError }));
  const calls: string[] = [];
  file.whenLoaded(() => {
    throw new Error('broken');
  });
  file.whenLoaded((value) => calls.push(value));
  const loading = file.load();
  fetches[0]?.resolve('all');
  assert.equal(await loading, 'all');
  assert.deepEqual([calls, reported.map(String)], [['all'], ['Error: broken']]);
});
