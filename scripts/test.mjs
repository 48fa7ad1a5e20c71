/**
 * `npm test`: runs all checks and tests except those of `npm run test:pages`, even after a failure, and prints one line
 * `N passed, N failed` for all of them. With names of steps as arguments, runs only those: `node scripts/test.mjs lint unit`. `--list`
 * prints the names of the steps. With `--coverage`, unit and browser tests record line coverage, which is printed after them. With
 * `--exhaustive`, all steps run, record coverage, and test all seeds, sizes and combinations instead of a sample (`test/helpers/sample.ts`).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import {
  addTally,
  tallyOfRun,
  emptyTally,
  formatTally,
  readAndRemoveTally,
  tallyEnvironment,
  writeTally,
} from './tally.mjs';
import { STEPS } from './test-steps.mjs';

/** @typedef {import('./test-steps.mjs').Step} Step */
/** @typedef {import('./tally.mjs').Tally} Tally */

/** Maximum number of concurrent steps. */
const MAX_CONCURRENT = 2;

/** Returns the tally of a step. @param {Step} step @param {number} code @param {Tally | undefined} written @returns {Tally} */
const countStep = (step, code, written) =>
  step.tallies
    ? tallyOfRun(code, written)
    : { ...emptyTally(), [code === 0 ? 'passed' : 'failed']: 1 };

/** @param {Step} step @returns {Promise<Tally>} */
async function runStep(step) {
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-${step.name}.json`);
  const started = performance.now();
  const env = {
    ...tallyEnvironment(file),
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    COVERAGE_STEP: measuresCoverage && step.covers ? step.name : undefined,
  };
  const { code, output } =
    step.command.length > 0
      ? await runCommand(step.command, { env })
      : { code: 1, output: 'There is nothing to run.' };
  const tally = countStep(step, code, readAndRemoveTally(file));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n── ${step.title} (${step.name}): ${formatTally(tally)} in ${seconds} s`);
  if (tally.failed > 0 || step.prints)
    console.log(output.trimEnd() || `Exit code ${String(code)}.`);
  return tally;
}

/**
 * Starts each step as soon as possible, and waits until all have ended.
 *
 * @param {readonly Step[]} steps
 */
async function runSteps(steps) {
  const total = emptyTally();
  const waiting = [...steps];
  /** @type {Map<Step, Promise<void>>} */
  const running = new Map();
  const canStart = (/** @type {Step} */ step) =>
    running.size < (step.alone ? 1 : MAX_CONCURRENT) &&
    ![...running.keys()].some((other) => other.alone) &&
    !(step.after ?? []).some((name) =>
      [...waiting, ...running.keys()].some((other) => other.name === name),
    );
  while (waiting.length + running.size > 0) {
    for (let next; (next = waiting.findIndex(canStart)) >= 0;) {
      const [step] = /** @type {[Step]} */ (waiting.splice(next, 1));
      const end = runStep(step).then((tally) => {
        addTally(total, tally);
        running.delete(step);
      });
      running.set(step, end);
    }
    await Promise.race(running.values());
  }
  return total;
}

const OPTIONS = ['--coverage', '--exhaustive', '--list'];
const wanted = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));
const isExhaustive = process.argv.includes('--exhaustive');
if (isExhaustive) process.env['EXHAUSTIVE'] ??= '1';
const measuresCoverage = isExhaustive || process.argv.includes('--coverage');
if (process.argv.includes('--list')) {
  for (const { name, title } of STEPS) console.log(`${name.padEnd(12)} ${title}`);
  process.exit(0);
}
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown step: ${unknown.join(', ')}. \`node scripts/test.mjs --list\` lists all steps.`,
  );
  process.exit(1);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // `process.exit` runs the exit handlers that end the process groups of the commands; the default handling of a signal does not.
  process.once(signal, () => process.exit(1));
}
const chosen = STEPS.filter(({ name, needsCoverage, separate }) =>
  wanted.length > 0
    ? wanted.includes(name)
    : (measuresCoverage || !needsCoverage) && (isExhaustive || !separate),
);
const total = await runSteps(chosen);
writeTally(total);
console.log(`\n${formatTally(total)}`);
process.exit(total.failed > 0 ? 1 : 0);
