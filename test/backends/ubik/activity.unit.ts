import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UbikError } from '../../../src/errors.js';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import type { Message } from '../../../src/model/message.js';
import type { PartOf } from '../../../src/model/part.js';
import { setupMessage } from '../../helpers/model-message.js';

interface PlayedRun {
  readonly message: Message;
  readonly phases: readonly PartOf<'phase-activity'>[];
  readonly errors: readonly UbikError[];
}

/** Applies events, one per second from 0. */
function play(...events: readonly Record<string, unknown>[]): PlayedRun {
  const { message, run } = setupMessage();
  const errors: UbikError[] = [];
  const task = new TaskState({ message: 'm', onDiagnostic: (error) => errors.push(error) });
  task.connect();
  events.forEach(({ type, ...fields }, second) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    task.apply({ type: String(type), fields: { timestamp, ...fields } });
    assert.deepEqual(run(...task.drainChanges(true)).rejected, []);
  });
  const { parts } = message();
  const phases = parts.children('@tool:c1').flatMap((key) => {
    const part = parts.get(key);
    return part?.kind === 'phase-activity' ? [part] : [];
  });
  return { message: message(), phases, errors };
}

const update = (data: object): Record<string, unknown> => ({
  type: 'tool_update',
  tool_execution_id: 'c1',
  tool_name: 'web_search',
  data,
});
const completeStep = (results: unknown): Record<string, unknown> => ({
  type: 'agent_step_completed',
  step: 1,
  results,
});
const complete = (result: unknown, content = ''): Record<string, unknown> => ({
  type: 'agent_processing_complete',
  content,
  result,
});
const START = Date.UTC(2026, 0, 1);

function resultsOf({ message }: PlayedRun): unknown {
  const part = message.parts.get('@step:1');
  return part?.kind === 'step-activity' ? part.results : undefined;
}

function resultOf({ message }: PlayedRun): unknown {
  const part = message.parts.get('@run');
  return part?.kind === 'run-activity' ? part.result : undefined;
}

test('results of a completed step are activity, not content', () => {
  const played = play(
    { type: 'agent_step_started', step: 1, description: 'Look' },
    completeStep({ found: 3 }),
  );
  assert.deepEqual(resultsOf(played), { found: 3 });
  const step = played.message.parts.get('step:1');
  assert.equal(step && 'results' in step, false);
});

test('results of a step survive later events without results', () => {
  const progress = { type: 'agent_step_progress', step: 1, progress: 50, message: 'More' };
  assert.deepEqual(resultsOf(play(completeStep({ found: 3 }), progress)), { found: 3 });
  assert.deepEqual(resultsOf(play(completeStep({ found: 3 }), completeStep({}))), { found: 3 });
});

for (const results of [undefined, null, {}, 'text', 7, [1]]) {
  test(`results of a step are null when its completion reports ${JSON.stringify(results)}`, () => {
    assert.equal(resultsOf(play(completeStep(results))), null);
  });
}

test('result of a run is stored beside its progress, even after a full content', () => {
  const progress = { type: 'agent_progress', step: 1, total_steps: 2, progress: 50 };
  const played = play(progress, complete({ status: 'completed' }, 'All of it.'));
  assert.deepEqual(resultOf(played), { status: 'completed' });
  const run = played.message.parts.get('@run');
  assert.equal(run?.kind === 'run-activity' && run.progress, 50);
});

test('end of a run without a result, or with an empty one, creates no activity', () => {
  for (const result of [undefined, {}])
    assert.equal(play(complete(result)).message.parts.get('@run'), undefined);
});

test('progress of a run replaces all fields of earlier progress', () => {
  const played = play(
    { type: 'agent_progress', step: 1, total_steps: 2, progress: 50, description: 'One' },
    { type: 'agent_progress', step: 2 },
  );
  const run = played.message.parts.get('@run');
  assert.deepEqual(
    run?.kind === 'run-activity' && [run.totalSteps, run.progress, run.description],
    [null, null, ''],
  );
});

test('start and completion of a phase are one part with the times and data of both', () => {
  const { phases } = play(
    update({ phase: 'WEB_SEARCH', status: 'started', query: 'rain' }),
    update({ phase: 'WEB_SEARCH', status: 'completed', message: 'Found', data: { count: 3 } }),
  );
  const [phase, ...more] = phases;
  assert.deepEqual(more, []);
  assert.deepEqual(
    { ...phase },
    {
      key: '@phase:c1#1',
      parent: '@tool:c1',
      text: null,
      kind: 'phase-activity',
      phase: 'WEB_SEARCH',
      message: 'Found',
      data: { query: 'rain', data: { count: 3 } },
      state: 'done',
      startedAt: START,
      endedAt: START + 1000,
    },
  );
});

test('start of a phase ends the phase before it', () => {
  const { phases } = play(
    update({ phase: 'SEARCH_PREPARATION', status: 'started' }),
    update({ phase: 'RETRIEVAL', status: 'started' }),
  );
  assert.deepEqual(
    phases.map(({ state, endedAt }) => [state, endedAt]),
    [
      ['done', START + 1000],
      ['running', null],
    ],
  );
});

test('phase has no start time when only its end is reported', () => {
  const { phases } = play(update({ phase: 'RETRIEVAL', status: 'completed' }));
  assert.deepEqual(
    phases.map(({ state, startedAt, endedAt }) => [state, startedAt, endedAt]),
    [['done', null, START]],
  );
});

test('phase that starts again after its end is another part', () => {
  const { phases } = play(
    update({ phase: 'GENERATION', status: 'completed' }),
    update({ phase: 'GENERATION', status: 'started' }),
  );
  assert.deepEqual(
    phases.map(({ state }) => state),
    ['done', 'running'],
  );
});

test('tool update without a phase is a separate part', () => {
  const { phases } = play(
    update({ phase: 'RERANKING', status: 'completed' }),
    update({ sources: ['a'], output_key: 'sources' }),
    update({ message: 'Still there' }),
  );
  assert.deepEqual(
    phases.map(({ phase, message, data, state }) => [phase, message, data, state]),
    [
      ['RERANKING', '', null, 'done'],
      ['', '', { sources: ['a'], output_key: 'sources' }, 'done'],
      ['', 'Still there', null, 'done'],
    ],
  );
});

test('tool update without data creates no phase', () => {
  assert.deepEqual(play(update({}), update({ status: 'started' })).phases, []);
});

test('failed update fails the current phase', () => {
  const { phases } = play(
    update({ phase: 'WEB_SEARCH', status: 'started' }),
    update({ phase: 'WEB_SEARCH', status: 'failed', message: 'No network' }),
  );
  assert.deepEqual(
    phases.map(({ state, message, endedAt }) => [state, message, endedAt]),
    [['failed', 'No network', START + 1000]],
  );
});

for (const [what, end] of [
  ['its tool', { type: 'tool_end', tool_execution_id: 'c1', tool_name: 'web_search' }],
  ['the run', complete({})],
] as const) {
  test(`phase without an end ends with ${what}`, () => {
    const { phases } = play(update({ phase: 'GENERATION', status: 'started' }), end);
    assert.deepEqual(
      phases.map(({ state, endedAt }) => [state, endedAt]),
      [['done', START + 1000]],
    );
  });
}

test('tool has at most 100 phases, and later updates change the last one', () => {
  const { phases } = play(
    ...Array.from({ length: 150 }, (_, index) =>
      update({ phase: `P${index}`, status: 'started', index }),
    ),
  );
  assert.equal(phases.length, 100);
  assert.deepEqual(phases.at(-1)?.data, { index: 149 });
});

test('phase stores at most 100 fields', () => {
  const events = Array.from({ length: 150 }, (_, index) =>
    update({ phase: 'P', status: 'started', [`field${index}`]: index }),
  );
  assert.equal(Object.keys(play(...events).phases[0]?.data ?? {}).length, 100);
});

test('activity data with the name __proto__ is plain data', () => {
  const results = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;
  const activityData = resultsOf(play(completeStep(results))) as object;
  assert.deepEqual(Object.keys(activityData), ['__proto__']);
  const { phases } = play(update(JSON.parse('{"phase": "P", "__proto__": {"a": 1}}') as object));
  assert.equal(JSON.stringify(phases[0]?.data), '{"__proto__":{"a":1}}');
  assert.equal('polluted' in {}, false);
});

for (const [what, results] of [
  ['too long', { text: 'x'.repeat(70_000) }],
  ['too large by its names', { ['x'.repeat(70_000)]: 1 }],
  ['too large by its number of values', { list: new Array(70_000).fill(0) }],
] as const) {
  test(`activity data that is ${what} is dropped with one diagnostic`, () => {
    const played = play(completeStep(results), completeStep(results), complete(results));
    assert.equal(resultsOf(played), null);
    assert.equal(resultOf(played), undefined);
    assert.deepEqual(
      played.errors.map(({ code }) => code),
      ['message-too-large'],
    );
  });
}

test('activity data of one message is limited in total', () => {
  const text = 'x'.repeat(60_000);
  const { phases } = play(
    ...Array.from({ length: 40 }, (_, index) => update({ phase: `P${index}`, text })),
  );
  const stored = phases.filter(({ data }) => data !== null);
  // 1 Mi units in all: at most 17 texts of 60,000 units.
  assert.ok(stored.length >= 16 && stored.length < 20, String(stored.length));
  assert.equal(phases.length, 40);
});

test('activity data of exactly the limits is kept', () => {
  // The name has 4 units: 65,536 in all.
  const text = 'x'.repeat(65_532);
  assert.deepEqual(resultsOf(play(completeStep({ text }))), { text });
  assert.equal(resultsOf(play(completeStep({ text: `${text}x` }))), null);
  const { phases } = play(
    ...Array.from({ length: 17 }, (_, index) => update({ phase: `P${index}`, text })),
  );
  const stored = phases.map(({ data }) => data !== null);
  const expected = Array.from({ length: 17 }, (_, index) => index < 16);
  assert.deepEqual(stored, expected);
});
