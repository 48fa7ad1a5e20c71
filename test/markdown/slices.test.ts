import { expect } from '@open-wc/testing';
import { createFrameScheduler } from '../../src/dom/frames.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { createRandom, pickIndex, pickOne, type Random } from '../helpers/seeded-random.js';
import { randomMarkdown } from './random-markdown.js';
import { setupView, renderAtOnce, type ViewSetup } from './setup-view.js';
import { seedsUpTo } from '../helpers/sample.js';

/** Images do not load automatically, because which of many do depends on the chunking. */
const OPTIONS = { urlPolicy: createUrlPolicy() };

type Action = (set: ViewSetup, random: Random) => Promise<void> | undefined;

/** Calls of a view in any order. The first one is listed twice, so that it is more frequent. Promises that they return must resolve. */
const ACTIONS: readonly Action[] = [
  ({ view }, random) => void view.append(randomMarkdown(random, 6)),
  ({ view }, random) => void view.append(randomMarkdown(random, 6)),
  ({ view }, random) => void view.append('word *soft* '.repeat(pickIndex(random, 1500))),
  ({ view }, random) => void view.append(randomMarkdown(random, 4).repeat(pickIndex(random, 40))),
  ({ view }, random) => void view.truncate(pickIndex(random, view.source.length + 1)),
  ({ view }, random) => void view.truncate(view.source.length - pickIndex(random, 40)),
  ({ frames }) => void frames.frame(0),
  ({ frames }, random) => void frames.frame(pickIndex(random, 4)),
  ({ frames }) => void frames.flush(),
  ({ view }) => view.end(),
  ({ view }) => view.whenRendered(),
  ({ view }) => void view.redraw(),
];

/** Fails with the text around the first difference. */
function expectSame(html: string, wanted: string, what: string): void {
  if (html === wanted) return;
  let at = 0;
  while (html.charAt(at) === wanted.charAt(at)) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 200);
  expect.fail(`${what}:\n${around(html)}\nis not\n${around(wanted)}`);
}

/** A view in a window that is hidden, or, with `hidden` false, becomes hidden before the requested frame: frames never fire, timers fire on `tick`. */
function setupHidden(hidden: boolean) {
  const timers: (() => void)[] = [];
  let time = 0;
  const frames = createFrameScheduler({
    document: { hidden },
    // Each call advances the clock by more than the budget of a frame.
    performance: { now: () => (time += 10) },
    requestAnimationFrame: () => 1,
    cancelAnimationFrame: () => undefined,
    setTimeout: (callback) => timers.push(callback),
  });
  const tick = (): boolean => {
    const [due] = timers.splice(0);
    time += 250;
    due?.();
    return due !== undefined;
  };
  return { ...setupView({ ...OPTIONS, frames }), tick };
}

describe('rendering in slices', () => {
  it('equals rendering at once after any appends, truncations and ends', async () => {
    for (const seed of seedsUpTo(100)) {
      const random = createRandom(seed);
      const set = setupView(OPTIONS);
      const { box, view, frames } = set;
      const promises: unknown[] = [];
      for (let step = 0; step < 14; step += 1) promises.push(pickOne(random, ACTIONS)(set, random));
      frames.flush();
      await Promise.all(promises);
      // The view may have ended; appending resumes it in either case.
      view.append('*x* ');
      frames.flush();
      expectSame(box.innerHTML, renderAtOnce(view.source, false, OPTIONS), `seed ${seed}`);
      const ended = view.end();
      frames.flush();
      await ended;
      expectSame(box.innerHTML, renderAtOnce(view.source, true, OPTIONS), `seed ${seed}, ended`);
    }
  });

  it('continues after an end before the requested frame', async () => {
    const { box, view, frames, add } = setupView();
    view.append('one **two');
    await view.end();
    frames.flush();
    add(' three** four ');
    expect(box.innerHTML).to.equal(renderAtOnce('one **two three** four ', false));
  });

  it('continues by timer in a tab that is hidden or becomes hidden before the frame', async () => {
    const text = randomMarkdown(createRandom(3), 60).repeat(20).slice(0, 30_000);
    for (const hidden of [true, false]) {
      const { box, view, tick } = setupHidden(hidden);
      view.append(text);
      const drawn = view.whenRendered();
      let rounds = 0;
      while (tick()) rounds += 1;
      await drawn;
      expect(rounds).to.equal(Math.ceil(text.length / 2048));
      expectSame(box.innerHTML, renderAtOnce(text, false, OPTIONS), 'hidden');
    }
  });

  it('ends in a hidden tab with 2,048 units at once and the rest by timer, until it is truncated', async () => {
    const text = '*soft* word '.repeat(12_000);
    const { box, view, tick } = setupHidden(true);
    view.append(text);
    const ended = view.end();
    expect(box.querySelectorAll('em').length).to.be.within(150, 175);
    tick();
    view.truncate(90_000);
    while (tick());
    await ended;
    void view.end();
    expectSame(box.innerHTML, renderAtOnce(text.slice(0, 90_000), true), 'cut');
  });

  it('stops when the view is disposed and resolves its promises', async () => {
    const { box, view, frames } = setupView();
    view.append('word '.repeat(40_000));
    const ended = view.end();
    const length = box.textContent?.length;
    view.dispose();
    await ended;
    expect(frames.scheduledCount).to.equal(0);
    expect(box.textContent?.length).to.equal(length);
  });

  it('ignores a truncation at or past the end or to NaN, and takes a negative length as 0', () => {
    const { box, view, frames, add } = setupView();
    add('one two');
    for (const at of [NaN, Infinity, 7, 8]) view.truncate(at);
    frames.flush();
    expect([view.source, box.textContent]).to.deep.equal(['one two', 'one two']);
    view.truncate(-5);
    frames.flush();
    expect([view.source, box.textContent]).to.deep.equal(['', '']);
  });
});
