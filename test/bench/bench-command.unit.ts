/** The command `npm run bench`, with stored measurements. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { storeMeasurements, type Measurements } from '../../bench/measurements.js';
import { SCENARIOS } from '../../bench/scenarios.js';
import { readMarked } from '../../scripts/marked-lines.mjs';
import { makeMeasurements, makeResult, makeRun } from './bench-runs.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the command with stored measurements. Returns its exit code, its output, and the report. */
async function judge(measured: Measurements) {
  const folder = mkdtempSync(join(tmpdir(), 'ubik-bench-'));
  try {
    await storeMeasurements(folder, measured);
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'bench/main.ts', '--from', folder],
      { cwd: ROOT, encoding: 'utf8' },
    );
    return { status, stdout, report: readFileSync(join(folder, 'report.md'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the benchmark succeeds when all limits hold', async () => {
  const { status, stdout } = await judge(makeMeasurements());
  assert.equal(status, 0, stdout);
  assert.doesNotMatch(stdout, /Limit exceeded|Not measured/);
});

test('the benchmark fails and names each limit that was missed or not measured', async () => {
  const [opening] = makeMeasurements().openings;
  assert.ok(opening);
  const openings = [{ ...opening, longestTask: 511 }];
  const { status, stdout, report } = await judge(makeMeasurements({ openings }));
  assert.equal(status, 1);
  for (const text of [stdout, report]) {
    assert.match(
      text,
      /Limit exceeded: opening 10,000 messages.* is 511\.000 ms, the limit is 50 ms\./,
    );
    assert.match(text, /Not measured: opening 300 messages/);
  }
});

test('the benchmark fails when a run shows a wrong result, or when the planted defect is not detected', async () => {
  const results = SCENARIOS.map(makeResult).map((result) => ({
    ...result,
    subjects: result.subjects.map((each) => {
      if (each.subject === 'planted') return { ...each, runs: [makeRun(1)] };
      return each.subject === 'bare' ? { ...each, runs: [makeRun(0.31, { fault: 'abc' })] } : each;
    }),
  }));
  const { status, stdout } = await judge(makeMeasurements({ results }));
  assert.equal(status, 1);
  assert.match(stdout, /A: 200\/s, first 32 KB, bare: shows abc/);
  assert.match(stdout, /C: 500\/s, 100 KB: a variant that copies the whole text/);
});

test('docs/performance.md has a place for all figures of the benchmark', () => {
  for (const name of ['figures', 'renderers', 'long threads', '20,000 events', 'first answer']) {
    assert.match(readMarked('docs/performance.md', name), /\|/, name);
  }
});
