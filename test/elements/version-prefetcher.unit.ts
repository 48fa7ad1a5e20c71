import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VersionPrefetcher } from '../../src/elements/branches/version-prefetcher.js';
import { UbikError } from '../../src/errors.js';
import type { BranchPoint } from '../../src/message/branches/branch-tree.js';

/** Versions of which only the names are known. */
function pointsOf(...ids: string[]): BranchPoint[] {
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

/** A reader, and what it did. Whatever is in `broken` cannot be read. */
function setup(broken: ReadonlyMap<string, Error> = new Map()) {
  const log: string[] = [];
  const readVersion = (siblingKey: string, id: string): Promise<void> => {
    log.push(`read ${siblingKey} ${id}`);
    const error = broken.get(id);
    return error ? Promise.reject(error) : Promise.resolve();
  };
  const reader = new VersionPrefetcher(
    () => ({ loadVersion: readVersion }),
    () => log.push('told'),
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { reader, log, settle };
}

test('a version reader reads what is seen one after the other, each once, and tells after each', async () => {
  const { reader, log, settle } = setup();
  reader.setVisible(pointsOf('a', 'b'));
  await settle();
  assert.deepEqual(log.splice(0), ['read m1 a', 'told', 'read m1 b', 'told']);
  reader.setVisible(pointsOf('b', 'c'));
  await settle();
  assert.deepEqual(log, ['read m1 c', 'told']);
});

test('a version reader goes on with what is seen when a version has been read', async () => {
  const { reader, log, settle } = setup();
  reader.setVisible(pointsOf('a', 'b'));
  reader.setVisible(pointsOf('c'));
  await settle();
  assert.deepEqual(log, ['read m1 a', 'told', 'read m1 c', 'told']);
});

test('a version reader leaves the others when one cannot be read, until something else is seen', async () => {
  const { reader, log, settle } = setup(new Map([['a', new UbikError('not-found')]]));
  reader.setVisible(pointsOf('a', 'b'));
  await settle();
  assert.deepEqual(log.splice(0), ['read m1 a']);
  reader.setVisible(pointsOf('a', 'b'));
  await settle();
  assert.deepEqual(log, ['read m1 b', 'told']);
});

test('a version reader asks for nothing that is known, nameless or beside nothing', async () => {
  const { reader, log, settle } = setup();
  const [point] = pointsOf('a') as [BranchPoint];
  const known = [{} as BranchPoint['messages'][number]];
  reader.setVisible([
    { ...point, messages: known },
    { ...point, id: null },
    { ...point, siblingKey: null },
  ]);
  await settle();
  assert.deepEqual(log, []);
});
