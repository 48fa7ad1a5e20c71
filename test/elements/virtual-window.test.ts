import { expect } from '@open-wc/testing';
import { VirtualWindow } from '../../src/elements/threads/virtual-window.js';

const ALL = Array.from({ length: 2000 }, (_, at) => at);

/** The window of a list, at its end. */
function setupAtEnd() {
  const scroller = document.createElement('div');
  const rows = document.createElement('div');
  scroller.style.cssText = 'height: 300px; overflow: auto';
  const drawn = new VirtualWindow(scroller, rows);
  scroller.append(drawn.topSpacer, rows);
  document.body.append(scroller);
  /** Draws the rows, of 40 px each, as the list does. */
  const draw = (): void => {
    drawn.updateAnchored(undefined, () => {
      const cut = drawn.slice(ALL);
      rows.style.height = `${cut.length * 40}px`;
      return cut.length;
    });
  };
  draw();
  while (drawn.extendDown(ALL.length)) draw();
  return { scroller, drawn, draw };
}

describe('The rows of a long list that are drawn', () => {
  it('are the last ones at its end, and few', () => {
    const { scroller, drawn } = setupAtEnd();
    expect(drawn.slice(ALL).at(-1)).to.equal(1999);
    expect(drawn.slice(ALL)).to.have.length(200);
    scroller.remove();
  });

  it('go up by a page', () => {
    const { scroller, drawn } = setupAtEnd();
    scroller.scrollTop = 1999 * 40;
    expect(drawn.extendUp()).to.equal(true);
    expect(drawn.slice(ALL)[0]).to.equal(1750);
    scroller.remove();
  });

  it('are at once those that the person has scrolled up to', () => {
    const { scroller, drawn, draw } = setupAtEnd();
    scroller.scrollTop = 120 * 40;
    drawn.extendUp();
    expect(drawn.slice(ALL)[0]).to.equal(100);
    draw();
    scroller.scrollTop = 0;
    drawn.extendUp();
    expect(drawn.slice(ALL)[0]).to.equal(0);
    expect(drawn.extendUp()).to.equal(false);
    scroller.remove();
  });
});
