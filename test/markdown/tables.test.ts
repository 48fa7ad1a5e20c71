import { expect } from '@open-wc/testing';
import { find, nextFrame, setUpStage } from './stage.js';

const HEAD = '| name | value | note |\n|---|--:|---|\n';
const rows = (count: number, note: string): string =>
  Array.from({ length: count }, (_, index) => `| row ${index} | ${index} | ${note} |\n`).join('');

/** Where the columns begin and end. */
const columnsOf = (box: Element): number[] =>
  [...box.querySelectorAll('th')].flatMap((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return [Math.round(left), Math.round(right)];
  });

describe('A table that grows', () => {
  it('moves no column after its first rows, and breaks what is too wide', async () => {
    const { box, add, remove } = setUpStage(HEAD + rows(12, 'short'));
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

  it('asks for widths before it changes anything, so that the browser knows them already', () => {
    const { box, add, remove } = setUpStage(HEAD + rows(1, 'x'));
    const observer = new MutationObserver(() => undefined);
    observer.observe(box, { subtree: true, childList: true, characterData: true });
    const changed: number[] = [];
    Object.defineProperty(find(box, 'th'), 'offsetWidth', {
      get: () => {
        changed.push(observer.takeRecords().length);
        return 80;
      },
    });
    for (const count of [12, 5, 5]) {
      add(rows(count, 'y'));
      observer.takeRecords();
    }
    expect(changed).to.deep.equal([0]);
    remove();
  });

  it('moves no column of a table that is wider than the page, and stays scrollable', () => {
    const wide = 'wide'.repeat(30);
    const { box, add, remove } = setUpStage(
      `| ${wide} | b |\n|---|---|\n${'| c | d |\n'.repeat(12)}`,
    );
    const columns = columnsOf(box);
    add(`| c | ${'d'.repeat(200)} |\n`);
    expect(columnsOf(box)).to.deep.equal(columns);
    const area = find(box, '.ubik-table');
    expect(area.scrollWidth).to.be.greaterThan(area.clientWidth);
    remove();
  });

  it('finds its own widths when it is closed, as if it had come at once', async () => {
    const text = `${HEAD}${rows(12, 'short')}| row | 1 | ${'word '.repeat(40)} |\n\nEnd.\n\n`;
    const grown = setUpStage();
    for (let from = 0; from < text.length; from += 20) grown.add(text.slice(from, from + 20));
    const once = setUpStage(text);
    expect(grown.box.innerHTML).to.equal(once.box.innerHTML);
    expect(columnsOf(grown.box)).to.deep.equal(columnsOf(once.box));
    grown.remove();
    once.remove();
  });

  it('only appends rows', () => {
    const { box, add, remove } = setUpStage(HEAD + rows(60, '*x*'));
    // With the next row the columns are held as they are.
    add(rows(1, '*x*'));
    const known = new Set<Node>([box, ...box.querySelectorAll('*')]);
    const observer = new MutationObserver(() => undefined);
    observer.observe(box, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    add(rows(50, '**y**'));
    const changed = observer.takeRecords().filter(({ target }) => known.has(target));
    expect(changed.length).to.equal(50);
    for (const { type, target, removedNodes } of changed) {
      expect([type, target.nodeName, removedNodes.length]).to.deep.equal(['childList', 'TBODY', 0]);
    }
    remove();
  });

  it('is a table with headings for screen readers, in an area with a name that can be reached', () => {
    const { box, root, remove } = setUpStage(HEAD + rows(2, 'x'));
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
