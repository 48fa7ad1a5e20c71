import { expect } from '@open-wc/testing';
import { defaultStrings } from '../../src/markdown/options.js';
import { toCsv, toMarkdown } from '../../src/markdown/extras/table-text.js';
import { serializeHtml } from '../../src/message/export/serialize-html.js';
import { readRenderedText } from '../../src/message/rendered-text.js';
import { setupView, renderAtOnce } from './setup-view.js';
import { find, setupViewInPage } from './setup-page-view.js';
import { createRandom, pickIndex, pickOne } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';
import { randomPieces } from './random-markdown.js';

/** The HTML of the blocks of a text, without the roles of alerts. */
function render(text: string, html?: 'sanitized'): string {
  const box = document.createElement('div');
  box.innerHTML = renderAtOnce(text, true, html ? { html } : {});
  for (const alert of box.querySelectorAll('.ubik-alert')) alert.removeAttribute('role');
  return [...box.children].map(({ innerHTML }) => innerHTML).join('');
}

/** Renders a text in pieces, and compares the result after each piece with that of the text rendered at once. */
function expectStreamed(text: string, pieces: readonly string[] = [...text]): void {
  const { box, view, frames, add } = setupView();
  let soFar = '';
  for (const piece of pieces) {
    add(piece);
    soFar += piece;
    expect(box.innerHTML, JSON.stringify(soFar)).to.equal(renderAtOnce(soFar, false));
  }
  void view.end();
  frames.flush();
  expect(box.innerHTML, JSON.stringify(text)).to.equal(renderAtOnce(text, true));
}

/** In the HTML of these tables, `*…*` is a link, `CODE` a code block and `HTML` a block of raw HTML ({@link shorten}). */
const INLINE: readonly (readonly [text: string, html: string])[] = [
  ['H<sub>2</sub>O and x<sup>2</sup>', '<p>H<sub>2</sub>O and x<sup>2</sup></p>'],
  ['a<br>b<BR/>c<br class="x" />d', '<p>a<br>b<br>c<br>d</p>'],
  ['<br>', '<p><br></p>'],
  ['<kbd onclick="x()">Ctrl</kbd>+<KBD>C</kbd >', '<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>'],
  ['**<mark>a *b*</mark>**', '<p><strong><mark>a <em>b</em></mark></strong></p>'],
  ['<mark>\n*a*\n</mark>', '<p><mark>\n<em>a</em>\n</mark></p>'],
  ['[<kbd>a</kbd>](b)', '<p>*<kbd>a</kbd>*</p>'],
  ['<sub><sup>a</sup></sub>', '<p><sub><sup>a</sup></sub></p>'],
  // Unclosed and crossing tags are text, like unclosed and crossing emphasis.
  ['a <sub>b', '<p>a &lt;sub&gt;b</p>'],
  ['a</sub> b</br>', '<p>a&lt;/sub&gt; b&lt;/br&gt;</p>'],
  ['*a <sub>b* c</sub>', '<p><em>a &lt;sub&gt;b</em> c&lt;/sub&gt;</p>'],
  ['<sub>a *b</sub> c*', '<p><sub>a *b</sub> c*</p>'],
  ['<sub><sup>a</sub></sup>', '<p><sub>&lt;sup&gt;a</sub>&lt;/sup&gt;</p>'],
  ['[a <sub>b](c) d</sub>', '<p>*a &lt;sub&gt;b* d&lt;/sub&gt;</p>'],
  [
    '`<sub>a</sub>` \\<sub>a\\</sub>',
    '<p><code>&lt;sub&gt;a&lt;/sub&gt;</code> &lt;sub&gt;a&lt;/sub&gt;</p>',
  ],
  ['<kbd></kbd>a', '<p>a</p>'],
  // The names of these elements only begin like those above.
  [
    'a<br-line>b <br2>c <kbd-input>d</kbd-input> <sub-x a="b">e</sub-x>',
    '<p>a&lt;br-line&gt;b &lt;br2&gt;c &lt;kbd-input&gt;d&lt;/kbd-input&gt; &lt;sub-x a="b"&gt;e&lt;/sub-x&gt;</p>',
  ],
  // All other HTML is text.
  [
    '<b>a</b> <i>b</i> <u>c</u> <submit>d</submit> <details>e</details>',
    '<p>&lt;b&gt;a&lt;/b&gt; &lt;i&gt;b&lt;/i&gt; &lt;u&gt;c&lt;/u&gt; &lt;submit&gt;d&lt;/submit&gt; &lt;details&gt;e&lt;/details&gt;</p>',
  ],
];

const DISCLOSURES: readonly (readonly [text: string, html: string])[] = [
  [
    '<details>\n<summary>Title</summary>\n\n- *a*\n\n</details>\n\nb',
    '<details><summary>Title</summary><ul><li><em>a</em></li></ul></details><p>b</p>',
  ],
  [
    '<details open class="x"><summary class="y">*T* <kbd>k</kbd></summary>\nText\n# Heading\n</details>\nafter',
    '<details open=""><summary><em>T</em> <kbd>k</kbd></summary><p>Text</p><h1>Heading</h1></details><p>after</p>',
  ],
  [
    '<details data-open="open" title=" open ">\n\n<summary>\n  Two\n  lines\n</summary>more\n</details>',
    '<details><summary>Two\nlines</summary><p>more</p></details>',
  ],
  [
    '<details><summary>T</summary>all in one line</details>\nb',
    '<details><summary>T</summary><p>all in one line</p></details><p>b</p>',
  ],
  [
    '<details><summary>T</summary></details>b',
    '<details><summary>T</summary><p>&lt;/details&gt;b</p></details>',
  ],
  ['<details>no summary\n</details> b', '<details><p>no summary</p></details><p>b</p>'],
  [
    'a\n<details>\n<details>\nb</details>\nc\n</details></details>\nd',
    '<p>a</p><details><details><p>b</p></details><p>c</p></details>HTML',
  ],
  // Unclosed: the disclosure ends with its container.
  ['> <details>\n> a\n\nb', '<blockquote><details><p>a</p></details></blockquote><p>b</p>'],
  [
    '- a\n  <details>\n  <summary>b</summary>\n  c\n  </details>\n- d',
    '<ul><li>a<details><summary>b</summary><p>c</p></details></li><li>d</li></ul>',
  ],
  ['<details>\n\n- a\n\n  </details>\n\nb', '<details><ul><li>a</li></ul></details><p>b</p>'],
  // Tags in code, in other HTML, and without their counterpart are text.
  ['<details>\n```\n</details>\n```\n</details>', '<details>CODE</details>'],
  ['<summary>a</summary>\n\n</details>', 'HTMLHTML'],
  ['<details>\na\n\n<summary>b</summary>\n</details>', '<details><p>a</p>HTML</details>'],
];

const ALERTS: readonly (readonly [text: string, html: string])[] = [
  [
    '> [!NOTE]\n> *a*\n>\n> b\n\nc',
    '<div class="ubik-alert ubik-alert-note"><p class="ubik-alert-title">Note</p><p><em>a</em></p><p>b</p></div><p>c</p>',
  ],
  [
    '> [!tip]  \n> - a',
    '<div class="ubik-alert ubik-alert-tip"><p class="ubik-alert-title">Tip</p><ul><li>a</li></ul></div>',
  ],
  [
    '- > [!Important]\n  > a\n- b',
    '<ul><li><div class="ubik-alert ubik-alert-important"><p class="ubik-alert-title">Important</p><p>a</p></div></li><li>b</li></ul>',
  ],
  [
    '>[!WARNING]\n>a',
    '<div class="ubik-alert ubik-alert-warning"><p class="ubik-alert-title">Warning</p><p>a</p></div>',
  ],
  [
    '> [!CAUTION]',
    '<div class="ubik-alert ubik-alert-caution"><p class="ubik-alert-title">Caution</p></div>',
  ],
  // Quotes: another name, more text in the line, and not the first line.
  ['> [!DANGER]\n> a', '<blockquote><p>[!DANGER]\na</p></blockquote>'],
  ['> [!NOTE] a', '<blockquote><p>[!NOTE] a</p></blockquote>'],
  ['> a\n> [!NOTE]', '<blockquote><p>a\n[!NOTE]</p></blockquote>'],
  ['[!NOTE]\na', '<p>[!NOTE]\na</p>'],
];

/** Shortens links, code and HTML blocks, which have more attributes than these tests are about. */
function shorten(html: string): string {
  const box = document.createElement('div');
  box.innerHTML = html;
  for (const link of box.querySelectorAll('a')) link.replaceWith('*', ...link.childNodes, '*');
  for (const code of box.querySelectorAll('code')) code.removeAttribute('translate');
  for (const code of box.querySelectorAll('.ubik-code')) code.replaceWith('CODE');
  for (const block of box.querySelectorAll('.ubik-html')) block.replaceWith('HTML');
  return box.innerHTML;
}

describe('HTML elements in Markdown', () => {
  it('are rendered inside a line, in each mode of raw HTML', () => {
    for (const [text, html] of INLINE) {
      expect(shorten(render(text)), text).to.equal(html);
      expect(shorten(render(text, 'sanitized')), text).to.equal(html);
    }
  });

  it('are rendered as disclosures that contain Markdown', () => {
    for (const [text, html] of DISCLOSURES) {
      expect(shorten(render(text)), text).to.equal(html);
      expect(shorten(render(text, 'sanitized')), text).to.equal(html);
    }
  });

  it('break lines in the cells of a table', () => {
    const html = render('| a<br>b | c |\n|---|---|\n| 1<br/>2 | x<sup>2</sup> |\n');
    expect(html).to.contain('a<br>b</th>');
    expect(html).to.match(/<td[^>]*>1<br>2<\/td><td[^>]*>x<sup>2<\/sup><\/td>/);
  });

  it('are formatted before they are closed, and not shown as unfinished tags', () => {
    const { box, add } = setupView();
    const shown: string[] = [];
    for (const character of 'x <kbd>Ctrl</kbd> y') {
      add(character);
      shown.push(box.textContent);
      expect(box.textContent).not.to.contain('<');
    }
    expect(shown).to.include('x Ct');
    add('\n\n<details><summary>A b</summary>Text</details');
    expect(box.querySelector('summary')?.textContent).to.equal(undefined);
    add('>\n');
    expect(box.querySelector('details')?.textContent).to.equal('A bText');
  });

  it('keep the state of a disclosure that the user has opened while its text grows', () => {
    const { box, add } = setupView();
    add('<details>\n<summary>A</summary>\n\nOne ');
    const details = box.querySelector('details');
    if (details) details.open = true;
    add('two\n\n- three\n');
    expect(box.querySelector('details')).to.equal(details);
    expect(details?.open).to.equal(true);
    expect(details?.textContent).to.equal('AOne twothree');
  });

  it('show the host of a link whose text contains them', () => {
    const { box, remove } = setupViewInPage('[<kbd>bank.example</kbd>](https://evil.test/)\n\n');
    expect(find(box, '.ubik-link-host').textContent).to.equal(' (evil.test)');
    remove();
  });
});

describe('alerts', () => {
  it('are quotes whose first line is the marker of one of five kinds', () => {
    for (const [text, html] of ALERTS) expect(shorten(render(text)), text).to.equal(html);
  });

  it('have a title in the language of the interface and the role of a note', () => {
    const { box, add } = setupView({
      strings: { ...defaultStrings, lang: 'de', alert: (kind) => `Achtung ${kind}` },
    });
    add('> [!WARNING]\n> a');
    const title = find(box, '.ubik-alert-title');
    expect([title.textContent, title.lang]).to.deep.equal(['Achtung warning', 'de']);
    expect(find(box, '.ubik-alert').role).to.equal('note');
  });

  it('show nothing of the marker while it grows', () => {
    const { box, add } = setupView();
    const shown = [...'> [!NOTE]\n> a'].map((character) => {
      add(character);
      return box.textContent;
    });
    expect([...new Set(shown)]).to.deep.equal(['', 'Note', 'Notea']);
  });
});

describe('HTML elements and alerts outside the view', () => {
  const boxOf = (text: string): HTMLElement => {
    const { box, view, frames, add } = setupView();
    add(text);
    void view.end();
    frames.flush();
    return box;
  };

  it('are copied with a table as Markdown that renders the same, and as CSV with spaces between lines', () => {
    const text =
      '| a<br>b | c |\n| --- | --- |\n| H<sub>2</sub>O<br>x<sup>2</sup> | <kbd>K</kbd> <mark>*m*</mark> \\<br> |\n';
    const table = find(boxOf(text), 'table') as HTMLTableElement;
    expect(toCsv(table)).to.equal('a b,c\r\nH2O x2,K m <br>\r\n');
    expect(find(boxOf(toMarkdown(table)), 'table').outerHTML).to.equal(table.outerHTML);
  });

  it('are read aloud and copied as text line by line, with closed disclosures and titles of alerts', () => {
    const box = boxOf(
      'H<sub>2</sub>O<br>next <kbd>Ctrl</kbd>\n\n<details>\n<summary>More</summary>\nInside\n</details>\n\n> [!TIP]\n> Read.',
    );
    expect(readRenderedText(box)).to.equal('H2O\nnext Ctrl\n\nMore\n\nInside\n\nTip\n\nRead.');
  });

  it('are kept in the HTML export', () => {
    const html = serializeHtml(
      boxOf(
        '<kbd>K</kbd><br><mark>m</mark>\n\n<details open>\n<summary>S</summary>\n</details>\n\n> [!NOTE]\n> a',
      ),
    );
    expect(html).to.contain('<kbd>K</kbd><br><mark>m</mark>');
    expect(html).to.contain('<details open=""><summary>S</summary></details>');
    expect(html).to.contain('<p class="ubik-alert-title">Note</p>');
  });
});

describe('HTML elements and alerts that are streamed', () => {
  it('are rendered as at once after each character', () => {
    for (const [text] of [...INLINE, ...DISCLOSURES, ...ALERTS]) {
      expectStreamed(text);
      expectStreamed(`${text.replaceAll('\n', '\r\n')}\r\n\r\nEnd`);
    }
  });

  it('are rendered as at once in random texts and pieces', () => {
    const fragments =
      '<details>|<details open>|</details>|<summary>|</summary>|<sub>|</sub>|<kbd>|</kbd>|<br>|> |> [!NOTE]|- |  |\n|\n\n|*|`|```|[a](b)|[|]|word|two words|a | b|\\|| |<b>|<!-- |# |1. '.split(
        '|',
      );
    for (const seed of seedsUpTo(60, 300)) {
      const random = createRandom(seed);
      const count = 10 + pickIndex(random, 40);
      const text = Array.from({ length: count }, () => pickOne(random, fragments)).join('');
      expectStreamed(text, randomPieces(random, text, 1 + pickIndex(random, 9)));
    }
  });

  it('are rendered as at once when lines and tags exceed the limits', () => {
    const long = 'word '.repeat(250);
    const texts = [
      `<details><summary>${long}</summary>a\n</details>b`,
      `<details><summary>\n${long}</summary>a\n</details>b`,
      `<details>${long}</details>\nb`,
      `<details title="${long}">\na\n</details>\nb`,
      `<details>\n${long}</details>\nb`,
      `> [!NOTE]${' '.repeat(1200)}\n> a`,
      `<sub>${long.repeat(4)}</sub> b`,
      `${'<details>\n'.repeat(120)}a\n${'</details>\n'.repeat(130)}b`,
    ];
    for (const text of texts) expectStreamed(text, text.match(/[^]{1,97}/g) ?? []);
  });
});
