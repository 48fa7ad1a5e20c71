import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreamController } from '../../src/controller/controller.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { FloodingBackend } from './flooding-backend.js';
import { draftOf } from './setup-controller.js';

test('20,000 batches that arrive at once are applied in slices', async () => {
  const backend = new FloodingBackend(20_000, () => undefined);
  let clock = 0;
  let pauses = 0;
  let longest = 0;
  let since = 0;
  const environment = createEnvironment({
    monotonic: () => clock,
    yieldToEventLoop: async () => {
      longest = Math.max(longest, clock - since);
      pauses += 1;
      await Promise.resolve();
      since = clock;
    },
  });
  const controller = createStreamController({ backend, environment, limits: { sliceBudget: 8 } });
  // Each listener takes 0.1 ms per change.
  controller.subscribe({ all: true }, () => (clock += 0.1));
  const over = new Promise<void>((resolve) => {
    controller.onNotice((notice) => {
      if (notice.type === 'run-completed') resolve();
    });
  });
  await controller.send(draftOf('Question'));
  since = clock;
  await over;
  controller.close();
  assert.ok(pauses > 200, `${pauses} pauses`);
  // The budget, and what the batch that exceeds it takes.
  assert.ok(longest < 9, `a slice of ${longest} ms`);
});
