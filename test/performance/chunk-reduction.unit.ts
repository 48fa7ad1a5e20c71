import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskState } from '../../src/backends/ubik/run/task-state.js';
import { createEventReader } from '../../src/backends/ubik/events/event-reader.js';
import { setupMessage } from '../helpers/model-message.js';
import { isExhaustive } from '../helpers/sample.js';

/** Chunks of a long answer. */
const MANY = isExhaustive ? 100_000 : 30_000;
/** The last fifth may cost so much more than the second and third tenth, per chunk. */
const LIMIT = 1.3;

/**
 * CPU time of the stretch from 80 to 100 % over that from 10 to 30 %: the median of so many rounds. They end as soon as more than half
 * of them are within the limit, because then the median is.
 */
function measureGrowth(
  createTake: () => (index: number) => void,
  chunks: number,
  rounds: number,
): number {
  const ratios: number[] = [];
  const within = () => ratios.filter((ratio) => ratio <= LIMIT);
  while (ratios.length < rounds && within().length <= rounds / 2) {
    const take = createTake();
    const marks: number[] = [];
    for (let index = 0; index <= chunks; index += 1) {
      if (index % (chunks / 10) === 0) marks.push(process.cpuUsage().user);
      take(index);
    }
    const early = (marks[3] ?? 0) - (marks[1] ?? 0);
    const late = (marks[10] ?? 0) - (marks[8] ?? 0);
    ratios.push(late / Math.max(1, early));
  }
  if (within().length > rounds / 2) return Math.max(...within());
  return ratios.sort((left, right) => left - right)[rounds >> 1] ?? Infinity;
}

function createRealTake(): (index: number) => void {
  const { run } = setupMessage();
  const memory = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const reader = createEventReader({ onDiagnostic: () => undefined });
  memory.connect();
  const start = { type: 'agent_step_started', step: 1, description: 'Write' };
  const opening = reader.read({ event: 'message', data: JSON.stringify(start) });
  if (opening) memory.apply(opening);
  return (index) => {
    const timestamp = new Date(1_767_225_600_000 + index).toISOString();
    const chunk = { type: 'response_chunk', step: 1, content: `word ${index} `, timestamp };
    const event = reader.read({ event: 'message', data: JSON.stringify(chunk) });
    if (event) memory.apply(event);
    run(...memory.drainChanges(true));
  };
}

/** The same, with one copy of the text so far for each chunk. */
function createCopyingTake(): (index: number) => void {
  const take = createRealTake();
  let text = '';
  return (index) => {
    take(index);
    text += `word ${index} `;
    Buffer.from(text, 'latin1');
  };
}

test('a chunk costs the same at the end of a long answer as near its beginning', () => {
  const growth = measureGrowth(createRealTake, MANY, 5);
  assert.ok(growth <= LIMIT, `grew to ${growth}`);
});

test('a variant that copies the text for each chunk fails the same measurement', () => {
  assert.ok(measureGrowth(createCopyingTake, 20_000, 1) > LIMIT);
});
