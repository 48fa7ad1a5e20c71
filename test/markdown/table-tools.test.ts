import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import type { MarkdownOptions } from '../../src/markdown/markdown-view.js';
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

/** A table that somebody has come to, with the part that serves it. */
async function setUpTable(
  text = TEXT,
  options: Partial<MarkdownOptions> = {},
): Promise<
  ReturnType<typeof setupViewInPage> & { readonly asked: string[]; column(at: number): string }
> {
  const asked: string[] = [];
  const loadExtra = (name: string): Promise<unknown> => {
    asked.push(name);
    return name === 'tables' ? import(PART) : Promise.reject(new Error('Not here.'));
  };
  const stage = setupViewInPage(text, { loadExtra, ...options });
  stage.box
    .querySelector('td')
    ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
  await loaded();
  const column = (at: number): string =>
    [...stage.box.querySelectorAll(`td:nth-child(${at + 1})`)]
      .map(({ textContent }) => textContent)
      .join('|');
  return { ...stage, asked, column };
}

const PART = new URL('../../src/markdown/extras/tables.ts', import.meta.url).href;

/** What was asked for is there. */
async function loaded(): Promise<void> {
  await import(PART);
  await new Promise((resolve) => setTimeout(resolve));
}

const sortersOf = (box: Element): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>('.ubik-sort'),
];
const copiersOf = (box: Element): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>('.ubik-table-tools button'),
];

describe('The part for tables', () => {
  it('is loaded when somebody comes to a closed table, by pointer or by keyboard, and not before', async () => {
    const { box, asked, add, remove } = await setUpTable('| a |\n|---|\n| b |\n');
    expect(asked).to.deep.equal([]);
    add('\nText with [a link](https://a.test/).\n\n');
    find(box, 'a').focus();
    find(box, 'a').click();
    expect(asked).to.deep.equal([]);
    await sendKeys({ down: 'Shift' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ up: 'Shift' });
    expect(asked).to.deep.equal(['tables']);
    const { x, y } = find(box, 'td').getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(x) + 5, Math.round(y) + 5] });
    await loaded();
    expect(asked, 'once for each table').to.deep.equal(['tables']);
    expect(copiersOf(box).length).to.equal(2);
    remove();
  });

  it('leaves a table as it is when it cannot be had', async () => {
    for (const loadExtra of [undefined, () => Promise.reject(new Error('gone'))]) {
      const { box, column, remove } = await setUpTable(TEXT, { loadExtra });
      expect(box.querySelectorAll('button').length).to.equal(0);
      expect(column(0)).to.equal('Item 10|item 9|Éclair|item 10');
      remove();
    }
  });

  it('moves nothing', async () => {
    const { box, remove } = setupViewInPage(TEXT);
    const placesOf = (of: Element): number[] =>
      [...of.querySelectorAll('p, th, td')].flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
      });
    const before = placesOf(box);
    remove();
    const dressed = await setUpTable();
    expect(placesOf(dressed.box)).to.deep.equal(before);
    dressed.remove();
  });

  it('shows its buttons while somebody is at the table', async () => {
    const { box, remove } = await setUpTable();
    const [copier] = copiersOf(box);
    await sendMouse({ type: 'move', position: [700, 500] });
    expect(copier?.checkVisibility({ visibilityProperty: true })).to.equal(false);
    find(box, '.ubik-table').focus();
    expect(copier?.checkVisibility({ visibilityProperty: true })).to.equal(true);
    const { top, right } = copier?.getBoundingClientRect() ?? new DOMRect();
    const area = find(box, '.ubik-table').getBoundingClientRect();
    expect(top).to.be.lessThan(area.top);
    expect(right).to.be.within(area.left, area.right);
    remove();
  });
});

describe('The buttons of a table', () => {
  it('can be pressed also where the table is the first of a group that the browser may skip', async () => {
    const text = `${TEXT.slice(8)}${'Word.\n\n'.repeat(60)}`;
    const { box, root, remove } = await setUpTable(text);
    (root.host as HTMLElement).style.paddingTop = '50px';
    expect(getComputedStyle(find(box, '.ubik-markdown')).contentVisibility).to.equal('auto');
    find(box, '.ubik-table').focus({ preventScroll: true });
    const [copier] = copiersOf(box);
    const { x, y } = copier?.getBoundingClientRect() ?? new DOMRect();
    expect(root.elementFromPoint(x + 5, y + 3) === copier).to.equal(true);
    remove();
  });
});

describe('Sorting a table', () => {
  it('goes up, down and back, by the language where not all are numbers', async () => {
    const { box, column, remove } = await setUpTable();
    const [name] = sortersOf(box);
    const head = find(box, 'th');
    const seen: [string | null, string][] = [];
    for (let press = 0; press < 3; press += 1) {
      name?.click();
      seen.push([head.getAttribute('aria-sort'), column(0)]);
    }
    expect(seen).to.deep.equal([
      ['ascending', 'Éclair|item 9|item 10|Item 10'],
      ['descending', 'Item 10|item 10|item 9|Éclair'],
      [null, 'Item 10|item 9|Éclair|item 10'],
    ]);
    remove();
  });

  it('compares numbers as numbers, keeps the order of equals, and empty cells at the end', async () => {
    const { box, column, remove } = await setUpTable();
    const [, price, day] = sortersOf(box);
    price?.click();
    expect(column(1)).to.equal('-4|30|30|1,200.50');
    expect(column(0)).to.equal('Éclair|item 9|item 10|Item 10');
    day?.click();
    expect(column(2)).to.equal('A|b|c|');
    day?.click();
    expect(column(2)).to.equal('c|b|A|');
    expect(box.querySelectorAll('[aria-sort]').length).to.equal(1);
    remove();
  });

  it('reads numbers as the language of the page writes them', async () => {
    const table = (...cells: string[]): string =>
      `| n |\n|---|\n${cells.map((cell) => `| ${cell} |\n`).join('')}\nx\n\n`;
    const cases: [string, string[]][] = [
      ['de', ['1.200,5 €', '300 €', '1,25 €', '1,5 €']],
      ['fr', ['1 200,5 %', '300 %', '1,25 %', '1,5 %']],
      ['en', ['$1,200.5', '300', '1.25', '−7']],
      ['not a tag', ['10.5', '9', '9.25']],
    ];
    for (const [lang, cells] of cases) {
      const { box, root, column, remove } = await setUpTable(table(...cells));
      (root.host as HTMLElement).lang = lang;
      sortersOf(box)[0]?.click();
      const value = (text: string): number =>
        lang === 'de' || lang === 'fr'
          ? Number.parseFloat(text.replace(/[. ]/g, '').replace(',', '.'))
          : Number.parseFloat(text.replace(/[$,]/g, '').replace('−', '-'));
      const wanted = [...cells].sort((a, b) => value(a) - value(b));
      expect(column(0), lang).to.equal(wanted.join('|'));
      remove();
    }
  });

  it('has a button with a name in each heading, and leaves the name of the heading', async () => {
    const { box, root, remove } = await setUpTable(
      '| [a](https://a.test/) | |\n|---|---|\n| b | c |\n\nx\n\n',
    );
    const names = sortersOf(box).map((button) => button.getAttribute('aria-label'));
    expect(names).to.deep.equal(['Sort by a', 'Sort by 2']);
    expect(find(box, 'th').getAttribute('aria-label')).to.equal('a');
    sortersOf(box)[1]?.focus();
    await sendKeys({ press: 'Enter' });
    expect(box.querySelectorAll('th')[1]?.getAttribute('aria-sort')).to.equal('ascending');
    expect(root.activeElement).to.equal(sortersOf(box)[1]);
    remove();
  });
});

describe('Copying a table', () => {
  const RICH = `| A "b", c | D | E |
|:--|:-:|---|
| **bold** *soft* ~~gone~~ | \`a\\|b\` | [good.test](https://evil.test/x) |
| =1+1 | -5 | 3 \\* 4 \\| 5_a_b |
| ![alt](https://i.test/a.png) | +1,000% | -x |

After

`;

  it('gives CSV that a spreadsheet reads, without formulas, links and buttons', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setUpTable(RICH);
    const [csv] = copiersOf(box);
    csv?.click();
    await loaded();
    expect(clipboard.written).to.deep.equal([
      '"A ""b"", c",D,E\r\nbold soft gone,a|b,good.test\r\n\'=1+1,-5,3 * 4 | 5_a_b\r\nalt,"+1,000%",\'-x\r\n',
    ]);
    expect(csv?.textContent).to.equal('Copied');
    csv?.click();
    await loaded();
    csv?.dispatchEvent(new PointerEvent('pointerleave'));
    expect(csv?.textContent).to.equal('Copy CSV');
    clipboard.giveBack();
    remove();
  });

  it('gives CSV in which no other separator and no wide sign begins a formula', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setUpTable(
      '| a;=1+1 | ＝1+1 |\n|---|---|\n| ＠x | ＋x |\n| －x | －5 |\n\nAfter\n\n',
    );
    copiersOf(box)[0]?.click();
    await loaded();
    expect(clipboard.written).to.deep.equal(["\"a;=1+1\",'＝1+1\r\n'＠x,'＋x\r\n'－x,－5\r\n"]);
    clipboard.giveBack();
    remove();
  });

  it('gives Markdown that makes the same table again, in the order that is shown', async () => {
    const clipboard = mockClipboard();
    const { box, remove } = await setUpTable(RICH);
    copiersOf(box)[1]?.click();
    const [copied = ''] = clipboard.written;
    expect(renderAtOnce(`${copied}\nAfter\n\n`, true)).to.equal(renderAtOnce(RICH, true));
    sortersOf(box)[1]?.click();
    copiersOf(box)[1]?.click();
    const rows = clipboard.written[1]?.split('\n').slice(2, -1) ?? [];
    expect(rows).to.have.members(copied.split('\n').slice(2, -1));
    expect(rows[0]).to.contain('-5');
    clipboard.giveBack();
    remove();
  });
});
