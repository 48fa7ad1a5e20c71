import { expect } from '@open-wc/testing';
import { createEnvironment } from '../../src/transport/environment.js';

/** Turns in one stretch: enough that the browser makes nested timers wait for their least time. */
const TURNS = 40;

/** A turn of the loop by a timer, as it would be without a pause. */
const timer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function timeOf(wait: () => Promise<void>): Promise<number> {
  const start = performance.now();
  for (let turn = 0; turn < TURNS; turn += 1) await wait();
  return performance.now() - start;
}

/** How long the first takes in terms of the second: of interleaved stretches the shortest of each counts. */
async function compare(first: () => Promise<void>, second: () => Promise<void>): Promise<number> {
  let [one, other] = [Infinity, Infinity];
  for (let round = 0; round < 8; round += 1) {
    one = Math.min(one, await timeOf(first));
    other = Math.min(other, await timeOf(second));
  }
  return one / other;
}

describe('a pause', () => {
  it('gives the loop its turn in less than half of what a timer takes', async () => {
    expect(await compare(createEnvironment().yieldToEventLoop, timer)).to.be.below(0.5);
  });

  it('is caught when it is a timer', async () => {
    expect(await compare(timer, timer)).to.be.above(0.5);
  });
});
