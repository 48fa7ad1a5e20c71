import { availableParallelism } from 'node:os';

/**
 * Works on all of them, as many at a time as there are cores.
 *
 * @template T, R
 * @param {readonly T[]} all
 * @param {(one: T) => Promise<R>} work
 * @returns {Promise<R[]>} in the order in which they were given
 */
export async function inLanes(all, work) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const lane = async () => {
    while (next < all.length) {
      const at = next++;
      results[at] = await work(/** @type {T} */ (all[at]));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return results;
}
