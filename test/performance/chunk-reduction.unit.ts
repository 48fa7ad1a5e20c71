import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../src/backends/ubik/run/task-state.js';
import { createEventReader } from '../../src/backends/ubik/events/event-reader.js';
import { setupMessage } from '../helpers/model-message.js';
import { isExhaustive } from '../helpers/sample.js';

/** Number of chunks of a long answer. */
const CHUNKS = isExhaustive ? 100_000 : 30_000;
/** Permitted cost per chunk of the last fifth relative to the second and third tenth. */
const LIMIT = 1.3;

/**
 * CPU time of the chunks from 80 to 100 % relative to those from 10 to 30 %: the median of `rounds`. Stops as soon as more than half of
 * the rounds are within the limit, because then the median is.
 */
function measureGrowth(
  createConsumer: () => (index: number) => void,
  chunks: number,
  rounds: number,
): number {
  const ratios: number[] = [];
  const within = () => ratios.filter((ratio) => ratio <= LIMIT);
  while (ratios.length < rounds && within().length <= rounds / 2) {
    const consume = createConsumer();
    const marks: number[] = [];
    for (let index = 0; index <= chunks; index += 1) {
      if (index % (chunks / 10) === 0) marks.push(process.cpuUsage().user);
      consume(index);
    }
    const early = (marks[3] ?? 0) - (marks[1] ?? 0);
    const late = (marks[10] ?? 0) - (marks[8] ?? 0);
    ratios.push(late / Math.max(1, early));
  }
  if (within().length > rounds / 2) return Math.max(...within());
  return ratios.sort((left, right) => left - right)[rounds >> 1] ?? Infinity;
}

function createChunkConsumer(): (index: number) => void {
  const { run } = setupMessage();
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const reader = createEventReader({ onDiagnostic: () => undefined });
  task.connect();
  const start = { type: 'agent_step_started', step: 1, description: 'Write' };
  const opening = reader.read({ event: 'message', data: JSON.stringify(start) });
  if (opening) task.apply(opening);
  return (index) => {
    const timestamp = new Date(1_767_225_600_000 + index).toISOString();
    const chunk = { type: 'response_chunk', step: 1, content: `word ${index} `, timestamp };
    const event = reader.read({ event: 'message', data: JSON.stringify(chunk) });
    if (event) task.apply(event);
    run(...task.drainChanges(true));
  };
}

/** Copies all of the text for each chunk in addition. */
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
  assert.ok(growth <= LIMIT, `grew to ${growth}`);
});

test('chunk reduction that copies the text for each chunk fails the measurement', () => {
  assert.ok(measureGrowth(createCopyingConsumer, 20_000, 1) > LIMIT);
});
