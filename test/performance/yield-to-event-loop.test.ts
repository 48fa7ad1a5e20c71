import { expect } from '@open-wc/testing';
import { createEnvironment } from '../../src/transport/environment.js';
import { isExhaustive } from '../helpers/sample.js';
import { measureCostRatio } from './cost-ratio.js';

/** Turns per measurement: enough that the browser delays nested timers by their minimum of 4 ms. */
const TURNS = 40;

/** Yields by a timer, for comparison. */
const yieldByTimer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function timeOf(wait: () => Promise<void>): Promise<number> {
  const start = performance.now();
  for (let turn = 0; turn < TURNS; turn += 1) await wait();
  return performance.now() - start;
}

/**
 * Duration of the subject relative to the baseline: the minimum of each over interleaved rounds. All rounds are measured, because no ratio
 * is below the limit of an early stop.
 */
const compare = (subject: () => Promise<void>, baseline: () => Promise<void>): Promise<number> =>
  measureCostRatio(
    () => timeOf(baseline),
    () => timeOf(subject),
    { limit: 0, rounds: 8 },
  );

describe('yieldToEventLoop', () => {
  it('takes less than half the time of a timer', async () => {
    expect(await compare(createEnvironment().yieldToEventLoop, yieldByTimer)).to.be.below(0.5);
  });

  (isExhaustive ? it : it.skip)('fails the measurement when it is a timer', async () => {
    expect(await compare(yieldByTimer, yieldByTimer)).to.be.above(0.5);
  });
});
