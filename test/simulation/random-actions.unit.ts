import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedsUpTo } from '../helpers/sample.js';
import { createSequence, runSequence, shorten } from './actions/sequence.js';
import { startService } from './world/service.js';

/** The number of sequences that run concurrently. */
const CONCURRENCY = 8;

for (const [how, seeds, { isShared = false, lags = false } = {}] of [
  ['', seedsUpTo(200, 1, 20)],
  [' in tabs that share runs', seedsUpTo(50, 501, 20), { isShared: true }],
  [' with a lagging service', seedsUpTo(50, 601, 20), { lags: true }],
] as const) {
  test(`chat with UBIK shows what is stored after a random sequence of actions${how}`, async (context) => {
    const service = await startService(context);
    const failures: { readonly seed: number; readonly error: Error }[] = [];
    const left = [...seeds];
    const worker = async () => {
      for (let seed; (seed = left.shift()) !== undefined;) {
        const error = await runSequence(service, createSequence(seed, lags), isShared);
        if (error) failures.push({ seed, error });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const [failure] = failures;
    if (!failure) return;
    const { seed, error } = failure;
    const { dialect, actions } = await shorten(service, createSequence(seed, lags), isShared);
    const lines = failures.map((each) => `seed ${each.seed}: ${each.error.message}`);
    const report = [...lines, `${seed}, shortened (${dialect}):`, ...actions, error.message];
    assert.fail(report.join('\n'));
  });
}
