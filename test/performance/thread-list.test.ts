import { expect } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';
import { setupController, nextFrame } from '../elements/chat-stage.js';
import { threadsOf } from '../elements/thread-stage.js';

/** How much dearer ten thousand conversations may be than a hundred. */
const MOST = 1.3;
/** Screens that are scrolled through. */
const SCREENS = 4;
/** Times that each list is opened in one round, so that there is something to measure. */
const OPENINGS = 12;

const cpuSeconds = (): Promise<number> => executeServerCommand('cpu-seconds');

/** A controller that holds so many threads already, as of an earlier list in the page. */
function setupHeld(count: number) {
  const { controller, backend } = setupController();
  backend.capabilities.add('threads' as never);
  for (const summary of threadsOf(count))
    controller.setListItem('threads', summary.id, { ...summary });
  return controller;
}

/** A list in the page, with its rows. */
async function openList(controller: ReturnType<typeof setupHeld>) {
  const list = document.createElement('ubik-thread-list');
  list.controller = controller;
  list.style.height = '400px';
  document.body.append(list);
  let scroller: Element | null | undefined;
  // Its file is there already: it comes with one of the next frames.
  while (!scroller) {
    await nextFrame();
    scroller = list.shadowRoot?.querySelector('.thread-scroller:has(.thread)');
  }
  return { list, scroller };
}

/** Opens a list and scrolls through its beginning. */
async function use(controller: ReturnType<typeof setupHeld>): Promise<void> {
  const { list, scroller } = await openList(controller);
  for (let screen = 0; screen < SCREENS; screen += 1) {
    scroller.scrollTop += 400;
    await nextFrame();
  }
  expect(list.shadowRoot?.querySelectorAll('.thread').length).to.be.at.least(50);
  list.remove();
}

async function costOf(controller: ReturnType<typeof setupHeld>): Promise<number> {
  const start = await cpuSeconds();
  for (let time = 0; time < OPENINGS; time += 1) await use(controller);
  return (await cpuSeconds()) - start;
}

describe('ten thousand conversations', function () {
  this.timeout(900_000);

  it('cost hardly more to open and to scroll than a hundred', async () => {
    const few = setupHeld(100);
    const many = setupHeld(10_000);
    await use(few);
    await use(many);
    let [least, most, ratio] = [Infinity, Infinity, Infinity];
    for (let round = 0; round < 12 && ratio > MOST; round += 1) {
      least = Math.min(least, await costOf(few));
      most = Math.min(most, await costOf(many));
      ratio = most / least;
    }
    expect(ratio).to.be.at.most(MOST);
  });

  it('cost the same to scroll deep down as near the beginning, and can be scrolled back', async () => {
    const { list, scroller } = await openList(setupHeld(10_000));
    const rows = () => [...(list.shadowRoot?.querySelectorAll('.thread') ?? [])];
    const numberOf = (row: Element | undefined) => Number(/\d+/.exec(row?.textContent ?? '')?.[0]);
    /** CPU seconds until a row is there. */
    const scrollTo = async (wanted: number): Promise<number> => {
      const start = await cpuSeconds();
      while (numberOf(rows().at(-1)) < wanted) {
        scroller.scrollTop = scroller.scrollHeight;
        await nextFrame();
      }
      return (await cpuSeconds()) - start;
    };
    /** The least of six lengths of 500 rows: what else the machine does only adds to some of them. */
    const leastFrom = async (first: number): Promise<number> => {
      await scrollTo(first);
      let least = Infinity;
      for (let end = first + 500; end <= first + 3000; end += 500) {
        least = Math.min(least, await scrollTo(end));
      }
      return least;
    };
    const near = await leastFrom(499);
    const deep = await leastFrom(6999);
    expect(deep / near).to.be.at.most(MOST);
    expect(rows().length).to.be.at.most(200);
    while (numberOf(rows()[0]) > 0) {
      scroller.scrollTop = 0;
      await nextFrame();
    }
    expect(rows().map(numberOf)).to.deep.equal(rows().map((_, at) => at));
    list.remove();
  });
});
