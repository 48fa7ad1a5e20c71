import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskMemory } from '../../../src/backends/ubik/run/task-memory.js';
import type { WireEvent } from '../../../src/backends/ubik/wire/wire-event.js';
import { setupMessage } from '../../helpers/model-message.js';
import { createRandom } from '../../helpers/seeded-random.js';
import { foldNaively, showMessage } from './support/naive-fold.js';
import { createRandomRun, delaySome } from './support/random-run.js';

const END: WireEvent = { type: 'agent_processing_complete', fields: { content: '' } };

function setupMemory(): {
  memory: TaskMemory;
  shown: () => unknown;
  tell: (settle: boolean) => void;
} {
  const { message, run } = setupMessage();
  const memory = new TaskMemory({ message: 'm', onDiagnostic: () => undefined });
  const tell = (settle: boolean): void => {
    const { refused } = run(...memory.takeChanges(settle));
    assert.deepEqual(refused, []);
  };
  memory.connect();
  return { memory, shown: () => showMessage(message()), tell };
}

test('in order of time, every event leaves what the naive fold has', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const events = createRandomRun(createRandom(seed), 40);
    const { memory, shown, tell } = setupMemory();
    for (const [index, event] of events.entries()) {
      memory.take(event);
      tell(true);
      const truth = showMessage(foldNaively(events.slice(0, index + 1)));
      assert.deepEqual(shown(), truth, `seed ${seed}, event ${index}`);
    }
  }
});

test('late events, put in order at once or later, leave what the naive fold has', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const random = createRandom(seed);
    const events = delaySome(random, [...createRandomRun(random, 40)], 0.2);
    const { memory, shown, tell } = setupMemory();
    const settleEach = 1 + (seed % 5);
    for (const [index, event] of events.entries()) {
      memory.take(event);
      const settles = index % settleEach === 0;
      tell(settles);
      if (!settles || seed % 10 > 0) continue;
      const truth = showMessage(foldNaively(events.slice(0, index + 1)));
      assert.deepEqual(shown(), truth, `seed ${seed}, event ${index}`);
    }
    memory.take(END);
    tell(true);
    assert.deepEqual(shown(), showMessage(foldNaively([...events, END])), `seed ${seed}`);
  }
});
