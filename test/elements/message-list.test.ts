import { expect } from '@open-wc/testing';
import { element } from '../../src/dom/element.js';
import { ContainmentBoxes } from '../../src/elements/transcript/containment-boxes.js';
import { findLocale } from '../../src/locales/locale.js';
import { lazyRunSummary } from '../../src/message/message-view.js';
import type { Change } from '../../src/model/change.js';
import type { Message } from '../../src/model/message.js';
import { part, step } from '../message/message-fixture.js';
import { loadsNothing, setupList, textsOf } from './message-list-fixture.js';

/** Records the groups that intersection observers observe. */
function recordObservedGroups() {
  const groups: Element[] = [];
  const { prototype } = IntersectionObserver;
  const { observe, unobserve } = prototype;
  prototype.observe = function (target) {
    if (target.classList.contains('group')) groups.push(target);
    observe.call(this, target);
  };
  prototype.unobserve = function (target) {
    const at = groups.indexOf(target);
    if (at >= 0) groups.splice(at, 1);
    unobserve.call(this, target);
  };
  return { groups, restore: () => Object.assign(prototype, { observe, unobserve }) };
}

describe('message list', () => {
  it('loads no code for up to 100 new messages, and measures nothing while it appends', () => {
    const { create, list, measured, remove, texts, sizes } = setupList();
    const path = create(161);
    expect(list.sync(path.slice(0, 100), loadsNothing)).to.equal(100);
    expect(list.sync(path.slice(0, 100), loadsNothing)).to.equal(0);
    expect(list.sync(path, loadsNothing)).to.equal(61);
    expect(texts()).to.deep.equal(textsOf(path));
    expect(sizes()).to.deep.equal([25, 25, 25, 25, 25, 25, 11]);
    expect(measured()).to.equal(0);
    remove();
  });

  it('loads no code for up to 65,536 UTF-16 units of new text', async () => {
    const { create, list, remove } = setupList();
    // The fixture appends a space and the key to the text.
    const path = create(1, { text: 'x'.repeat(65_536 - ' m1'.length) });
    expect(list.sync(path, loadsNothing)).to.equal(1);
    path.push(...create(2));
    expect(list.sync(path, loadsNothing), 'added').to.equal(2);
    path.push(...create(1, { text: 'x'.repeat(65_537 - ' m4'.length) }));
    await new Promise<void>((resolve) => {
      expect(list.sync(path, resolve)).to.equal(null);
    });
    remove();
  });

  it('renders its strings again at once, or first loads the code that keeps the scroll position', async () => {
    const { create, list, remove } = setupList();
    const path = create(2);
    list.sync(path, loadsNothing);
    let redrawn = 0;
    for (const { key } of path) {
      const view = list.viewOf(key);
      if (view) view.redraw = () => void (redrawn += 1);
    }
    list.redraw();
    expect(redrawn).to.equal(2);
    list.redraw(true);
    while (redrawn === 2) await new Promise(requestAnimationFrame);
    expect(redrawn).to.equal(4);
    list.redraw(true);
    expect(redrawn, 'loaded').to.equal(6);
    remove();
  });

  it('keeps the messages that two branches share, and lets the browser skip all groups but the last', async () => {
    const { all, avatars, create, remove, show, sizes, texts, column } = setupList();
    const skippable = (): boolean[] =>
      all('.group').map((group) => group.classList.contains('skippable'));
    const path = create(60);
    await show(path);
    expect(skippable()).to.deep.equal([true, true, false]);
    const shown = all('.message');
    await show(path.slice(0, 30));
    expect(all('.message')).to.deep.equal(shown.slice(0, 30));
    expect([sizes(), skippable(), avatars()]).to.deep.equal([[25, 5], [true, false], 30]);
    const branch = [...path.slice(0, 30), ...create(25)];
    expect(await show(branch)).to.equal(25);
    expect([sizes(), skippable()]).to.deep.equal([
      [25, 25, 5],
      [true, true, false],
    ]);
    expect(texts()).to.deep.equal(textsOf(branch));
    expect(all('.message').slice(0, 30)).to.deep.equal(shown.slice(0, 30));
    const others = create(3);
    const [last] = branch.slice(-1);
    await show([...others, last as Message]);
    expect(texts(), 'only the last message is the same').to.deep.equal(
      textsOf([...others, last as Message]),
    );
    await show([]);
    expect([column.childElementCount, avatars()]).to.deep.equal([0, 0]);
    remove();
  });

  it('finds views, messages and the first visible message', async () => {
    const { create, list, remove, scroller, show, nodeOf, run, texts, thread } = setupList();
    expect([list.firstVisible, list.viewOf('m1'), list.messageAt(scroller)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    const path = create(10);
    await show(path);
    const first = (top: number): string | undefined => {
      scroller.scrollTop = top;
      return list.firstVisible?.key;
    };
    expect([0, 98, 99, 100, 200].map(first)).to.deep.equal(['m1', 'm1', 'm2', 'm2', 'm3']);
    expect(list.messageAt(nodeOf(path[4] as Message) as Element)?.key).to.equal('m5');
    expect(list.messageAt(scroller)).to.equal(undefined);
    // A message of another branch.
    const [other] = create(1);
    const change: Change = { type: 'text', message: 'm11', part: 'text', at: 0, text: 'Else' };
    run(change);
    list.apply(change, other as Message);
    expect(texts()).to.deep.equal(textsOf(path));
    run({ type: 'set', message: 'm5', part: null, path: ['id'], value: 'the id' });
    expect(list.messageAt(nodeOf(path[4] as Message) as Element)?.id).to.equal('the id');
    scroller.scrollTop = 400;
    expect(list.firstVisible?.id).to.equal('the id');
    expect(thread().messages.get('m5')?.id).to.equal('the id');
    remove();
  });

  it('updates its views when a run starts, is being stopped and ends, the newest first, within the time of a frame', async () => {
    const { create, frames, list, remove, run, show, thread } = setupList();
    const path = create(3);
    await show(path);
    const updated: string[] = [];
    for (const { key } of path) {
      const view = list.viewOf(key);
      if (view) view.updateRun = () => void updated.push(key);
    }
    const setRun = (state: string): void => {
      run({ type: 'thread', set: { run: { state } } } as Change);
      list.updateRun(thread());
    };
    setRun('idle');
    expect(frames.scheduledCount, 'nothing has changed').to.equal(0);
    setRun('streaming');
    expect(updated).to.deep.equal([]);
    frames.frame(0);
    expect(updated).to.deep.equal(['m3']);
    frames.frame(1);
    expect(updated).to.deep.equal(['m3', 'm2', 'm1']);
    expect(frames.scheduledCount).to.equal(0);
    setRun('stalled');
    expect(frames.scheduledCount, 'still running').to.equal(0);
    for (const state of ['stopping', 'stopped']) {
      setRun(state);
      expect(frames.scheduledCount, state).to.equal(1);
      frames.frame();
    }
    expect(updated.length).to.equal(9);
    list.updateRun(null);
    expect(frames.scheduledCount, 'no thread').to.equal(0);
    remove();
  });

  it('replaces static content with the first messages, not before', async () => {
    const { create, host, remove, show } = setupList();
    const fixed = element('div');
    fixed.setAttribute('data-static', '');
    host.shadowRoot?.append(fixed);
    await show([]);
    expect(fixed.isConnected).to.equal(true);
    await show(create(1));
    expect(fixed.isConnected).to.equal(false);
    remove();
  });

  it('replaces static content when all messages of a long thread are inserted', async () => {
    const { all, create, frames, host, list, remove, show } = setupList();
    // Loads the code that inserts many messages.
    await show(create(101));
    await show([]);
    const fixed = element('div');
    fixed.setAttribute('data-static', '');
    host.shadowRoot?.append(fixed);
    list.sync(create(110), loadsNothing);
    while (all('.message').length < 105) frames.frame(0);
    expect(fixed.isConnected).to.equal(true);
    frames.flush();
    expect(fixed.isConnected).to.equal(false);
    expect(all('.group').map((group) => group.classList.contains('skippable'))).to.deep.equal([
      ...Array<boolean>(4).fill(true),
      false,
    ]);
    remove();
  });
});

describe('message list with work before an answer', () => {
  let value: typeof lazyRunSummary.value;
  beforeEach(async () => {
    value = await lazyRunSummary.load();
  });
  afterEach(() => {
    Reflect.deleteProperty(lazyRunSummary, 'load');
    lazyRunSummary.value = value;
  });

  /** Adds a step to the last of some messages. */
  const addWork = (path: readonly Message[], run: (change: Change) => unknown): void => {
    const message = path.at(-1)?.key ?? '';
    run({ ...part('step', step(1), null, 'text'), message } as Change);
  };

  it('loads its summary first, unless it is loaded or the answer is unfinished', async () => {
    const { create, list, remove, run } = setupList();
    const shown = create(2);
    addWork(shown, run);
    expect(list.sync(shown, loadsNothing), 'loaded').to.equal(2);
    lazyRunSummary.value = undefined;
    const path = [...shown, ...create(1, { role: 'user' })];
    expect(list.sync(path, loadsNothing), 'without work').to.equal(1);
    const [unfinished] = create(1, { status: 'streaming' });
    path.push(unfinished as Message);
    addWork(path, run);
    expect(list.sync(path, loadsNothing), 'unfinished').to.equal(1);
    let loads = 0;
    lazyRunSummary.load = () => {
      loads += 1;
      lazyRunSummary.value = value;
      return Promise.resolve(value as NonNullable<typeof value>);
    };
    path.push(...create(2));
    addWork(path, run);
    await new Promise<void>((resolve) => {
      expect(list.sync(path, resolve)).to.equal(null);
    });
    expect(loads).to.equal(1);
    expect(list.sync(path, loadsNothing)).to.equal(2);
    remove();
  });

  it('shows the work in full when the summary cannot be loaded', async () => {
    const { all, create, frames, list, remove, run } = setupList();
    const path = create(1);
    addWork(path, run);
    lazyRunSummary.value = undefined;
    lazyRunSummary.load = () => Promise.reject(new Error('Broken'));
    await new Promise<void>((resolve) => {
      expect(list.sync(path, resolve)).to.equal(null);
    });
    expect(list.sync(path, loadsNothing)).to.equal(1);
    frames.flush();
    expect([all('.step').length, all('.run').length]).to.deep.equal([1, 0]);
    path.push(...create(1));
    addWork(path, run);
    expect(list.sync(path, loadsNothing), 'not tried again').to.equal(1);
    remove();
  });
});

describe('message list with placeholders', () => {
  it('observes each group once, and none that was removed', async () => {
    const { groups, restore } = recordObservedGroups();
    try {
      const { all, create, remove, show } = setupList();
      const older = create(60);
      const path = create(60);
      await show(path);
      expect(groups, 'not needed yet').to.deep.equal([]);
      await show([...older, ...path]);
      expect(groups.length).to.equal(all('.group').length);
      expect(all('.group').filter((group) => !groups.includes(group))).to.deep.equal([]);
      const branch = [...older, ...path.slice(0, 10), ...create(40)];
      await show(branch);
      expect(all('.group').filter((group) => !groups.includes(group))).to.deep.equal([]);
      expect(groups.length).to.equal(all('.group').length);
      await show([]);
      expect(groups).to.deep.equal([]);
      remove();
    } finally {
      restore();
    }
  });

  it('inserts older messages in groups and boxes, with an estimate of their heights', async () => {
    const { all, column, create, frames, measured, remove, show, texts, sizes } = setupList();
    // Two lines of 80 characters.
    const older = create(400, { text: 'x'.repeat(76) });
    const path = create(30);
    await show(path);
    const shown = all('.message');
    expect(await show([...older, ...path])).to.equal(0);
    expect(all('.message').slice(400)).to.deep.equal(shown);
    expect(texts().slice(0, 400)).to.deep.equal(older.map(({ key }) => `${'x'.repeat(76)} ${key}`));
    expect(sizes()).to.deep.equal([...Array<number>(17).fill(25), 5]);
    const nested = [...column.children].map((outer) =>
      [...outer.children].map(({ childElementCount }) => childElementCount),
    );
    expect(nested).to.deep.equal([[8, 8], [2]]);
    const groups = all('.group');
    expect(groups.map((group) => group.classList.contains('skippable'))).to.deep.equal([
      ...Array<boolean>(17).fill(true),
      false,
    ]);
    const heightOf = (node: HTMLElement | null | undefined): string | undefined =>
      node?.style.containIntrinsicBlockSize;
    // 40 px around the text and 23 px for each line.
    const characters = 76 + ' m100'.length;
    const height = 40 + 23 * Math.ceil(characters / 80);
    expect(height).to.equal(86);
    expect(heightOf(groups[8])).to.equal(`auto ${String(25 * height)}px`);
    expect(heightOf(groups[8]?.parentElement)).to.equal(`auto ${String(200 * height)}px`);
    expect(heightOf(groups[16]), 'rendered').to.equal('');
    frames.flush();
    const before = measured();
    await show([...older, ...path, ...create(1)]);
    expect(measured(), 'appended').to.equal(before);
    remove();
  });

  it('leaves no space for messages that are removed before they are inserted', async () => {
    const { all, create, frames, list, remove, show } = setupList();
    const path = create(10);
    const added = create(150);
    // Loads the code that inserts many messages.
    await show([...path, ...added]);
    await show(path);
    list.sync([...path, ...added], loadsNothing);
    // Inserts some messages of the second new group.
    while (all('.message').length <= 35) frames.frame(2);
    const inserted = all('.message').length - path.length;
    expect(inserted).to.be.below(50);
    await show([...path, ...added.slice(0, inserted)]);
    frames.flush();
    expect(all('.group').map(({ style }) => style.minBlockSize)).to.deep.equal(['', '', '']);
    remove();
  });

  it('renders all messages, in order, when the code of the placeholders fails without IntersectionObserver', async () => {
    const own = Object.getOwnPropertyDescriptor(window, 'IntersectionObserver');
    Object.defineProperty(window, 'IntersectionObserver', { configurable: true, value: undefined });
    try {
      const { all, create, list, remove, show, texts } = setupList();
      const older = create(10);
      const path = create(130);
      expect(await show(path)).to.equal(130);
      expect(all('.placeholder')).to.deep.equal([]);
      expect(list.sync([...older, ...path], loadsNothing), 'not tried again').to.equal(140);
      expect(texts()).to.deep.equal(textsOf([...older, ...path]));
      list.renderForPrint();
      list.redraw();
      list.redraw(true);
      remove();
    } finally {
      Object.defineProperty(window, 'IntersectionObserver', own ?? {});
    }
  });

  it('renders every message for assistive technology, also older ones and those added later', async () => {
    const { all, create, frames, list, remove, show } = setupList();
    list.assistive = true;
    const path = create(130);
    await show(path);
    expect(all('.placeholder'), 'at first').to.deep.equal([]);
    const older = create(50);
    await show([...older, ...path]);
    frames.flush();
    expect(all('.placeholder'), 'older').to.deep.equal([]);
    expect(all('.skippable')).to.deep.equal([]);
    list.assistive = false;
    expect(all('.skippable').length).to.be.above(0);
    const oldest = create(500);
    await show([...oldest, ...older, ...path]);
    expect(all('.placeholder').length).to.be.above(400);
    list.assistive = true;
    frames.flush();
    expect(all('.placeholder'), 'switched on').to.deep.equal([]);
    remove();
  });

  it('prepares views within the time of a frame, and drops those that are not needed any more', async () => {
    const fixture = setupList();
    const { all, avatars, create, frames, list, observed, remove, run } = fixture;
    const { scrollToStart, show, thread } = fixture;
    const path = create(200);
    await show(path);
    expect(all('.placeholder').length).to.equal(100);
    await scrollToStart();
    await observed();
    const rendered = avatars();
    frames.frame(2);
    expect([all('.placeholder').length, avatars() - rendered], 'prepared').to.deep.equal([100, 2]);
    frames.frame(10);
    expect(all('.placeholder').length, 'inserted').to.equal(98);
    expect(avatars() - rendered)
      .to.be.above(2)
      .and.below(25);
    // The prepared messages are the last ones of the first group.
    const [key = ''] = path.slice(22, 23).map((message) => message.key);
    const change: Change = { type: 'text', message: key, part: 'text', at: 0, text: 'Changed' };
    run(change);
    list.apply(change, thread().messages.get(key) as Message);
    expect(all('.placeholder').length, 'rendered by a change').to.equal(97);
    frames.flush();
    const nodes = all('.message');
    expect(nodes.length).to.equal(200);
    expect(nodes[22]?.textContent.trim()).to.equal('Changed');
    expect(nodes[21]?.textContent.trim()).to.equal('Text m22');
    expect([all('.placeholder').length, avatars()]).to.deep.equal([75, 125]);
    remove();
    expect(avatars()).to.equal(0);
  });

  it('renders the placeholders of a group from which views were removed', async () => {
    const { all, avatars, create, list, remove, render, scroller, show } = setupList();
    const path = create(200);
    await show(path);
    // Renders the placeholders of these messages.
    for (const { key } of path.slice(30, 40)) list.viewOf(key);
    await show(path.slice(0, 30));
    expect([all('.placeholder').length, avatars()]).to.deep.equal([30, 0]);
    scroller.scrollTop = scroller.scrollHeight;
    await render();
    expect([all('.placeholder').length, avatars()]).to.deep.equal([0, 30]);
    remove();
  });

  it('drops prepared views of messages that were removed', async () => {
    const { all, avatars, create, frames, observed, remove, scrollToStart, show } = setupList();
    const rendered = (): number => all('.message:not(.placeholder)').length;
    await show(create(200));
    await scrollToStart();
    await observed();
    frames.frame(5);
    expect(avatars(), 'prepared').to.be.above(rendered());
    await show(create(150));
    await scrollToStart();
    await observed();
    frames.flush();
    expect(avatars()).to.equal(rendered());
    remove();
  });

  for (const [event, change] of [
    ['when the language changes', ({ list }) => list.redraw()],
    [
      'when a run starts',
      ({ list, run, thread }) => {
        run({ type: 'thread', set: { run: { state: 'streaming' } } });
        list.updateRun(thread());
      },
    ],
    ['when it is cleared', ({ list }) => list.clear()],
  ] satisfies [string, (fixture: ReturnType<typeof setupList>) => void][]) {
    it(`drops prepared views ${event}, because they would be outdated`, async () => {
      const fixture = setupList();
      const { all, avatars, create, frames, observed, remove, scrollToStart, show } = fixture;
      await show(create(200));
      await scrollToStart();
      await observed();
      frames.frame(2);
      const rendered = (): number => all('.message:not(.placeholder)').length;
      expect(avatars(), 'prepared').to.be.above(rendered());
      change(fixture);
      expect(avatars()).to.equal(rendered());
      frames.flush();
      expect([avatars(), all('.group:first-child .placeholder').length]).to.deep.equal([
        rendered(),
        0,
      ]);
      remove();
    });
  }

  for (const [name, top, place] of [
    ['that starts at the upper edge', 1000, 0],
    ['that starts below the upper edge', 1010, 40],
    ['that fills the viewport', 1050, -50],
  ] as const) {
    it(`keeps the message ${name} in place while others are rendered`, async () => {
      const isFilled = place < 0;
      const { all, create, render, remove, scroller, show } = setupList({
        placeholder: isFilled ? 1000 : 50,
        height: 80,
      });
      const path = create(160);
      await show(path);
      scroller.style.height = isFilled ? '950px' : '300px';
      scroller.scrollTop = top;
      const edge = scroller.getBoundingClientRect().top;
      const placeOf = (at: number): number =>
        (all('.message')[at]?.getBoundingClientRect().top ?? NaN) - edge;
      const at = isFilled ? 1 : 20 + (place > 0 ? 1 : 0);
      expect(placeOf(at)).to.equal(place);
      expect(all('.message')[at]?.classList.contains('placeholder')).to.equal(true);
      await render();
      expect(all('.message')[at]?.classList.contains('placeholder')).to.equal(false);
      expect(placeOf(at)).to.equal(place);
      remove();
    });
  }

  it('renders the newest 1,000 messages for printing, and leaves older ones as placeholders', async () => {
    const { all, create, list, remove, show } = setupList({ height: 1 });
    await show(create(1025));
    expect(all('.placeholder').length).to.equal(925);
    list.renderForPrint();
    const messages = all('.message');
    expect(all('.placeholder')).to.deep.equal(messages.slice(0, 25));
    remove();
  });

  it('makes placeholders of distant messages again after printing, the oldest first', async () => {
    const { all, create, frames, list, remove, render, scrollToStart, show } = setupList({
      height: 10,
    });
    await show(create(1025));
    await scrollToStart();
    await render();
    const near = all('.group')
      .filter((group) => !group.querySelector('.placeholder'))
      .slice(0, -4);
    expect(near.length).to.be.within(1, 36);
    list.renderForPrint();
    expect(all('.placeholder'), 'printed').to.deep.equal([]);
    frames.flush();
    const oldestDistant = all('.group')[near.length];
    expect(all('.placeholder')).to.deep.equal([...(oldestDistant?.children ?? [])]);
    remove();
  });

  it('makes placeholders only of messages outside of the viewport', async () => {
    const { all, create, render, remove, show } = setupList({ height: 0.5 });
    await show(create(1025));
    await render();
    expect(all('.placeholder')).to.deep.equal([]);
    remove();
  });

  it('makes placeholders of the messages that left the viewport longest ago, unless they are in use', async () => {
    const fixture = setupList({ height: 10 });
    const { all, avatars, create, frames, list, measured, remove, render, run, scroller } = fixture;
    const { show, thread } = fixture;
    const path = create(1025);
    await show(path);
    scroller.scrollTop = scroller.scrollHeight;
    await render();
    // In the order in which they leave the viewport: `clicked`, `focused`, `selected`, `free`, and all others.
    const [free, , focused, selected, clicked] = all('.group').slice(-5);
    if (!clicked || !focused || !selected || !free) throw new Error('Groups are missing.');
    (clicked.firstElementChild as HTMLElement).click();
    const inside = focused.firstElementChild as HTMLElement;
    inside.tabIndex = -1;
    inside.focus({ preventScroll: true });
    document.getSelection()?.selectAllChildren(selected.firstElementChild as Element);
    const changed = path.slice(900, 902).map(({ key }) => key);
    for (const key of changed) {
      const change: Change = {
        ...{ type: 'set', message: key, part: null, path: ['status'] },
        value: 'stopped',
      };
      run(change);
      list.apply(change, thread().messages.get(key) as Message);
    }
    frames.flush();
    const { text } = findLocale('en');
    const isStopped = (): boolean[] =>
      [...free.children].slice(0, 2).map((node) => node.textContent.includes(text('stopped')));
    expect(isStopped()).to.deep.equal([true, true]);
    while (scroller.scrollTop > 400) {
      scroller.scrollTop -= 600;
      await render();
    }
    const placeholders = all('.placeholder');
    expect(placeholders.length).to.equal(25);
    expect(placeholders.every((node) => node.parentElement === free)).to.equal(true);
    expect(avatars()).to.equal(1000);
    // Both ways to render a placeholder, by `viewOf` and by scrolling, show the current status of its message.
    list.viewOf(changed[0] ?? '');
    expect(all('.placeholder').length).to.equal(24);
    const before = measured();
    scroller.scrollTop = 600;
    await render();
    expect(measured(), 'nothing to render').to.equal(before);
    scroller.scrollTop = 9000;
    await render();
    expect(free.querySelector('.placeholder')).to.equal(null);
    expect(isStopped()).to.deep.equal([true, true]);
    document.getSelection()?.removeAllRanges();
    remove();
  });
});

describe('boxes around groups', () => {
  /** A column with groups, whose estimated heights are 1, 2, 3 … px; that of the first one is unknown. */
  function setupBoxes(count: number) {
    const column = document.body.appendChild(element('div', 'column', element('p', 'empty')));
    const boxes = new ContainmentBoxes(column);
    const groups = Array.from({ length: count }, (_, at) => {
      return { node: element('div', 'group', 'Text'), estimatedHeight: at };
    });
    for (const { node } of groups) boxes.append(node);
    const skipped = (): Element[] => [...column.querySelectorAll('.skippable')];
    return { boxes, column, groups, skipped };
  }

  it('are nested in two levels, each with at most eight children', () => {
    const { column, groups } = setupBoxes(150);
    const [empty, ...outer] = [...column.children];
    expect(empty?.className).to.equal('empty');
    const sizes = outer.map((box) =>
      [...box.children].map(({ childElementCount }) => childElementCount),
    );
    const full = Array<number>(8).fill(8);
    expect(sizes).to.deep.equal([full, full, [8, 8, 6]]);
    expect([...column.querySelectorAll('.group')]).to.deep.equal(groups.map(({ node }) => node));
    column.remove();
  });

  it('are skipped with their estimated heights, except those around the last group', () => {
    const { boxes, column, groups, skipped } = setupBoxes(70);
    boxes.update(groups);
    const around = (at: number): (HTMLElement | null | undefined)[] => {
      const node = groups[at]?.node;
      return [node, node?.parentElement, node?.parentElement?.parentElement];
    };
    const heights = (at: number): (string | undefined)[] =>
      around(at).map((box) => box?.style.containIntrinsicBlockSize);
    expect(heights(0)).to.deep.equal(['', 'auto 28px', 'auto 2016px']);
    expect(heights(9)).to.deep.equal(['auto 9px', 'auto 92px', 'auto 2016px']);
    const isSkipped = (at: number): boolean[] =>
      around(at).map((box) => box?.classList.contains('skippable') ?? false);
    expect([0, 63, 64, 69].map(isSkipped)).to.deep.equal([
      [true, true, true],
      [true, true, true],
      [true, false, false],
      [false, false, false],
    ]);
    const observer = new MutationObserver(() => undefined);
    observer.observe(column, { attributes: true, childList: true, subtree: true });
    boxes.update(groups);
    expect(observer.takeRecords(), 'nothing has changed').to.deep.equal([]);
    boxes.update(groups.slice(0, 69));
    expect(isSkipped(68)).to.deep.equal([false, false, false]);
    boxes.update([]);
    expect(skipped()).to.deep.equal([]);
    boxes.update(groups);
    expect(isSkipped(68)).to.deep.equal([true, false, false]);
    column.remove();
  });

  it('are removed with their last group', () => {
    const { boxes, column, groups } = setupBoxes(80);
    for (const { node } of groups.slice(0, 64)) node.remove();
    for (const { node } of groups.slice(64, 72)) node.remove();
    boxes.update(groups.slice(72));
    expect(column.querySelectorAll('.box').length).to.equal(2);
    expect(column.children.length).to.equal(2);
    column.remove();
  });
});
