import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstAnswer } from './first-answer.js';
import type { LongestTask } from './longest-task.js';
import type { Opening } from './opening.js';
import type { Result } from './report.js';

/** Everything that one start of the benchmark has measured, as it is stored. All tables and the figures of the documents derive from it. */
export interface Measurements {
  /** Browser, processor and date. */
  readonly machine: string;
  /** Which goals have to be measured: all, those of `--quick`, or none, for a selection of scenarios. */
  readonly scope: 'full' | 'quick' | 'selection';
  readonly results: readonly Result[];
  readonly openings: readonly Opening[];
  readonly firstAnswers: readonly FirstAnswer[];
  readonly longestTasks: readonly LongestTask[];
  /** Size of the renderer and the parser of server-sent events in bytes; null when it was not measured. */
  readonly size: number | null;
}

const FILE = 'measurements.json';

/** Stores the measurements in a folder. */
export async function storeMeasurements(folder: string, measured: Measurements): Promise<void> {
  await writeFile(join(folder, FILE), JSON.stringify(measured));
}

/** Reads the measurements that are stored in a folder. */
export async function loadMeasurements(folder: string): Promise<Measurements> {
  return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Measurements;
}
