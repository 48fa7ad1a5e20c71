import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedsUpTo } from '../helpers/sample.js';
import { createSequence, runSequence, shorten } from './acts/sequence.js';
import { startService } from './world/service.js';

/** Sequences at the same time. */
const LANES = 8;

for (const [how, seeds, { isShared = false, lags = false } = {}] of [
  ['', seedsUpTo(200)],
  [' in tabs that share it', seedsUpTo(50, 501), { isShared: true }],
  [' by a service that is behind', seedsUpTo(50, 601), { lags: true }],
] as const) {
  test(`whatever is done, what is shown${how} is what is stored`, async (context) => {
    const service = await startService(context);
    const failures: { readonly seed: number; readonly error: Error }[] = [];
    const left = [...seeds];
    const lane = async () => {
      for (let seed; (seed = left.shift()) !== undefined;) {
        const error = await runSequence(service, createSequence(seed, lags), isShared);
        if (error) failures.push({ seed, error });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const [failure] = failures;
    if (!failure) return;
    const { seed, error } = failure;
    const { dialect, acts } = await shorten(service, createSequence(seed, lags), isShared);
    const lines = failures.map((each) => `seed ${each.seed}: ${each.error.message}`);
    const words = [...lines, `${seed}, shortened (${dialect}):`, ...acts, error.message];
    assert.fail(words.join('\n'));
  });
}
