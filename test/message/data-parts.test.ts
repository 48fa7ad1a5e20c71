import { expect } from '@open-wc/testing';
import { UbikError } from '../../src/errors.js';
import { findLocale } from '../../src/locales/locale.js';
import { lazyDataKinds } from '../../src/message/data/data-part-view.js';
import { serializeThread, type ExportedThread } from '../../src/message/export/serialize-thread.js';
import { announcementsOf, messagePlainText } from '../../src/message/message-formats.js';
import { registerPartRenderer } from '../../src/message/parts/part-renderers.js';
import type { DataKind, PartFields, PartTree, TableFields } from '../../src/model/part.js';
import { mockClipboard } from '../markdown/setup-page-view.js';
import { loadDataView, part, set, setupMessageView, text } from './message-fixture.js';
import { threadOf } from './thread-of.js';

const TABLE: TableFields = {
  ...{ kind: 'table', title: 'Rivers', description: 'By length.', total: null, source: '' },
  columns: [
    { name: 'river', type: 'text' },
    { name: 'length', type: 'number' },
  ],
  rows: [['Danube', 2850]],
};

const MARKDOWN = 'Rivers\n\nBy length.\n\n| river | length |\n| --- | --: |\n| Danube | 2850 |';

/** Resolves when an element matches the selector. */
async function appear(root: Element, selector: string): Promise<Element> {
  for (;;) {
    const found = root.querySelector(selector);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

// Chunks are loaded once per page, so the tests of loading come first.
describe('data part', () => {
  it('shows the reason and a Retry button when its view cannot be loaded', async () => {
    const { run, query, root, errors, remove } = setupMessageView();
    const { load } = lazyDataKinds;
    lazyDataKinds.load = () => Promise.reject(new UbikError('load-failed'));
    run(part('d', TABLE));
    await appear(root, '.data .error-text');
    lazyDataKinds.load = load;
    expect(errors.map(({ code }) => code)).to.deep.equal(['load-failed']);
    expect(query('.data').ariaBusy).to.equal(null);
    query('.data button').click();
    await appear(root, '.data table');
    expect(root.querySelector('.error-text')).to.equal(null);
    remove();
  });

  it('mounts nothing when it is removed before its view is loaded', async () => {
    const { run, query, remove } = setupMessageView();
    const { load } = lazyDataKinds;
    const { value } = lazyDataKinds;
    lazyDataKinds.value = undefined;
    run(part('d', TABLE));
    const node = query('.data');
    expect(node.ariaBusy).to.equal('true');
    run({ type: 'remove', message: 'm', part: 'd' });
    await load.call(lazyDataKinds);
    await Promise.resolve();
    lazyDataKinds.value = value;
    expect(node.childElementCount).to.equal(0);
    remove();
  });

  it('shows its view at once, with its styles, when the view is loaded', () => {
    const { run, query, remove } = setupMessageView();
    run(part('d', TABLE));
    expect(query('.data td').textContent).to.equal('Danube');
    expect(getComputedStyle(query('.data-scroller')).overflowX).to.equal('auto');
    expect(query('.data').part.contains('data')).to.equal(true);
    remove();
  });

  it('has content before the first frame, whatever its kind', async () => {
    const data = { columns: TABLE.columns, rows: TABLE.rows };
    const kinds: readonly PartFields[] = [
      TABLE,
      { kind: 'metric', title: 'Shown', unit: '', query: '', ...data },
      { kind: 'code', language: 'js', code: 'shown', output: 'Shown', error: '' },
      { kind: 'page', title: 'Shown', url: '' },
      { kind: 'web-search', query: 'Shown', results: [], state: 'done' },
      { kind: 'passages', title: 'Shown', passages: [] },
      {
        ...{ kind: 'chart', title: 'Shown', chartType: 'line', ...data },
        ...{ dimension: 'river', measures: ['length'], groupBy: null },
      },
    ];
    for (const fields of kinds) {
      await loadDataView(fields.kind as DataKind);
      const { apply, root, remove } = setupMessageView();
      apply(part('d', fields));
      expect(root.querySelector('.data')?.textContent, fields.kind).to.match(/Shown|Rivers/);
      remove();
    }
  });

  it('is rendered by the renderer of the host page when there is one', () => {
    const unregister = registerPartRenderer('table', {
      mount: (box, { part: { title, rows } }) => {
        box.textContent = `${title} ${rows.length}`;
        return undefined;
      },
    });
    const { run, host, root, remove } = setupMessageView();
    run(part('d', TABLE));
    unregister();
    expect(host.textContent).to.equal('Rivers 1');
    expect(root.querySelector('.data')).to.equal(null);
    remove();
  });

  it('is copied with its message as Markdown', () => {
    const clipboard = mockClipboard();
    const { run, query, remove } = setupMessageView();
    run(part('t', { kind: 'text' }), text('t', 'So:'), part('d', TABLE));
    run(set(null, 'status', 'complete'));
    query('.message-footer .copy').click();
    expect(clipboard.written).to.deep.equal([`So:\n\n${MARKDOWN}`]);
    clipboard.restore();
    remove();
  });

  it('gives its message a Copy button', () => {
    const { run, root, remove } = setupMessageView();
    run(part('d', TABLE), set(null, 'status', 'complete'));
    expect(root.querySelectorAll('.message-footer .copy').length).to.equal(1);
    remove();
  });

  it('is announced by its kind and title', () => {
    const { run, message, remove } = setupMessageView();
    run(part('d', TABLE), part('e', { ...TABLE, title: '' }));
    const announced = ['d', 'e'].map((key) => {
      const found = message().parts.get(key);
      return found && announcementsOf(found, findLocale('en'), message());
    });
    expect(announced).to.deep.equal([
      [{ ids: [], text: 'Table: Rivers' }],
      [{ ids: [], text: 'Table' }],
    ]);
    remove();
  });

  it('has its title as plain text', () => {
    const { run, message, remove } = setupMessageView();
    run(part('d', TABLE));
    expect(messagePlainText(message())).to.equal('Rivers');
    remove();
  });
});

describe('export of data parts', () => {
  const tree: PartTree = { ...TABLE, key: 'd' };
  const thread = threadOf('a', { a: {} }, { type: 'content', message: 'a', parts: [tree] });

  it('has a table in Markdown', async () => {
    expect(await serializeThread(thread, 'markdown', {})).to.equal(`## Assistant\n\n${MARKDOWN}\n`);
  });

  it('has a table in HTML', async () => {
    const html = await serializeThread(thread, 'html', {});
    const page = new DOMParser().parseFromString(html, 'text/html');
    const cells = [...page.querySelectorAll('th, td')].map(({ textContent }) => textContent);
    expect(cells).to.deep.equal(['river', 'length', 'Danube', '2850']);
    expect(page.querySelector('article p')?.textContent).to.equal('Rivers');
  });

  it('has all data in JSON', async () => {
    const json = await serializeThread(thread, 'json', {});
    const { messages } = JSON.parse(json) as ExportedThread;
    expect(messages[0]?.parts).to.deep.equal([tree]);
    expect(messages[0]?.markdown).to.equal(MARKDOWN);
  });
});
