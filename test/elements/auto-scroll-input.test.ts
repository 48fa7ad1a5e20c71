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
});
