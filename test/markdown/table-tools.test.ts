import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { enhanceTable } from '../../src/markdown/extras/tables.js';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
import { defaultStrings } from '../../src/markdown/options.js';
import { renderAtOnce } from './setup-view.js';
import { find, setupViewInPage, mockClipboard } from './setup-page-view.js';

const TEXT = `Before

| Name | Price | Day |
|------|------:|:---:|
| Item 10 | 1,200.50 | b |
| item 9 | 30 | |
| Éclair | -4 | A |
| item 10 | 30 | c |

After

`;

/** Renders a table and hovers it, which loads the table tools. */
async function setupTable(
  text = TEXT,
  options: Partial<MarkdownOptions> = {},
): Promise<
  ReturnType<typeof setupViewInPage> & { readonly loads: string[]; column(at: number): string }
> {
  const loads: string[] = [];
  const loadExtra = (name: string): Promise<unknown> => {
    loads.push(name);
    return name === 'tables'
      ? import('../../src/markdown/extras/tables.js')
      : Promise.reject(new Error('Not available.'));
  };
  const fixture = setupViewInPage(text, { loadExtra, ...options });
  fixture.box
    .querySelector('td')
    ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
  await whenLoaded();
  const column = (at: number): string =>
    [...fixture.box.querySelectorAll(`td:nth-child(${at + 1})`)]
      .map(({ textContent }) => textContent)
      .join('|');
  return { ...fixture, loads, column };
}

/** Waits until the module is loaded. */
async function whenLoaded(): Promise<void> {
  await import('../../src/markdown/extras/tables.js');
  await new Promise((resolve) => setTimeout(resolve));
}

const sortButtonsIn = (box: Element): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>('.ubik-sort'),
];
const copyButtonsIn = (box: Element): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>('.ubik-table-tools button'),
];

describe('table tools module', () => {
  it('is loaded when a closed table is hovered or focused, and not before', async () => {
    const { box, loads, add, remove } = await setupTable('| a |\n|---|\n| b |\n');
    expect(loads).to.deep.equal([]);
    add('\nText with [a link](https://a.test/).\n\n');
    find(box, 'a').focus();
    find(box, 'a').click();
    expect(loads).to.deep.equal([]);
    await sendKeys({ down: 'Shift' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ up: 'Shift' });
    expect(loads).to.deep.equal(['tables']);
    const { x, y } = find(box, 'td').getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(x) + 5, Math.round(y) + 5] });
    await whenLoaded();
    expect(loads, 'once per table').to.deep.equal(['tables']);
    expect(copyButtonsIn(box).length).to.equal(2);
    remove();
  });

  it('leaves a table unchanged when it cannot be loaded', async () => {
    for (const loadExtra of [undefined, () => Promise.reject(new Error('offline'))]) {
      const { box, column, remove } = await setupTable(TEXT, { loadExtra });
      expect(box.querySelectorAll('button').length).to.equal(0);
      expect(column(0)).to.equal('Item 10|item 9|Éclair|item 10');
      remove();
    }
  });

  it('does nothing for an area without a table', () => {
    const area = document.createElement('div');
    enhanceTable(area, { document, strings: defaultStrings, copy: () => undefined });
    expect(area.childElementCount).to.equal(0);
  });

  it('does not move the content', async () => {
    const { box, remove } = setupViewInPage(TEXT);
    const measure = (of: Element): number[] =>
      [...of.querySelectorAll('p, th, td')].flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
      });
    const before = measure(box);
    remove();
    const withTools = await setupTable();
    expect(measure(withTools.box)).to.deep.equal(before);
    withTools.remove();
  });

  it('shows its buttons while the table is hovered or focused', async () => {
    const { box, remove } = await setupTable();
    const [copyButton] = copyButtonsIn(box);
    await sendMouse({ type: 'move', position: [700, 500] });
    expect(copyButton?.checkVisibility({ visibilityProperty: true })).to.equal(false);
    find(box, '.ubik-table').focus();
    expect(copyButton?.checkVisibility({ visibilityProperty: true })).to.equal(true);
    const { top, right } = copyButton?.getBoundingClientRect() ?? new DOMRect();
    const area = find(box, '.ubik-table').getBoundingClientRect();
    expect(top).to.be.lessThan(area.top);
    expect(right).to.be.within(area.left, area.right);
    remove();
  });
});

describe('buttons of a table', () => {
  it('do not cover the names of the columns, even with the height of a touch target', async () => {
    const { box, remove } = await setupTable();
    find(box, '.ubik-table').focus();
    const names = [...box.querySelectorAll('th')].map((head) => {
      const range = document.createRange();
      range.selectNodeContents(head.firstChild ?? head);
      return range.getBoundingClientRect().top;
    });
    for (const height of ['auto', '44px']) {
      for (const button of copyButtonsIn(box)) button.style.minHeight = height;
      const { bottom, height: shown } = find(box, '.ubik-table-tools').getBoundingClientRect();
      expect(shown).to.be.greaterThan(0);
      expect(bottom, height).to.be.at.most(Math.min(...names));
    }
    remove();
  });

  it('can be clicked when the table is the first of a group with content-visibility', async () => {
    const text = `${TEXT.slice('Before\n\n'.length)}${'Word.\n\n'.repeat(60)}`;
    const { box, root, remove } = await setupTable(text);
    (root.host as HTMLElement).style.paddingTop = '50px';
    expect(getComputedStyle(find(box, '.ubik-markdown')).contentVisibility).to.equal('auto');
    find(box, '.ubik-table').focus({ preventScroll: true });
    const [copyButton] = copyButtonsIn(box);
    const { x, y } = copyButton?.getBoundingClientRect() ?? new DOMRect();
    expect(root.elementFromPoint(x + 5, y + 3) === copyButton).to.equal(true);
    remove();
  });
});

describe('sorting a table', () => {
  it('cycles through ascending, descending and original order, and collates text by language', async () => {
    const { box, column, remove } = await setupTable();
    const [name] = sortButtonsIn(box);
    const head = find(box, 'th');
    const states: [string | null, string][] = [];
    for (let press = 0; press < 3; press += 1) {
      name?.click();
      states.push([head.getAttribute('aria-sort'), column(0)]);
    }
    expect(states).to.deep.equal([
      ['ascending', 'Éclair|item 9|item 10|Item 10'],
      ['descending', 'Item 10|item 10|item 9|Éclair'],
      [null, 'Item 10|item 9|Éclair|item 10'],
    ]);
    remove();
  });

  it('compares numbers by value, is stable, and puts empty cells last', async () => {
    const { box, column, remove } = await setupTable();
    const [, price, day] = sortButtonsIn(box);
    price?.click();
    expect(column(1)).to.equal('-4|30|30|1,200.50');
    expect(column(0)).to.equal('Éclair|item 9|item 10|Item 10');
    price?.click();
    expect(column(0)).to.equal('Item 10|item 9|item 10|Éclair');
    day?.click();
    expect(column(2)).to.equal('A|b|c|');
    day?.click();
    expect(column(2)).to.equal('c|b|A|');
    expect(box.querySelectorAll('[aria-sort]').length).to.equal(1);
    remove();
  });

  it('parses numbers in the format of the language', async () => {
    const table = (...cells: string[]): string =>
      `| n |\n|---|\n${cells.map((cell) => `| ${cell} |\n`).join('')}\nx\n\n`;
    const cases: [string, string[]][] = [
      ['de', ['1.200,5 €', '300 €', '1,25 €', '1,5 €']],
      ['fr', ['1 200,5 %', '300 %', '1,25 %', '1,5 %']],
      ['en', ['$1,200.5', '300', '1.25', '−7']],
      ['not a tag', ['10.5', '9', '9.25']],
    ];
    for (const [lang, cells] of cases) {
      const { box, root, column, remove } = await setupTable(table(...cells));
      (root.host as HTMLElement).lang = lang;
      sortButtonsIn(box)[0]?.click();
      const value = (text: string): number =>
        lang === 'de' || lang === 'fr'
          ? Number.parseFloat(text.replace(/[. ]/g, '').replace(',', '.'))
          : Number.parseFloat(text.replace(/[$,]/g, '').replace('−', '-'));
      const wanted = [...cells].sort((a, b) => value(a) - value(b));
      expect(column(0), lang).to.equal(wanted.join('|'));
      remove();
    }
  });

  it('reads a group separator as a decimal separator where a number of the column shows that it does not separate groups of digits', async () => {
    for (const [lang, cells, sorted] of [
      ['de', ['0.5', '0.125', '0.25'], '0.125|0.25|0.5'],
      ['de', ['10.125', '2.5', '11'], '2.5|10.125|11'],
      ['en', ['10,125', '2,5', '11'], '2,5|10,125|11'],
      ['de', ['10.125', '2.500', '11'], '11|2.500|10.125'],
    ] as const) {
      const rows = cells.map((cell) => `| ${cell} |\n`).join('');
      const { box, root, column, remove } = await setupTable(`| n |\n|---|\n${rows}\nx\n\n`);
      (root.host as HTMLElement).lang = lang;
      sortButtonsIn(box)[0]?.click();
      expect(column(0)).to.equal(sorted);
      remove();
    }
  });

  it('sorts as text when a cell is not a number, and by number otherwise, with commas in groups or before decimals', async () => {
    for (const [cells, sorted] of [
      [['1.5', '1.25', '%'], '%|1.5|1.25'],
      [['1,5', '1,25', '1'], '1|1,25|1,5'],
      [['1,500', '2', '1,499'], '2|1,499|1,500'],
    ] as const) {
      const rows = cells.map((cell) => `| ${cell} |\n`).join('');
      const { box, column, remove } = await setupTable(`| n |\n|---|\n${rows}\nx\n\n`);
      sortButtonsIn(box)[0]?.click();
      expect(column(0)).to.equal(sorted);
      remove();
    }
  });

  it('is not offered in a table without rows', async () => {
    const { box, frames, remove } = await setupTable('| a |\n|---|\n\nx\n\n');
    find(box, 'th').dispatchEvent(
      new PointerEvent('pointerover', { bubbles: true, composed: true }),
    );
    await whenLoaded();
    frames.flush();
    expect(copyButtonsIn(box)).to.have.length(2);
    expect(sortButtonsIn(box)).to.have.length(0);
    remove();
  });

  it('has a named button in each heading without changing the name of the heading', async () => {
    const { box, root, remove } = await setupTable(
      '| [a](https://a.test/) | |\n|---|---|\n| b | c |\n\nx\n\n',
    );
    const names = sortButtonsIn(box).map((button) => button.getAttribute('aria-label'));
    expect(names).to.deep.equal(['Sort by a', 'Sort by 2']);
    expect(find(box, 'th').getAttribute('aria-label')).to.equal('a');
    sortButtonsIn(box)[1]?.focus();
    await sendKeys({ press: 'Enter' });
    expect(box.querySelectorAll('th')[1]?.getAttribute('aria-sort')).to.equal('ascending');
    expect(root.activeElement).to.equal(sortButtonsIn(box)[1]);
    remove();
  });
});

describe('copying a table', () => {
  const RICH = `| A "b", c | D | E |
|:--|:-:|---|
| **bold** *soft* ~~gone~~ | \`a\\|b\` | [good.test](https://evil.test/x) |
| =1+1 | -5 | 3 \\* 4 \\| 5_a_b |
| ![alt](https://i.test/a.png) | +1,000% | -x |

After

`;

  it('writes CSV without formulas, links and buttons', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setupTable(RICH);
    const [csv] = copyButtonsIn(box);
    csv?.click();
    await whenLoaded();
    expect(clipboard.written).to.deep.equal([
      '"A ""b"", c",D,E\r\nbold soft gone,a|b,good.test\r\n\'=1+1,-5,3 * 4 | 5_a_b\r\nalt,"+1,000%",\'-x\r\n',
    ]);
    expect(csv?.textContent).to.equal('Copied');
    csv?.click();
    await whenLoaded();
    csv?.dispatchEvent(new PointerEvent('pointerleave'));
    expect(csv?.textContent).to.equal('Copy CSV');
    clipboard.restore();
    remove();
  });

  it('writes CSV in which neither other separators nor full-width characters start a formula', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setupTable(
      '| a;=1+1 | ＝1+1 |\n|---|---|\n| ＠x | ＋x |\n| －x | －5 |\n| -5 | 1+x!A0 |\n\nAfter\n\n',
    );
    copyButtonsIn(box)[0]?.click();
    await whenLoaded();
    expect(clipboard.written).to.deep.equal([
      "\"a;'=1+1\",'＝1+1\r\n'＠x,'＋x\r\n'－x,－5\r\n-5,\"1+x!A0\"\r\n",
    ]);
    clipboard.restore();
    remove();
  });

  it('writes Markdown of the same table in the shown order', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setupTable(RICH);
    copyButtonsIn(box)[1]?.click();
    const [copied = ''] = clipboard.written;
    expect(renderAtOnce(`${copied}\nAfter\n\n`, true)).to.equal(renderAtOnce(RICH, true));
    sortButtonsIn(box)[1]?.click();
    copyButtonsIn(box)[1]?.click();
    const rows = clipboard.written[1]?.split('\n').slice(2, -1) ?? [];
    expect(rows).to.have.members(copied.split('\n').slice(2, -1));
    expect(rows[0]).to.contain('-5');
    clipboard.restore();
    remove();
  });

  it('writes code with backticks, addresses with delimiters, and images that are not shown', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setupTable(
      '| `` a`b `` | ``` `` ``` | `c` |\n|:--|---|--:|\n| [x](<https://a.test/?a\\|b>) | a\\*b \\<i> \\$5 | ![d\\*e](javascript:x) |\n| ![f\\_g](https://a.test/f.png) | | |\n\nx\n\n',
    );
    const [csv, markdown] = copyButtonsIn(box);
    markdown?.click();
    csv?.click();
    const [copied = '', cells = ''] = clipboard.written;
    expect(copied.split('\n')).to.deep.equal([
      '| `` a`b `` | ``` `` ``` | `c` |',
      '| :-- | --- | --: |',
      '| [x](<https://a.test/?a%7Cb>) | a\\*b \\<i> \\$5 | Image: d\\*e |',
      '| ![f\\_g](<https://a.test/f.png>) |  |  |',
      '',
    ]);
    expect(cells.split('\r\n').slice(1)).to.deep.equal(['x,a*b <i> $5,Image: d*e', 'f_g,,', '']);
    clipboard.restore();
    remove();
  });
});

describe('numbers of citations and footnotes in a table', () => {
  const CITED =
    '| a[^1] |\n|---|\n| 42\uE0001\uE001 |\n| 5[^1]\uE000x_y\uE001 |\n| 300 |\n\n[^1]: Note.\n\nAfter\n\n';
  const renderMark = (key: string): Node => {
    const button = document.createElement('button');
    button.className = 'cite';
    button.textContent = key;
    return button;
  };

  it('are not part of the values that are copied as CSV, sorted, and named', async () => {
    const clipboard = mockClipboard();
    const { box, column, remove } = await setupTable(CITED, { renderMark });
    copyButtonsIn(box)[0]?.click();
    expect(clipboard.written).to.deep.equal(['a\r\n42\r\n5\r\n300\r\n']);
    sortButtonsIn(box)[0]?.click();
    expect(column(0)).to.equal('51x_y|421|300');
    expect(find(box, 'th').getAttribute('aria-label')).to.equal('a');
    clipboard.restore();
    remove();
  });

  it('are the value of a cell that has no other text', async () => {
    const clipboard = mockClipboard();
    const cited = '| a |\n|---|\n| \uE0002\uE001 |\n| \uE0001\uE001 |\n\nAfter\n\n';
    const { box, column, remove } = await setupTable(cited, { renderMark });
    copyButtonsIn(box)[0]?.click();
    expect(clipboard.written).to.deep.equal(['a\r\n2\r\n1\r\n']);
    sortButtonsIn(box)[0]?.click();
    expect(column(0)).to.equal('1|2');
    clipboard.restore();
    remove();
  });

  it('are copied as Markdown text in brackets', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setupTable(CITED, { renderMark });
    copyButtonsIn(box)[1]?.click();
    expect(clipboard.written[0]?.split('\n')).to.deep.equal([
      '| a\\[1\\] |',
      '| --- |',
      '| 42\\[1\\] |',
      '| 5\\[1\\]\\[x\\_y\\] |',
      '| 300 |',
      '',
    ]);
    clipboard.restore();
    remove();
  });
});

describe('names in a table with tools', () => {
  it('have the language of the interface where one is given', async () => {
    const { box, remove } = await setupTable(TEXT, { strings: { ...defaultStrings, lang: 'fr' } });
    for (const button of [...sortButtonsIn(box), ...copyButtonsIn(box)])
      expect(button.lang).to.equal('fr');
    remove();
    const other = await setupTable();
    for (const button of [...sortButtonsIn(other.box), ...copyButtonsIn(other.box)])
      expect(button.hasAttribute('lang')).to.equal(false);
    other.remove();
  });

  it('are those of the columns, or their numbers', async () => {
    const { box, remove } = await setupTable('| Name | |\n|---|---|\n| a | b |\n\nAfter\n\n');
    const names = (elements: readonly Element[]): (string | null)[] =>
      elements.map((element) => element.getAttribute('aria-label'));
    expect(names(sortButtonsIn(box))).to.deep.equal(['Sort by Name', 'Sort by 2']);
    expect(names([...box.querySelectorAll('th')])).to.deep.equal(['Name', '2']);
    remove();
  });
});
