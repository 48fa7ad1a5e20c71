import { expect } from '@open-wc/testing';
import { createRandom } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';
import { translatePage, TRANSLATORS } from './page-translators.js';
import { randomMarkdown, randomPieces } from './random-markdown.js';
import { find, setupViewInPage } from './setup-page-view.js';
import { setupView } from './setup-view.js';

/** The letters and digits of a text: translators and line breaks add other characters. */
const lettersOf = (text: string | null): string => (text ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '');

const TEXT = `A paragraph with **strong words**, *soft ones*, \`code\` and [a link](https://a.test/page), which goes on
over another line and ends here.

- One item
- Another **item** with \`more\` code

| Name | Value |
|------|-------|
| one  | **1** |

> A quote with ~~old~~ words.

The end of it.
`;

describe('Markdown in a translated page', () => {
  for (const [name, translate] of Object.entries(TRANSLATORS)) {
    it(`loses and repeats no words while it is streamed (${name})`, async () => {
      for (const size of [1, 3, 7, 40]) {
        const { box, view, frames, add, remove } = setupViewInPage();
        for (let at = 0; at < TEXT.length; at += size) {
          add(TEXT.slice(at, at + size));
          translatePage(box, translate);
        }
        void view.end();
        frames.flush();
        const plain = setupView();
        plain.add(TEXT);
        void plain.view.end();
        plain.frames.flush();
        expect(lettersOf(box.textContent), `pieces of ${String(size)}`).to.equal(
          lettersOf(plain.box.textContent),
        );
        expect(find(box, 'a').textContent).to.contain('link');
        expect(box.querySelectorAll('li, td').length).to.equal(4);
        remove();
      }
    });

    it(`throws nothing for random documents (${name})`, () => {
      for (const seed of seedsUpTo(21, 200)) {
        const random = createRandom(seed);
        const { box, view, frames, add } = setupView();
        for (const piece of randomPieces(random, randomMarkdown(random, 12), 40)) {
          add(piece);
          translatePage(box, translate);
        }
        void view.end();
        frames.flush();
      }
    });
  }

  it('shows the original of open text of which a part was translated', () => {
    const { box, add, remove } = setupViewInPage('One *two');
    const translated = document.createElement('font');
    translated.append('due');
    find(box, 'em').firstChild?.replaceWith(translated);
    add(' three');
    expect(find(box, 'p').textContent).to.equal('One two three');
    remove();
  });

  it('keeps the translation of text that does not change', () => {
    const { box, add, remove } = setupViewInPage('One *two* three four. ');
    const translated = document.createElement('font');
    translated.append('Uno ');
    find(box, 'p').firstChild?.replaceWith(translated);
    add('Five *six* seven. ');
    expect(find(box, 'p').firstChild).to.equal(translated);
    expect(find(box, 'p').textContent).to.equal('Uno two three four. Five six seven.');
    remove();
  });

  it('excludes code from translation', () => {
    const { box, remove } = setupViewInPage('Some `code` and **words**.\n\n```js\nlet a;\n```\n\n');
    expect(find(box, 'strong').translate).to.equal(true);
    for (const code of box.querySelectorAll<HTMLElement>('code')) {
      expect(code.translate).to.equal(false);
    }
    remove();
  });
});
