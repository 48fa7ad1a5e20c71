import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedsUpTo } from '../helpers/seeds.js';
import { createSequence, runSequence, shorten } from './acts/sequence.js';
import { startService } from './world/service.js';

/** Sequences of tabs that are alone, in one test, and at the same time. */
const ALL = seedsUpTo(200).length;
const TOGETHER = 50;
const LANES = 8;
/** From this seed on tabs share their runs. */
const SHARED = 501;
/** From this seed on the service's lists of messages are behind from time to time. */
const LAGGING = 601;

const firsts = Array.from({ length: Math.ceil(ALL / TOGETHER) }, (_, at) => 1 + at * TOGETHER);
for (const first of [...firsts, SHARED, LAGGING]) {
  const last = first + TOGETHER - 1;
  const isShared = first === SHARED;
  const lags = first === LAGGING;
  const how = isShared ? ' in tabs that share it' : lags ? ' by a service that is behind' : '';
  test(`whatever is done, what is shown${how} is what is stored (seeds ${first} to ${last})`, async (context) => {
    const service = await startService(context);
    const failures: { readonly seed: number; readonly error: Error }[] = [];
    let next = first;
    const lane = async () => {
      while (next <= last) {
        const seed = next++;
        const error = await runSequence(service, createSequence(seed, lags), isShared);
        if (error) failures.push({ seed, error });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const [failure] = failures;
    if (!failure) return;
    const { seed, error } = failure;
    const { dialect, acts } = await shorten(service, createSequence(seed, lags), isShared);
    const seeds = failures.map((each) => `seed ${each.seed}: ${each.error.message}`);
    const words = [...seeds, `${seed}, shortened (${dialect}):`, ...acts, error.message];
    assert.fail(words.join('\n'));
  });
}
