import { expect } from '@open-wc/testing';
import { toCsv } from '../../src/markdown/extras/table-text.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setupView, renderAtOnce } from './setup-view.js';
import { find, nextFrame, setupViewInPage } from './setup-page-view.js';

const HEAD = '| name | value | note |\n|---|--:|---|\n';
const rows = (count: number, note: string): string =>
  Array.from({ length: count }, (_, index) => `| row ${index} | ${index} | ${note} |\n`).join('');

/** Left and right edges of the columns in pixels. */
const columnsOf = (box: Element): number[] =>
  [...box.querySelectorAll('th')].flatMap((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return [Math.round(left), Math.round(right)];
  });

describe('open table', () => {
  it('fixes its columns after the first rows and wraps wider content', async () => {
    const { box, add, remove } = setupViewInPage(HEAD + rows(12, 'short'));
    const columns = columnsOf(box);
    for (const [index, note] of [
      'word '.repeat(40),
      'x'.repeat(300),
      '`code`'.repeat(20),
    ].entries()) {
      add(`| row | ${index} | ${note}`);
      await nextFrame();
      expect(columnsOf(box)).to.deep.equal(columns);
      add(` |\n${rows(30, 'a')}`);
      await nextFrame();
      expect(columnsOf(box)).to.deep.equal(columns);
    }
    for (const cell of box.querySelectorAll('td')) {
      expect(cell.scrollWidth).to.be.at.most(cell.clientWidth);
    }
    remove();
  });

  it('measures its columns before it changes the DOM', () => {
    const { box, add, remove } = setupViewInPage(HEAD + rows(1, 'x'));
    const observer = new MutationObserver(() => undefined);
    observer.observe(box, { subtree: true, childList: true, characterData: true });
    const changed: number[] = [];
    const head = find(box, 'th');
    const getComputedStyle = window.getComputedStyle;
    window.getComputedStyle = (element, ...rest) => {
      if (element === head) changed.push(observer.takeRecords().length);
      return getComputedStyle(element, ...rest);
    };
    for (const count of [12, 5, 5]) {
      add(rows(count, 'y'));
      observer.takeRecords();
    }
    window.getComputedStyle = getComputedStyle;
    expect(changed).to.deep.equal([0]);
    remove();
  });

  it('fixes its columns when it is wider than the page, and stays scrollable', () => {
    const wide = 'wide'.repeat(30);
    const { box, add, remove } = setupViewInPage(
      `| ${wide} | b |\n|---|---|\n${'| c | d |\n'.repeat(12)}`,
    );
    const columns = columnsOf(box);
    add(`| c | ${'d'.repeat(200)} |\n`);
    expect(columnsOf(box)).to.deep.equal(columns);
    const area = find(box, '.ubik-table');
    expect(area.scrollWidth).to.be.greaterThan(area.clientWidth);
    remove();
  });

  it('releases its columns when it is closed', async () => {
    const text = `${HEAD}${rows(12, 'short')}| row | 1 | ${'word '.repeat(40)} |\n\nEnd.\n\n`;
    const streamed = setupViewInPage();
    for (let from = 0; from < text.length; from += 20) streamed.add(text.slice(from, from + 20));
    const atOnce = setupViewInPage(text);
    expect(streamed.box.innerHTML).to.equal(atOnce.box.innerHTML);
    expect(columnsOf(streamed.box)).to.deep.equal(columnsOf(atOnce.box));
    streamed.remove();
    atOnce.remove();
  });

  it('does not wrap numbers, dates and single words while longer cells wrap', async () => {
    const short = ['2026-11-28', '28 November 2026', '1 234 567 km', '12.50 €', 'on-going', 'yes'];
    const long = ['no number here', 'in 2026 it was more than in 2025', 'a-word-of-some-length'];
    const cells = [...short, ...long];
    const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |\n`;
    const { box, add, remove } = setupViewInPage(
      `${line(cells.map(() => 'h'))}${line(cells.map(() => '---'))}${line(cells)}`,
    );
    const area = find(box, '.ubik-table');
    const countLines = (cell: Element): number => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    for (const isClosed of [false, true]) {
      if (isClosed) add('\nEnd.\n\n');
      await nextFrame();
      const lines = [...box.querySelectorAll('td')].map(countLines);
      expect(lines.slice(0, short.length), `closed: ${isClosed}`).to.deep.equal(short.map(() => 1));
      for (const count of lines.slice(short.length)) expect(count).to.be.greaterThan(1);
      expect(area.scrollWidth).to.be.greaterThan(area.clientWidth);
    }
    remove();
  });

  it('changes the DOM only by appending rows', () => {
    const { box, add, remove } = setupViewInPage(HEAD + rows(60, '*x*'));
    // The columns are fixed with the next row.
    add(rows(1, '*x*'));
    const existing = new Set<Node>([box, ...box.querySelectorAll('*')]);
    const observer = new MutationObserver(() => undefined);
    observer.observe(box, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    add(rows(50, '**y**'));
    const changed = observer.takeRecords().filter(({ target }) => existing.has(target));
    expect(changed.length).to.equal(50);
    for (const { type, target, removedNodes } of changed) {
      expect([type, target.nodeName, removedNodes.length]).to.deep.equal(['childList', 'TBODY', 0]);
    }
    remove();
  });

  it('shows an incomplete row after up to 49 rows', () => {
    for (const [count, shown] of [
      [49, 50],
      [50, 50],
    ] as const) {
      const { box, add } = setupView();
      add(`${HEAD}${rows(count, 'x')}| open`);
      expect(box.querySelectorAll('tbody tr').length).to.equal(shown);
      expect(box.textContent?.includes('open')).to.equal(count === 49);
    }
  });

  it('fixes its columns with the row after the tenth', () => {
    for (const [count, isFixed] of [
      [9, false],
      [10, true],
    ] as const) {
      const { box, add, remove } = setupViewInPage(HEAD + rows(count, 'x'));
      expect(box.querySelector('colgroup')).to.equal(null);
      add(rows(1, 'x'));
      expect(box.querySelectorAll('col').length).to.equal(isFixed ? 3 : 0);
      remove();
    }
  });

  it('has column headers and is in a named, focusable region', () => {
    const { box, root, remove } = setupViewInPage(HEAD + rows(2, 'x'));
    const scopes = [...box.querySelectorAll('thead th')].map((cell) => cell.getAttribute('scope'));
    expect(scopes).to.deep.equal(['col', 'col', 'col']);
    const area = find(box, '.ubik-table');
    expect(area.getAttribute('role')).to.equal('region');
    expect(area.getAttribute('aria-label')).to.equal('Table with 3 columns');
    area.focus();
    expect(root.activeElement).to.equal(area);
    remove();
  });
});

describe('table with short rows', () => {
  const COLUMNS = 120;
  const head = `|${'a|'.repeat(COLUMNS)}\n|${'-|'.repeat(COLUMNS)}\n`;
  /** The number of columns that each row spans. */
  const spannedColumns = (rows: Iterable<HTMLTableRowElement>): Set<number> =>
    new Set(
      [...rows].map(({ cells }) => [...cells].reduce((sum, { colSpan }) => sum + colSpan, 0)),
    );

  it('creates elements in proportion to its text', () => {
    for (const row of ['|\n', '| x\n', 'x |\n', '|x|\n']) {
      const { box, add } = setupView();
      const text = head + row.repeat(2000);
      add(`${text}\nEnd.\n`);
      const count = box.querySelectorAll('*').length;
      expect(count).to.be.lessThan(3 * text.length + 1000);
      expect(box.querySelectorAll('tbody tr').length).to.equal(2000);
      expect(spannedColumns(box.querySelectorAll('tr'))).to.deep.equal(new Set([COLUMNS]));
    }
  });

  it('shows each text in its column for any chunking', () => {
    const short = `${'| x\n'.repeat(30)}${'|x|y \\| z|\n'.repeat(30)}`;
    const text = `${head}${short}|${'full|'.repeat(COLUMNS)}\n${'|'.repeat(COLUMNS)} last\n| *p* | q\n`;
    const { box, add } = setupView();
    for (let from = 0; from < text.length; from += 3) add(text.slice(from, from + 3));
    expect(box.innerHTML).to.equal(renderAtOnce(text, false));
    expect(spannedColumns(box.querySelectorAll('tr'))).to.deep.equal(new Set([COLUMNS]));
    const rows = [...box.querySelectorAll('tbody tr')].map((row) =>
      [...(row as HTMLTableRowElement).cells].map(({ textContent }) => textContent),
    );
    expect(rows[29]?.[0]).to.equal('x');
    expect(rows[59]?.slice(0, 3)).to.deep.equal(['x', 'y | z', '']);
    expect(rows[60]).to.deep.equal(Array(COLUMNS).fill('full'));
    expect(rows[61]?.at(-1)).to.equal('last');
    expect(rows[62]?.slice(0, 3)).to.deep.equal(['p', 'q', '']);
  });

  it('has a cell for each column of a full row after the budget of empty cells is used up', () => {
    // Eight short rows leave fewer empty cells than there are columns.
    const short = '| x\n'.repeat(8);
    for (const full of [`|${'full|'.repeat(COLUMNS)}\n`, `|${'full|'.repeat(COLUMNS + 3)}\n`]) {
      const { box, add } = setupView();
      add(`${head}${short}`);
      for (let from = 0; from < full.length; from += 50) add(full.slice(from, from + 50));
      const cells = [...(box.querySelector('tbody tr:last-child')?.children ?? [])];
      expect(cells.map(({ textContent }) => textContent)).to.deep.equal(
        Array(COLUMNS).fill('full'),
      );
      expect(box.querySelector('[colspan]')).to.equal(null);
    }
    const { box, add } = setupView();
    add(`${head}${short}| x | y\n`);
    const last = box.querySelector<HTMLTableRowElement>('tbody tr:last-child');
    const spans = [...(last?.cells ?? [])].map(({ colSpan }) => colSpan);
    expect(spans).to.deep.equal([1, 1, COLUMNS - 2]);
    // The row before has added to the budget without using it.
    add('| x\n');
    expect(box.querySelectorAll('tbody tr:last-child > td').length).to.equal(COLUMNS);
  });

  it('is copied as CSV with the same number of fields in each row', () => {
    const { box, add } = setupView();
    add(`${head}${'| x | y\n'.repeat(50)}\n`);
    const lines = toCsv(find(box, 'table') as HTMLTableElement)
      .trimEnd()
      .split('\r\n');
    expect(new Set(lines.map((line) => line.split(',').length))).to.deep.equal(new Set([COLUMNS]));
    expect(lines.at(-1)).to.match(/^x,y,+$/);
  });

  it('has a cell for each missing column of an ordinary table', () => {
    const { box, add } = setupView();
    add(`| a | b | c |\n|---|---|---|\n${'| x |\n'.repeat(400)}`);
    expect(box.querySelectorAll('td').length).to.equal(1200);
    expect(box.querySelector('[colspan]')).to.equal(null);
  });
});

describe('table that is copied as CSV', () => {
  it('has alternative texts of images, and no link notices', () => {
    const { box, add } = setupView({ urlPolicy: createUrlPolicy() });
    add(
      `${HEAD}| **![a cat](https://images.test/cat.png)** | [bank.test](https://other.test/) | 1 |\n\n`,
    );
    const lines = toCsv(find(box, 'table') as HTMLTableElement).split('\r\n');
    expect(find(box, '.ubik-link-host').textContent).to.contain('other.test');
    expect(lines[1]).to.equal('a cat,bank.test,1');
  });
});
