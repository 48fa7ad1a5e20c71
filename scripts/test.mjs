/**
 * `npm test`: every check and every test, to the end whatever fails, then one line `N passed, N failed` over all of them. With names
 * of steps as arguments only those run: `node scripts/test.mjs lint unit`. With `--exhaustive` tests whose cases differ only in a
 * seed, a size or a combination take every case, not a sample of them (`test/helpers/sample.ts`).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { emptyTally, printTally, takeTally, tallyInto } from './tally.mjs';
import { STEPS } from './test-steps.mjs';

/** @typedef {import('./test-steps.mjs').Step} Step */
/** @typedef {import('./tally.mjs').Tally} Tally */

/** Steps at a time. */
const LANES = 2;

/**
 * A runner that broke, or that found nothing to run, has shown nothing: that is a failure too.
 *
 * @param {Step} step
 * @param {number} code
 * @param {Tally | undefined} written
 * @returns {Tally}
 */
function countStep(step, code, written) {
  if (!step.tallies) return { ...emptyTally(), [code === 0 ? 'passed' : 'failed']: 1 };
  const tally = written ?? emptyTally();
  const broke = !written || (code !== 0 && tally.failed === 0);
  return broke || tally.passed + tally.failed === 0
    ? { ...tally, failed: tally.failed + 1 }
    : tally;
}

/** @param {Step} step @returns {Promise<Tally>} */
async function runStep(step) {
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-${step.name}.json`);
  const started = performance.now();
  const env = {
    ...tallyInto(file),
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    COVERAGE_STEP: step.covers ? step.name : undefined,
  };
  const { code, output } =
    step.command.length > 0
      ? await runCommand(step.command, { env })
      : { code: 1, output: 'There is nothing to run.' };
  const tally = countStep(step, code, takeTally(file));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n── ${step.title} (${step.name}): ${printTally(tally)} in ${seconds} s`);
  if (tally.failed > 0 || step.prints)
    console.log(output.trimEnd() || `It ended with code ${String(code)}.`);
  return tally;
}

/**
 * Begins each step as soon as it may, until all have ended.
 *
 * @param {readonly Step[]} steps
 */
async function runSteps(steps) {
  const total = emptyTally();
  const waiting = [...steps];
  /** @type {Map<Step, Promise<void>>} */
  const running = new Map();
  const mayBegin = (/** @type {Step} */ step) =>
    running.size < (step.alone ? 1 : LANES) &&
    ![...running.keys()].some((other) => other.alone || other.measures !== step.measures) &&
    !(step.after ?? []).some((name) =>
      [...waiting, ...running.keys()].some((other) => other.name === name),
    );
  while (waiting.length + running.size > 0) {
    for (let next; (next = waiting.findIndex(mayBegin)) >= 0;) {
      const [step] = /** @type {[Step]} */ (waiting.splice(next, 1));
      const end = runStep(step).then((tally) => {
        for (const kind of /** @type {const} */ (['passed', 'failed', 'skipped'])) {
          total[kind] += tally[kind];
        }
        running.delete(step);
      });
      running.set(step, end);
    }
    await Promise.race(running.values());
  }
  return total;
}

const EXHAUSTIVE = '--exhaustive';
const wanted = process.argv.slice(2).filter((argument) => argument !== EXHAUSTIVE);
if (process.argv.includes(EXHAUSTIVE)) process.env['EXHAUSTIVE'] ??= '1';
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  const names = STEPS.map((step) => step.name).join(', ');
  console.error(`No such step: ${unknown.join(', ')}. There are ${names}.`);
  process.exit(1);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // An exit of its own ends the groups of the commands, which a signal does not reach.
  process.once(signal, () => process.exit(1));
}
const chosen = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const total = await runSteps(chosen);
console.log(`\n${printTally(total)}`);
process.exit(total.failed > 0 ? 1 : 0);
