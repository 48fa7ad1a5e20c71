import { expect } from '@open-wc/testing';
import { placeAdjacent } from '../../src/elements/composer/suggestion-popup.js';

/** Returns the rectangle of a popover, 100 px high, that is placed above a field with this left edge and width, in px. */
function placeAt(left: number, width: number): DOMRect {
  const field = document.createElement('div');
  const box = document.createElement('div');
  field.style.cssText = `position: fixed; left: ${left}px; width: ${width}px; top: 300px; height: 20px`;
  box.style.cssText = 'position: fixed; margin: 0; padding: 0; border: 0; height: 100px';
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

  it('aligns the popover with the start of the field', () => {
    const place = placeAt(100, 200);
    expect(place.left).to.equal(100);
    expect(place.bottom).to.be.at.most(300);
  });

  it('keeps the popover in the viewport when the field is partly outside', () => {
    expect(placeAt(-50, 200).left).to.equal(8);
    expect(placeAt(clientWidth - 100, 200).right).to.be.at.most(clientWidth);
  });
});
