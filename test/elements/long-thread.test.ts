import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import type { PartRenderer } from '../../src/message/parts/renderer-types.js';
import { nextFrame, setupChat } from './chat-fixture.js';
import { contentOf } from '../controller/scripted-backend.js';
import { answerText, createLongThread, openLongThread } from './long-thread.js';

/** A chat with a number of messages. */
async function setupThread(count: number, prepare?: (chat: UbikChat) => void) {
  const fixture = await setupChat(prepare);
  await openLongThread(fixture, count);
  await fixture.settle();
  const scroller = fixture.query('.scroller');
  const all = (selector: string): HTMLElement[] => [
    ...fixture.root.querySelectorAll<HTMLElement>(selector),
  ];
  /** Waits for frames until a condition holds. */
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await nextFrame();
  };
  // The virtualizer is loaded with the first long thread.
  await until(() => all('.message').length === count);
  /** Stops following the end, as a turn of the wheel does, and scrolls to a position. */
  const scrollTo = async (top: number): Promise<void> => {
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = top;
    await nextFrame();
  };
  /** Scrolls and waits until all nearby placeholders are rendered. */
  const goTo = async (top: number): Promise<void> => {
    await scrollTo(top);
    await until(() => inView().length > 0 && inView().every((node) => !isPlaceholder(node)));
  };
  const inView = (): HTMLElement[] => {
    const box = scroller.getBoundingClientRect();
    const isInside = (node: HTMLElement): boolean => {
      const { top, bottom } = node.getBoundingClientRect();
      return bottom > box.top && top < box.bottom;
    };
    // Messages of a skipped group reach beyond its estimated height, and are not painted. Measuring them would lay out the group.
    return all('.group')
      .filter((group) => isInside(group) && isShown(group.firstElementChild))
      .flatMap((group) => [...group.querySelectorAll<HTMLElement>('.message')])
      .filter((node) => isInside(node) && isShown(node));
  };
  return { ...fixture, scroller, all, until, scrollTo, goTo, inView };
}

/** Whether an element is painted while it is in the viewport. */
const isShown = (node: Element | null): boolean =>
  node?.checkVisibility({ contentVisibilityAuto: true }) ?? false;

const isPlaceholder = (node: Element | undefined): boolean =>
  node?.classList.contains('placeholder') ?? false;

/** Replaces the clock by which frames measure their time: each reading advances it by `step` ms. With Infinity, a frame never has time left. */
function limitFrames(step = Infinity): void {
  let now = 0;
  performance.now = () => (now += step);
}

describe('long thread', () => {
  afterEach(() => {
    delete (performance as Partial<Performance>).now;
  });

  it('renders the newest messages, and shows the others as plain text', async () => {
    const { all } = await setupThread(300);
    const messages = all('.message');
    expect(messages).to.have.length(300);
    expect(all('.placeholder')).to.deep.equal(messages.slice(0, 200));
    expect(messages[1]?.textContent).to.equal(answerText(1));
    expect(messages[1]?.childNodes).to.have.length(1);
    expect(messages[1]?.ariaLabel).to.equal('Assistant');
    expect(messages[1]?.part.contains('answer')).to.equal(true);
    expect(messages[299]?.querySelector('.text strong')?.textContent).to.equal('refunds');
  });

  it('renders placeholders before they become visible', async () => {
    const { scroller, goTo, inView, until, query } = await setupThread(400);
    await goTo(scroller.scrollHeight / 3);
    const [seen] = inView();
    const group = seen?.parentElement;
    await until(() => !group?.querySelector('.placeholder'));
    const top = seen?.getBoundingClientRect().top ?? NaN;
    scroller.scrollTop -= 400;
    expect(seen?.getBoundingClientRect().top).to.be.closeTo(top + 400, 2);
    expect(inView().filter(isPlaceholder)).to.deep.equal([]);
    expect(query('.placeholder').childNodes).to.have.length(1);
  });

  for (const [count, step] of [
    // A frame may take 6 ms, so there is time left after its first reading, but not after the second one.
    ['one', 3.5],
    ['all', 0],
  ] as const) {
    it(`keeps the scroll position while visible placeholders are rendered, ${count} of them in a frame`, async () => {
      const { scroller, all, until, scrollTo, inView } = await setupThread(400);
      limitFrames();
      const edge = scroller.getBoundingClientRect().top;
      const isPainted = (group: HTMLElement): boolean => {
        const { top, bottom } = group.getBoundingClientRect();
        const inside = bottom > edge && top < edge + scroller.clientHeight;
        return !inside || isShown(group.firstElementChild);
      };
      await scrollTo(scroller.scrollHeight / 3);
      // The browser lays out a group that it has skipped, and so moves those below it, some frames after it comes into the viewport.
      await until(() => all('.group').every(isPainted));
      const first = inView().find(
        (node) => isPlaceholder(node) && node.getBoundingClientRect().top >= edge,
      );
      expect(first, 'a placeholder that starts in the viewport').to.not.equal(undefined);
      const label = first?.textContent.slice(0, 12) ?? '';
      const top = first?.getBoundingClientRect().top ?? NaN;
      limitFrames(step);
      await until(() => inView().every((node) => !isPlaceholder(node)));
      const now = inView().find((node) => node.textContent.trim().startsWith(label));
      // Scroll positions are whole pixels.
      expect(now?.getBoundingClientRect().top).to.be.closeTo(top, 1);
    });
  }

  it('labels all messages in another language, whether they are rendered or placeholders', async () => {
    const { chat, all, settle, query } = await setupThread(300);
    await loadLanguage('de');
    chat.lang = 'de';
    for (let turn = 0; turn < 4; turn += 1) await settle();
    const messages = all('.message');
    expect(messages.slice(0, 200).every(isPlaceholder)).to.equal(true);
    const { text } = findLocale('de');
    expect(query('.scroll-to-end').textContent).to.equal(text('jumpToLatest'));
    for (const at of [0, 299])
      expect(messages[at]?.ariaLabel).to.equal(text(at === 0 ? 'you' : 'agent'));
    expect(messages[1]?.textContent).to.equal(answerText(1));
    expect(all('.placeholder').length).to.equal(200);
    expect(messages[299]?.querySelector('.text strong')?.textContent).to.equal('refunds');
  });

  it('is removed when an empty thread is shown', async () => {
    const { controller, all, settle, query } = await setupThread(300);
    controller.switchToNewThread();
    await settle();
    expect(all('.message, .group, .box')).to.deep.equal([]);
    expect(query('.empty').checkVisibility()).to.equal(true);
    expect([query('.column').role, query('.column').classList.contains('is-empty')]).to.deep.equal([
      'group',
      true,
    ]);
  });

  it('scrolls to any message on request', async () => {
    const { chat, scroller, settle, until, inView } = await setupThread(400);
    chat.messageId = 'm41';
    await settle();
    await until(() => inView().length > 0);
    const [seen] = inView();
    expect(seen?.textContent).to.contain('Answer 41 ');
    expect(isPlaceholder(seen)).to.equal(false);
    const { top } = scroller.getBoundingClientRect();
    expect(seen?.getBoundingClientRect().top).to.be.closeTo(top, 2);
    expect(chat.currentMessageId).to.equal('m41');
  });

  it('inserts older messages without moving the shown ones', async () => {
    const { controller, backend, all, scrollTo, settle, until } = await setupThread(60);
    const before = all('.message');
    await scrollTo(0);
    const top = before[0]?.getBoundingClientRect().top ?? NaN;
    backend.threads.set('many', createLongThread('many', 300, -240));
    await controller.openThread('many');
    await settle();
    await until(() => all('.message').length === 300 && all('.placeholder').length < 240);
    await settle();
    const now = all('.message');
    expect(now).to.have.length(300);
    expect(now.slice(-60).map((node, at) => node === before[at])).to.not.include(false);
    expect(before[0]?.getBoundingClientRect().top).to.be.closeTo(top, 2);
    expect(now[0]?.textContent).to.contain('Question -240');
  });

  it('renders every message and skips no contents when assistive is set', async () => {
    const { chat, all, until } = await setupThread(400, (element) => (element.assistive = true));
    await until(() => all('.placeholder').length === 0);
    expect(all('.skippable')).to.deep.equal([]);
    chat.assistive = false;
    await chat.updateComplete;
    expect(all('.skippable')).to.not.be.empty;
  });

  it('renders synchronously before printing', async () => {
    const { all } = await setupThread(300);
    window.dispatchEvent(new Event('afterprint'));
    expect(all('.placeholder').length).to.equal(200);
    window.dispatchEvent(new Event('beforeprint'));
    expect(all('.placeholder')).to.deep.equal([]);
    expect(all('.text strong')).to.have.length(150);
  });

  it('prints all messages and nothing else', async () => {
    const { all, query, chat, scroller } = await setupThread(300);
    await emulateMedia({ media: 'print' });
    window.dispatchEvent(new Event('beforeprint'));
    const [first, last] = [all('.message')[0], all('.message').at(-1)];
    const height =
      (last?.getBoundingClientRect().bottom ?? 0) - (first?.getBoundingClientRect().top ?? 0);
    expect(height).to.be.greaterThan(20_000);
    expect(chat.offsetHeight).to.be.at.least(Math.floor(height));
    expect(scroller.scrollHeight).to.equal(scroller.clientHeight);
    expect(query('.composer').checkVisibility()).to.equal(false);
    chat.theme = 'dark';
    await chat.updateComplete;
    expect(getComputedStyle(query('.ubik')).color).to.equal('rgb(28, 30, 33)');
    await emulateMedia({ media: 'screen' });
    expect(getComputedStyle(query('.ubik')).color).to.equal('rgb(230, 231, 233)');
  });

  it('is not printed where the page hides it', async () => {
    const { chat } = await setupThread(2);
    const style = document.head.appendChild(document.createElement('style'));
    style.textContent = '@media print { ubik-chat { display: none } }';
    await emulateMedia({ media: 'print' });
    try {
      expect(chat.checkVisibility()).to.equal(false);
    } finally {
      await emulateMedia({ media: 'screen' });
      style.remove();
    }
  });

  /** Renders more messages than are kept. `leave` scrolls to the middle, and waits until those beyond the limit are placeholders again. */
  async function renderTooMany(prepare?: (chat: UbikChat) => void) {
    // The list keeps 1,000 of them.
    const fixture = await setupThread(1300, prepare);
    const { chat, all, until, goTo, scroller } = fixture;
    // Frames without a time limit: so many messages would take too many frames on a slow machine.
    limitFrames(0);
    chat.assistive = true;
    await chat.updateComplete;
    await until(() => all('.placeholder').length === 0);
    const leave = async (): Promise<void> => {
      // Firefox reports one loop when it begins to skip the contents of so many boxes (docs/browsers.md).
      addEventListener('error', ignoreResizeLoop, true);
      chat.assistive = false;
      await chat.updateComplete;
      await goTo(scroller.scrollHeight / 2);
      await until(() => all('.placeholder').length >= 300);
      removeEventListener('error', ignoreResizeLoop, true);
    };
    return { ...fixture, leave };
  }

  it('makes placeholders of messages that left the viewport long ago, except of those that the user interacted with or the page draws', async () => {
    const calls: string[] = [];
    const { chat, all, goTo, leave } = await renderTooMany((element) => {
      const mount: PartRenderer<'text'>['mount'] = (box, { part, decline }) => {
        if (!part.text?.read().startsWith('Answer 5 ')) return decline();
        calls.push('mount');
        box.textContent = 'Drawn by the page';
        return { unmount: () => void calls.push('unmount') };
      };
      element.renderers = [{ kind: 'text', renderer: { mount } }];
    });
    const [touched, withBox] = [all('.message')[3], all('.message')[5]];
    const [box] = chat.children;
    touched?.click();
    await leave();
    expect(touched?.isConnected).to.equal(true);
    expect(all('.message')[5]).to.equal(withBox);
    expect(isPlaceholder(all('.message')[30])).to.equal(true);
    await goTo(0);
    expect(all('.message')[1]?.querySelector('.text strong')?.textContent).to.equal('refunds');
    expect([...chat.children]).to.deep.equal([box]);
    expect(withBox?.querySelector('slot')?.assignedElements()).to.deep.equal([box]);
    expect([box?.textContent, box?.checkVisibility()]).to.deep.equal(['Drawn by the page', true]);
    expect(calls).to.deep.equal(['mount']);
  });
});

/** Keeps the error of a resize observer loop from the test framework. */
function ignoreResizeLoop(event: ErrorEvent): void {
  if (event.message.startsWith('ResizeObserver loop')) event.stopImmediatePropagation();
}

/**
 * Resolves when the layout of a node is up to date and the resize observers that existed before have been called. The document is then in
 * the state that the browser paints.
 */
function whenLaidOut(node: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(node);
  });
}

/** A chat that inserts the messages of a long thread while frames have no time left, so that each run of the insertion adds one message. */
async function setupInsertion(count: number) {
  limitFrames();
  const fixture = await setupChat();
  const { query, root } = fixture;
  await openLongThread(fixture, count);
  const scroller = query('.scroller');
  const messages = (): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('.message')];
  const numbers = (): number[] =>
    messages().map((node) => Number(/(?:Question|Answer) (\d+)/.exec(node.textContent)?.[1]));
  while (messages().length === 0) await nextFrame();
  /** Frames have time again. Resolves when all messages are inserted. */
  const finish = async (): Promise<void> => {
    delete (performance as Partial<Performance>).now;
    while (messages().length < count) await nextFrame();
  };
  return { ...fixture, scroller, messages, numbers, finish };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

describe('long thread that is being inserted', () => {
  afterEach(() => {
    delete (performance as Partial<Performance>).now;
  });

  it('shows the newest messages first, and then all in order, each once', async () => {
    const { scroller, messages, numbers, finish } = await setupInsertion(300);
    await whenLaidOut(scroller);
    const shown = messages();
    // Those that fill the viewport, rendered at once, and a few that were inserted since.
    expect(shown.length).to.be.within(5, 40);
    expect(numbers()).to.deep.equal(range(300 - shown.length, 300));
    expect(shown.some(isPlaceholder)).to.equal(false);
    // The inserted messages fill the viewport.
    expect(shown[0]?.getBoundingClientRect().top).to.be.below(scroller.getBoundingClientRect().top);
    expect(scroller.scrollTop + scroller.clientHeight).to.be.closeTo(scroller.scrollHeight, 1);
    await finish();
    await whenLaidOut(scroller);
    expect(numbers()).to.deep.equal(range(0, 300));
    expect(messages().slice(-shown.length)).to.deep.equal(shown);
    expect(scroller.scrollTop + scroller.clientHeight).to.be.closeTo(scroller.scrollHeight, 1);
  });

  it('scrolls at once to a message that is not inserted yet, and keeps it in place', async () => {
    const { chat, scroller, settle, messages, finish } = await setupInsertion(400);
    chat.messageId = 'm41';
    await settle();
    expect(messages().length, 'most are not inserted yet').to.be.below(120);
    const node = messages().find(({ textContent }) => textContent.includes('Answer 41 '));
    expect(isPlaceholder(node)).to.equal(false);
    const top = (): number =>
      (node?.getBoundingClientRect().top ?? NaN) - scroller.getBoundingClientRect().top;
    expect(top()).to.be.closeTo(0, 2);
    await finish();
    await settle();
    expect(top()).to.be.closeTo(0, 2);
  });

  it('inserts one message in a frame without time left, so that other work of the page can run', async () => {
    const { messages } = await setupInsertion(300);
    const atOnce = messages().length;
    while (messages().length === atOnce) await nextFrame();
    for (let turn = 0; turn < 3; turn += 1) {
      const before = messages().length;
      // A frame without time left runs one job. `nextFrame` schedules its own behind the insertion, so the insertion runs exactly once.
      await nextFrame();
      expect(messages().length - before).to.equal(1);
    }
  });

  it('shows another thread at once, and nothing of the first one later', async () => {
    const { backend, controller, settle, numbers, messages } = await setupInsertion(300);
    backend.threads.set('few', createLongThread('few', 4, 1000));
    await controller.openThread('few');
    await settle();
    expect(numbers()).to.deep.equal(range(1000, 1004));
    delete (performance as Partial<Performance>).now;
    for (let frame = 0; frame < 10; frame += 1) await nextFrame();
    expect(messages()).to.have.length(4);
  });

  it('appends a question and its answer at once', async () => {
    const { start, messages, numbers, finish, backend, settle } = await setupInsertion(300);
    await start('Question 300');
    backend.stream.append(0, 'Answer 301');
    await settle();
    expect(messages().length, 'most are not inserted yet').to.be.below(200);
    expect(numbers().slice(-4)).to.deep.equal(range(298, 302));
    await finish();
    while (messages().length < 302) await nextFrame();
    expect(numbers()).to.deep.equal(range(0, 302));
  });

  it('inserts no message that is missing in a branch that is shown meanwhile', async () => {
    const { backend, controller, settle, numbers, finish, messages } = await setupInsertion(300);
    const { messages: kept } = createLongThread('many', 200);
    const added = createLongThread('many', 20, 1000).messages;
    backend.capabilities.add('branches');
    const content = contentOf('many', [...kept, ...added]);
    backend.responses.set('switchBranch', () => content);
    await controller.switchBranch('m1000');
    await settle();
    expect(messages().length, 'most are not inserted yet').to.be.below(120);
    void finish();
    while (messages().length < 220) await nextFrame();
    expect(numbers()).to.deep.equal([...range(0, 200), ...range(1000, 1020)]);
  });

  it('keeps what the user reads in place', async () => {
    const { scroller, messages, finish, settle } = await setupInsertion(300);
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop -= 100;
    await settle();
    const { top: edge } = scroller.getBoundingClientRect();
    const all = messages();
    const index = all.findIndex((node) => node.getBoundingClientRect().top >= edge) - all.length;
    const top = all.at(index)?.getBoundingClientRect().top ?? NaN;
    await finish();
    await settle();
    // Counted from the end, because all messages are inserted before it. Its placeholder may have been replaced.
    expect(messages().at(index)?.getBoundingClientRect().top).to.be.closeTo(top, 2);
  });

  it('prints all messages', async () => {
    const { messages, numbers } = await setupInsertion(300);
    window.dispatchEvent(new Event('beforeprint'));
    expect(numbers()).to.deep.equal(range(0, 300));
    expect(messages().some(isPlaceholder)).to.equal(false);
  });
});
