import { createNodeRunner } from './node-tests.mjs';

/**
 * One mutant with one test file.
 *
 * @typedef {object} Trial
 * @property {number} id
 * @property {string} file
 * @property {number} limit how often the mutant may be executed
 * @property {number} seconds duration of the file without a mutant
 */

/**
 * The result of a test file without a mutant.
 *
 * @typedef {object} Measured
 * @property {string} file
 * @property {number} seconds
 * @property {Map<number, number>} hits how often it executes each mutant
 */

/**
 * Runs mutants with test files of one kind.
 *
 * @typedef {object} Runner
 * @property {() => Promise<Measured[]>} measure runs each file without a mutant; rejects when it fails
 * @property {(trials: readonly Trial[]) => Promise<('passed' | 'failed' | 'timeout')[]>} run runs trials; a mutant is killed unless its trial passes
 * @property {() => Promise<void>} close
 */

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */
/** @typedef {{ by: string, how: 'failed' | 'timeout' }} Kill */

/** @param {readonly string[]} files @param {import('../bundle-tests.mjs').Edit} edit */
async function createRunner(files, edit) {
  if (files[0]?.endsWith('.unit.ts')) return createNodeRunner(files, edit);
  // Imported lazily, because the browser test runner takes seconds to load.
  const { createPageRunner } = await import('./page-tests.mjs');
  return createPageRunner(files, edit);
}

/**
 * Runs each mutant with the test files that execute it, the fastest first, until a test fails.
 *
 * @param {ReadonlyMap<number, Mutant>} mutants the remaining mutants
 * @param {readonly string[]} files test files of one kind
 * @param {import('../bundle-tests.mjs').Edit} edit inserts the mutants
 * @returns {Promise<{ killed: Map<number, Kill>, reached: Set<number> }>}
 */
export async function tryMutants(mutants, files, edit) {
  const runner = await createRunner(files, edit);
  try {
    const measured = await runner.measure();
    measured.sort((left, right) => left.seconds - right.seconds);
    const waiting = new Map(
      [...mutants.keys()].map((id) => [id, measured.filter(({ hits }) => hits.has(id))]),
    );
    const reached = new Set([...waiting].filter(([, left]) => left.length > 0).map(([id]) => id));
    /** @type {Map<number, Kill>} */
    const killed = new Map();
    // Most mutants are killed early, so each round runs twice as many files for each remaining mutant as the round before.
    for (let take = 1; ; take *= 2) {
      const trials = [...waiting].flatMap(([id, left]) =>
        left.splice(0, take).map(({ file, seconds, hits }) => {
          return { id, file, seconds, limit: (hits.get(id) ?? 0) * 100 + 1000 };
        }),
      );
      if (trials.length === 0) return { killed, reached };
      const outcomes = await runner.run(trials);
      for (const [at, { id, file }] of trials.entries()) {
        const how = outcomes[at];
        if (how === 'passed' || how === undefined) continue;
        if (!killed.has(id)) killed.set(id, { by: file, how });
        waiting.delete(id);
      }
      console.log(`  ${String(killed.size)} killed after ${String(trials.length)} more trials`);
    }
  } finally {
    await runner.close();
  }
}
