import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { VersionPrefetcher } from '../../src/elements/branches/version-prefetcher.js';
import { UbikError } from '../../src/errors.js';
import type { BranchMapPoint } from '../../src/message/branches/branch-tree.js';

/** Versions that are not loaded. */
function pointsOf(...ids: string[]): BranchMapPoint[] {
  return ids.map((id) => ({
    ...{
      key: id,
      kind: 'version',
      messages: [],
      id,
      siblingKey: 'm1',
      name: '',
      number: 0,
      count: 0,
    },
    ...{ active: false, isHead: false, parent: -1, level: 1, lane: 0 },
  }));
}

/** A prefetcher with a log of its calls. Versions in `broken` cannot be loaded. */
function setup(broken: ReadonlyMap<string, Error> = new Map()) {
  const log: string[] = [];
  const readVersion = (siblingKey: string, id: string): Promise<void> => {
    log.push(`load ${siblingKey} ${id}`);
    const error = broken.get(id);
    return error ? Promise.reject(error) : Promise.resolve();
  };
  const prefetcher = new VersionPrefetcher(
    () => ({ loadVersion: readVersion }),
    () => log.push('loaded'),
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { prefetcher, log, settle };
}

test('version prefetcher loads visible versions one at a time, each once, and notifies after each', async () => {
  const { prefetcher, log, settle } = setup();
  prefetcher.setVisible(pointsOf('a', 'b'));
  await settle();
  assert.deepEqual(log.splice(0), ['load m1 a', 'loaded', 'load m1 b', 'loaded']);
  prefetcher.setVisible(pointsOf('b', 'c'));
  await settle();
  assert.deepEqual(log, ['load m1 c', 'loaded']);
});

test('version prefetcher continues with the versions that are visible after a load', async () => {
  const { prefetcher, log, settle } = setup();
  prefetcher.setVisible(pointsOf('a', 'b'));
  prefetcher.setVisible(pointsOf('c'));
  await settle();
  assert.deepEqual(log, ['load m1 a', 'loaded', 'load m1 c', 'loaded']);
});

test('version prefetcher stops after an error until the visible versions are set again', async () => {
  const { prefetcher, log, settle } = setup(new Map([['a', new UbikError('not-found')]]));
  prefetcher.setVisible(pointsOf('a', 'b'));
  await settle();
  assert.deepEqual(log.splice(0), ['load m1 a']);
  prefetcher.setVisible(pointsOf('a', 'b'));
  await settle();
  assert.deepEqual(log, ['load m1 b', 'loaded']);
});

test('version prefetcher rejects with an error that does not come from the service, and loads the next visible versions', async () => {
  const { prefetcher, log, settle } = setup(new Map([['a', new TypeError('A defect.')]]));
  // The listener of the test runner would fail the test.
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const rejected = once(process, 'unhandledRejection');
  prefetcher.setVisible(pointsOf('a', 'b'));
  const [error] = (await rejected) as unknown[];
  for (const listener of listeners) process.on('unhandledRejection', listener);
  assert.ok(error instanceof TypeError);
  prefetcher.setVisible(pointsOf('b'));
  await settle();
  assert.deepEqual(log, ['load m1 a', 'load m1 b', 'loaded']);
});

test('version prefetcher skips versions that are loaded, have no id or have no known sibling', async () => {
  const { prefetcher, log, settle } = setup();
  const [point] = pointsOf('a') as [BranchMapPoint];
  const known = [{} as BranchMapPoint['messages'][number]];
  prefetcher.setVisible([
    { ...point, messages: known },
    { ...point, id: null },
    { ...point, siblingKey: null },
  ]);
  await settle();
  assert.deepEqual(log, []);
});

test('version prefetcher does nothing when the service cannot load versions', async () => {
  const log: string[] = [];
  const prefetcher = new VersionPrefetcher(
    () => ({}),
    () => log.push('loaded'),
  );
  prefetcher.setVisible(pointsOf('a', 'b'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, []);
});
