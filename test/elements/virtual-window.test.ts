import { expect } from '@open-wc/testing';
import { VirtualWindow } from '../../src/elements/threads/virtual-window.js';

const ALL = Array.from({ length: 2000 }, (_, at) => at);

/** The window of a list of 2000 rows, extended down to the end of the list. */
function setupAtEnd() {
  const scroller = document.createElement('div');
  const rows = document.createElement('div');
  scroller.style.cssText = 'height: 300px; overflow: auto';
  const virtual = new VirtualWindow(scroller, rows);
  scroller.append(virtual.topSpacer, rows);
  document.body.append(scroller);
  /** Renders the rows, of 40 px each. */
  const update = (): void => {
    virtual.updateAnchored([], () => {
      const rendered = virtual.slice(ALL);
      rows.style.height = `${rendered.length * 40}px`;
      return rendered.length;
    });
  };
  update();
  while (virtual.extendDown(ALL.length)) update();
  return { scroller, virtual, update };
}

describe('virtual window of a long list', () => {
  it('renders at most 200 rows, the last ones at the end', () => {
    const { scroller, virtual } = setupAtEnd();
    expect(virtual.slice(ALL).at(-1)).to.equal(1999);
    expect(virtual.slice(ALL)).to.have.length(200);
    scroller.remove();
  });

  it('begins with a page, and has another one only for more items', () => {
    const box = document.createElement('div');
    const virtual = new VirtualWindow(box, box);
    expect(virtual.slice(ALL)).to.have.length(50);
    expect(virtual.extendUp()).to.equal(false);
    expect(virtual.extendDown(50)).to.equal(false);
    expect(virtual.extendDown(51)).to.equal(true);
    expect(virtual.slice(ALL)).to.have.length(100);
    expect(virtual.slice(ALL)[0]).to.equal(0);
  });

  it('returns to the first page when it is reset', () => {
    const { scroller, virtual } = setupAtEnd();
    scroller.scrollTop = 500;
    virtual.reset();
    expect([virtual.slice(ALL)[0], virtual.slice(ALL).length]).to.deep.equal([0, 50]);
    expect(scroller.scrollTop).to.equal(0);
    scroller.remove();
  });

  it('moves up by a page', () => {
    const { scroller, virtual } = setupAtEnd();
    scroller.scrollTop = 1999 * 40;
    expect(virtual.extendUp()).to.equal(true);
    expect(virtual.slice(ALL)[0]).to.equal(1750);
    scroller.remove();
  });

  it('moves directly to the scroll position when it is further up', () => {
    const { scroller, virtual, update } = setupAtEnd();
    scroller.scrollTop = 120 * 40;
    virtual.extendUp();
    expect(virtual.slice(ALL)[0]).to.equal(100);
    update();
    scroller.scrollTop = 0;
    virtual.extendUp();
    expect(virtual.slice(ALL)[0]).to.equal(0);
    expect(virtual.extendUp()).to.equal(false);
    scroller.remove();
  });

  it('measures rows only while there are any and they are visible', () => {
    const { scroller, virtual, update } = setupAtEnd();
    const { height } = virtual.topSpacer.style;
    expect(height).to.equal(`${1800 * 40}px`);
    virtual.updateAnchored([], () => 0);
    expect(virtual.topSpacer.style.height, 'no rows').to.equal(height);
    scroller.hidden = true;
    update();
    expect(virtual.topSpacer.style.height, 'hidden').to.equal(height);
    scroller.remove();
  });

  it('keeps the position of the first visible one of the rows that are left', () => {
    const { scroller, virtual } = setupAtEnd();
    const rows = scroller.lastElementChild as HTMLElement;
    rows.append(...Array.from({ length: 4 }, () => document.createElement('p')));
    const anchors = [...rows.children] as HTMLElement[];
    for (const row of anchors) row.style.cssText = 'height: 100px; margin: 0';
    const [first, second, third] = anchors;
    scroller.scrollTop = virtual.topSpacer.clientHeight + 100;
    const top = (): number =>
      (second?.getBoundingClientRect().top ?? NaN) - scroller.getBoundingClientRect().top;
    expect(top()).to.equal(0);
    virtual.updateAnchored(anchors, () => {
      for (const row of [first, third]) if (row) row.style.height = '160px';
      return 200;
    });
    expect(top()).to.equal(0);
    scroller.remove();
  });
});
