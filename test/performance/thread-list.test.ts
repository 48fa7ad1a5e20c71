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
    const controller = setupThreads(10_000);
    const near = await openList(controller);
    const deep = await openList(controller);
    const rowsOf = ({ list }: typeof near) => [
      ...(list.shadowRoot?.querySelectorAll('.thread') ?? []),
    ];
    const numberOf = (row: Element | undefined) => Number(/\d+/.exec(row?.textContent ?? '')?.[0]);
    /** CPU seconds until a row is rendered. */
    const scrollTo = async (opened: typeof near, wanted: number): Promise<number> => {
      const start = await readCpuSeconds();
      while (numberOf(rowsOf(opened).at(-1)) < wanted) {
        opened.scroller.scrollTop = opened.scroller.scrollHeight;
        await nextFrame();
      }
      return (await readCpuSeconds()) - start;
    };
    /** Scrolls to a row. Returns the function that measures the next 500 rows. */
    const measureFrom = async (opened: typeof near, first: number) => {
      await scrollTo(opened, first);
      let end = first;
      return () => scrollTo(opened, (end += 500));
    };
    const ratio = await measureCostRatio(
      await measureFrom(near, 499),
      await measureFrom(deep, 5999),
      { limit: LIMIT, minRounds: 3, rounds: 8 },
    );
    expect(ratio).to.be.at.most(LIMIT);
    const { list, scroller } = deep;
    const rows = () => rowsOf(deep);
    expect(rows().length).to.be.at.most(200);
    while (numberOf(rows()[0]) > 0) {
      scroller.scrollTop = 0;
      await nextFrame();
    }
    expect(rows().map(numberOf)).to.deep.equal(rows().map((_, at) => at));
    list.remove();
    near.list.remove();
  });
});
