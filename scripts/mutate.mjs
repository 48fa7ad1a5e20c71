/**
 * `npm run mutate`: changes the code in small ways and looks whether a test notices. Without options it tries all rooms;
 * `npm run mutate -- --room model --seed 3 --count 40` draws 40 mutants of one room. `--near` asks only the tests of the room itself,
 * `--least 90` is the share in percent that must be killed, `--json FILE` writes the survivors.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawMutants } from './mutation/find-mutants.mjs';
import {
  isEquivalent,
  listMutants,
  listTests,
  plantInto,
  readEquivalents,
  ROOMS,
} from './mutation/rooms.mjs';
import { tryMutants } from './mutation/try-mutants.mjs';
import { writeTally } from './tally.mjs';

/** @typedef {import('./mutation/find-mutants.mjs').Mutant} Mutant */

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true, default: [...ROOMS] },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    least: { type: 'string', default: '90' },
    near: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // An exit of its own ends the tests that are running, which a signal does not reach.
  process.once(signal, () => process.exit(1));
}

const equivalents = readEquivalents();

/** @param {ReadonlyMap<number, Mutant>} living @param {ReadonlySet<number>} reached */
function printLiving(living, reached) {
  for (const [id, { file, line, change, code }] of living) {
    const note = reached.has(id) ? '' : ' (no test comes by it)';
    console.log(`  ${file}:${String(line)}  ${change}${note}\n      ${code}`);
  }
}

/** @param {string} room @returns {Promise<{ killed: number, survivors: Mutant[] }>} */
async function mutateRoom(room) {
  const all = listMutants(room);
  const candidates = all.filter((each) => !equivalents.some((known) => isEquivalent(each, known)));
  const drawn = drawMutants(candidates, { seed: Number(values.seed), count: Number(values.count) });
  const numbered = new Map(drawn.map((mutant, id) => [id, mutant]));
  const edit = plantInto(numbered);
  const living = new Map(numbered);
  /** @type {Set<number>} */
  const reached = new Set();
  let late = 0;
  for (const files of await listTests(room, values.near)) {
    if (living.size === 0) break;
    const found = await tryMutants(living, files, edit);
    for (const id of found.reached) reached.add(id);
    for (const [id, { how }] of found.killed) {
      living.delete(id);
      if (how === 'timeout') late += 1;
    }
    console.log(`${room}: ${String(living.size)} live after ${String(files.length)} test files`);
    // A run takes long, and may be ended.
    printLiving(living, reached);
  }
  const killed = drawn.length - living.size;
  const share = ((100 * killed) / Math.max(1, drawn.length)).toFixed(1);
  console.log(
    `\n${room}: ${String(killed)} of ${String(drawn.length)} killed (${share} %), ${String(late)} of them by a timeout; ${String(all.length)} possible, ${String(all.length - candidates.length)} equivalent`,
  );
  printLiving(living, reached);
  return { killed, survivors: [...living.values()] };
}

const everything = equivalents.length > 0 ? ROOMS.flatMap(listMutants) : [];
const stale = equivalents.filter(
  (known) => !everything.some((mutant) => isEquivalent(mutant, known)),
);
for (const { file, code } of stale) {
  console.log(`equivalents.json names what is not there any more: ${file}: ${code}`);
}
/** @type {Mutant[]} */
const survivors = [];
let failed = stale.length;
let passed = 0;
for (const room of values.room) {
  const result = await mutateRoom(room);
  survivors.push(...result.survivors);
  const all = result.killed + result.survivors.length;
  const isEnough = result.killed >= (all * Number(values.least)) / 100;
  if (isEnough && all > 0) passed += 1;
  else failed += 1;
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(survivors, null, 2)}\n`);
writeTally({ passed, failed, skipped: 0 });
process.exit(failed > 0 ? 1 : 0);
