/**
 * Bundled into code with mutants, in Node and in pages: says which mutant is on, and counts how often each was come by.
 *
 * @typedef {object} MutantState
 * @property {number} on the number of the mutant; -1 for none
 * @property {number} limit how often it may be come by before it counts as a loop without an end
 * @property {Map<number, number>} hits of each mutant so far
 */

/** @typedef {{ process?: NodeJS.Process, ubikMutants?: MutantState }} Place */

const place = /** @type {Place} */ (globalThis);
const env = place.process?.env;

/** @returns {MutantState} */
const createState = () => ({
  on: Number(env?.['UBIK_MUTANT'] ?? -1),
  limit: Number(env?.['UBIK_MUTANT_LIMIT'] ?? Infinity),
  hits: new Map(),
});

const state = (place.ubikMutants ??= createState());

/** Whether a mutant is on. Throws when it has been come by without end. @param {number} id */
export function isOn(id) {
  const hits = (state.hits.get(id) ?? 0) + 1;
  state.hits.set(id, hits);
  if (id !== state.on) return false;
  if (hits > state.limit) throw new Error('The mutant loops without an end.');
  return true;
}
