import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerState } from '../../src/backends/data-agent/run/answer-state.js';
import { StreamEventReader } from '../../src/backends/data-agent/stream-events.js';
import { AnswerProjection } from '../../src/backends/data-agent/projection/answer-projection.js';
import { createEventReader } from '../../src/backends/ubik/events/event-reader.js';
import { TaskState } from '../../src/backends/ubik/run/task-state.js';
import { setupMessage } from '../helpers/model-message.js';
import { isExhaustive } from '../helpers/sample.js';
import { GROWTH_LIMIT, measureGrowth } from './measure-growth.js';

/** Number of chunks of a long answer. */
const CHUNKS = isExhaustive ? 100_000 : 20_000;

const STEP = { id: 'p1', stage: 'llm', answer: '', think: '', status: 'processing' };
const MESSAGE = {
  id: 'm',
  content: { final_answer: { answer: { text: '' } }, middle_answer: { progress: [STEP] } },
};

/** Returns a function that applies the patches of one chunk. The service sends the text twice, in a step and in the final answer. */
function createChunkReader(): (index: number) => void {
  const { run } = setupMessage();
  const report = () => undefined;
  const projection = new AnswerProjection({ message: 'm' });
  const answer = new AnswerState({
    message: 'm',
    question: null,
    projection,
    approvals: new Map(),
    onDiagnostic: report,
  });
  const reader = new StreamEventReader(report);
  const read = (key: readonly (string | number)[], action: string, content: unknown): void => {
    const event = reader.read({ event: 'message', data: JSON.stringify({ key, action, content }) });
    if (event) answer.apply(event);
  };
  answer.connect({ buildsOffScreen: false });
  read(['message'], 'upsert', MESSAGE);
  run(...answer.drainChanges());
  return (index) => {
    const piece = `word ${String(index)} `;
    read(['message', 'content', 'middle_answer', 'progress', 0, 'answer'], 'append', piece);
    read(['message', 'content', 'final_answer', 'answer', 'text'], 'append', piece);
    run(...answer.drainChanges());
  };
}

test('a patch costs the same at the end of a long Data Agent answer as near its beginning', () => {
  const growth = measureGrowth(createChunkReader, CHUNKS, 5);
  assert.ok(growth <= GROWTH_LIMIT, `grew to ${String(growth)}`);
});

/** CPU time, in µs, of 100 KB of text in chunks of 50 characters. */
function measure(readChunk: (text: string) => void): number {
  const text = 'Spare pumps are kept in hall 3, and valves in 4. \n';
  const start = process.cpuUsage().user;
  for (let at = 0; at < 2000; at += 1) readChunk(text);
  return process.cpuUsage().user - start;
}

function measurePatches(): number {
  const { run } = setupMessage();
  const report = () => undefined;
  const projection = new AnswerProjection({ message: 'm' });
  const answer = new AnswerState({
    message: 'm',
    question: null,
    projection,
    approvals: new Map(),
    onDiagnostic: report,
  });
  const reader = new StreamEventReader(report);
  const read = (value: object): void => {
    const event = reader.read({ event: 'message', data: JSON.stringify(value) });
    if (event) answer.apply(event);
    run(...answer.drainChanges());
  };
  answer.connect({ buildsOffScreen: false });
  read({ key: ['message'], action: 'upsert', content: MESSAGE });
  const key = ['message', 'content', 'middle_answer', 'progress', 0, 'answer'];
  return measure((content) => read({ seq_id: 1, key, action: 'append', content }));
}

function measureEvents(): number {
  const { run } = setupMessage();
  const task = new TaskState({ message: 'm', onDiagnostic: () => undefined });
  const reader = createEventReader({ onDiagnostic: () => undefined });
  let time = Date.UTC(2026, 0, 1);
  const read = (value: object): void => {
    const timestamp = new Date((time += 1)).toISOString();
    const data = JSON.stringify({ ...value, timestamp });
    const event = reader.read({ event: 'message', data });
    if (event) task.apply(event);
    run(...task.drainChanges(true));
  };
  task.connect();
  read({ type: 'agent_step_started', step: 1, description: 'Write' });
  return measure((content) => read({ type: 'response_chunk', step: 1, content }));
}

test('100 KB of text cost at most 1.3 times as much by patches as by UBIK events', () => {
  const ratios: number[] = [];
  while (ratios.length < 9 && !ratios.some((ratio) => ratio <= 1.3)) {
    const events = measureEvents();
    ratios.push(measurePatches() / Math.max(1, events));
  }
  assert.ok(Math.min(...ratios) <= 1.3, ratios.join());
});
