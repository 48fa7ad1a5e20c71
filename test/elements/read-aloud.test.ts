import { expect, fixture, html } from '@open-wc/testing';
import { readAloud, stopReading } from '../../src/elements/menu/read-aloud.js';

/** Languages in which a text is read on an Italian page. */
function languagesOf(text: Element): string[] {
  const spoken: string[] = [];
  const { speak } = speechSynthesis;
  speechSynthesis.speak = ({ lang }) => spoken.push(lang);
  readAloud('m', [text], 'it');
  stopReading();
  speechSynthesis.speak = speak;
  return spoken;
}

describe('reading a message aloud', () => {
  it('uses the language of the page, whatever UI strings it contains', async () => {
    const text = await fixture(
      html`<div lang="it">
        <p>Uno <button class="cite" lang="en">1</button></p>
        <div class="ubik-code" lang="en">
          <pre><code lang="it">due</code></pre>
        </div>
      </div>`,
    );
    expect(new Set(languagesOf(text))).to.deep.equal(new Set(['it']));
  });

  it('uses the language that a text declares', async () => {
    const text = await fixture(
      html`<div lang="it">
        <div><p lang="fr">Trois</p></div>
      </div>`,
    );
    expect(languagesOf(text)).to.deep.equal(['fr']);
  });
});
