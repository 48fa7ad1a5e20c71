/**
 * Mutation testing: makes small changes to the code and checks that a test fails. `npm run mutate` tests a sample of 40 mutants of each
 * module; `npm run mutate -- --module model --seed 3 --count 200` tests another, larger sample of one module. `--near` runs only the module's own
 * tests, `--min 90` sets the minimum share of killed mutants in percent, `--json FILE` writes the survivors.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sampleMutants } from './mutation/find-mutants.mjs';
import {
  isEquivalent,
  listMutants,
  listTests,
  createMutantEdit,
  MODULES,
  readEquivalents,
} from './mutation/modules.mjs';
import { tryMutants } from './mutation/try-mutants.mjs';
import { writeTally } from './tally.mjs';

/** @typedef {import('./mutation/find-mutants.mjs').Mutant} Mutant */

const { values } = parseArgs({
  options: {
    module: { type: 'string', multiple: true, default: [...MODULES] },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    min: { type: 'string', default: '90' },
    near: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // `process.exit` runs the exit handlers that end the running tests; the default handling of a signal does not.
  process.once(signal, () => process.exit(1));
}

const equivalents = readEquivalents();

/** @param {ReadonlyMap<number, Mutant>} survivors @param {ReadonlySet<number>} reached */
function printSurvivors(survivors, reached) {
  for (const [id, { file, line, change, code }] of survivors) {
    const note = reached.has(id) ? '' : ' (no test executes it)';
    console.log(`  ${file}:${String(line)}  ${change}${note}\n      ${code}`);
  }
}

/** @param {string} module @returns {Promise<{ killed: number, survivors: Mutant[] }>} */
async function mutateModule(module) {
  const all = listMutants(module);
  const candidates = all.filter((each) => !equivalents.some((known) => isEquivalent(each, known)));
  const sample = sampleMutants(candidates, {
    seed: Number(values.seed),
    count: Number(values.count),
  });
  const numbered = new Map(sample.map((mutant, id) => [id, mutant]));
  const edit = createMutantEdit(numbered);
  const remaining = new Map(numbered);
  /** @type {Set<number>} */
  const reached = new Set();
  let timeouts = 0;
  for (const files of await listTests(module, values.near)) {
    if (remaining.size === 0) break;
    const found = await tryMutants(remaining, files, edit);
    for (const id of found.reached) reached.add(id);
    for (const [id, { how }] of found.killed) {
      remaining.delete(id);
      if (how === 'timeout') timeouts += 1;
    }
    console.log(
      `${module}: ${String(remaining.size)} survive after ${String(files.length)} test files`,
    );
    // Printed after each step, because a run takes long and may be interrupted.
    printSurvivors(remaining, reached);
  }
  const killed = sample.length - remaining.size;
  const share = ((100 * killed) / Math.max(1, sample.length)).toFixed(1);
  console.log(
    `\n${module}: ${String(killed)} of ${String(sample.length)} killed (${share} %), ${String(timeouts)} of them by a timeout; ${String(all.length)} possible, ${String(all.length - candidates.length)} equivalent`,
  );
  printSurvivors(remaining, reached);
  return { killed, survivors: [...remaining.values()] };
}

const allMutants = equivalents.length > 0 ? MODULES.flatMap(listMutants) : [];
const stale = equivalents.filter(
  (known) => !allMutants.some((mutant) => isEquivalent(mutant, known)),
);
for (const { file, code } of stale) {
  console.log(`equivalents.json lists a mutant that does not exist: ${file}: ${code}`);
}
/** @type {Mutant[]} */
const survivors = [];
let failed = stale.length;
let passed = 0;
for (const module of values.module) {
  const result = await mutateModule(module);
  survivors.push(...result.survivors);
  const all = result.killed + result.survivors.length;
  const isEnough = result.killed >= (all * Number(values.min)) / 100;
  if (isEnough && all > 0) passed += 1;
  else failed += 1;
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(survivors, null, 2)}\n`);
writeTally({ passed, failed, skipped: 0 });
process.exit(failed > 0 ? 1 : 0);
