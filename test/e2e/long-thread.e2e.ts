/** Opening a long thread does not block the page much longer than opening a small one. Compares CPU times, which exclude other processes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { LONG_THREADS, measureOpening } from '../../bench/opening.js';

/** Permitted longest task while a long thread opens, relative to that of a thread that fills the window. */
const LIMIT = 3;
/** Messages of 2 kB that fill the window. */
const SCREENFUL = { name: 'a screenful', count: 8, length: 2000 };

/** CPU time in ms of the longest task of a screenful, the minimum so far. */
let screenful = Infinity;

/** Returns the longest task of a thread relative to that of a screenful. Takes the minimum of two rounds, because interference only adds to a task. */
async function measureRatio(
  thread: typeof SCREENFUL,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<number> {
  let longest = Infinity;
  for (let round = 0; round < 2; round += 1) {
    screenful = Math.min(screenful, (await measureOpening(SCREENFUL)).longestTask);
    longest = Math.min(longest, (await measureOpening(thread, prepare)).longestTask);
    if (longest / screenful <= LIMIT) break;
  }
  return longest / screenful;
}

for (const thread of LONG_THREADS) {
  test(`${thread.name} takes no task that is much longer than those of a screenful`, async () => {
    const ratio = await measureRatio(thread);
    assert.ok(ratio <= LIMIT, ratio.toFixed(2));
  });
}

test('measurement finds the long task of a thread that opens without yielding to the event loop', async () => {
  const ratio = await measureRatio({ name: 'planted', count: 6000, length: 2000 }, (page) =>
    page.evaluate(() => {
      Object.assign((globalThis as unknown as { scheduler: object }).scheduler, {
        yield: () => Promise.resolve(),
      });
    }),
  );
  assert.ok(ratio > LIMIT, ratio.toFixed(2));
});
