import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerContext } from '../../src/controller/controller-context.js';
import { completeLimits, type ControllerLimits } from '../../src/controller/limits.js';
import { RejoinPolicy } from '../../src/controller/run/rejoin-policy.js';

/** A policy with a clock that the test sets. `random` is the share of the maximum delay. */
function setupPolicy(given: ControllerLimits = {}, random = 1, isOpened = true) {
  const clock = { wall: 1_000_000, elapsed: 0 };
  const environment = {
    now: () => clock.wall,
    monotonic: () => clock.elapsed,
    random: () => random,
  };
  const limits = completeLimits(45_000, given);
  const policy = new RejoinPolicy({ environment, limits } as unknown as ControllerContext);
  if (isOpened) policy.open();
  const nextDelays = (count: number) => Array.from({ length: count }, () => policy.next(undefined));
  return { clock, policy, nextDelays };
}

test('RejoinPolicy doubles the delay up to 30 s and gives up after eight attempts', () => {
  const { policy, nextDelays } = setupPolicy();
  assert.equal(policy.attempt, 0);
  assert.equal(policy.wait(), 500, 'before the first break');
  assert.deepEqual(nextDelays(9), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, null]);
  assert.equal(policy.attempt, 9);
  assert.equal(policy.wait(), 0);
});

test('RejoinPolicy uses the limits of the host', () => {
  const { policy, nextDelays } = setupPolicy({
    backoffBase: 100,
    backoffCap: 150,
    maxRejoinAttempts: 3,
    maxRetryAfter: 1_000,
  });
  assert.equal(policy.next(1_001), null);
  assert.equal(policy.next(1_000), 1_000);
  assert.deepEqual(nextDelays(2), [150, null]);
});

test('RejoinPolicy counts nothing when it only returns the delay', () => {
  const { policy, nextDelays } = setupPolicy();
  assert.deepEqual(nextDelays(2), [500, 1_000]);
  assert.deepEqual([policy.wait(), policy.wait()], [1_000, 1_000]);
  assert.equal(policy.attempt, 2);
});

test('RejoinPolicy makes all attempts available again after a reset', () => {
  const { policy, nextDelays } = setupPolicy();
  nextDelays(8);
  policy.resetAttempts();
  assert.equal(policy.attempt, 0);
  assert.deepEqual(nextDelays(2), [500, 1_000]);
});

test('RejoinPolicy obeys the delay that the service has asked for until a reset', () => {
  const { clock, policy } = setupPolicy();
  policy.next(40_000);
  clock.elapsed += 10_000;
  assert.deepEqual([policy.wake(), policy.wait()], [false, 30_000]);
  clock.elapsed += 30_000;
  assert.deepEqual([policy.wait(), policy.wake()], [500, true]);
  policy.next(3_600_000);
  policy.resetAttempts();
  assert.equal(policy.wait(), 500);
});

test('RejoinPolicy resets the attempts with new content, and the delay only after ten seconds', () => {
  const { clock, policy } = setupPolicy();
  const breakAfter = (lasted: number, hasProgress = true) => {
    policy.open();
    if (hasProgress) policy.recordProgress();
    clock.elapsed += lasted;
    return [policy.next(undefined), policy.attempt];
  };
  assert.deepEqual(breakAfter(0), [500, 1]);
  assert.deepEqual(breakAfter(9_999), [1_000, 1]);
  assert.deepEqual(breakAfter(60_000, false), [2_000, 2]);
  assert.deepEqual(breakAfter(10_000), [500, 1]);
});

test('RejoinPolicy waits at least half of the delay when connections with new content break in a row', () => {
  const { policy, nextDelays } = setupPolicy({}, 0);
  assert.deepEqual(nextDelays(2), [0, 0]);
  policy.recordProgress();
  assert.deepEqual(nextDelays(1), [1_000]);
});

test('RejoinPolicy allows one immediate attempt a minute, which does not count', () => {
  const { clock, policy, nextDelays } = setupPolicy();
  nextDelays(1);
  assert.equal(policy.wake(), true);
  clock.wall += 59_999;
  assert.equal(policy.wake(), false);
  assert.deepEqual([...nextDelays(1), policy.attempt], [500, 1]);
  assert.deepEqual([...nextDelays(1), policy.attempt], [1_000, 2]);
  clock.wall += 1;
  assert.equal(policy.wake(), true);
  assert.deepEqual([...nextDelays(1), policy.attempt], [1_000, 2]);
  assert.deepEqual([...nextDelays(1), policy.attempt], [2_000, 3]);
});

test('RejoinPolicy counts the first break also after a wake', () => {
  const { policy, nextDelays } = setupPolicy();
  assert.equal(policy.wake(), true);
  assert.deepEqual([...nextDelays(1), policy.attempt], [500, 1]);
  assert.deepEqual([...nextDelays(1), policy.attempt], [1_000, 2]);
});

test('RejoinPolicy allows an immediate attempt after new content and after the clock was set back', () => {
  const { clock, policy } = setupPolicy();
  assert.equal(policy.wake(), true);
  policy.recordProgress();
  assert.equal(policy.wake(), true);
  clock.wall -= 59_999;
  assert.equal(policy.wake(), false);
  clock.wall -= 1;
  assert.equal(policy.wake(), true);
});

test('RejoinPolicy reports once that a stall turned out to be silence', () => {
  const { policy } = setupPolicy();
  assert.equal(policy.receive(), false);
  policy.stall();
  assert.deepEqual([policy.receive(), policy.receive()], [true, false]);
  policy.stall();
  policy.next(undefined);
  assert.equal(policy.receive(), false);
  policy.stall();
  policy.nextOffline();
  assert.equal(policy.receive(), false);
});

test('RejoinPolicy counts no attempts while the browser is offline, but waits longer', () => {
  const { policy } = setupPolicy();
  const delays = Array.from({ length: 12 }, () => policy.nextOffline());
  assert.deepEqual(delays.slice(0, 7), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  assert.equal(delays.at(-1), 30_000);
  assert.equal(policy.attempt, 0);
});

test('RejoinPolicy counts the next break after the immediate attempt was offline or has stalled', () => {
  for (const end of ['nextOffline', 'stall'] as const) {
    const { policy, nextDelays } = setupPolicy();
    nextDelays(2);
    assert.equal(policy.wake(), true);
    policy[end]();
    nextDelays(1);
    assert.equal(policy.attempt, 3, end);
  }
});

test('RejoinPolicy lets the delay grow while no connection has opened', () => {
  const { clock, nextDelays } = setupPolicy({}, 1, false);
  clock.elapsed = 60_000;
  assert.deepEqual(nextDelays(3), [500, 1_000, 2_000]);
});
