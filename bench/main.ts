/** `npm run bench`: see docs/performance.md. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkStructure, readBrowserVersion } from './browser.js';
import { measureFirstAnswer } from './first-answer.js';
import { measureLongestTasks } from './longest-task.js';
import {
  loadMeasurements,
  runSteps,
  storeMeasurements,
  type Measurements,
  type Step,
} from './measurements.js';
import { LONG_THREADS, measureOpening } from './opening.js';
import { writeFigures, writeReport } from './publish.js';
import { runScenario } from './run-scenario.js';
import { QUICK, SCENARIOS, SUBJECTS, type Scenario } from './scenarios.js';
import { measureSize } from './size.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'longest-task': { type: 'boolean', default: false },
    subjects: { type: 'string', default: SUBJECTS.join() },
    only: { type: 'string', default: '' },
    // By default each scenario has its own number.
    repeat: { type: 'string' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'bench/results' },
    // Judges the measurements that are stored in this folder instead of measuring.
    from: { type: 'string' },
    // Continues an interrupted run with the same options, build and machine.
    resume: { type: 'boolean', default: false },
    // Writes the figures into docs/performance.md.
    write: { type: 'boolean', default: false },
  },
});

/** Repetitions of the measurements outside of scenarios. All of them decide about a goal. */
const REPETITIONS = Number(options.repeat ?? 5);

const DIST = fileURLToPath(new URL('../dist', import.meta.url));

async function main(): Promise<void> {
  if (options.from === undefined) await measure(options.out);
  // The report is always made from what is stored.
  const folder = options.from ?? options.out;
  const measured = await loadMeasurements(folder);
  const failures = await writeReport(folder, measured);
  if (options.write) writeFigures(measured);
  if (failures.length > 0) process.exitCode = 1;
}

async function measure(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const run = await describeRun();
  const start = options.resume ? await loadInterrupted(folder, run) : await makeEmpty(run);
  await storeMeasurements(folder, start);
  if (!options['longest-task']) await checkStructure(Number(options.seed));
  await runSteps(folder, start, listSteps());
}

/** Returns the stored measurements of the same run. */
async function loadInterrupted(folder: string, run: string): Promise<Measurements> {
  const stored = await loadMeasurements(folder).catch(() => null);
  if (stored?.run === run) return stored;
  throw new Error(
    `${folder} has no measurements of this build on this machine with these options. Start without --resume.`,
  );
}

async function makeEmpty(run: string): Promise<Measurements> {
  return {
    machine: `${await describeMachine()}, ${new Date().toISOString().slice(0, 10)}.`,
    run,
    completed: [],
    scope: describeScope(),
    results: [],
    openings: [],
    firstAnswers: [],
    longestTasks: [],
    size: null,
  };
}

/** Which goals must have been measured, with all repetitions. */
function describeScope(): Measurements['scope'] {
  if (options['longest-task']) return 'selection';
  if (options.quick) return 'quick';
  const isFull =
    options.only === '' &&
    options.repeat === undefined &&
    SUBJECTS.every((name) => options.subjects.split(',').includes(name));
  return isFull ? 'full' : 'selection';
}

const longestTaskStep: Step = {
  name: '20,000 events',
  measure: async () => ({ longestTasks: await measureLongestTasks() }),
};

function listSteps(): Step[] {
  if (options['longest-task']) return [longestTaskStep];
  const all = options.quick ? QUICK.map(makeScenarioStep) : listAllSteps();
  return all.filter(({ name }) => name.includes(options.only));
}

function listAllSteps(): Step[] {
  return [
    ...SCENARIOS.map(makeScenarioStep),
    ...LONG_THREADS.map(makeOpeningStep),
    {
      name: 'first answer',
      measure: async () => ({ firstAnswers: await repeat(measureFirstAnswer) }),
    },
    longestTaskStep,
    { name: 'size', measure: async () => ({ size: await measureSize() }) },
  ];
}

function makeScenarioStep(scenario: Scenario): Step {
  const repetitions = Number(options.repeat ?? scenario.repeat);
  const request = {
    subjects: options.subjects.split(','),
    repetitions,
    seed: Number(options.seed),
  };
  return {
    name: scenario.name,
    measure: async ({ results }) => ({
      results: [...results, await runScenario(scenario, request)],
    }),
  };
}

function makeOpeningStep(thread: (typeof LONG_THREADS)[number]): Step {
  return {
    name: thread.name,
    measure: async ({ openings }) => ({
      openings: [...openings, ...(await repeat(() => measureOpening(thread)))],
    }),
  };
}

async function repeat<T>(measureOnce: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let round = 0; round < REPETITIONS; round += 1) all.push(await measureOnce());
  return all;
}

async function describeMachine(): Promise<string> {
  const version = await readBrowserVersion();
  const cores = cpus();
  return `${version}, Node ${process.version}, ${String(cores.length)} cores (${cores[0]?.model ?? 'unknown'})`;
}

async function describeRun(): Promise<string> {
  const { write: _write, resume: _resume, out: _out, ...what } = options;
  return JSON.stringify([what, await describeMachine(), await hashBuild()]);
}

/** Returns a digest of the built modules. */
async function hashBuild(): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(DIST, { recursive: true });
  for (const path of entries.filter((entry) => entry.endsWith('.js')).sort())
    hash.update(path).update(await readFile(join(DIST, path)));
  return hash.digest('hex');
}

await main();
