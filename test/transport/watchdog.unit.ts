import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWatchdog } from '../../src/transport/watchdog.js';
import { createTestEnvironment } from '../helpers/test-environment.js';

function setup(limit = 45_000) {
  const environment = createTestEnvironment();
  const stalls: number[] = [];
  const watchdog = createWatchdog({
    environment,
    limit,
    maxLimit: 300_000,
    onStall: (silence) => stalls.push(silence),
  });
  return { environment, stalls, watchdog };
}

test('watchdog reports one stall after the limit without activity', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(44_999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.deepEqual(stalls, [45_000]);
  await environment.advance(1_000_000);
  watchdog.check();
  assert.equal(stalls.length, 1);
});

test('watchdog extends its limit by an allowance until the next activity', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start(100_000);
  await environment.advance(144_999);
  assert.deepEqual(stalls, []);
  watchdog.reset();
  await environment.advance(45_000);
  assert.deepEqual(stalls, [45_000]);
  watchdog.start(100_000);
  await environment.advance(145_000);
  assert.equal(stalls.length, 2);
});

test('watchdog reports another stall after a restart', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(45_000);
  watchdog.start();
  await environment.advance(45_000);
  assert.equal(stalls.length, 2);
});

test('watchdog reports no stall while heartbeats arrive', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  for (let beat = 0; beat < 100; beat++) {
    await environment.advance(15_000);
    watchdog.reset();
  }
  assert.deepEqual(stalls, []);
  await environment.advance(45_000);
  assert.deepEqual(stalls, [45_000]);
});

test('watchdog sets one timer however often it is reset', async () => {
  const { environment, watchdog } = setup();
  watchdog.start();
  for (let piece = 0; piece < 1000; piece++) watchdog.reset();
  assert.equal(environment.timers, 1);
  watchdog.stop();
  assert.equal(environment.timers, 0);
});

test('watchdog does nothing before start and after stop', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.check();
  watchdog.expectWithin(1);
  await environment.advance(100_000);
  watchdog.start();
  watchdog.stop();
  watchdog.check();
  await environment.advance(100_000);
  assert.deepEqual(stalls, []);
});

test('watchdog counts the time asleep, during which only the wall clock advances', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(1000);
  environment.jump(2 * 3_600_000);
  watchdog.check();
  assert.deepEqual(stalls, [2 * 3_600_000 + 1000]);
});

test('watchdog detects a sleep by its own timer without a check', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  environment.jump(2 * 3_600_000);
  await environment.advance(45_000);
  assert.equal(stalls.length, 1);
});

test('watchdog ignores a wall clock that is set back', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  environment.jump(-3_600_000);
  await environment.advance(45_000);
  assert.deepEqual(stalls, [45_000]);
});

test('watchdog reports a stall early when expected activity does not arrive', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(10_000);
  watchdog.expectWithin(1000);
  await environment.advance(999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.deepEqual(stalls, [11_000]);
});

test('watchdog returns to its limit after expected activity arrives', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  watchdog.expectWithin(1000);
  await environment.advance(500);
  watchdog.reset();
  await environment.advance(44_999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.equal(stalls.length, 1);
});

test('watchdog doubles its limit for each false alarm, up to five minutes', async () => {
  const { environment, stalls, watchdog } = setup();
  const limits = [1, 2, 3, 4].map(() => (watchdog.extendLimit(), watchdog.limit));
  assert.deepEqual(limits, [90_000, 180_000, 300_000, 300_000]);
  watchdog.start();
  await environment.advance(299_999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.equal(stalls.length, 1);
});

test('watchdog uses its original limit after resetLimit, even while it runs', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.extendLimit();
  watchdog.start();
  watchdog.resetLimit();
  await environment.advance(44_999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.deepEqual(stalls, [45_000]);
});

test('watchdog never shortens a limit above five minutes', () => {
  const { watchdog } = setup(400_000);
  watchdog.extendLimit();
  assert.equal(watchdog.limit, 400_000);
});

test('watchdog can be restarted from its own stall callback', async () => {
  const environment = createTestEnvironment();
  let stallCount = 0;
  const watchdog = createWatchdog({
    environment,
    limit: 10,
    maxLimit: 300_000,
    onStall: () => {
      stallCount++;
      watchdog.start();
    },
  });
  watchdog.start();
  await environment.advance(35);
  assert.equal(stallCount, 3);
});
