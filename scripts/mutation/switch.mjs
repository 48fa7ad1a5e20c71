/**
 * Bundled into code with mutants, in Node and in pages: selects the active mutant, and counts how often each mutant is executed.
 *
 * @typedef {object} MutantState
 * @property {number} active the number of the active mutant; -1 for none
 * @property {number} limit how often the active mutant is executed before it counts as an infinite loop
 * @property {Map<number, number>} hits how often each mutant was executed
 */

/** @typedef {{ process?: NodeJS.Process, ubikMutants?: MutantState }} MutantGlobals */

const globals = /** @type {MutantGlobals} */ (globalThis);
const env = globals.process?.env;

/** @returns {MutantState} */
const createState = () => ({
  active: Number(env?.['UBIK_MUTANT'] ?? -1),
  limit: Number(env?.['UBIK_MUTANT_LIMIT'] ?? Infinity),
  hits: new Map(),
});

const state = (globals.ubikMutants ??= createState());

/** Counts an execution of a mutant, and returns whether the mutant is active. Throws when the active one exceeds its limit. @param {number} id */
export function isActive(id) {
  const hits = (state.hits.get(id) ?? 0) + 1;
  state.hits.set(id, hits);
  if (id !== state.active) return false;
  if (hits > state.limit) throw new Error('The mutant causes an infinite loop.');
  return true;
}
