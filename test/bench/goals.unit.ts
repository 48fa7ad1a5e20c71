import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOALS, judgeGoals, listFailures, printGoals } from '../../bench/goals.js';
import type { Result } from '../../bench/report.js';
import { QUICK, SCENARIOS, type Scenario } from '../../bench/scenarios.js';
import { makeMeasurements, makeResult, makeRun, makeStoppedRun } from './bench-runs.js';

const scenarioA = SCENARIOS.filter(({ name }) => name.startsWith('A:'))[0] as Scenario;

/** A result of scenario A in which the chat took some CPU seconds; the reference took 1, after subtraction of `null`. */
function resultOfChat(...tasks: readonly number[]): Result {
  const result = makeResult({ ...scenarioA, repeat: tasks.length });
  const runs = tasks.map((task) => makeRun(task + 0.1));
  return {
    ...result,
    subjects: result.subjects.map((each) => (each.subject === 'chat' ? { ...each, runs } : each)),
  };
}

const judgeChat = (...tasks: readonly number[]) => {
  const [goal] = judgeGoals(makeMeasurements({ results: [resultOfChat(...tasks)] }));
  assert.ok(goal);
  return goal;
};

test('a goal is judged by the median of its repetitions, with their extremes beside it', () => {
  const goal = judgeChat(1.3, 1.1, 1.2, 3, 1.15);
  assert.equal(goal.verdict, 'within the limit');
  const [median, min, max] = [goal.spread.median, goal.spread.min, goal.spread.max];
  assert.deepEqual(
    [median, min, max].map((value) => value.toFixed(3)),
    ['1.200', '1.100', '3.000'],
  );
  assert.match(printGoals([goal]), /\| ≤ 1\.25 \| ≤ 1\.15 \| 1\.20 \| 1\.10–3\.00 \| 5 \| within/);
});

test('a goal meets its target, is within its limit, or exceeds it', () => {
  assert.equal(judgeChat(1.15).verdict, 'meets the target');
  assert.equal(judgeChat(1.25).verdict, 'within the limit');
  assert.equal(judgeChat(1.26).verdict, 'exceeds the limit');
});

test('a missed limit is named with its figure', () => {
  assert.deepEqual(listFailures([judgeChat(1.4)]), [
    'Limit exceeded: 200/s, first 32 KB (`chat` ÷ reference, same styles) is 1.400, the limit is 1.25.',
  ]);
});

test('a chat that does not keep up exceeds the limit', () => {
  const stopped = makeResult(scenarioA);
  const subjects = stopped.subjects.map((each) =>
    each.subject === 'chat' ? { ...each, runs: [makeStoppedRun(1)] } : each,
  );
  const [goal] = judgeGoals(makeMeasurements({ results: [{ ...stopped, subjects }] }));
  assert.ok(goal);
  assert.equal(goal.verdict, 'exceeds the limit');
  assert.match(printGoals([goal]), /\| stopped \|/);
});

test('all goals are measured by a full run of the scenarios', () => {
  const goals = judgeGoals(makeMeasurements());
  assert.equal(goals.length, GOALS.length);
  assert.deepEqual(listFailures(goals), []);
});

test('a goal whose scenario did not run is named in a full run, and omitted in a selection', () => {
  const results = SCENARIOS.filter(({ name }) => name !== 'fast list100k').map(makeResult);
  const full = judgeGoals(makeMeasurements({ results }));
  assert.deepEqual(listFailures(full), [
    'Not measured: 100 KB list (`chat` ÷ reference, same styles).',
  ]);
  assert.match(printGoals(full), /\| 100 KB list \|.*\| not measured \|/);
  const selection = judgeGoals(makeMeasurements({ results, scope: 'selection' }));
  assert.deepEqual(listFailures(selection), []);
  assert.equal(selection.length, GOALS.length - 1);
});

test('the quick scenarios measure growth, open code and the chat relative to the bare renderer', () => {
  const nothingElse = { openings: [], firstAnswers: [], size: null };
  const results = QUICK.map(makeResult);
  const measured = judgeGoals(makeMeasurements({ scope: 'quick', results, ...nothingElse }));
  assert.deepEqual(
    measured.map(({ what, subject }) => `${what}: ${subject}`),
    [
      '500/s: `chat` ÷ `bare`, same styles',
      'a chunk at 80–100 % of the stream ÷ at 10–30 %: `chat`',
      '80 KB of open code: `chat` ÷ reference, same styles',
    ],
  );
  assert.deepEqual(listFailures(measured), []);
  const empty = judgeGoals(makeMeasurements({ scope: 'quick', results: [], ...nothingElse }));
  assert.equal(listFailures(empty).length, 3);
});

test('each ratio says what it is divided by, and that the styles are the same', () => {
  const ratios = GOALS.filter(({ subject }) => subject.includes('÷'));
  assert.ok(ratios.length >= 10);
  for (const { subject } of ratios) assert.match(subject, /÷ (reference|`bare`), same styles$/);
});
