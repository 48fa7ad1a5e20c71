/** Measurements of the benchmark that are stored step by step. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadMeasurements, runSteps, type Step } from '../../bench/measurements.js';
import { SCENARIOS } from '../../bench/scenarios.js';
import { makeMeasurements, makeResult } from './bench-runs.js';

test('an interrupted benchmark is resumed after its last complete measurement', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'ubik-bench-'));
  context.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const started: string[] = [];
  let interrupted = 'C: 500/s, 100 KB';
  const steps = SCENARIOS.slice(0, 4).map((scenario): Step => {
    const { name } = scenario;
    return {
      name,
      measure: ({ results }) => {
        started.push(name);
        return name === interrupted
          ? Promise.reject(new Error(`${name} was interrupted.`))
          : Promise.resolve({ results: [...results, makeResult(scenario)] });
      },
    };
  });

  const empty = makeMeasurements({ results: [] });
  await assert.rejects(runSteps(folder, empty, steps), { message: /was interrupted/ });
  interrupted = '';
  await runSteps(folder, await loadMeasurements(folder), steps);

  const names = steps.map(({ name }) => name);
  assert.deepEqual(started, [...names.slice(0, 3), ...names.slice(2)]);
  const { results, completed } = await loadMeasurements(folder);
  assert.deepEqual(
    results.map(({ scenario }) => scenario.name),
    names,
  );
  assert.deepEqual(completed, names);
});
