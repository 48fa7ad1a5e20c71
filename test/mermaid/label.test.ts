import { expect } from '@open-wc/testing';
import { createLabel } from '../../src/mermaid/frame/label.js';
import type { DrawnElement } from '../../src/mermaid/drawing.js';

describe('a label in HTML', () => {
  for (const text of ['a description of', 'إعدادات من']) {
    it(`is centred where the browser has centred "${text}"`, () => {
      const box = document.createElement('div');
      box.style.cssText = 'width: 300px; text-align: center';
      box.dir = 'auto';
      box.textContent = text;
      document.body.append(box);
      const [line, ...more] = createLabel(box, box).children;
      expect(more).to.deep.equal([]);
      const { attributes, children } = line as DrawnElement;
      expect(children).to.deep.equal([text]);
      expect(Number(new Map(attributes).get('x'))).to.be.closeTo(150, 1);
      box.remove();
    });
  }
});
