import { availableParallelism } from 'node:os';

/**
 * Calls an asynchronous function for each item, for as many items at a time as there are cores.
 *
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<R>} callback
 * @returns {Promise<R[]>} the results, in the order of the items
 */
export async function mapConcurrently(items, callback) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await callback(/** @type {T} */ (items[at]));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}
