import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstAnswer } from './first-answer.js';
import type { RunTasks } from './longest-task.js';
import type { Opening } from './opening.js';
import type { Result } from './report.js';

/** Everything that a run of the benchmark has measured, as it is stored. All tables and the figures of the documents derive from it. */
export interface Measurements {
  /** Browser, processor and date. */
  readonly machine: string;
  /** The options, the processor, the browser, and a digest of the built modules. A run is resumed only if all of them are the same. */
  readonly run: string;
  /** Names of the steps that are completed. */
  readonly completed: readonly string[];
  /** Which goals have to be measured: all, those of `--quick`, or none, for a selection of scenarios. */
  readonly scope: 'full' | 'quick' | 'selection';
  readonly results: readonly Result[];
  readonly openings: readonly Opening[];
  readonly firstAnswers: readonly FirstAnswer[];
  readonly longestTasks: readonly RunTasks[];
  /** Size of the renderer and the parser of server-sent events in bytes; null when it was not measured. */
  readonly size: number | null;
}

/** One measurement of the benchmark, with a unique name. */
export interface Step {
  readonly name: string;
  /** Returns the fields that it has changed. */
  readonly measure: (measured: Measurements) => Promise<Partial<Measurements>>;
}

/** Runs the steps that are not completed, and stores the measurements in a folder after each, so that an interrupted run can be resumed. */
export async function runSteps(
  folder: string,
  start: Measurements,
  steps: readonly Step[],
): Promise<void> {
  let measured = start;
  for (const { name, measure } of steps) {
    if (start.completed.includes(name)) continue;
    process.stdout.write(`${name} …\n`);
    const changed = await measure(measured);
    measured = { ...measured, ...changed, completed: [...measured.completed, name] };
    await storeMeasurements(folder, measured);
  }
}

const FILE = 'measurements.json';

/** Stores the measurements in a folder. If it is interrupted, the previous file stays as it was. */
export async function storeMeasurements(folder: string, measured: Measurements): Promise<void> {
  const path = join(folder, FILE);
  await writeFile(`${path}.new`, JSON.stringify(measured));
  await rename(`${path}.new`, path);
}

/** Reads the measurements that are stored in a folder. */
export async function loadMeasurements(folder: string): Promise<Measurements> {
  return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Measurements;
}
