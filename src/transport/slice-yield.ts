import type { Environment } from './environment.js';

/** Ends a slice of long work: returns a promise to await when its time is used up, otherwise undefined. */
export type SliceYield = () => Promise<void> | undefined;

/** Time of a slice in ms: half of a frame, so that the other half is left for rendering. */
const SLICE_BUDGET = 8;

/**
 * Divides long work into slices of up to `budget` ms. Between two slices, the event loop handles input, rendering and network. Call the
 * returned function after each small step.
 *
 * @example
 * const yieldSlice = createSliceYield(environment);
 * for (const message of messages) {
 *   convert(message);
 *   const yielding = yieldSlice();
 *   if (yielding) await yielding;
 * }
 */
export function createSliceYield(
  environment: Pick<Environment, 'monotonic' | 'yieldToEventLoop'>,
  budget = SLICE_BUDGET,
): SliceYield {
  let started = environment.monotonic();
  const yieldNow = async (): Promise<void> => {
    await environment.yieldToEventLoop();
    started = environment.monotonic();
  };
  return () => (environment.monotonic() - started < budget ? undefined : yieldNow());
}
