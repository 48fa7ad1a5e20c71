import { expect } from '@open-wc/testing';
import { nothing } from 'lit';
import { findLocale } from '../../src/locales/locale.js';
import {
  createContentText,
  langOfContent,
  langOfInterface,
  setContentLocale,
  setLang,
} from '../../src/message/content-lang.js';

const SAME = findLocale('en');
/** A page in French with an English interface. */
const MIXED = findLocale('en', 'fr');

/** The number of attributes that `write` sets or removes, including writes of the same value. */
function countWrites(node: Element, write: () => void): number {
  const observer = new MutationObserver(() => undefined);
  observer.observe(node, { attributes: true });
  write();
  return observer.takeRecords().length;
}

describe('language of content', () => {
  it('is set only where it differs from that of the interface', () => {
    expect([langOfContent(SAME), langOfInterface(SAME)]).to.deep.equal([nothing, nothing]);
    expect([langOfContent(MIXED), langOfInterface(MIXED)]).to.deep.equal(['fr', 'en']);
  });

  it('needs a separate element only where it differs', () => {
    expect(createContentText('Bonjour', SAME)).to.equal('Bonjour');
    const node = createContentText('Bonjour', MIXED) as HTMLElement;
    expect([node.lang, node.textContent]).to.deep.equal(['fr', 'Bonjour']);
  });

  it('is set on an element together with the direction of its text', () => {
    const node = document.createElement('div');
    setContentLocale(node, MIXED);
    expect([node.dir, node.lang]).to.deep.equal(['auto', 'fr']);
    setContentLocale(node, SAME);
    expect([node.dir, node.hasAttribute('lang')]).to.deep.equal(['auto', false]);
  });

  it('is not written again when it is the same', () => {
    const node = document.createElement('div');
    expect(countWrites(node, () => setContentLocale(node, MIXED))).to.equal(2);
    expect(countWrites(node, () => setContentLocale(node, MIXED))).to.equal(0);
    expect(countWrites(node, () => setLang(node, 'de'))).to.equal(1);
    expect(node.lang).to.equal('de');
  });
});
