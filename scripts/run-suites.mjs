/**
 * Runs commands one after the other, even after a failure, and prints a line `N passed, N failed` for each and one for all of them:
 * `node scripts/run-suites.mjs 'npm test' 'npm run test:hosts'`. A suite whose packages cannot be installed runs nothing, names what
 * it leaves out, and counts as skipped.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import {
  addTally,
  emptyTally,
  formatTally,
  readAndRemoveTally,
  tallyEnvironment,
  tallyOfRun,
} from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** @param {number} code @param {Tally | undefined} written */
const tallyOfSuite = (code, written) =>
  written && written.passed + written.failed === 0 && written.skipped > 0
    ? written
    : tallyOfRun(code, written);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => process.exit(1));
}
const total = emptyTally();
const lines = [];
for (const [index, command] of process.argv.slice(2).entries()) {
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-suite-${String(index)}.json`);
  const started = performance.now();
  console.log(`\n── ${command}`);
  const env = tallyEnvironment(file);
  const { code, output } = await runCommand(command.split(' '), { live: true, env });
  if (output) console.log(output);
  const tally = tallyOfSuite(code, readAndRemoveTally(file));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  lines.push(`── ${command}: ${formatTally(tally)} in ${seconds} s`);
  addTally(total, tally);
}
// Running no command is a mistake.
if (lines.length === 0) total.failed += 1;
console.log(`\n${lines.join('\n')}\n\n${formatTally(total)}`);
process.exit(total.failed > 0 ? 1 : 0);
