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

function setupTask(snapshotDistance?: number): {
  task: TaskState;
  shown: () => unknown;
  drain: (sortLate: boolean) => void;
} {
  const { message, run } = setupMessage();
  const task = new TaskState({ message: 'm', snapshotDistance, onDiagnostic: () => undefined });
  const drain = (sortLate: boolean): void => {
    const { rejected } = run(...task.drainChanges(sortLate));
    assert.deepEqual(rejected, []);
  };
  task.connect();
  return { task, shown: () => showMessage(message()), drain };
}

test('task state equals the naive reducer after every event in order', () => {
  for (const seed of seedsUpTo(40)) {
    const events = createRandomRun(createRandom(seed), 40);
    const { task, shown, drain } = setupTask();
    for (const [index, event] of events.entries()) {
      task.apply(event);
      drain(true);
      const expected = showMessage(reduceNaively(events.slice(0, index + 1)));
      assert.deepEqual(shown(), expected, `seed ${seed}, event ${index}`);
    }
  }
});

test('task state equals the naive reducer after late events, sorted at once or later', () => {
  for (const seed of seedsUpTo(450, 1, 20)) {
    const random = createRandom(seed);
    const run = createRandomRun(random, 40);
    const events = delaySome(random, seed % 4 === 0 ? addFullContents(random, run) : run, 0.2);
    // Snapshots are few events apart, or at their default distance.
    const { task, shown, drain } = setupTask(seed % 3 === 0 ? undefined : 1 + (seed % 7));
    const sortInterval = 1 + (seed % 5);
    for (const [index, event] of events.entries()) {
      task.apply(event);
      const sortsLate = index % sortInterval === 0;
      drain(sortsLate);
      if (!sortsLate || seed % 10 > 0) continue;
      const expected = showMessage(reduceNaively(events.slice(0, index + 1)));
      assert.deepEqual(shown(), expected, `seed ${seed}, event ${index}`);
    }
    task.apply(END);
    drain(true);
    assert.deepEqual(shown(), showMessage(reduceNaively([...events, END])), `seed ${seed}`);
  }
});

test('task state changes only the text around a late event near the end of a long answer', () => {
  const { message, run } = setupMessage();
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const chunk = (content: string, millisecond: number): WireEvent => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + millisecond).toISOString();
    return { type: 'response_chunk', fields: { content, timestamp } };
  };
  task.connect();
  for (let index = 0; index < 5000; index += 1)
    task.apply(chunk(`word${String(index)} `, index * 10));
  run(...task.drainChanges(true));
  task.apply(chunk('late ', 49_975));
  const { applied: changes, rejected } = run(...task.drainChanges(true));
  assert.deepEqual(rejected, []);
  assert.deepEqual(
    changes.map((change) => (change.type === 'text' ? change.text.trim() : change.type)),
    ['late word4998 word4999'],
  );
  assert.ok(
    message().parts.get('/0:text')?.text?.read().includes('word4997 late word4998 word4999'),
  );
});

test('task state applies no events from before the last snapshot again for a late event', () => {
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const at = (millisecond: number): string =>
    new Date(Date.UTC(2026, 0, 1) + millisecond).toISOString();
  let reads = 0;
  task.connect();
  const first = { content: 'first ', timestamp: at(0) };
  task.apply({
    type: 'response_chunk',
    get fields() {
      reads += 1;
      return first;
    },
  });
  for (let index = 1; index <= 600; index += 1) {
    const fields = { content: `word${String(index)} `, timestamp: at(index * 10) };
    task.apply({ type: 'response_chunk', fields });
  }
  task.drainChanges(true);
  const before = reads;
  assert.ok(before > 0);
  task.apply({ type: 'response_chunk', fields: { content: 'late ', timestamp: at(5995) } });
  assert.ok(task.drainChanges(true).length > 0);
  assert.equal(reads, before);
});
