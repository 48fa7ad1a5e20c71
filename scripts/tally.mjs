/**
 * Passes the numbers of tests of a step to `npm test`, and those of a suite to `run-suites.mjs`, as JSON in a file that an environment
 * variable names. A script that is started by hand has no such file and only prints the numbers.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

const VARIABLE = 'UBIK_TEST_TALLY';

/** @returns {Tally} */
export const emptyTally = () => ({ passed: 0, failed: 0, skipped: 0 });

/** Returns the environment with which a step writes its tally to a file. @param {string} file */
export const tallyEnvironment = (file) => ({ [VARIABLE]: file });

/** @param {Tally} tally */
export function writeTally(tally) {
  const file = process.env[VARIABLE];
  if (file) writeFileSync(file, JSON.stringify(tally));
}

/**
 * Reads the tally of a step and removes its file. Returns undefined if the step crashed before it wrote the tally.
 *
 * @param {string} file
 * @returns {Tally | undefined}
 */
export function readAndRemoveTally(file) {
  if (!existsSync(file)) return undefined;
  const tally = /** @type {Tally} */ (JSON.parse(readFileSync(file, 'utf8')));
  rmSync(file);
  return tally;
}

/**
 * Returns the tally of a runner that has ended. One that crashed or ran no test counts as a failure.
 *
 * @param {number} code exit code of the runner
 * @param {Tally | undefined} written
 * @returns {Tally}
 */
export function tallyOfRun(code, written) {
  const tally = written ?? emptyTally();
  const hasCrashed = !written || (code !== 0 && tally.failed === 0);
  return hasCrashed || tally.passed + tally.failed === 0
    ? { ...tally, failed: tally.failed + 1 }
    : tally;
}

/** Adds a tally to another one. @param {Tally} total @param {Tally} added */
export function addTally(total, added) {
  for (const kind of /** @type {const} */ (['passed', 'failed', 'skipped'])) {
    total[kind] += added[kind];
  }
}

/** Formats a tally. @param {Tally} tally */
export function formatTally({ passed, failed, skipped }) {
  const more = skipped > 0 ? `, ${String(skipped)} skipped` : '';
  return `${String(passed)} passed, ${String(failed)} failed${more}`;
}
