import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PendingDeletions } from '../../src/elements/base/pending-deletions.js';
import { ScriptedClock } from './scripted-clock.js';

/** Deletions that can be undone for three seconds. */
function setup() {
  const clock = new ScriptedClock();
  const sent: string[] = [];
  const deletions = new PendingDeletions(clock, {
    undoTime: 3000,
    send: (id, isUnloading) => void sent.push(`${id}${isUnloading ? ' while unloading' : ''}`),
  });
  return { clock, deletions, sent };
}

describe('pending deletions', () => {
  it('are sent when they cannot be undone any more, and use the clock only until then', () => {
    const { clock, deletions, sent } = setup();
    assert.equal(clock.waiting, 0);
    deletions.add('a');
    clock.pass(1);
    deletions.add('b');
    assert.equal(clock.waiting, 1);
    clock.pass(1);
    assert.deepEqual([sent, deletions.has('a'), deletions.has('b')], [[], true, true]);
    clock.pass(1);
    assert.deepEqual([sent, deletions.has('a'), deletions.has('b')], [['a'], false, true]);
    assert.equal(clock.waiting, 1);
    clock.pass(1);
    assert.deepEqual([sent, deletions.has('b'), clock.waiting], [['a', 'b'], false, 0]);
    deletions.add('c');
    clock.pass(3);
    assert.deepEqual([sent, clock.waiting], [['a', 'b', 'c'], 0]);
  });

  it('can be undone', () => {
    const { clock, deletions, sent } = setup();
    deletions.add('a');
    deletions.add('b');
    deletions.undo('a');
    assert.deepEqual([deletions.has('a'), clock.waiting], [false, 1]);
    deletions.undo('b');
    assert.equal(clock.waiting, 0);
    clock.pass(5);
    assert.deepEqual(sent, []);
  });

  it('are all sent at once, also when the page is closed', () => {
    for (const [isUnloading, expected] of [
      [false, ['a', 'b']],
      [true, ['a while unloading', 'b while unloading']],
    ] as const) {
      const { clock, deletions, sent } = setup();
      deletions.add('a');
      deletions.add('b');
      deletions.flush(isUnloading);
      assert.deepEqual(sent, expected);
      clock.pass(5);
      assert.deepEqual(sent, expected);
      assert.equal(clock.waiting, 0);
    }
  });
});
