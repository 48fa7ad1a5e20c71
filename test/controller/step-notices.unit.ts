import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepActivityFields } from '../../src/model/part.js';
import { setupController } from './setup-controller.js';

/** A run whose steps the test reports, and the keys of the steps in `step-completed` notices. */
async function setupSteps() {
  const fixture = setupController();
  const { backend, environment, notices, start } = fixture;
  await start();
  const { stream } = backend;
  const { answer: message } = stream.keys;
  const report = async (part: string, state: StepActivityFields['state']) => {
    const value: StepActivityFields = {
      kind: 'step-activity',
      number: 1,
      title: 'Search',
      progress: null,
      status: '',
      results: null,
      state,
      startedAt: null,
      endedAt: null,
    };
    stream.push({ type: 'part', message, part, parent: '@activity', before: null, value });
    await environment.settle();
  };
  const completed = () =>
    notices.flatMap((notice) => (notice.type === 'step-completed' ? notice.step : []));
  return { ...fixture, report, completed };
}

test('step-completed is emitted once for each step, however often its end is reported', async () => {
  const { report, completed } = await setupSteps();
  await report('@step:1', 'running');
  assert.deepEqual(completed(), []);
  await report('@step:1', 'completed');
  await report('@step:1', 'completed');
  await report('@step:2', 'completed');
  assert.deepEqual(completed(), ['@step:1', '@step:2']);
});

test('step-completed is emitted again when the step has started again', async () => {
  const { report, completed } = await setupSteps();
  await report('@step:1', 'completed');
  await report('@step:1', 'running');
  await report('@step:1', 'completed');
  assert.deepEqual(completed(), ['@step:1', '@step:1']);
});

test('step-completed is not emitted for a background thread', async () => {
  const { controller, report, completed } = await setupSteps();
  controller.switchToNewThread();
  await report('@step:1', 'completed');
  assert.deepEqual(completed(), []);
});
