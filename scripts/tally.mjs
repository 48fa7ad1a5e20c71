/**
 * How a step of `npm test` tells how many tests it ran: as JSON in the file that the runner names in the environment. A step that is
 * started by hand has no such file and only prints.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

const VARIABLE = 'UBIK_TEST_TALLY';

/** @returns {Tally} */
export const emptyTally = () => ({ passed: 0, failed: 0, skipped: 0 });

/** The environment in which a step writes its tally into that file. @param {string} file */
export const tallyInto = (file) => ({ [VARIABLE]: file });

/** @param {Tally} tally */
export function writeTally(tally) {
  const file = process.env[VARIABLE];
  if (file) writeFileSync(file, JSON.stringify(tally));
}

/**
 * What a step has written, and removes it. Undefined when it broke before that.
 *
 * @param {string} file
 * @returns {Tally | undefined}
 */
export function takeTally(file) {
  if (!existsSync(file)) return undefined;
  const tally = /** @type {Tally} */ (JSON.parse(readFileSync(file, 'utf8')));
  rmSync(file);
  return tally;
}

/** The closing line of a run. @param {Tally} tally */
export function printTally({ passed, failed, skipped }) {
  const more = skipped > 0 ? `, ${String(skipped)} skipped` : '';
  return `${String(passed)} passed, ${String(failed)} failed${more}`;
}
