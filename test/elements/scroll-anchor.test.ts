import { expect, fixture, html } from '@open-wc/testing';
import type { Entry } from '../../src/elements/transcript/message-group.js';
import { ScrollAnchor } from '../../src/elements/transcript/scroll-anchor.js';

/** A scroll container with a growing box above the anchored node. */
async function setupAnchor() {
  const scroller = await fixture<HTMLElement>(
    html`<div style="height: 300px; overflow: auto; overflow-anchor: none">
      <div>
        <div style="height: 1000px"></div>
        <p style="height: 3000px; margin: 0"></p>
      </div>
    </div>`,
  );
  const [above, anchored] = scroller.querySelectorAll<HTMLElement>(':scope > div > *');
  const column = scroller.firstElementChild;
  if (!above || !anchored || !(column instanceof HTMLElement)) throw new Error('The box is empty.');
  scroller.scrollTop = 900;
  let entry: Entry | undefined = { node: anchored } as unknown as Entry;
  return {
    scroller,
    anchor: new ScrollAnchor(scroller, column, () => entry),
    /** Removes the anchored node. */
    removeAnchored: (): void => {
      anchored.remove();
      entry = undefined;
    },
    /** Sets the height of the box above. */
    setHeightAbove: (to: number): void => {
      above.style.height = `${to}px`;
    },
    /** Distance of the anchored node from the upper edge. */
    top: (): number => anchored.getBoundingClientRect().top - scroller.getBoundingClientRect().top,
  };
}

describe('scroll anchor', () => {
  it('does not drift by fractions of a pixel', async () => {
    const { anchor, setHeightAbove, top } = await setupAnchor();
    for (let count = 1; count <= 40; count += 1)
      anchor.preserve(() => setHeightAbove(1000 + count * 10.4));
    expect(top()).to.be.closeTo(100, 0.5);
  });

  it('keeps its node in place when the browser anchors another node in the same change', async () => {
    const { scroller, anchor, setHeightAbove, top } = await setupAnchor();
    anchor.preserve(() => {
      setHeightAbove(1050);
      scroller.scrollTop += 40;
    });
    expect(top()).to.equal(100);
  });

  it('is dropped when the user scrolls, even by one pixel', async () => {
    const { scroller, anchor, setHeightAbove, top } = await setupAnchor();
    for (let count = 1; count <= 5; count += 1) {
      anchor.preserve(() => setHeightAbove(1000 + count * 20));
      scroller.scrollTop += 1;
    }
    anchor.preserve(() => undefined);
    expect(top()).to.equal(95);
  });

  it('is dropped when the user scrolls by as much as was inserted above', async () => {
    const { scroller, anchor, setHeightAbove, top } = await setupAnchor();
    anchor.preserve(() => setHeightAbove(1020));
    scroller.scrollTop += 50;
    setHeightAbove(1080);
    anchor.preserve(() => undefined);
    expect(top()).to.equal(110);
  });

  it('keeps its node in place when layout changes heights after the change', async () => {
    const { anchor, setHeightAbove, top } = await setupAnchor();
    anchor.preserve(() => setHeightAbove(1020));
    setHeightAbove(1100);
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
    expect(top()).to.equal(100);
  });

  it('keeps its node in place when the page moves the scroll container', async () => {
    const { anchor, setHeightAbove, top, scroller } = await setupAnchor();
    anchor.preserve(() => setHeightAbove(1020));
    const banner = document.createElement('div');
    banner.style.height = '200px';
    scroller.before(banner);
    scroller.firstElementChild?.append('More');
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    expect(top()).to.equal(100);
  });

  it('corrects the deviation of one pixel that the scroll anchoring of the browser leaves', async () => {
    for (const [above, scrolled] of [
      [1026, 5],
      [1019, -2],
    ] as const) {
      const { scroller, anchor, setHeightAbove, top } = await setupAnchor();
      anchor.preserve(() => setHeightAbove(1020));
      setHeightAbove(above);
      scroller.scrollTop += scrolled;
      expect(top()).to.equal(101);
      anchor.preserve(() => undefined);
      expect(top(), String(scrolled)).to.equal(100);
    }
  });

  it('is dropped when its node is removed, so that the next change moves nothing', async () => {
    const { scroller, anchor, setHeightAbove, removeAnchored } = await setupAnchor();
    anchor.preserve(() => setHeightAbove(1020));
    removeAnchored();
    expect(scroller.scrollTop).to.equal(720);
    const grow = (): string => {
      setHeightAbove(1120);
      return 'result';
    };
    expect(anchor.preserve(grow)).to.equal('result');
    expect(scroller.scrollTop).to.equal(720);
  });

  it('is dropped when the user opens something above it', async () => {
    const { anchor, setHeightAbove, top } = await setupAnchor();
    anchor.preserve(() => setHeightAbove(1020));
    anchor.release();
    setHeightAbove(1070);
    anchor.preserve(() => undefined);
    expect(top()).to.equal(150);
  });
});
