import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createKeyMask } from '../../server/key-mask.js';

const LENGTH = 64 * 1024;
const KEY = 'sk-live-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF';

/** Prefixes of encodings of the key. */
const PREFIXES = ['%', '\\', 's', 's\0', '%25', '\\u00', '%7', '%73%6b', '%2573%256b', 'sk-live-'];

/** The minimum CPU time of four rounds in microseconds. */
function costOf(run: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 4; round += 1) {
    const start = process.cpuUsage().user;
    run();
    least = Math.min(least, process.cpuUsage().user - start);
  }
  return least;
}

test('key mask takes less than 40 times as long as compressing as many random bytes, whatever prefix of the key repeats', () => {
  const mask = createKeyMask(KEY);
  const compressing = costOf(() => gzipSync(randomBytes(LENGTH)));
  for (const prefix of PREFIXES) {
    const text = prefix.repeat(LENGTH / prefix.length);
    // On some machines the CPU clock advances in steps of milliseconds.
    const cost = costOf(() => mask.redact(text)) / Math.max(compressing, 2000);
    assert.ok(cost < 40, `${JSON.stringify(prefix)}: ${String(cost)}`);
  }
});
