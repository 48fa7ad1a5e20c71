import { expect } from '@open-wc/testing';
import { placeAdjacent } from '../../src/elements/composer/suggestion-popup.js';

/** Returns the rectangle of a popover that is placed at a field with this left edge, width and top, in px. */
function placeAt(left: number, width: number, top = 300, boxHeight = 100): DOMRect {
  const field = document.createElement('div');
  const box = document.createElement('div');
  field.style.cssText = `position: fixed; left: ${left}px; width: ${width}px; top: ${top}px; height: 20px`;
  box.style.cssText = `position: fixed; margin: 0; padding: 0; border: 0; height: ${boxHeight}px`;
  box.popover = 'manual';
  document.body.append(field, box);
  box.showPopover();
  placeAdjacent(box, field);
  const place = box.getBoundingClientRect();
  field.remove();
  box.remove();
  return place;
}

describe('placeAdjacent', () => {
  const { clientWidth } = document.documentElement;

  it('aligns the popover with the left edge of the field', () => {
    const place = placeAt(100, 200);
    expect(place.left).to.equal(100);
    expect(place.bottom).to.be.at.most(300);
  });

  it('keeps the popover in the viewport when the field is partly outside', () => {
    expect(placeAt(-50, 200).left).to.equal(8);
    expect(placeAt(clientWidth - 100, 200).right).to.be.at.most(clientWidth);
  });

  it('is as wide as the field, but not wider than the viewport', () => {
    expect(placeAt(100, 200).width).to.equal(200);
    expect(placeAt(0, clientWidth + 100).width).to.equal(clientWidth - 16);
    expect(placeAt(clientWidth - 100, 200).right).to.equal(clientWidth - 8);
  });

  it('places the popover above the field when there is enough space, else where there is more', () => {
    const { clientHeight } = document.documentElement;
    expect(placeAt(100, 200, 300).bottom, 'above').to.equal(296);
    // Above the field, 120 px are enough, in addition to two margins of 8 px.
    expect(placeAt(100, 200, 136).bottom, 'just enough space above').to.equal(132);
    expect(placeAt(100, 200, 135).top, 'too little space above').to.equal(135 + 20 + 4);
    expect(placeAt(100, 200, 0).top).to.equal(24);
    expect(placeAt(100, 200, clientHeight - 20).bottom).to.equal(clientHeight - 24);
  });

  it('limits the height to the space, and to 320 px', () => {
    const { clientHeight } = document.documentElement;
    expect(placeAt(100, 200, 200, 900).height).to.equal(184);
    expect(placeAt(100, 200, 200, 900).top).to.equal(12);
    expect(placeAt(100, 200, clientHeight - 20, 900).height).to.equal(320);
    const low = placeAt(100, 200, 40, 900);
    expect(low.height).to.equal(Math.min(320, clientHeight - 60 - 16));
    expect(low.top).to.equal(64);
  });

  describe('above a virtual keyboard', () => {
    const original = Object.getOwnPropertyDescriptor(window, 'visualViewport');
    afterEach(() => {
      if (original) Object.defineProperty(window, 'visualViewport', original);
    });

    /** Reduces the visual viewport to a part of the page, in px. */
    const setViewport = (offsetTop: number, height: number): void => {
      Object.defineProperty(window, 'visualViewport', {
        value: { offsetTop, height },
        configurable: true,
      });
    };

    it('uses the space of the visual viewport only', () => {
      setViewport(50, 300);
      const below = placeAt(100, 200, 150, 900);
      expect([below.top, below.height], 'more space below').to.deep.equal([174, 164]);
      setViewport(50, 230);
      const above = placeAt(100, 200, 160, 900);
      expect([above.height, above.bottom], 'more space above').to.deep.equal([94, 156]);
    });

    it('prefers the space above, and lets a popover be 60 px high in any case', () => {
      setViewport(0, 252);
      expect(placeAt(100, 200, 116, 50).bottom, 'as much above as below').to.equal(112);
      setViewport(0, 100);
      const low = placeAt(100, 200, 46, 900);
      expect([low.height, low.top], 'hardly any space').to.deep.equal([60, 8]);
    });
  });

  it('does nothing without a field', () => {
    const box = document.createElement('div');
    placeAdjacent(box, null);
    expect(box.getAttribute('style')).to.equal(null);
  });
});
