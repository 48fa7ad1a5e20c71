import { expect } from '@open-wc/testing';
import { showBubblePlaceholders } from '../../src/elements/window/bubble-placeholder.js';

describe('the placeholder of a bubble, where other code defines <ubik-chat>', () => {
  it('warns that no chat can be shown', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    try {
      showBubblePlaceholders(() => new Promise(() => undefined));
      expect(warnings).to.deep.equal([]);
      customElements.define('ubik-chat', class extends HTMLElement {});
      await customElements.whenDefined('ubik-chat');
      await Promise.resolve();
      expect(warnings.length).to.equal(1);
      expect(warnings[0]).to.contain('<ubik-chat> is already defined by other code');
    } finally {
      console.warn = warn;
    }
  });
});
