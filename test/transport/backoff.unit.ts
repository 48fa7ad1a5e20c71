import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  computeRetryPlan,
  type BackoffLimits,
  type RetryState,
} from '../../src/transport/backoff.js';
import { createRandom } from '../helpers/seeded-random.js';

const LIMITS: BackoffLimits = { base: 500, cap: 30_000, maxAttempts: 8, maxRetryAfter: 60_000 };

const delayOf = (state: Omit<RetryState, keyof BackoffLimits> & Partial<BackoffLimits>) => {
  const plan = computeRetryPlan({ ...LIMITS, ...state });
  return plan.retry ? plan.wait : plan.reason;
};

test('computeRetryPlan doubles the maximum delay with each failure, from 0.5 to 30 seconds', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => delayOf({ failures, random: 1 }));
  assert.deepEqual(longest, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('computeRetryPlan spreads the delays evenly between zero and the maximum', () => {
  const random = createRandom(1);
  const delays = Array.from({ length: 2000 }, () =>
    Number(delayOf({ failures: 4, random: random() })),
  );
  assert.ok(Math.min(...delays) < 100 && Math.max(...delays) > 3900);
  assert.ok(Math.abs(delays.reduce((sum, delay) => sum + delay) / delays.length - 2000) < 100);
});

test('computeRetryPlan waits at least half of the maximum delay when connections with progress break in a row', () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((disconnects) => delayOf({ failures: 1, disconnects, random }));
  assert.deepEqual(delays(1), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  assert.deepEqual(delays(0), [0, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  assert.equal(delayOf({ failures: 2, disconnects: 2, random: 0 }), 0);
});

test('computeRetryPlan gives up after eight attempts without progress', () => {
  assert.equal(delayOf({ failures: 8, random: 0 }), 0);
  assert.equal(delayOf({ failures: 9, random: 0 }), 'too-many-attempts');
});

test('computeRetryPlan waits at least as long as Retry-After', () => {
  assert.equal(delayOf({ failures: 1, random: 1, retryAfter: 7000 }), 7000);
  assert.equal(delayOf({ failures: 8, random: 1, retryAfter: 7000 }), 30_000);
});

test('computeRetryPlan gives up when Retry-After is longer than a minute', () => {
  assert.equal(delayOf({ failures: 1, random: 1, retryAfter: 60_000 }), 60_000);
  assert.equal(delayOf({ failures: 1, random: 1, retryAfter: 60_001 }), 'delay-too-long');
});

test('computeRetryPlan accepts other limits', () => {
  const limits = { base: 1, cap: 4, maxAttempts: 3, maxRetryAfter: 10 };
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => delayOf({ ...limits, failures, random: 1 })),
    [1, 2, 4, 'too-many-attempts'],
  );
  assert.equal(delayOf({ ...limits, failures: 1, random: 1, retryAfter: 11 }), 'delay-too-long');
});

test('computeRetryPlan stays at the maximum delay after thousands of failures', () => {
  assert.equal(delayOf({ failures: 5000, random: 1, maxAttempts: 10_000 }), 30_000);
});
