import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepActivityFields } from '../../src/model/part.js';
import { setupConversation } from './setup-conversation.js';

/** A run that reports a step, and how often each step was told to be completed. */
async function setupSteps() {
  const conversation = setupConversation();
  const { backend, environment, notices, start } = conversation;
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
  return { ...conversation, report, completed };
}

test('step-completed is told once for each step, however often its end is reported', async () => {
  const { report, completed } = await setupSteps();
  await report('@step:1', 'running');
  assert.deepEqual(completed(), []);
  await report('@step:1', 'completed');
  await report('@step:1', 'completed');
  await report('@step:2', 'completed');
  assert.deepEqual(completed(), ['@step:1', '@step:2']);
});

test('step-completed is told again when the step has begun again', async () => {
  const { report, completed } = await setupSteps();
  await report('@step:1', 'completed');
  await report('@step:1', 'running');
  await report('@step:1', 'completed');
  assert.deepEqual(completed(), ['@step:1', '@step:1']);
});

test('step-completed is not told of a thread that is not shown', async () => {
  const { controller, report, completed } = await setupSteps();
  controller.switchToNewThread();
  await report('@step:1', 'completed');
  assert.deepEqual(completed(), []);
});
