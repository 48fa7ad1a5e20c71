import { expect, fixture, html } from '@open-wc/testing';
import { isReading, readAloud, stopReading } from '../../src/message/read-aloud.js';
import type { Message } from '../../src/model/message.js';
import { threadOf } from './thread-of.js';

// Keeps the object, which WebKit may collect together with the replaced methods.
const synthesis = speechSynthesis;

const { messages } = threadOf('m', { m: {}, n: {}, o: {}, other: {} });

/** The parts of a message, by its key. */
function partsOf(key: string): Message['parts'] {
  const message = messages.get(key);
  if (!message) throw new Error(`There is no message "${key}".`);
  return message.parts;
}

/** Languages in which a text is read on an Italian page. */
function languagesOf(text: Element): string[] {
  const spoken: string[] = [];
  const { speak } = synthesis;
  synthesis.speak = ({ lang }) => spoken.push(lang);
  readAloud(partsOf('m'), [text], 'it', () => undefined);
  stopReading();
  synthesis.speak = speak;
  return spoken;
}

/** Reads two paragraphs; returns their utterances, and how often the end was reported and speech cancelled since then. */
async function read() {
  const text = await fixture(
    html`<div>
      <p>One</p>
      <p>Two</p>
    </div>`,
  );
  const utterances: SpeechSynthesisUtterance[] = [];
  const { speak, cancel } = synthesis;
  synthesis.speak = (utterance) => utterances.push(utterance);
  let ends = 0;
  let cancels = 0;
  readAloud(partsOf('m'), [text], 'en', () => (ends += 1));
  synthesis.cancel = () => (cancels += 1);
  return {
    utterances,
    ends: () => ends,
    cancels: () => cancels,
    restore: () => Object.assign(synthesis, { speak, cancel }),
  };
}

describe('reading a message aloud', () => {
  it('ends with the last paragraph', async () => {
    const { utterances, ends, restore } = await read();
    expect([isReading(partsOf('m')), isReading(partsOf('other'))]).to.deep.equal([true, false]);
    expect(utterances.map(({ text, lang }) => [text, lang])).to.deep.equal([
      ['One', 'en'],
      ['Two', 'en'],
    ]);
    utterances[0]?.dispatchEvent(new Event('end'));
    expect([isReading(partsOf('m')), ends()]).to.deep.equal([true, 0]);
    utterances[1]?.dispatchEvent(new Event('end'));
    expect([isReading(partsOf('m')), ends()]).to.deep.equal([false, 1]);
    restore();
  });

  it('ends the speech when it is stopped, when another message is read, and when the page is left', async () => {
    const { ends, cancels, restore } = await read();
    stopReading();
    expect([cancels(), ends()]).to.deep.equal([1, 1]);
    const text = await fixture(html`<p>Three</p>`);
    let otherEnds = 0;
    readAloud(partsOf('n'), [text], 'en', () => (otherEnds += 1));
    readAloud(partsOf('o'), [text], 'en', () => undefined);
    expect([otherEnds, isReading(partsOf('n')), isReading(partsOf('o'))]).to.deep.equal([
      1,
      false,
      true,
    ]);
    const before = cancels();
    window.dispatchEvent(new Event('pagehide'));
    expect([isReading(partsOf('o')), cancels()]).to.deep.equal([false, before + 1]);
    window.dispatchEvent(new Event('pagehide'));
    expect(cancels(), 'nothing is read any more').to.equal(before + 1);
    restore();
  });

  it('ends at once when there is nothing to read', async () => {
    const empty = await fixture(html`<p><img alt="A chart" /></p>`);
    const { speak } = synthesis;
    const spoken: string[] = [];
    synthesis.speak = ({ text }) => spoken.push(text);
    for (const texts of [[], [empty]]) {
      let ends = 0;
      readAloud(partsOf('m'), texts, 'en', () => (ends += 1));
      expect([isReading(partsOf('m')), ends, spoken]).to.deep.equal([false, 1, []]);
    }
    Object.assign(synthesis, { speak });
  });

  it('ignores the end of a message that is no longer read', async () => {
    const first = await read();
    const second = await read();
    first.utterances[1]?.dispatchEvent(new Event('end'));
    expect([isReading(partsOf('m')), second.ends()]).to.deep.equal([true, 0]);
    stopReading();
    second.restore();
    first.restore();
  });

  it('ends once when a paragraph fails or it is stopped', async () => {
    for (const end of ['error', 'stop']) {
      const { utterances, ends, restore } = await read();
      if (end === 'error') utterances[0]?.dispatchEvent(new Event('error'));
      else stopReading();
      stopReading();
      utterances[1]?.dispatchEvent(new Event('error'));
      expect([isReading(partsOf('m')), ends()], end).to.deep.equal([false, 1]);
      restore();
    }
  });

  it('uses the language of the page for a text that contains strings of the interface', async () => {
    const text = await fixture(
      html`<div lang="it">
        <p>Uno <button class="cite" lang="en">1</button></p>
        <div class="ubik-code" lang="en">
          <pre><code lang="it">due</code></pre>
        </div>
        <blockquote><p class="ubik-alert-title" lang="en">Note</p></blockquote>
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

  it('uses the language that a paragraph declares only for this paragraph, not that of single words', async () => {
    const text = await fixture(
      html`<div lang="it">
        <p>Uno</p>
        <div lang="fr">
          <p>Deux</p>
          <p lang="es">Tres</p>
        </div>
        <p>Quattro <span lang="en">and more</span></p>
      </div>`,
    );
    expect(languagesOf(text)).to.deep.equal(['it', 'fr', 'es', 'it']);
  });
});
