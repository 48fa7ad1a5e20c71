import { expect, fixture, html } from '@open-wc/testing';
import { readAloud, stopReading } from '../../src/elements/menu/read-aloud.js';

/** The languages in which a text is read on an Italian page. */
function languagesOf(text: Element): string[] {
  const spoken: string[] = [];
  const { speak } = speechSynthesis;
  speechSynthesis.speak = ({ lang }) => spoken.push(lang);
  readAloud('m', [text], 'it');
  stopReading();
  speechSynthesis.speak = speak;
  return spoken;
}

describe('a message that is read aloud', () => {
  it('is read in the language of the page, whatever words of ours stand in it', async () => {
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

  it('is read in a language that it says itself', async () => {
    const text = await fixture(
      html`<div lang="it">
        <div><p lang="fr">Trois</p></div>
      </div>`,
    );
    expect(languagesOf(text)).to.deep.equal(['fr']);
  });
});
