import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRetry, type RetryState } from '../../src/transport/backoff.js';
import { createRandom } from '../helpers/seeded-random.js';

const waitOf = (question: RetryState) => {
  const plan = planRetry(question);
  return plan.retry ? plan.wait : plan.because;
};

test('waits up to a step that doubles with each failure, from half a second to half a minute', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((failed) => waitOf({ failures: failed, random: 1 }));
  assert.deepEqual(longest, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('spreads over the whole step', () => {
  const random = createRandom(1);
  const waits = Array.from({ length: 2000 }, () =>
    Number(waitOf({ failures: 4, random: random() })),
  );
  assert.ok(Math.min(...waits) < 100 && Math.max(...waits) > 3900);
  assert.ok(Math.abs(waits.reduce((sum, wait) => sum + wait) / waits.length - 2000) < 100);
});

test('the wait grows with each break, and keeps half of its step when there was progress', () => {
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((breaks) =>
      waitOf({ failures: 1, disconnects: breaks, random }),
    );
  assert.deepEqual(waits(1), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  assert.deepEqual(waits(0), [0, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  assert.equal(waitOf({ failures: 2, disconnects: 2, random: 0 }), 0);
});

test('gives up after eight tries without progress', () => {
  assert.equal(waitOf({ failures: 8, random: 0 }), 0);
  assert.equal(waitOf({ failures: 9, random: 0 }), 'tries');
});

test('never comes back sooner than the service wishes', () => {
  assert.equal(waitOf({ failures: 1, random: 1, retryAfter: 7000 }), 7000);
  assert.equal(waitOf({ failures: 8, random: 1, retryAfter: 7000 }), 30_000);
});

test('leaves a wait of more than a minute to the person', () => {
  assert.equal(waitOf({ failures: 1, random: 1, retryAfter: 60_000 }), 60_000);
  assert.equal(waitOf({ failures: 1, random: 1, retryAfter: 60_001 }), 'long-wait');
});

test('takes other numbers', () => {
  const numbers = { base: 1, cap: 4, maxAttempts: 3, maxRetryAfter: 10 };
  assert.deepEqual(
    [1, 2, 3, 4].map((failed) => waitOf({ ...numbers, failures: failed, random: 1 })),
    [1, 2, 4, 'tries'],
  );
  assert.equal(waitOf({ ...numbers, failures: 1, random: 1, retryAfter: 11 }), 'long-wait');
});

test('stays at the cap however often it is asked', () => {
  assert.equal(waitOf({ failures: 5000, random: 1, maxAttempts: 10_000 }), 30_000);
});
