import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReferenceMap, type Redrawable } from '../../src/markdown/dom/references.js';

const TARGET = { destination: '/a', title: '' };

/** A map of references, and content that records its calls. */
function setup() {
  const references = new ReferenceMap();
  const calls: string[] = [];
  const createUser = (name: string, start = 0): Redrawable => ({
    start,
    length: 60,
    redraw: () => calls.push(`redraw ${name}`),
    markRemoved: () => calls.push(`remove ${name}`),
  });
  return { references, createUser, calls };
}

test('ReferenceMap keeps the first definition of a label', () => {
  const { references } = setup();
  references.define({ label: 'A', ...TARGET }, 0);
  references.define({ label: 'A', ...TARGET, destination: '/b' }, 5);
  assert.equal(references.get('A')?.destination, '/a');
  assert.equal(references.get('B'), undefined);
});

test('ReferenceMap renders content again once when its label is defined', () => {
  const { references, createUser, calls } = setup();
  const user = createUser('one');
  references.addUser('A', user);
  references.addUser('A', user);
  references.addUser('B', createUser('other'));
  references.redraw(Infinity);
  assert.deepEqual(calls, []);
  references.define({ label: 'A', ...TARGET }, 0);
  references.redraw(Infinity);
  references.define({ label: 'A', ...TARGET }, 9);
  references.redraw(Infinity);
  assert.deepEqual(calls, ['redraw one']);
});

test('ReferenceMap renders content again up to a length in total, and the rest later', () => {
  const { references, createUser, calls } = setup();
  for (const name of ['one', 'two', 'three', 'four']) references.addUser('A', createUser(name));
  references.define({ label: 'A', ...TARGET }, 0);
  // Each is 60 characters long, and is rendered while the total so far does not exceed the given length.
  references.redraw(60);
  assert.deepEqual(calls, ['redraw one', 'redraw two']);
  references.redraw(119);
  assert.equal(calls.length, 2);
  references.redraw(120);
  assert.equal(calls.length, 3);
  references.redraw(Infinity);
  assert.deepEqual(calls.slice(3), ['redraw four']);
});

test('ReferenceMap removes definitions and content that begin at or after a position', () => {
  const { references, createUser, calls } = setup();
  references.addUser('A', createUser('before', 9));
  references.addUser('A', createUser('at', 10));
  references.define({ label: 'A', ...TARGET }, 10);
  references.define({ label: 'B', ...TARGET }, 9);
  references.truncate(10);
  assert.equal(references.get('A'), undefined);
  assert.notEqual(references.get('B'), undefined);
  references.redraw(Infinity);
  assert.deepEqual(calls, ['remove at', 'redraw before']);
  // What was removed is not rendered again by a later definition.
  references.define({ label: 'A', ...TARGET }, 12);
  references.redraw(Infinity);
  assert.deepEqual(calls.slice(2), ['redraw before']);
});
