import type { Run } from '../../bench/browser.js';
import type { Measurements } from '../../bench/measurements.js';
import type { Result } from '../../bench/report.js';
import { SCENARIOS, type Scenario } from '../../bench/scenarios.js';

/** A complete run that took some CPU seconds. */
export function makeRun(task: number, values: Partial<Run> = {}): Run {
  return {
    measurements: {
      waits: [1],
      gaps: [16.67],
      longTasks: [],
      lags: [20],
      markersMissed: 0,
      took: 1000,
      fed: 1,
      chunks: 100,
    },
    fault: null,
    cpu: { task, layout: 0, style: 0 },
    marks: [
      [0.1, 0.1],
      [0.3, 0.3],
      [0.8, 0.8],
      [1, 0.99],
    ],
    heap: 1e6,
    nodes: 100,
    ...values,
  };
}

/** A run that was stopped because the subject did not keep up. */
export function makeStoppedRun(task: number): Run {
  const run = makeRun(task);
  return { ...run, measurements: { ...run.measurements, fed: 0.5 } };
}

/** A run whose cost of a chunk grows. */
export const growingRun = makeRun(1, {
  marks: [
    [0.1, 0.1],
    [0.3, 0.3],
    [0.8, 0.8],
    [1, 1.8],
  ],
});

/** CPU seconds with which the subjects meet all limits; the others take two. */
const CPU = new Map([
  ['null', 0.1],
  ['dom-replay-raf', 1.1],
  ['extended', 1],
  ['chat', 0.3],
  ['bare', 0.31],
  ['transport', 0.4],
]);

/** A result of a scenario in which each subject has the same run in each repetition. */
export function makeResult(scenario: Scenario): Result {
  return {
    scenario,
    subjects: scenario.subjects.map((subject) => {
      const run = subject === 'planted' ? growingRun : makeRun(CPU.get(subject) ?? 2);
      return { subject, runs: Array.from({ length: scenario.repeat }, () => run) };
    }),
  };
}

/** Measurements of everything, which meet all limits. */
export function makeMeasurements(values: Partial<Measurements> = {}): Measurements {
  const opening = { longestTask: 20, within: [], cpu: 100, took: 1000 };
  return {
    machine: 'A machine.',
    run: 'a run',
    completed: [],
    scope: 'full',
    results: SCENARIOS.map(makeResult),
    openings: [
      { name: 'opening 10,000 messages', ...opening },
      { name: 'opening 300 long messages', ...opening },
    ],
    firstAnswers: [{ firstWords: 700, requests: 8, scriptBytes: 90_000, scripts: [] }],
    longestTasks: [],
    size: 20_000,
    ...values,
  };
}
