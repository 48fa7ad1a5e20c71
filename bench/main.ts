/** `npm run bench`: see docs/performance.md. */
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { checkStructure, readBrowserVersion } from './browser.js';
import { measureFirstAnswer } from './first-answer.js';
import { measureLongestTasks } from './longest-task.js';
import { loadMeasurements, storeMeasurements, type Measurements } from './measurements.js';
import { LONG_THREADS, measureOpening } from './opening.js';
import { writeFigures, writeReport } from './publish.js';
import { runScenario } from './run-scenario.js';
import { QUICK, SCENARIOS, SUBJECTS } from './scenarios.js';
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
    // Writes the figures into docs/performance.md.
    write: { type: 'boolean', default: false },
  },
});

/** Repetitions of the measurements outside of scenarios. All of them decide about a goal. */
const REPETITIONS = Number(options.repeat ?? 5);

async function main(): Promise<void> {
  if (options.from === undefined) {
    await mkdir(options.out, { recursive: true });
    await storeMeasurements(options.out, await measure());
  }
  // The report is always made from what is stored.
  const folder = options.from ?? options.out;
  const measured = await loadMeasurements(folder);
  const failures = await writeReport(folder, measured);
  if (options.write) writeFigures(measured);
  if (failures.length > 0) process.exitCode = 1;
}

async function measure(): Promise<Measurements> {
  const empty = { results: [], openings: [], firstAnswers: [], longestTasks: [], size: null };
  const machine = await describeMachine();
  if (options['longest-task']) {
    const longestTasks = await measureLongestTasks();
    return { ...empty, machine, scope: 'selection', longestTasks };
  }
  await checkStructure(Number(options.seed));
  const results = await measureScenarios();
  if (options.quick) return { ...empty, machine, scope: 'quick', results };
  return {
    machine,
    scope: isFull() ? 'full' : 'selection',
    results,
    openings: await measureOpenings(),
    firstAnswers: isSelected('first answer')
      ? await repeat('first answer', measureFirstAnswer)
      : [],
    longestTasks: isSelected('20,000 events') ? await measureLongestTasks() : [],
    size: isSelected('size') ? await measureSize() : null,
  };
}

/** Whether nothing was left out, so that each goal must have been measured, with all repetitions. */
function isFull(): boolean {
  return (
    options.only === '' && SUBJECTS.every((name) => options.subjects.split(',').includes(name))
  );
}

/** Whether `--only` selects a measurement. */
function isSelected(name: string): boolean {
  return name.includes(options.only);
}

async function measureScenarios(): Promise<Measurements['results']> {
  const subjects = options.subjects.split(',');
  const results: Measurements['results'][number][] = [];
  for (const scenario of (options.quick ? QUICK : SCENARIOS).filter(({ name }) =>
    isSelected(name),
  )) {
    announce(scenario.name);
    const repetitions = Number(options.repeat ?? scenario.repeat);
    const seed = Number(options.seed);
    results.push(await runScenario(scenario, { subjects, repetitions, seed }));
  }
  return results;
}

async function measureOpenings(): Promise<Measurements['openings']> {
  const openings: Measurements['openings'][number][] = [];
  for (const thread of LONG_THREADS.filter(({ name }) => isSelected(name))) {
    openings.push(...(await repeat(thread.name, () => measureOpening(thread))));
  }
  return openings;
}

async function repeat<T>(name: string, measureOnce: () => Promise<T>): Promise<T[]> {
  announce(name);
  const all: T[] = [];
  for (let round = 0; round < REPETITIONS; round += 1) all.push(await measureOnce());
  return all;
}

function announce(name: string): void {
  process.stdout.write(`${name} …\n`);
}

async function describeMachine(): Promise<string> {
  const version = await readBrowserVersion();
  const cores = cpus();
  return `${version}, Node ${process.version}, ${String(cores.length)} cores (${cores[0]?.model ?? 'unknown'}), ${new Date().toISOString().slice(0, 10)}.`;
}

await main();
