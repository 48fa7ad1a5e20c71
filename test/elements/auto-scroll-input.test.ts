import { expect } from '@open-wc/testing';
import { AutoScroll, ScrollToEndButton } from '../../src/elements/transcript/auto-scroll.js';

/** A box of 100 px that follows the end of its content. */
function setup(height = 1000) {
  const scroller = document.body.appendChild(document.createElement('div'));
  const content = scroller.appendChild(document.createElement('div'));
  const field = content.appendChild(document.createElement('textarea'));
  const button = document.createElement('button');
  scroller.style.cssText = 'height: 100px; overflow: auto';
  content.style.cssText = `height: ${String(height)}px; overflow: hidden`;
  let followed = 0;
  const auto = new AutoScroll(scroller, content, button, () => (followed += 1));
  auto.connect();
  auto.scrollToEnd();
  return {
    auto,
    button,
    content,
    field,
    scroller,
    followed: () => followed,
    /** Dispatches an event and returns whether it has ended the following. Then the end is followed again. */
    releasedBy: (target: EventTarget, event: Event): boolean => {
      target.dispatchEvent(event);
      const isReleased = !button.hidden;
      auto.scrollToEnd();
      return isReleased;
    },
    remove: () => {
      auto.disconnect();
      scroller.remove();
    },
  };
}

/** Resolves after the resize observers were called. */
const resized = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });

const keydown = (key: string, init: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key, bubbles: true, ...init });

describe('following the end of a growing box', () => {
  it('ends with the wheel upwards only', () => {
    const { scroller, releasedBy, remove } = setup();
    const wheel = (deltaY: number): WheelEvent => new WheelEvent('wheel', { deltaY });
    expect([-1, 0, 1].map((deltaY) => releasedBy(scroller, wheel(deltaY)))).to.deep.equal([
      true,
      false,
      false,
    ]);
    remove();
  });

  it('ends with keys that scroll up, outside of fields', () => {
    const { content, field, releasedBy, remove } = setup();
    const released = ['ArrowUp', 'PageUp', 'Home', 'ArrowDown', ' '].map((key) =>
      releasedBy(content, keydown(key)),
    );
    expect(released).to.deep.equal([true, true, true, false, false]);
    expect(releasedBy(content, keydown(' ', { shiftKey: true }))).to.equal(true);
    expect(releasedBy(content, keydown('x', { shiftKey: true }))).to.equal(false);
    expect(releasedBy(field, keydown('ArrowUp'))).to.equal(false);
    const select = content.appendChild(document.createElement('select'));
    const shadow = content
      .appendChild(document.createElement('div'))
      .attachShadow({ mode: 'open' });
    const inner = shadow.appendChild(document.createElement('input'));
    const editable = content.appendChild(document.createElement('div'));
    editable.contentEditable = 'true';
    const word = editable.appendChild(document.createElement('b'));
    for (const node of [select, inner, word])
      expect(releasedBy(node, keydown('Home', { composed: true })), node.localName).to.equal(false);
    remove();
  });

  it('ends with the shortcuts of the find bar, anywhere in the page', () => {
    const { releasedBy, remove } = setup();
    const released = [
      keydown('F3'),
      keydown('f', { ctrlKey: true }),
      keydown('g', { metaKey: true }),
      keydown('f'),
      keydown('a', { ctrlKey: true }),
    ].map((event) => releasedBy(document, event));
    expect(released).to.deep.equal([true, true, true, false, false]);
    remove();
  });

  it('ends with a touch that moves down', () => {
    const { scroller, releasedBy, remove } = setup();
    const touch = (type: string, clientY: number): TouchEvent =>
      new TouchEvent(type, { touches: [new Touch({ identifier: 1, target: scroller, clientY })] });
    expect(releasedBy(scroller, touch('touchstart', 50))).to.equal(false);
    const released = [51, 50, 49].map((y) => releasedBy(scroller, touch('touchmove', y)));
    expect(released).to.deep.equal([true, false, false]);
    remove();
  });

  it('does not end where nothing can be scrolled', () => {
    for (const [height, isReleased] of [
      [50, false],
      [101, false],
      [102, true],
    ] as const) {
      const { auto, button, remove } = setup(height);
      auto.release();
      expect(!button.hidden, String(height)).to.equal(isReleased);
      remove();
    }
  });

  it('is reported when it begins, and is not ended by input after a disconnection', () => {
    const { auto, followed, scroller, releasedBy, remove } = setup();
    const before = followed();
    auto.release();
    expect(followed()).to.equal(before);
    auto.scrollToEnd();
    expect(followed()).to.equal(before + 1);
    auto.disconnect();
    expect(releasedBy(scroller, new WheelEvent('wheel', { deltaY: -1 }))).to.equal(false);
    remove();
  });

  it('ends when the focus moves to something above the upper edge, or has scrolled up', () => {
    const { field, releasedBy, scroller, content, remove } = setup();
    const focusin = (): FocusEvent => new FocusEvent('focusin', { bubbles: true });
    expect(releasedBy(field, focusin()), 'above').to.equal(true);
    content.append(field);
    field.style.cssText = 'position: absolute';
    scroller.style.position = 'relative';
    field.style.top = '950px';
    expect(releasedBy(field, focusin()), 'visible').to.equal(false);
    field.style.top = '900px';
    expect(releasedBy(field, focusin()), 'at the edge').to.equal(false);
    scroller.scrollTop = 899;
    expect(releasedBy(field, focusin()), 'scrolled up by a pixel').to.equal(false);
    scroller.scrollTop = 898;
    expect(releasedBy(field, focusin()), 'scrolled up by two pixels').to.equal(true);
    remove();
  });

  it('ends when text of the content is selected, and not by another or an empty selection', () => {
    const host = document.body.appendChild(document.createElement('div'));
    const { content, field, releasedBy, scroller, remove } = setup();
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.append(scroller);
    const text = content.appendChild(document.createElement('p'));
    text.textContent = 'Some words';
    field.remove();
    const outside = shadow.appendChild(document.createElement('p'));
    outside.textContent = 'Other words';
    const selectionEnds = (node: Node, length: number): boolean => {
      const selection = document.getSelection();
      selection?.setBaseAndExtent(node.firstChild ?? node, 0, node.firstChild ?? node, length);
      return releasedBy(document, new Event('selectionchange'));
    };
    expect(releasedBy(document, new Event('selectionchange')), 'none').to.equal(false);
    expect(selectionEnds(outside, 4), 'outside').to.equal(false);
    expect(selectionEnds(text, 0), 'empty').to.equal(false);
    expect(selectionEnds(text, 4), 'inside').to.equal(true);
    document.getSelection()?.removeAllRanges();
    remove();
    host.remove();
  });

  it('never delays scrolling, because its listeners of the box are passive', () => {
    const added = new Map<string, boolean | undefined>();
    const box = setup();
    const { auto, scroller, remove } = box;
    auto.disconnect();
    scroller.addEventListener = (type: string, _: unknown, options?: object): void => {
      added.set(type, (options as AddEventListenerOptions).passive);
    };
    auto.connect();
    expect([...added].sort()).to.deep.equal([
      ['keydown', true],
      ['scroll', true],
      ['touchmove', true],
      ['touchstart', true],
      ['wheel', true],
    ]);
    remove();
  });
});

describe('a box whose content has not grown yet', () => {
  it('hides its button, and follows the end from the start', async () => {
    const [scroller, content] = [document.createElement('div'), document.createElement('div')];
    scroller.append(content);
    document.body.append(scroller);
    scroller.style.cssText = 'height: 100px; overflow: auto';
    const button = document.createElement('button');
    const auto = new AutoScroll(scroller, content, button);
    expect(button.hidden).to.equal(true);
    auto.connect();
    content.style.height = '1000px';
    await resized();
    expect([scroller.scrollTop, button.hidden]).to.deep.equal([900, true]);
    auto.disconnect();
    scroller.remove();
  });
});

describe('scrolling of a box whose end is followed', () => {
  /** Scrolls as the user does; the event is dispatched at once. */
  const scrollTo = ({ scroller }: ReturnType<typeof setup>, top: number): void => {
    scroller.scrollTop = top;
    scroller.dispatchEvent(new Event('scroll'));
  };

  it('ends following when it goes up, and begins following within a pixel of the end', () => {
    const box = setup();
    const { button, remove } = box;
    scrollTo(box, 900);
    expect(button.hidden, 'at the end').to.equal(true);
    scrollTo(box, 899);
    expect(button.hidden, 'one pixel').to.equal(true);
    scrollTo(box, 897);
    expect(button.hidden, 'three pixels').to.equal(false);
    scrollTo(box, 898);
    expect(button.hidden, 'down, but not to the end').to.equal(false);
    scrollTo(box, 899);
    expect(button.hidden, 'to the end').to.equal(true);
    remove();
  });

  it('does not end following when the content shrinks, which scrolls up, too', () => {
    const box = setup();
    const { button, content, scroller, remove } = box;
    content.style.height = '600px';
    expect(scroller.scrollTop).to.equal(500);
    content.style.height = '800px';
    scroller.dispatchEvent(new Event('scroll'));
    expect(button.hidden).to.equal(true);
    remove();
  });

  it('ends following when it goes up while the content shrinks by a pixel', () => {
    const box = setup();
    const { button, content, remove } = box;
    content.style.height = '999px';
    scrollTo(box, 880);
    expect(button.hidden).to.equal(false);
    remove();
  });

  it('changes no styles while the content grows', async () => {
    const { content, field, remove, scroller } = setup();
    await resized();
    const records: MutationRecord[] = [];
    const observer = new MutationObserver((more) => records.push(...more));
    observer.observe(scroller, { attributes: true, subtree: true });
    content.style.height = 'auto';
    field.style.height = '2000px';
    expect(observer.takeRecords()).to.have.length(2);
    await resized();
    expect(scroller.scrollTop).to.be.above(1800);
    expect(records).to.deep.equal([]);
    observer.disconnect();
    remove();
  });

  it('does not begin following again with the late event of a scroll by script', () => {
    const box = setup();
    const { auto, button, scroller, remove } = box;
    auto.release();
    scroller.dispatchEvent(new Event('scroll'));
    expect(button.hidden).to.equal(false);
    remove();
  });

  it('goes to the end when the content or the box changes its size, unless following was ended or the box disconnected', async () => {
    const box = setup();
    const { content, scroller, auto, remove } = box;
    content.style.height = '1500px';
    await resized();
    expect(scroller.scrollTop).to.equal(1400);
    scroller.style.height = '50px';
    await resized();
    expect(scroller.scrollTop).to.equal(1450);
    auto.release();
    content.style.height = '2000px';
    await resized();
    expect(scroller.scrollTop).to.equal(1450);
    auto.scrollToEnd();
    auto.disconnect();
    content.style.height = '3000px';
    await resized();
    expect(scroller.scrollTop, 'disconnected').to.equal(1950);
    auto.connect();
    await resized();
    expect(scroller.scrollTop, 'connected again').to.equal(2950);
    remove();
  });

  it('does not end following when it goes up by single pixels', () => {
    const box = setup();
    const { button, remove } = box;
    scrollTo(box, 899);
    scrollTo(box, 898);
    expect(button.hidden).to.equal(true);
    remove();
  });
});

describe('an element pinned to the upper edge', () => {
  /** A box with a pinned element that is `height` px high, below `offset` px of other content. */
  function setupPin(height = 40, offset = 300) {
    const box = setup(offset + height);
    const node = document.createElement('div');
    box.field.remove();
    box.content.style.height = 'auto';
    // Disables the scroll anchoring of the browser, so that only `AutoScroll` keeps the element in place.
    box.scroller.style.overflowAnchor = 'none';
    const above = document.createElement('div');
    above.style.height = `${String(offset)}px`;
    node.style.height = `${String(height)}px`;
    box.content.append(above, node);
    box.auto.scrollToEnd();
    box.auto.pin(node);
    const scrollTo = (top: number): void => {
      box.scroller.scrollTop = top;
      box.scroller.dispatchEvent(new Event('scroll'));
    };
    /** Whether the element returns to the upper edge when something above it grows. */
    const isPinned = async (): Promise<boolean> => {
      const { top } = box.scroller.getBoundingClientRect();
      // The added space changes the observed size, which browsers report as an error.
      const report = window.onerror;
      window.onerror = null;
      above.style.height = `${String(above.offsetHeight + 100)}px`;
      await resized();
      window.onerror = report;
      return Math.abs(node.getBoundingClientRect().top - top) < 0.5;
    };
    return { ...box, node, scrollTo, isPinned };
  }

  it('keeps its place when something above it grows, also after the scroll events that pinning causes', async () => {
    for (const height of [40, 400]) {
      const { isPinned, scroller, remove } = setupPin(height);
      await resized();
      scroller.dispatchEvent(new Event('scroll'));
      expect(await isPinned(), String(height)).to.equal(true);
      expect(await isPinned(), String(height)).to.equal(true);
      remove();
    }
  });

  it('is released by a scroll up of more than a pixel, and by any scroll when no space was added', async () => {
    for (const [height, top, expected] of [
      [40, 299, true],
      [40, 298, false],
      [101, 301, true],
      [102, 302, false],
      [400, 310, false],
    ] as const) {
      const { isPinned, scrollTo, scroller, remove } = setupPin(height);
      await resized();
      scrollTo(top);
      // The scroll position as it was: the user has moved it back.
      scroller.scrollTop = 300;
      expect(await isPinned(), `${String(height)}, ${String(top)}`).to.equal(expected);
      remove();
    }
  });

  it('shows the button after a scroll up', async () => {
    const { button, scrollTo, remove } = setupPin();
    await resized();
    expect(button.hidden).to.equal(true);
    scrollTo(250);
    expect(button.hidden).to.equal(false);
    remove();
  });

  it('hides the button only when the content fits below it', () => {
    for (const [height, hidden] of [
      [100, true],
      [101, true],
      [102, false],
    ] as const) {
      const { button, remove } = setupPin(height);
      expect(button.hidden, String(height)).to.equal(hidden);
      remove();
    }
  });

  it('is reported as showing new content, also when the content does not fit', () => {
    const { auto, followed, node, remove } = setupPin(400);
    auto.release();
    const before = followed();
    auto.pin(node);
    expect(followed()).to.equal(before + 1);
    remove();
  });

  it('changes nothing while the content grows inside the added space', async () => {
    const { content, node, remove } = setupPin();
    await resized();
    const records: MutationRecord[] = [];
    const observer = new MutationObserver((more) => records.push(...more));
    observer.observe(content, { attributes: true });
    content.style.width = '90%';
    expect(observer.takeRecords()).to.have.length(1);
    node.style.height = '80px';
    await resized();
    expect(records).to.deep.equal([]);
    observer.disconnect();
    remove();
  });

  it('is at whole pixels', () => {
    const { content, scroller, remove } = setupPin(400, 300.5);
    expect([content.style.minBlockSize, scroller.scrollTop]).to.deep.equal(['400px', 300]);
    remove();
  });

  it('returns after a deviation of one pixel, which does not come from the user', async () => {
    const box = setupPin(400);
    await resized();
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        box.scroller.scrollTop = 301;
        box.node.style.height = '410px';
        resolve();
      });
    });
    await resized();
    expect(box.scroller.scrollTop, 'within the content').to.equal(300);
    box.remove();
    const end = setupPin(101);
    await resized();
    end.scroller.scrollTop = 301;
    end.content.style.width = '50px';
    await resized();
    expect(end.scroller.scrollTop, 'at the end').to.equal(300);
    end.remove();
  });

  it('returns when the box has grown, because of which the browser has scrolled up', async () => {
    const { scroller, remove } = setupPin();
    await resized();
    const moved = new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        scroller.style.height = '120px';
        resolve(scroller.scrollTop);
        // A position within a pixel of the end counts as the end.
        scroller.scrollTop = 279;
      });
    });
    expect(await moved).to.equal(280);
    await resized();
    expect(scroller.scrollTop).to.equal(300);
    remove();
  });

  it('lets the end be followed again after a release in the added space', () => {
    const { auto, button, scrollTo, remove } = setupPin();
    auto.release();
    expect(button.hidden).to.equal(false);
    scrollTo(290);
    scrollTo(300);
    expect(button.hidden).to.equal(true);
    remove();
  });

  it('gets space below it, and stays until the content fills that space', async () => {
    const { scroller, content, node, button, remove } = setupPin();
    expect(content.style.minBlockSize).to.equal('400px');
    expect(scroller.scrollTop).to.equal(300);
    expect(button.hidden).to.equal(true);
    node.style.height = '90px';
    await resized();
    expect([scroller.scrollTop, button.hidden]).to.deep.equal([300, true]);
    node.style.height = '400px';
    await resized();
    expect([scroller.scrollTop, button.hidden]).to.deep.equal([300, false]);
    remove();
  });

  it('is kept when the user scrolls down in the added space, and released by scrolling up', async () => {
    const { scroller, content, auto, button, isPinned, scrollTo, remove } = setupPin();
    await resized();
    scroller.style.height = '80px';
    scrollTo(310);
    // Makes the content above grow by 100 px. The space is adjusted only while the element is pinned.
    expect(await isPinned(), 'the user has scrolled').to.equal(false);
    expect([content.style.minBlockSize, button.hidden], 'kept').to.deep.equal(['480px', true]);
    scrollTo(200);
    expect(button.hidden, 'released').to.equal(false);
    await isPinned();
    expect(content.style.minBlockSize, 'released').to.equal('480px');
    auto.scrollToEnd();
    expect(content.style.minBlockSize, 'the space is removed').to.equal('');
    expect(scroller.scrollTop).to.equal(460);
    remove();
  });

  it('is not scrolled back after the user has scrolled up', async () => {
    const { scroller, node, button, remove } = setupPin(400);
    expect(scroller.scrollTop).to.equal(300);
    scroller.scrollTop = 100;
    node.style.height = '500px';
    await resized();
    expect([scroller.scrollTop, button.hidden]).to.deep.equal([100, false]);
    remove();
  });
});

describe('button that scrolls to the end', () => {
  it('shows the number of new messages until it is reset', () => {
    const text = (name: string, { count = 0 } = {}): string => `${name} ${String(count)}`;
    const button = new ScrollToEndButton(
      () => ({ text }) as never,
      () => undefined,
    );
    button.updateLabel();
    expect(button.node.textContent).to.equal('jumpToLatest 0');
    button.addNew(1);
    button.addNew(2);
    expect(button.node.textContent).to.equal('newMessages 3');
    button.reset();
    expect(button.node.textContent).to.equal('jumpToLatest 0');
  });

  it('changes its label only when the number has changed', () => {
    const text = (name: string, { count = 0 } = {}): string => `${name} ${String(count)}`;
    let clicks = 0;
    let reads = 0;
    const button = new ScrollToEndButton(
      () => {
        reads += 1;
        return { text } as never;
      },
      () => (clicks += 1),
    );
    button.updateLabel();
    const observer = new MutationObserver(() => undefined);
    observer.observe(button.node, { childList: true, characterData: true, subtree: true });
    button.updateLabel();
    const before = reads;
    button.reset();
    expect(observer.takeRecords()).to.deep.equal([]);
    expect(reads, 'without a new message, nothing is read').to.equal(before);
    button.node.click();
    expect([button.node.type, clicks]).to.deep.equal(['button', 1]);
  });
});
