import { expect } from '@open-wc/testing';
import { measureCostRatio } from './cost-ratio.js';
import { readCpuSeconds } from './cpu-seconds.js';
import { setupController, nextFrame } from '../elements/chat-fixture.js';
import { threadsOf } from '../elements/thread-fixture.js';

/** Permitted cost of ten thousand threads relative to a hundred. */
const LIMIT = 1.3;
/** Screens to scroll per opening. */
const SCREENS = 4;
/** Openings per round, so that the cost is measurable. */
const OPENINGS = 12;

/** A controller with `count` loaded threads. */
function setupThreads(count: number) {
  const { controller, backend } = setupController();
  backend.capabilities.add('threads');
  for (const summary of threadsOf(count))
    controller.setListItem('threads', summary.id, { ...summary });
  return controller;
}

/** Opens a thread list and waits for its rows. */
async function openList(controller: ReturnType<typeof setupThreads>) {
  const list = document.createElement('ubik-thread-list');
  list.controller = controller;
  list.style.height = '400px';
  document.body.append(list);
  let scroller: Element | null | undefined;
  // The module is loaded already; the rows are rendered in one of the next frames.
  while (!scroller) {
    await nextFrame();
    scroller = list.shadowRoot?.querySelector('.thread-scroller:has(.thread)');
  }
  return { list, scroller };
}

/** Opens a thread list and scrolls through its first screens. */
async function openAndScroll(controller: ReturnType<typeof setupThreads>): Promise<void> {
  const { list, scroller } = await openList(controller);
  for (let screen = 0; screen < SCREENS; screen += 1) {
    scroller.scrollTop += 400;
    await nextFrame();
  }
  expect(list.shadowRoot?.querySelectorAll('.thread').length).to.be.at.least(50);
  list.remove();
}

async function costOf(controller: ReturnType<typeof setupThreads>): Promise<number> {
  const start = await readCpuSeconds();
  for (let opening = 0; opening < OPENINGS; opening += 1) await openAndScroll(controller);
  return (await readCpuSeconds()) - start;
}

describe('thread list of ten thousand threads', function () {
  this.timeout(900_000);

  it('opens and scrolls in nearly the same time as a hundred', async () => {
    const few = setupThreads(100);
    const many = setupThreads(10_000);
    await openAndScroll(few);
    await openAndScroll(many);
    const ratio = await measureCostRatio(
      () => costOf(few),
      () => costOf(many),
      { limit: LIMIT },
    );
    expect(ratio).to.be.at.most(LIMIT);
  });

  it('scrolls deep down as fast as near the top, and can be scrolled back', async () => {
    const { list, scroller } = await openList(setupThreads(10_000));
    const rows = () => [...(list.shadowRoot?.querySelectorAll('.thread') ?? [])];
    const numberOf = (row: Element | undefined) => Number(/\d+/.exec(row?.textContent ?? '')?.[0]);
    /** CPU seconds until a row is rendered. */
    const scrollTo = async (wanted: number): Promise<number> => {
      const start = await readCpuSeconds();
      while (numberOf(rows().at(-1)) < wanted) {
        scroller.scrollTop = scroller.scrollHeight;
        await nextFrame();
      }
      return (await readCpuSeconds()) - start;
    };
    /** The minimum over six sections of 500 rows, because interference only adds to the time. */
    const measureFrom = async (first: number): Promise<number> => {
      await scrollTo(first);
      let least = Infinity;
      for (let end = first + 500; end <= first + 3000; end += 500) {
        least = Math.min(least, await scrollTo(end));
      }
      return least;
    };
    const near = await measureFrom(499);
    const deep = await measureFrom(6999);
    expect(deep / near).to.be.at.most(LIMIT);
    expect(rows().length).to.be.at.most(200);
    while (numberOf(rows()[0]) > 0) {
      scroller.scrollTop = 0;
      await nextFrame();
    }
    expect(rows().map(numberOf)).to.deep.equal(rows().map((_, at) => at));
    list.remove();
  });
});
