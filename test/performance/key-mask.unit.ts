import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createKeyMask } from '../../server/key-mask.js';

const LENGTH = 64 * 1024;
const KEY = 'sk-live-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF';

/** What spellings of the key begin with, and what anybody may know of it. */
const FLOODS = ['%', '\\', 's', 's\0', '%25', '\\u00', '%7', '%73%6b', '%2573%256b', 'sk-live-'];

/** The least CPU time of some rounds, in microseconds. */
function costOf(act: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 4; round += 1) {
    const start = process.cpuUsage().user;
    act();
    least = Math.min(least, process.cpuUsage().user - start);
  }
  return least;
}

test('masking a key costs about as much as compressing the text, whatever the text repeats', () => {
  const mask = createKeyMask(KEY);
  const compressing = costOf(() => gzipSync(randomBytes(LENGTH)));
  for (const sign of FLOODS) {
    const text = sign.repeat(LENGTH / sign.length);
    // The clock counts in steps of some milliseconds on some machines.
    const cost = costOf(() => mask.redact(text)) / Math.max(compressing, 2000);
    assert.ok(cost < 40, `${JSON.stringify(sign)}: ${String(cost)}`);
  }
});
