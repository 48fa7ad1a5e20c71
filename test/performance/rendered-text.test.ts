import { expect } from '@open-wc/testing';
import { readRenderedText } from '../../src/message/rendered-text.js';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';

/** Eight times the input may cost twice as much per character. */
const LIMIT = 16;
/** Seconds below which garbage collection outweighs the input. */
const FLOOR = 0.01;

async function costOf(length: number): Promise<number> {
  const code = document.createElement('pre');
  code.textContent = `${' '.repeat(length)}a`;
  const start = await readCpuSeconds();
  readRenderedText(code);
  return (await readCpuSeconds()) - start;
}

describe('the time to read a rendered text', function () {
  this.timeout(900_000);

  it('grows linearly with a run of spaces in code', async () => {
    const growth = await measureCostRatio(
      () => costOf(5000),
      () => costOf(40_000),
      { limit: LIMIT, rounds: 6, floor: FLOOR },
    );
    expect(growth).to.be.lessThan(LIMIT);
  });
});
