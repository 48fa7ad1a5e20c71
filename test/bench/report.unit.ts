import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  confidenceOf,
  growthOf,
  median,
  printRange,
  ratiosOf,
  spreadOf,
} from '../../bench/report.js';
import { SCENARIOS } from '../../bench/scenarios.js';
import { growingRun, makeRun, makeStoppedRun } from './bench-runs.js';

const [scenario] = SCENARIOS;
assert.ok(scenario);

test('the spread of five values is their median and extremes, in any order', () => {
  assert.deepEqual(spreadOf([5, 1, 4, 2, 3]), { median: 3, min: 1, max: 5, count: 5 });
});

test('the median of an even count is the mean of the two middle values', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('the confidence interval of a median lies between the ranks that a sign test cannot exclude', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.deepEqual(confidenceOf(values), { median: 50.5, min: 40, max: 61, count: 100 });
  assert.deepEqual(confidenceOf([3, 1, 2]), { median: 2, min: 1, max: 3, count: 3 });
});

test('one value has no range, and no values have no median', () => {
  assert.equal(printRange(spreadOf([2])), '–');
  assert.equal(printRange(spreadOf([2, 1]), ' ms'), '1.00–2.00 ms');
  assert.deepEqual(spreadOf([]), { median: NaN, min: NaN, max: NaN, count: 0 });
});

test('a ratio compares runs of the same repetition, without the cost of feeding', () => {
  const subjects = [
    { subject: 'null', runs: [makeRun(1), makeRun(2)] },
    { subject: 'dom-replay-raf', runs: [makeRun(2), makeRun(4)] },
    { subject: 'chat', runs: [makeRun(4), makeRun(5)] },
  ];
  assert.deepEqual(ratiosOf({ scenario, subjects }, 'chat', 'dom-replay-raf'), [3, 1.5]);
});

test('a repetition without a complete base has no ratio', () => {
  const subjects = [
    { subject: 'null', runs: [makeRun(1), makeRun(1)] },
    { subject: 'bare', runs: [makeStoppedRun(2)] },
    { subject: 'chat', runs: [makeRun(4), makeRun(4)] },
  ];
  assert.deepEqual(ratiosOf({ scenario, subjects }, 'chat', 'bare'), []);
});

test('growth is the cost of a chunk at the end relative to the beginning', () => {
  assert.equal(growthOf(growingRun).toFixed(2), '5.00');
  assert.equal(growthOf(makeRun(1, { marks: [] })), NaN);
});
