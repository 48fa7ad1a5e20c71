import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../src/backends/ubik/run/task-state.js';
import { createEventReader } from '../../src/backends/ubik/events/event-reader.js';
import { setupMessage } from '../helpers/model-message.js';
import { isExhaustive, onlyExhaustive } from '../helpers/sample.js';
import { GROWTH_LIMIT, measureGrowth } from './measure-growth.js';

/** Number of chunks of a long answer. */
const CHUNKS = isExhaustive ? 100_000 : 20_000;
const START = Date.UTC(2026, 0, 1);

/** Creates a function that reads one chunk, reduces it and applies its changes. */
function createChunkConsumer(): (index: number) => void {
  const { run } = setupMessage();
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const reader = createEventReader({ onDiagnostic: () => undefined });
  task.connect();
  const start = { type: 'agent_step_started', step: 1, description: 'Write' };
  const opening = reader.read({ event: 'message', data: JSON.stringify(start) });
  if (opening) task.apply(opening);
  return (index) => {
    const timestamp = new Date(START + index).toISOString();
    const chunk = { type: 'response_chunk', step: 1, content: `word ${index} `, timestamp };
    const event = reader.read({ event: 'message', data: JSON.stringify(chunk) });
    if (event) task.apply(event);
    run(...task.drainChanges(true));
  };
}

/** The defect that the measurement must detect: the whole text is also copied for each chunk. */
function createCopyingConsumer(): (index: number) => void {
  const consume = createChunkConsumer();
  let text = '';
  return (index) => {
    consume(index);
    text += `word ${index} `;
    Buffer.from(text, 'latin1');
  };
}

test('chunk reduction costs the same at the end of a long answer as near its start', () => {
  const growth = measureGrowth(createChunkConsumer, CHUNKS, 5);
  assert.ok(growth <= GROWTH_LIMIT, `grew to ${growth}`);
});

test(
  'chunk reduction that copies the text for each chunk fails the measurement',
  onlyExhaustive,
  () => {
    assert.ok(measureGrowth(createCopyingConsumer, 20_000, 1) > GROWTH_LIMIT);
  },
);
