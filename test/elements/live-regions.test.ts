import { expect } from '@open-wc/testing';
import { LiveRegions } from '../../src/elements/announcements/lazy-announcer.js';

function setup() {
  const regions = new LiveRegions();
  const textsOf = (region: Element | undefined): string[] =>
    [...(region?.children ?? [])].map(({ textContent }) => textContent);
  const [polite, assertive] = regions.node.children;
  return { regions, polite: () => textsOf(polite), assertive: () => textsOf(assertive) };
}

describe('live regions', () => {
  it('announce politely, and urgent texts assertively', () => {
    const { regions, polite, assertive } = setup();
    regions.announce('one');
    regions.announce('two', true);
    expect([polite(), assertive()]).to.deep.equal([['one'], ['two']]);
    const roles = [...regions.node.children].map(({ ariaLive, role }) => [ariaLive, role]);
    expect(roles).to.deep.equal([
      ['polite', 'log'],
      ['assertive', null],
    ]);
  });

  it('contain the last five announcements', () => {
    const { regions, polite } = setup();
    for (const text of 'abcdefg') regions.announce(text);
    expect(polite()).to.deep.equal(['c', 'd', 'e', 'f', 'g']);
  });

  it('announce pieces as one, and nothing for an empty text', () => {
    const { regions, polite } = setup();
    const inner = document.createElement('i');
    inner.textContent = 'b';
    regions.announce(['a ', inner]);
    regions.announce('');
    regions.announce([]);
    expect(polite()).to.deep.equal(['a b']);
  });
});
