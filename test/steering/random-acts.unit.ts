import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedsUpTo } from '../helpers/seeds.js';
import { createSequence, runSequence, shorten } from './acts/sequence.js';
import { startService } from './world/service.js';

/** Sequences in all, in one test, and at the same time. */
const ALL = seedsUpTo(250).length;
const TOGETHER = 50;
const LANES = 8;

for (let first = 1; first <= ALL; first += TOGETHER) {
  const last = first + TOGETHER - 1;
  test(`whatever is done, what is shown is what is stored (seeds ${first} to ${last})`, async (context) => {
    const service = await startService(context);
    const failures: { readonly seed: number; readonly error: Error }[] = [];
    let next = first;
    const lane = async () => {
      while (next <= last) {
        const seed = next++;
        const error = await runSequence(service, createSequence(seed));
        if (error) failures.push({ seed, error });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const [failure] = failures;
    if (!failure) return;
    const { seed, error } = failure;
    const { dialect, acts } = await shorten(service, createSequence(seed));
    const seeds = failures.map((each) => each.seed).join(', ');
    const words = [`seeds ${seeds} fail; ${seed} (${dialect}):`, ...acts, error.message];
    assert.fail(words.join('\n'));
  });
}
