import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UbikError } from '../../../src/errors.js';
import { TaskState } from '../../../src/backends/ubik/run/task-state.js';
import type { Message } from '../../../src/model/message.js';
import type { PartOf } from '../../../src/model/part.js';
import { setupMessage } from '../../helpers/model-message.js';

interface Played {
  readonly message: Message;
  readonly phases: readonly PartOf<'phase-activity'>[];
  readonly errors: readonly UbikError[];
}

/** Feeds events to a memory; `second` is the time of each within its minute, counted from 0. */
function play(...events: readonly Record<string, unknown>[]): Played {
  const { message, run } = setupMessage();
  const errors: UbikError[] = [];
  const memory = new TaskState({ message: 'm', onDiagnostic: (error) => errors.push(error) });
  memory.connect();
  events.forEach(({ type, ...fields }, second) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    memory.apply({ type: String(type), fields: { timestamp, ...fields } });
    assert.deepEqual(run(...memory.drainChanges(true)).rejected, []);
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

function resultsOf({ message }: Played): unknown {
  const part = message.parts.get('@step:1');
  return part?.kind === 'step-activity' ? part.results : undefined;
}

function resultOf({ message }: Played): unknown {
  const part = message.parts.get('@run');
  return part?.kind === 'run-activity' ? part.result : undefined;
}

test('a step keeps the results of its completion as activity, not as content', () => {
  const played = play(
    { type: 'agent_step_started', step: 1, description: 'Look' },
    completeStep({ found: 3 }),
  );
  assert.deepEqual(resultsOf(played), { found: 3 });
  const step = played.message.parts.get('step:1');
  assert.equal(step && 'results' in step, false);
});

test('a step keeps its results when later events do not name them', () => {
  const progress = { type: 'agent_step_progress', step: 1, progress: 50, message: 'More' };
  assert.deepEqual(resultsOf(play(completeStep({ found: 3 }), progress)), { found: 3 });
  assert.deepEqual(resultsOf(play(completeStep({ found: 3 }), completeStep({}))), { found: 3 });
});

for (const results of [undefined, null, {}, 'text', 7, [1]]) {
  test(`a step has no results when its completion reports ${JSON.stringify(results)}`, () => {
    assert.equal(resultsOf(play(completeStep(results))), null);
  });
}

test('a run keeps the result of its end beside its progress, also behind a full content', () => {
  const progress = { type: 'agent_progress', step: 1, total_steps: 2, progress: 50 };
  const played = play(progress, complete({ status: 'completed' }, 'All of it.'));
  assert.deepEqual(resultOf(played), { status: 'completed' });
  const run = played.message.parts.get('@run');
  assert.equal(run?.kind === 'run-activity' && run.progress, 50);
});

test('a run whose end reports nothing makes no activity', () => {
  assert.equal(play(complete({})).message.parts.get('@run'), undefined);
});

test('progress that comes again keeps nothing of an older one', () => {
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

test('the start and the completion of a phase make one entry with the times and data of both', () => {
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

test('a phase that begins ends the phase before it', () => {
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

test('a phase of which only the end was reported has no start', () => {
  const { phases } = play(update({ phase: 'RETRIEVAL', status: 'completed' }));
  assert.deepEqual(
    phases.map(({ state, startedAt, endedAt }) => [state, startedAt, endedAt]),
    [['done', null, START]],
  );
});

test('a phase that begins again after its end is another entry', () => {
  const { phases } = play(
    update({ phase: 'GENERATION', status: 'completed' }),
    update({ phase: 'GENERATION', status: 'started' }),
  );
  assert.deepEqual(
    phases.map(({ state }) => state),
    ['done', 'running'],
  );
});

test('an update that names no phase is an entry of its own', () => {
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

test('an update that says nothing makes no entry', () => {
  assert.deepEqual(play(update({}), update({ status: 'started' })).phases, []);
});

test('a failure fails the phase that is on', () => {
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
  test(`a phase without an end is over when ${what} is`, () => {
    const { phases } = play(update({ phase: 'GENERATION', status: 'started' }), end);
    assert.deepEqual(
      phases.map(({ state, endedAt }) => [state, endedAt]),
      [['done', START + 1000]],
    );
  });
}

test('a tool has at most 100 phases; the last one takes what later updates report', () => {
  const { phases } = play(
    ...Array.from({ length: 150 }, (_, index) =>
      update({ phase: `P${index}`, status: 'started', index }),
    ),
  );
  assert.equal(phases.length, 100);
  assert.deepEqual(phases.at(-1)?.data, { index: 149 });
});

test('one phase keeps at most 100 fields', () => {
  const events = Array.from({ length: 150 }, (_, index) =>
    update({ phase: 'P', status: 'started', [`field${index}`]: index }),
  );
  assert.equal(Object.keys(play(...events).phases[0]?.data ?? {}).length, 100);
});

test('a report named like a prototype is plain data', () => {
  const results = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;
  const report = resultsOf(play(completeStep(results))) as object;
  assert.deepEqual(Object.keys(report), ['__proto__']);
  const { phases } = play(update(JSON.parse('{"phase": "P", "__proto__": {"a": 1}}') as object));
  assert.equal(JSON.stringify(phases[0]?.data), '{"__proto__":{"a":1}}');
  assert.equal('polluted' in {}, false);
});

for (const [what, results] of [
  ['too long', { text: 'x'.repeat(70_000) }],
  ['too large by its names', { ['x'.repeat(70_000)]: 1 }],
  ['too large by its number of values', { list: new Array(70_000).fill(0) }],
] as const) {
  test(`a report that is ${what} is left out, with one diagnostic`, () => {
    const played = play(completeStep(results), completeStep(results), complete(results));
    assert.equal(resultsOf(played), null);
    assert.equal(resultOf(played), undefined);
    assert.deepEqual(
      played.errors.map(({ code }) => code),
      ['message-too-large'],
    );
  });
}

test('the reports of one message together are bounded', () => {
  const text = 'x'.repeat(60_000);
  const { phases } = play(
    ...Array.from({ length: 40 }, (_, index) => update({ phase: `P${index}`, text })),
  );
  const kept = phases.filter(({ data }) => data !== null);
  assert.ok(kept.length >= 16 && kept.length < 20, String(kept.length));
  assert.equal(phases.length, 40);
});
