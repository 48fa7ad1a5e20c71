import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import type { WireEvent } from '../../../src/backends/ubik/events/wire-event.js';
import { setupMessage } from '../../helpers/model-message.js';
import { createRandom } from '../../helpers/seeded-random.js';
import { seedsUpTo } from '../../helpers/sample.js';
import { reduceNaively, showMessage } from './support/naive-reducer.js';
import { addFullContents, createRandomRun, delaySome } from './support/random-run.js';

const END: WireEvent = { type: 'agent_processing_complete', fields: { content: '' } };

function setupMemory(snapshotDistance?: number): {
  memory: TaskState;
  shown: () => unknown;
  tell: (settle: boolean) => void;
} {
  const { message, run } = setupMessage();
  const memory = new TaskState({ message: 'm', snapshotDistance, onDiagnostic: () => undefined });
  const tell = (settle: boolean): void => {
    const { rejected: refused } = run(...memory.drainChanges(settle));
    assert.deepEqual(refused, []);
  };
  memory.connect();
  return { memory, shown: () => showMessage(message()), tell };
}

test('in order of time, every event leaves what the naive reducer has', () => {
  for (const seed of seedsUpTo(40)) {
    const events = createRandomRun(createRandom(seed), 40);
    const { memory, shown, tell } = setupMemory();
    for (const [index, event] of events.entries()) {
      memory.apply(event);
      tell(true);
      const truth = showMessage(reduceNaively(events.slice(0, index + 1)));
      assert.deepEqual(shown(), truth, `seed ${seed}, event ${index}`);
    }
  }
});

test('late events, put in order at once or later, leave what the naive reducer has', () => {
  for (const seed of seedsUpTo(450)) {
    const random = createRandom(seed);
    const run = createRandomRun(random, 40);
    const events = delaySome(random, seed % 4 === 0 ? addFullContents(random, run) : run, 0.2);
    // Few events between states to go back to, or none at all.
    const { memory, shown, tell } = setupMemory(seed % 3 === 0 ? undefined : 1 + (seed % 7));
    const settleEach = 1 + (seed % 5);
    for (const [index, event] of events.entries()) {
      memory.apply(event);
      const settles = index % settleEach === 0;
      tell(settles);
      if (!settles || seed % 10 > 0) continue;
      const truth = showMessage(reduceNaively(events.slice(0, index + 1)));
      assert.deepEqual(shown(), truth, `seed ${seed}, event ${index}`);
    }
    memory.apply(END);
    tell(true);
    assert.deepEqual(shown(), showMessage(reduceNaively([...events, END])), `seed ${seed}`);
  }
});

test('a late event near the end of a long answer changes only what stands around its place', () => {
  const { message, run } = setupMessage();
  const memory = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const chunk = (content: string, millisecond: number): WireEvent => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + millisecond).toISOString();
    return { type: 'response_chunk', fields: { content, timestamp } };
  };
  memory.connect();
  for (let index = 0; index < 5000; index += 1)
    memory.apply(chunk(`word${String(index)} `, index * 10));
  run(...memory.drainChanges(true));
  memory.apply(chunk('late ', 49_975));
  const { applied: changes, rejected: refused } = run(...memory.drainChanges(true));
  assert.deepEqual(refused, []);
  assert.deepEqual(
    changes.map((change) => (change.type === 'text' ? change.text.trim() : change.type)),
    ['late word4998 word4999'],
  );
  assert.ok(
    message().parts.get('/0:text')?.text?.read().includes('word4997 late word4998 word4999'),
  );
});
