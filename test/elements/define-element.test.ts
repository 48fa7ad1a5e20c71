import { expect } from '@open-wc/testing';
import { defineElement, VERSION } from '../../src/elements/define-element.js';

/** Returns the console warnings of `act`. */
function warningsOf(act: () => void): string[] {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => void warnings.push(text);
  act();
  console.warn = warn;
  return warnings;
}

describe('defineElement', () => {
  it('defines a name once, and accepts another copy of the same version', () => {
    class First extends HTMLElement {}
    class Second extends HTMLElement {}
    const warnings = warningsOf(() => {
      defineElement('test-once', First);
      defineElement('test-once', First);
      defineElement('test-once', Second);
    });
    expect(customElements.get('test-once')).to.equal(First);
    expect(warnings).to.deep.equal([]);
  });

  it('warns when the name is defined by another version or another library', () => {
    class Old extends HTMLElement {
      static readonly ubikVersion = '0.0.1';
    }
    class Foreign extends HTMLElement {}
    customElements.define('test-old', Old);
    customElements.define('test-foreign', Foreign);
    const warnings = warningsOf(() => {
      defineElement('test-old', class extends HTMLElement {});
      defineElement('test-foreign', class extends HTMLElement {});
    });
    expect(warnings.length).to.equal(2);
    expect(warnings[0]).to.contain('0.0.1').and.to.contain(VERSION);
    expect(warnings[1]).to.contain('other code');
  });
});
