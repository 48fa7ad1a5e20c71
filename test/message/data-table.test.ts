import { expect } from '@open-wc/testing';
import { findLocale } from '../../src/locales/locale.js';
import type { DataCell, DataColumn, TableFields } from '../../src/model/part.js';
import { accessibleName } from '../helpers/accessible-name.js';
import { waitFor } from '../helpers/wait-for.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import {
  loadDataView,
  part,
  setupMessageView,
  type MessageViewOptions,
} from './message-fixture.js';

const COLUMNS: readonly DataColumn[] = [
  { name: 'river', type: 'text' },
  { name: 'length', type: 'number' },
  { name: 'measured', type: 'date' },
  { name: 'navigable', type: 'boolean' },
];

const ROWS: readonly (readonly DataCell[])[] = [
  ['Volga', 353000.5, '2024-03-01', true],
  ['Danube', 285000, null, false],
  ['=HYPERLINK("x")', '12.50', '2023-01-31', null],
];

const TABLE: TableFields = {
  ...{ kind: 'table', title: 'Rivers', description: '', columns: COLUMNS, rows: ROWS },
  ...{ total: null, source: '' },
};

/** A table of one column with the numbers from 1 to `count`. */
const countingTable = (count: number, more: Partial<TableFields> = {}): TableFields => ({
  ...TABLE,
  columns: [{ name: 'n', type: 'number' }],
  rows: Array.from({ length: count }, (_, index) => [index + 1]),
  ...more,
});

/** A complete message with one table. */
function setupTable(fields: Partial<TableFields> = {}, options: MessageViewOptions = {}) {
  const fixture = setupMessageView({ fields: { status: 'complete' }, ...options });
  fixture.run(part('d', { ...TABLE, ...fields }));
  const { root, query } = fixture;
  const texts = (selector: string): string[] =>
    [...root.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
  return {
    ...fixture,
    texts,
    /** The texts of the cells, row by row. */
    rows: () =>
      [...root.querySelectorAll<HTMLTableRowElement>('tbody tr')].map((row) =>
        [...row.cells].map(({ textContent }) => textContent),
      ),
    range: () => texts('.data-footer [role=status]').join(),
    /** Presses the header of a column, and runs the sort to its end. */
    sort: (column: number) => {
      root.querySelectorAll<HTMLElement>('.sort')[column]?.click();
      fixture.frames.flush();
    },
    button: (name: string): HTMLElement => {
      const found = [...root.querySelectorAll('button')].find(
        (one) => accessibleName(one) === name,
      );
      if (!found) throw new Error(`There is no button "${name}".`);
      return found;
    },
    scroller: () => query('.data-scroller'),
  };
}

describe('table part', () => {
  before(() => loadDataView('table'));

  it('shows its title, description, columns and cells in the formats of the language', () => {
    const { rows, texts, query, remove } = setupTable({ description: 'By length.' });
    expect(texts('figcaption p')).to.deep.equal(['Rivers', 'By length.']);
    expect(texts('th')).to.deep.equal(['river', 'length', 'measured', 'navigable']);
    expect(rows()).to.deep.equal([
      ['Volga', '353,000.5', 'Mar 1, 2024', 'Yes'],
      ['Danube', '285,000', '—', 'No'],
      ['=HYPERLINK("x")', '12.50', 'Jan 31, 2023', '—'],
    ]);
    expect(query('.data-scroller').getAttribute('aria-label')).to.equal('Rivers');
    remove();
  });

  it('has no caption without title and description, and is named by its size', () => {
    const { root, scroller, texts, query, remove } = setupTable({ title: '' });
    expect(root.querySelector('figcaption')).to.equal(null);
    expect(scroller().ariaLabel).to.equal('Table with 4 columns');
    const names = [...root.querySelectorAll<HTMLElement>('.data-actions button')].map(
      accessibleName,
    );
    expect(names).to.deep.equal(texts('.data-actions button'));
    expect(query('table').ariaRowCount).to.equal(null);
    expect(query('tbody tr').ariaRowIndex).to.equal(null);
    remove();
  });

  it('keeps dates and numbers on one line, and not texts', () => {
    const { root, remove } = setupTable({ rows: [['Volga', 1, '2024-03-01', true]] });
    const areUnbroken = [...root.querySelectorAll('td')].map(
      (cell) => getComputedStyle(cell).whiteSpace === 'nowrap',
    );
    expect(areUnbroken).to.deep.equal([false, true, true, false]);
    remove();
  });

  it('has the language of the content in its cells and that of the interface around them', () => {
    const { query, context, view, frames, texts, remove } = setupTable({ source: 'SELECT 1' });
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    expect([query('table').lang, query('.data-scroller').lang]).to.deep.equal(['it', 'en']);
    expect(query('figcaption').lang).to.equal('it');
    expect(query('summary').lang).to.equal('en');
    expect(texts('th')).to.deep.equal(['river', 'length', 'measured', 'navigable']);
    context.locale = findLocale('en');
    view.redraw();
    frames.flush();
    expect(query('table').hasAttribute('lang')).to.equal(false);
    remove();
  });

  it('aligns numbers and their header at the end of the column', () => {
    const { query, root, remove } = setupTable();
    expect(getComputedStyle(query('td.numeric')).textAlign).to.equal('end');
    expect(root.querySelectorAll('th.numeric').length).to.equal(1);
    remove();
  });

  it('sorts by a column in one direction, in the other, and not at all, with the state at its header', () => {
    const { rows, sort, root, query, frames, scroller, remove } = setupTable();
    expect(scroller().ariaBusy).to.equal(null);
    const order = (): string =>
      rows()
        .map(([river]) => river?.slice(0, 1))
        .join('');
    const states = (): (string | null)[] =>
      [...root.querySelectorAll('th')].map((header) => header.ariaSort);
    sort(1);
    expect(order()).to.equal('=DV');
    expect(states()).to.deep.equal([null, 'ascending', null, null]);
    sort(1);
    expect(order()).to.equal('VD=');
    expect(states()).to.deep.equal([null, 'descending', null, null]);
    sort(1);
    expect(order()).to.equal('VD=');
    expect(states()).to.deep.equal([null, null, null, null]);
    sort(0);
    sort(2);
    expect(order()).to.equal('=VD');
    expect(states()).to.deep.equal([null, null, 'ascending', null]);
    // The third click ends the sort of the second one before it has begun.
    for (let click = 0; click < 3; click += 1) query('.sort').click();
    frames.flush();
    expect([order(), scroller().ariaBusy]).to.deep.equal(['VD=', null]);
    remove();
  });

  it('renders its rows again only when they or their title change', () => {
    const { run, rows, query, sort, scroller, root, remove } = setupTable();
    sort(1);
    const row = query('tbody tr');
    run(part('d', { ...TABLE, description: 'By length.' }));
    expect(query('tbody tr')).to.equal(row);
    run(part('d', { ...TABLE, title: 'Streams' }));
    expect(scroller().ariaLabel).to.equal('Streams');
    expect(rows()[0]?.[0]).to.equal('=HYPERLINK("x")');
    run(part('d', { ...TABLE, columns: [...COLUMNS] }));
    expect(rows()[0]?.[0], 'new columns are not sorted').to.equal('Volga');
    expect(root.querySelector('[aria-sort]')).to.equal(null);
    remove();
  });

  it('stops sorting when it is removed', () => {
    const { query, frames, remove } = setupTable(countingTable(5000));
    query('.sort').click();
    frames.frame(1);
    remove();
    expect(frames.scheduledCount).to.equal(0);
  });

  it('keeps the focus on the header that was pressed', () => {
    const { query, root, sort, host, remove } = setupTable();
    query('.sort').focus();
    sort(0);
    expect(host.shadowRoot?.activeElement).to.equal(root.querySelector('.sort'));
    remove();
  });

  it('sorts over several frames, and keeps the shown rows until it is done', () => {
    const { query, rows, frames, scroller, remove } = setupTable(countingTable(5000));
    query('.sort').click();
    query('.sort').click();
    frames.frame(1);
    expect(scroller().ariaBusy).to.equal('true');
    expect(rows()[0]).to.deep.equal(['1']);
    let count = 1;
    while (scroller().ariaBusy === 'true') {
      frames.frame(1);
      count += 1;
    }
    expect(rows()[0]).to.deep.equal(['5000']);
    expect(count).to.be.greaterThan(20);
    query('.sort').click();
    query('.sort').click();
    frames.frame(100_000);
    expect([scroller().ariaBusy, rows()[0]]).to.deep.equal([null, ['1']]);
    expect(frames.scheduledCount).to.equal(0);
    remove();
  });

  it('shows pages of 100 rows, counted for assistive technology', () => {
    const { rows, range, button, query, run, scroller, remove } = setupTable(countingTable(250));
    expect([rows().length, range()]).to.deep.equal([100, '1–100 of 250']);
    expect(query('table').ariaRowCount).to.equal('251');
    const [previous, next] = [button('Rivers: Previous rows'), button('Rivers: Next rows')];
    expect([previous.ariaDisabled, next.ariaDisabled]).to.deep.equal(['true', 'false']);
    next.click();
    expect([previous.ariaDisabled, next.ariaDisabled]).to.deep.equal(['false', 'false']);
    scroller().style.height = '50px';
    scroller().scrollTop = 30;
    next.click();
    expect(scroller().scrollTop).to.equal(0);
    expect([rows()[0], rows().length, range()]).to.deep.equal([['201'], 50, '201–250 of 250']);
    expect(query('tbody tr').ariaRowIndex).to.equal('202');
    next.click();
    expect(range()).to.equal('201–250 of 250');
    expect(next.ariaDisabled).to.equal('true');
    button('Rivers: Previous rows').click();
    expect(range()).to.equal('101–200 of 250');
    const { columns } = countingTable(0);
    run(part('d', { ...countingTable(250, { total: 1000, title: '' }), columns }));
    expect(range()).to.equal('101–200 of 250 · 250 of 1,000 rows');
    button('Next rows').click();
    run(part('d', { ...countingTable(120, { title: '' }), columns }));
    expect(range(), 'the page of the last row').to.equal('101–120 of 120');
    remove();
  });

  it('returns to the first page when it is sorted', () => {
    const { range, button, sort, rows, remove } = setupTable(countingTable(250));
    button('Rivers: Next rows').click();
    sort(0);
    sort(0);
    expect([range(), rows()[0]]).to.deep.equal(['1–100 of 250', ['250']]);
    remove();
  });

  it('has no pager for one page, and shows how many rows the service has', () => {
    const { root, range, run, remove } = setupTable({ total: 52_310 });
    expect(range()).to.equal('3 of 52,310 rows');
    expect(root.querySelector('.data-pager')).to.equal(null);
    run(part('d', { ...TABLE, total: 3 }));
    expect(range()).to.equal('3 rows');
    remove();
  });

  it('shows fewer rows on a page the more columns it has, and at most 100 columns', () => {
    const columns = Array.from({ length: 300 }, (_, at) => ({
      name: `c${at}`,
      type: 'text' as const,
    }));
    const rows = Array.from({ length: 50 }, () => columns.map(() => 'x'));
    const { root, range, remove } = setupTable({ columns, rows });
    expect(root.querySelectorAll('th').length).to.equal(100);
    expect(root.querySelectorAll('td').length).to.equal(2000);
    expect(range()).to.equal('1–20 of 50 · 100 of 300 columns');
    remove();
    const thirty = setupTable({ columns: columns.slice(0, 30), rows: [...rows, ...rows] });
    expect(thirty.range()).to.equal('1–66 of 100');
    thirty.remove();
    const hundred = setupTable({ columns: columns.slice(0, 100), rows });
    expect(hundred.range()).to.equal('1–20 of 50');
    hundred.remove();
  });

  it('shows the first 500 characters of a cell', () => {
    const { query, remove } = setupTable({ rows: [['x'.repeat(100_000)]] });
    expect(query('td').textContent).to.equal(`${'x'.repeat(500)}…`);
    remove();
  });

  it('copies all rows in the shown order as tab-separated, unformatted values', () => {
    const clipboard = mockClipboard();
    const { button, sort, remove } = setupTable({ rows: [...ROWS, ['a\tb\nc', -5, null, null]] });
    sort(1);
    button('Copy Rivers').click();
    expect(clipboard.written).to.deep.equal([
      [
        'river\tlength\tmeasured\tnavigable',
        'a b c\t-5\t\t',
        '\'=HYPERLINK("x")\t12.50\t2023-01-31\t',
        'Danube\t285000\t\tfalse',
        'Volga\t353000.5\t2024-03-01\ttrue',
      ].join('\n'),
    ]);
    clipboard.restore();
    remove();
  });

  it('names its Copy button after what it shows, with the title of the table', async () => {
    const clipboard = mockClipboard();
    const { button, run, query, remove } = setupTable();
    const copy = button('Copy Rivers');
    const label = () => [copy.textContent, accessibleName(copy)];
    copy.click();
    await waitFor(() => copy.textContent === 'Copied');
    expect(label()).to.deep.equal(['Copied', 'Rivers: Copied']);
    run(part('d', { ...TABLE, title: 'Streams' }));
    expect(label()).to.deep.equal(['Copied', 'Streams: Copied']);
    query('.data-actions button').dispatchEvent(new FocusEvent('blur'));
    expect(label()).to.deep.equal(['Copy', 'Copy Streams']);
    clipboard.restore();
    remove();
  });

  it('says beside its Copy button when the browser does not permit copying', async () => {
    const clipboard = mockClipboard(false);
    const { button, query, remove } = setupTable();
    button('Copy Rivers').click();
    await new Promise((resolve) => setTimeout(resolve));
    expect(query('.data-actions [role=alert]').textContent).to.equal(
      'The browser didn’t allow copying.',
    );
    clipboard.restore();
    remove();
  });

  it('saves all rows as CSV for spreadsheets, in which no cell is a formula', async () => {
    const saved: { name: string; text: Promise<string> }[] = [];
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    let blob = new Blob();
    URL.createObjectURL = (file) => ((blob = file as Blob), 'about:blank#');
    HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: blob.text() });
    };
    const { button, run, remove } = setupTable({
      title: 'Rivers/2024',
      rows: [...ROWS, ['a;"b"', null, null, null], ['-5', '1+x', null, null]],
    });
    button('Download CSV of Rivers/2024').click();
    run(part('d', { ...TABLE, title: '', rows: [['short']] }));
    button('Download CSV').click();
    Object.assign(URL, { createObjectURL });
    HTMLAnchorElement.prototype.click = click;
    expect(saved.map(({ name }) => name)).to.deep.equal(['Rivers 2024.csv', 'Table.csv']);
    expect(await saved[1]?.text).to.equal('river,length,measured,navigable\r\nshort,,,\r\n');
    // `text()` removes the byte order mark.
    expect(await saved[0]?.text).to.equal(
      [
        'river,length,measured,navigable',
        'Volga,353000.5,2024-03-01,true',
        'Danube,285000,,false',
        '"\'=HYPERLINK(""x"")",12.50,2023-01-31,',
        '"a;""b""",,,',
        '-5,"1+x",,',
        '',
      ].join('\r\n'),
    );
    remove();
  });

  it('keeps the order when rows are added to the same columns', () => {
    const { run, sort, rows, remove } = setupTable();
    sort(1);
    run(part('d', { ...TABLE, rows: [...ROWS, ['Rhine', 1, null, null]] }));
    expect(rows().map(([river]) => river?.slice(0, 2))).to.deep.equal(['Rh', '=H', 'Da', 'Vo']);
    remove();
  });

  it('shows a table without rows or columns', () => {
    const { range, scroller, run, remove } = setupTable({ rows: [] });
    expect(range()).to.equal('0 rows');
    run(part('d', { ...TABLE, columns: [], rows: [] }));
    expect(scroller().hidden).to.equal(true);
    remove();
  });

  it('shows a dash for each missing cell of a row that is too short', () => {
    const { rows, remove } = setupTable({ rows: [['Volga']] });
    expect(rows()).to.deep.equal([['Volga', '—', '—', '—']]);
    remove();
  });

  it('shows its query in a disclosure when it has one', async () => {
    const { query, run, frames, remove } = setupTable();
    const details = query<HTMLDetailsElement>('details');
    expect(details.hidden).to.equal(true);
    run(part('d', { ...TABLE, source: 'SELECT * FROM rivers' }));
    expect([details.hidden, query('summary').textContent]).to.deep.equal([false, 'Query']);
    const toggled = new Promise((resolve) => details.addEventListener('toggle', resolve));
    details.open = true;
    await toggled;
    frames.flush();
    expect(query('.ubik-code-language').textContent).to.equal('sql');
    expect(query('code').textContent.trim()).to.equal('SELECT * FROM rivers');
    remove();
  });
});
