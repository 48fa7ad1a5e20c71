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
    onStall: (silence) => stalls.push(silence),
  });
  return { environment, stalls, watchdog };
}

test('barks once when nothing was heard for the limit', async () => {
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

test('listens again after it was started again', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(45_000);
  watchdog.start();
  await environment.advance(45_000);
  assert.equal(stalls.length, 2);
});

test('stays quiet while heartbeats come', async () => {
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

test('sets one timer, and none for what it hears', async () => {
  const { environment, watchdog } = setup();
  watchdog.start();
  for (let piece = 0; piece < 1000; piece++) watchdog.reset();
  assert.equal(environment.timers, 1);
  watchdog.stop();
  assert.equal(environment.timers, 0);
});

test('does nothing before it is started and after it was stopped', async () => {
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

test('counts the time that the wall clock saw while the other stood still in sleep', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(1000);
  environment.jump(2 * 3_600_000);
  watchdog.check();
  assert.deepEqual(stalls, [2 * 3_600_000 + 1000]);
});

test('notices a sleep with its own timer when nobody asks', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  environment.jump(2 * 3_600_000);
  await environment.advance(45_000);
  assert.equal(stalls.length, 1);
});

test('is not fooled by a wall clock that is set back', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  environment.jump(-3_600_000);
  await environment.advance(45_000);
  assert.deepEqual(stalls, [45_000]);
});

test('barks early when something was expected and did not come', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.start();
  await environment.advance(10_000);
  watchdog.expectWithin(1000);
  await environment.advance(999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.deepEqual(stalls, [11_000]);
});

test('is content with one sign of what was expected', async () => {
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

test('doubles its limit for each stall that proved alive, up to five minutes', async () => {
  const { environment, stalls, watchdog } = setup();
  const limits = [1, 2, 3, 4].map(() => (watchdog.extendLimit(), watchdog.limit));
  assert.deepEqual(limits, [90_000, 180_000, 300_000, 300_000]);
  watchdog.start();
  await environment.advance(299_999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.equal(stalls.length, 1);
});

test('stalls by the original limit again after a reset of the limit, also while it runs', async () => {
  const { environment, stalls, watchdog } = setup();
  watchdog.extendLimit();
  watchdog.start();
  watchdog.resetLimit();
  await environment.advance(44_999);
  assert.deepEqual(stalls, []);
  await environment.advance(1);
  assert.deepEqual(stalls, [45_000]);
});

test('never makes a longer limit shorter', () => {
  const { watchdog } = setup(400_000);
  watchdog.extendLimit();
  assert.equal(watchdog.limit, 400_000);
});

test('may be started again from its own bark', async () => {
  const environment = createTestEnvironment();
  let barks = 0;
  const watchdog = createWatchdog({
    environment,
    limit: 10,
    onStall: () => {
      barks++;
      watchdog.start();
    },
  });
  watchdog.start();
  await environment.advance(35);
  assert.equal(barks, 3);
});
