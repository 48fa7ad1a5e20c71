import { expect } from '@open-wc/testing';
import '../../src/elements/ubik-message.js';
import { nextFrame } from '../elements/chat-fixture.js';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';

/** Permitted cost of an element among {@link MANY} relative to one among {@link FEW}. */
const LIMIT = 2;
const FEW = 50;
const MANY = 400;

/** CPU seconds per element of a page that inserts `count` elements in one task. */
async function costOf(count: number): Promise<number> {
  const start = await readCpuSeconds();
  for (let shown = 0; shown < MANY; shown += count) {
    const elements = Array.from({ length: count }, () => document.createElement('ubik-message'));
    for (const element of elements) element.content = 'An answer.';
    document.body.append(...elements);
    await Promise.all(elements.map((element) => element.updateComplete));
    await nextFrame();
    for (const element of elements) element.remove();
  }
  return ((await readCpuSeconds()) - start) / MANY;
}

describe('page with hundreds of elements', function () {
  this.timeout(900_000);

  it(`renders each of ${MANY} elements in at most ${LIMIT} times the time of each of ${FEW}`, async () => {
    await costOf(FEW);
    const ratio = await measureCostRatio(
      () => costOf(FEW),
      () => costOf(MANY),
      { limit: LIMIT },
    );
    expect(ratio).to.be.at.most(LIMIT);
  });
});
