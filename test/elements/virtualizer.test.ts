import { expect } from '@open-wc/testing';
import type { Message } from '../../src/model/message.js';
import { loadsNothing, setupList, type ListHeights } from './message-list-fixture.js';

type List = ReturnType<typeof setupList>;

/** An empty list that has loaded the code for many messages. */
async function setupLoaded(heights?: ListHeights): Promise<List> {
  const fixture = setupList(heights);
  await fixture.show(fixture.create(101));
  await fixture.show([]);
  return fixture;
}

/** Shows many messages, of which only the newest 25 are inserted yet. */
async function setupInsertion(count: number, heights?: ListHeights) {
  const fixture = await setupLoaded(heights);
  const path = fixture.create(count);
  fixture.list.sync(path, loadsNothing);
  expect(fixture.sizes()).to.deep.equal([25]);
  // Adds the groups of the others, like the next frame.
  fixture.list.sync(path, loadsNothing);
  expect(fixture.all('.message').length).to.equal(25);
  return { ...fixture, path };
}

const isPlaceholder = (node: Element | undefined): boolean =>
  node?.classList.contains('placeholder') ?? false;

const topOf = (node: Element | undefined): number => node?.getBoundingClientRect().top ?? NaN;

/** Appends messages, all of which are rendered at once. */
async function append({ show }: List, shown: readonly Message[], added: readonly Message[]) {
  const path = [...shown];
  for (let at = 0; at < added.length; at += 50) {
    path.push(...added.slice(at, at + 50));
    await show(path);
  }
  return path;
}

describe('insertion of many messages', () => {
  it('moves nothing that is read when it continues in a group near the viewport', async () => {
    const { all, frames, intersected, remove, scroller } = await setupInsertion(110);
    // Two messages below the start of the fifth group, which is complete. The ten messages of the fourth group are 37 px higher than estimated.
    scroller.scrollTop = 5555;
    await intersected();
    const read = all('.message').at(-22);
    const top = topOf(read);
    const { scrollTop } = scroller;
    while (all('.message').length < 35) {
      const { length } = all('.message');
      frames.frame(0);
      expect(all('.message').length).to.be.at.most(length + 1);
    }
    expect(all('.placeholder')).to.deep.equal([]);
    expect(topOf(read)).to.equal(top);
    expect(scroller.scrollTop).to.equal(scrollTop + 370);
    remove();
  });

  it('inserts the whole group of a message that is needed early, without moving what is read', async () => {
    const { all, list, path, remove, scroller, sizes } = await setupInsertion(110);
    scroller.scrollTop = 7500;
    const read = all('.message').at(-1);
    const top = topOf(read);
    const rendered = all('.message');
    list.viewOf(path[0]?.key ?? '');
    expect(sizes()).to.deep.equal([25, 0, 0, 0, 25]);
    expect(all('.placeholder').length).to.equal(24);
    expect(topOf(read)).to.equal(top);
    list.viewOf(path[90]?.key ?? '');
    expect(sizes(), 'of a message that is inserted').to.deep.equal([25, 0, 0, 0, 25]);
    list.viewOf(path[75]?.key ?? '');
    expect(sizes()).to.deep.equal([25, 0, 0, 10, 25]);
    expect(all('.message').slice(-25), 'those that were inserted').to.deep.equal(rendered);
    expect(all('.placeholder').length).to.equal(33);
    expect(topOf(read)).to.equal(top);
    remove();
  });

  it('keeps the estimated height of each new group until all its messages are inserted', async () => {
    const { all, create, frames, list, remove, show } = await setupLoaded();
    const heights = (): string[] => all('.group').map(({ style }) => style.minBlockSize);
    // 13 lines of 80 characters; a message is estimated at 40 px plus 23 px for each line.
    const text = 'x'.repeat(1000);
    const path = create(110, { text });
    const full = Array<string>(4).fill(`${String(25 * (40 + 13 * 23))}px`);
    const [eight, ten] = [8, 10].map((count) => `${String(count * (40 + 13 * 23))}px`);
    list.sync(path, loadsNothing);
    expect(all('.message').length, 'at once').to.equal(2);
    list.sync(path, loadsNothing);
    expect(heights()).to.deep.equal([...full, eight, '']);
    frames.flush();
    expect(heights()).to.deep.equal(['', '', '', '', '', '']);
    await show(path.slice(100));
    list.sync(path, loadsNothing);
    expect(heights(), 'before').to.deep.equal([...full, '']);
    const older = create(110, { text });
    await show(path.slice(0, 10));
    list.sync([...path.slice(0, 10), ...older], loadsNothing);
    expect(heights(), 'after').to.deep.equal(['', ...full, ten]);
    frames.flush();
    expect(heights()).to.deep.equal(['', '', '', '', '', '']);
    remove();
  });

  it('adds older messages at once when one of them is needed or the page is printed, and none after they were cleared', async () => {
    const { all, create, frames, list, remove, sizes } = await setupLoaded();
    const path = create(110);
    const open = (): void => {
      list.clear();
      list.sync(path, loadsNothing);
    };
    open();
    expect(list.viewOf('')).to.equal(undefined);
    expect(sizes(), 'when an unknown message is needed').to.deep.equal([25]);
    expect(list.viewOf(path[0]?.key ?? '')?.message).to.equal(path[0]);
    open();
    list.renderForPrint();
    expect(all('.message').filter((node) => !isPlaceholder(node)).length).to.equal(110);
    open();
    list.clear();
    frames.flush();
    expect(all('.message')).to.deep.equal([]);
    remove();
  });

  it('begins another group after an estimated height of 20,000 px', async () => {
    const { create, remove, show, sizes } = await setupLoaded();
    /** A message with a number of lines, whose text ends with a space and a key such as `m102`. */
    const long = (lines: number): Message[] => create(1, { text: 'x'.repeat(lines * 80 - 5) });
    const path = Array.from({ length: 16 }, () => long(50)).flat();
    // 17 messages of 40 px with 840 lines of 23 px.
    path.push(...long(40));
    await show([...path, ...create(30)]);
    expect(sizes()).to.deep.equal([18, 4, 25]);
    remove();
  });

  it('renders for assistive technology also what was inserted early', async () => {
    const { all, frames, list, path, remove } = await setupInsertion(200);
    list.assistive = true;
    list.viewOf(path[30]?.key ?? '');
    frames.flush();
    expect(all('.message').length).to.equal(200);
    expect(all('.placeholder')).to.deep.equal([]);
    const more = await setupLoaded();
    more.list.assistive = true;
    const added = more.create(200);
    more.list.sync(added, loadsNothing);
    more.list.viewOf(added[30]?.key ?? '');
    more.frames.flush();
    expect(more.all('.placeholder'), 'switched on before').to.deep.equal([]);
    more.remove();
    remove();
  });

  it('continues in the next frame, not at once, after a change of the language', async () => {
    const { all, list, frames, remove } = await setupInsertion(200);
    list.redraw();
    expect(all('.message').length).to.equal(25);
    frames.flush();
    expect(all('.message').length).to.equal(200);
    remove();
  });

  it('renders the older messages that are near the viewport when all are inserted', async () => {
    const { all, create, frames, intersected, list, remove, scroller, show } = await setupLoaded();
    const path = create(3);
    await show(path);
    scroller.scrollTop = 0;
    list.sync([...create(60), ...path], loadsNothing);
    await intersected();
    for (let turn = 0; turn < 10; turn += 1) frames.frame(0);
    expect(all('.placeholder').length, 'inserted as placeholders').to.be.within(1, 10);
    frames.flush();
    expect(all('.message').length).to.equal(63);
    expect(all('.message').slice(-13).filter(isPlaceholder)).to.deep.equal([]);
    remove();
  });
});

describe('rendering of placeholders', () => {
  it('continues for assistive technology wherever the viewport is', async () => {
    const { all, create, frames, intersected, list, remove, show } = setupList();
    await show(create(500));
    list.assistive = true;
    await intersected();
    frames.flush();
    expect(all('.placeholder')).to.deep.equal([]);
    remove();
  });

  it('moves what is below when the user opens something, instead of keeping the read message in place', async () => {
    for (const type of ['click', 'input']) {
      const { all, create, intersected, remove, render, scroller, show } = setupList({
        placeholder: 50,
      });
      await show(create(160));
      scroller.scrollTop = 1000;
      await render();
      const [above, read] = [20, 22].map((at) => all('.message')[at]);
      const top = topOf(read);
      above?.dispatchEvent(new Event(type, { bubbles: true }));
      if (above) above.style.height = '170px';
      await intersected();
      await intersected();
      expect(topOf(read), type).to.equal(top + 70);
      remove();
    }
  });
});

describe('return of rendered messages to placeholders', () => {
  it('begins with messages that never were near the viewport, and does not replace the other placeholders', async () => {
    const { all, create, remove, render, scroller, scrollToStart, show } = setupList({
      height: 10,
    });
    await show(create(1200));
    await scrollToStart();
    // The first 1000 messages are near the viewport, the last 100 are rendered.
    scroller.style.height = '4900px';
    const untouched = all('.message').slice(1000, 1100);
    await render();
    expect(all('.placeholder').length).to.equal(200);
    expect(all('.message').slice(0, 1000).filter(isPlaceholder)).to.deep.equal([]);
    expect(all('.message').slice(1000, 1100)).to.deep.equal(untouched);
    remove();
  });

  it('counts messages that were appended, and does not replace older placeholders', async () => {
    const fixture = setupList({ height: 10 });
    const { all, create, intersected, frames, remove, scroller, show } = fixture;
    const path = create(100);
    await show(path);
    const older = create(200);
    await show([...older, ...path]);
    scroller.scrollTop = scroller.scrollHeight;
    await intersected();
    frames.flush();
    const placeholders = all('.placeholder');
    expect(placeholders.length).to.be.within(100, 200);
    const shown = await append(fixture, [...older, ...path], create(1100));
    scroller.scrollTop = scroller.scrollHeight;
    await intersected();
    frames.flush();
    expect(all('.message:not(.placeholder)').length).to.equal(1000);
    expect(all('.message').slice(0, placeholders.length)).to.deep.equal(placeholders);
    const returned = all('.placeholder');
    await append(fixture, shown, create(100));
    scroller.scrollTop = scroller.scrollHeight;
    await intersected();
    frames.flush();
    expect(all('.message:not(.placeholder)').length).to.equal(1000);
    expect(all('.message').slice(0, returned.length)).to.deep.equal(returned);
    remove();
  });

  it('does not count messages of another thread, and keeps exactly 1,000', async () => {
    const { all, create, frames, intersected, list, remove, render, scroller, show } = setupList({
      height: 10,
    });
    scroller.style.height = '5000px';
    await show(create(500));
    await render();
    expect(all('.placeholder')).to.deep.equal([]);
    await show([]);
    scroller.style.height = '300px';
    await show(create(1000));
    list.assistive = true;
    frames.flush();
    list.assistive = false;
    scroller.scrollTop = 5000;
    await intersected();
    frames.flush();
    expect(all('.placeholder')).to.deep.equal([]);
    remove();
  });

  it('spares the messages that were visible last', async () => {
    const { all, create, frames, list, intersected, remove, scroller, show } = setupList({
      height: 10,
    });
    await show(create(1025));
    list.assistive = true;
    frames.flush();
    list.assistive = false;
    const visit = async (top: number): Promise<number[]> => {
      scroller.scrollTop = top;
      await intersected();
      frames.flush();
      return all('.group').flatMap((group, at) => (group.querySelector('.placeholder') ? at : []));
    };
    const [first = -1, ...others] = await visit(0);
    expect([first > 2, others]).to.deep.equal([true, []]);
    // Renders this group again. The groups before it, which were visible at the first position, are spared.
    const [next = -1] = await visit(first * 250 + 100);
    expect(next).to.be.above(first);
    remove();
  });

  for (const isInterrupted of [false, true]) {
    it(`spares the messages near the viewport when ${isInterrupted ? 'some' : 'all'} others were rendered for assistive technology before`, async () => {
      const { all, create, frames, list, intersected, remove, scroller, show } = setupList({
        height: 10,
      });
      await show(create(1025));
      scroller.scrollTop = 0;
      await intersected();
      frames.flush();
      list.assistive = true;
      if (isInterrupted) frames.frame(0);
      else frames.flush();
      list.assistive = false;
      frames.flush();
      expect(all('.placeholder'), 'before their positions are known').to.deep.equal([]);
      // Another group comes near the viewport.
      scroller.scrollTop = 200;
      await intersected();
      frames.flush();
      const near = all('.group').slice(0, 4);
      expect(near.flatMap((group) => [...group.querySelectorAll('.placeholder')])).to.deep.equal(
        [],
      );
      expect(all('.placeholder').length).to.equal(25);
      remove();
    });
  }
});
