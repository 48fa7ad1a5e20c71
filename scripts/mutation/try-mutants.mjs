import { openNodeBench } from './node-tests.mjs';

/**
 * One mutant before one file of tests.
 *
 * @typedef {object} Trial
 * @property {number} id
 * @property {string} file
 * @property {number} limit how often the mutant may be come by
 * @property {number} seconds that the file takes without it
 */

/**
 * A file of tests without any mutant.
 *
 * @typedef {object} Measured
 * @property {string} file
 * @property {number} seconds
 * @property {Map<number, number>} hits how often it comes by each mutant
 */

/**
 * Where mutants are tried before files of one kind.
 *
 * @typedef {object} Bench
 * @property {() => Promise<Measured[]>} measure throws when a file fails by itself
 * @property {(trials: readonly Trial[]) => Promise<('passed' | 'failed' | 'timeout')[]>} run
 * @property {() => Promise<void>} close
 */

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */
/** @typedef {{ by: string, how: 'failed' | 'timeout' }} Kill */

/** @param {readonly string[]} files @param {import('../bundle-tests.mjs').Edit} edit */
async function openBench(files, edit) {
  if (files[0]?.endsWith('.unit.ts')) return openNodeBench(files, edit);
  // The browser's runner takes seconds to load.
  const { openPageBench } = await import('./page-tests.mjs');
  return openPageBench(files, edit);
}

/**
 * Tries each mutant before the files that come by it, those that take least first, until one fails.
 *
 * @param {ReadonlyMap<number, Mutant>} mutants those that live
 * @param {readonly string[]} files of one kind
 * @param {import('../bundle-tests.mjs').Edit} edit plants the mutants
 * @returns {Promise<{ killed: Map<number, Kill>, reached: Set<number> }>}
 */
export async function tryMutants(mutants, files, edit) {
  const bench = await openBench(files, edit);
  try {
    const measured = await bench.measure();
    measured.sort((left, right) => left.seconds - right.seconds);
    const waiting = new Map(
      [...mutants.keys()].map((id) => [id, measured.filter(({ hits }) => hits.has(id))]),
    );
    const reached = new Set([...waiting].filter(([, left]) => left.length > 0).map(([id]) => id));
    /** @type {Map<number, Kill>} */
    const killed = new Map();
    // Most die early: each round takes twice as many files for each that lives.
    for (let take = 1; ; take *= 2) {
      const trials = [...waiting].flatMap(([id, left]) =>
        left.splice(0, take).map(({ file, seconds, hits }) => {
          return { id, file, seconds, limit: (hits.get(id) ?? 0) * 100 + 1000 };
        }),
      );
      if (trials.length === 0) return { killed, reached };
      const outcomes = await bench.run(trials);
      for (const [at, { id, file }] of trials.entries()) {
        const how = outcomes[at];
        if (how === 'passed' || how === undefined) continue;
        if (!killed.has(id)) killed.set(id, { by: file, how });
        waiting.delete(id);
      }
      console.log(`  ${String(killed.size)} killed after ${String(trials.length)} more trials`);
    }
  } finally {
    await bench.close();
  }
}
