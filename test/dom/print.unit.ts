import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isPrinting, onPrintChange } from '../../src/dom/print.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const page = new EventTarget();
Object.assign(globalThis, { window: page });

/** A view that counts the events of printing, as long as it exists. */
class View {
  count = 0;
  readonly stop = onPrintChange(() => {
    this.count += 1;
  });
}

test('a listener is called while its unsubscribe function exists, and does not retain its view', async () => {
  const kept = new View();
  const removed = new WeakRef(new View());
  const print = (): boolean => page.dispatchEvent(new Event('beforeprint'));
  print();
  assert.deepEqual([kept.count, removed.deref()?.count], [1, 1]);
  // References of the current job stay until its end.
  await new Promise(setImmediate);
  collectGarbage();
  assert.equal(removed.deref(), undefined);
  print();
  assert.equal(kept.count, 2);
  assert.equal(isPrinting(), true);
  kept.stop();
  print();
  assert.deepEqual([kept.count, isPrinting()], [2, false]);
});
