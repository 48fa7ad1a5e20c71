import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import { printStyles } from '../../src/elements/styles/print.js';
import type { PartFields, RetrievedPassage, WebSearchResult } from '../../src/model/part.js';
import { loadDataView, part, set, setupMessageView } from './message-fixture.js';

const result = (at: number, more: Partial<WebSearchResult> = {}): WebSearchResult => ({
  title: `Title ${at}`,
  url: `https://site-${at}.example/page`,
  snippet: `Snippet ${at}`,
  site: `Site ${at}`,
  icon: `https://site-${at}.example/favicon.ico`,
  ...more,
});

const search = (results: readonly WebSearchResult[], more: object = {}): PartFields => ({
  kind: 'web-search',
  query: 'rivers of Europe',
  results,
  state: 'done',
  ...more,
});

const passage = (at: number, more: Partial<RetrievedPassage> = {}): RetrievedPassage => ({
  title: `Chapter ${at}`,
  text: `Text ${at}`,
  source: `document-${at}.pdf`,
  score: 0.8765,
  url: '',
  ...more,
});

const passages = (list: readonly RetrievedPassage[], title = ''): PartFields => ({
  kind: 'passages',
  title,
  passages: list,
});

const many = <T>(count: number, create: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => create(at + 1));

/** Renders one part, with its list open. */
async function setupOpen(fields: PartFields) {
  const fixture = setupMessageView({ fields: { status: 'complete' } });
  fixture.run(part('p', fields));
  const details = fixture.query<HTMLDetailsElement>('.found');
  const toggled = new Promise((resolve) => {
    details.addEventListener('toggle', resolve, { once: true });
  });
  details.open = true;
  await toggled;
  return { ...fixture, items: () => [...fixture.root.querySelectorAll<HTMLElement>('.found li')] };
}

before(() => Promise.all([loadDataView('web-search'), loadDataView('passages')]));

describe('web-search part', () => {
  it('shows query, state and number of results, and renders no entry while it is closed', async () => {
    const fixture = setupMessageView({ fields: { status: 'complete' } });
    fixture.run(part('p', search(many(12, result))));
    expect(fixture.text('.found > summary')).to.equal(
      'Search the web rivers of Europe done 12 results',
    );
    expect(fixture.root.querySelector('.found li')).to.equal(null);
  });

  it('lists title, host, site and snippet of its results', async () => {
    const { items } = await setupOpen(search([result(1)]));
    const [item] = items();
    expect(item?.textContent.replace(/\s+/g, ' ').trim()).to.equal(
      'Title 1 site-1.example Site 1 Snippet 1',
    );
    const link = item?.querySelector('a');
    expect([link?.href, link?.rel]).to.deep.equal([
      'https://site-1.example/page',
      'noopener noreferrer nofollow ugc',
    ]);
  });

  it('has no image, and no link where the URL policy allows none', async () => {
    const { root, items } = await setupOpen(
      search([result(1, { url: 'javascript:alert(1)' }), result(2, { url: '', title: '' })]),
    );
    expect(items()).to.have.length(2);
    expect(root.querySelector('.found a, .found img')).to.equal(null);
  });

  it('renders more entries on request, and moves the focus to the first of them', async () => {
    const { query, items, root } = await setupOpen(search(many(60, result)));
    expect(items()).to.have.length(5);
    query('.found-list button').click();
    expect(items()).to.have.length(55);
    expect((root.getRootNode() as ShadowRoot).activeElement).to.equal(
      items()[5]?.querySelector('a'),
    );
    query('.found-list button').click();
    expect(items()).to.have.length(60);
    expect(root.querySelector('.found-list button')).to.equal(null);
  });

  it('has all entries, and no button for more, while the page is printed', () => {
    const { run, root } = setupMessageView({ fields: { status: 'complete' } });
    run(part('p', search(many(60, result))));
    window.dispatchEvent(new Event('beforeprint'));
    try {
      expect(root.querySelectorAll('.found li')).to.have.length(60);
      expect(root.querySelector('.found-list button')).to.equal(null);
    } finally {
      window.dispatchEvent(new Event('afterprint'));
    }
    expect(root.querySelectorAll('.found li')).to.have.length(0);
  });

  it('has as many entries as its button says', async () => {
    const { text, query, items, root } = await setupOpen(search(many(6, result)));
    expect(text('.found-list button')).to.contain('1');
    query('.found-list button').click();
    expect(items()).to.have.length(6);
    const five = await setupOpen(search(many(5, result)));
    expect(five.root.querySelector('.found-list button')).to.equal(null);
    expect(root.querySelector('.found-list [tabindex]')).to.equal(null);
  });

  it('moves the focus to an entry without a link', async () => {
    const { query, items, root } = await setupOpen(
      search(many(6, (at) => result(at, { url: '' }))),
    );
    query('.found-list button').click();
    expect((root.getRootNode() as ShadowRoot).activeElement).to.equal(items()[5]);
  });

  it('shows the site only where it differs from the title', async () => {
    const { items } = await setupOpen(
      search([result(1, { site: 'Title 1' }), result(2, { site: '', snippet: '' })]),
    );
    expect(items().map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())).to.deep.equal(
      ['Title 1 site-1.example Snippet 1', 'Title 2 site-2.example'],
    );
    expect(items()[1]?.querySelector('.snippet')).to.equal(null);
  });

  it('lists its results when the page is printed', () => {
    const { run, root } = setupMessageView({ fields: { status: 'complete' } });
    run(part('p', search([result(1)])));
    window.dispatchEvent(new Event('beforeprint'));
    expect(root.querySelectorAll('.found li')).to.have.length(1);
    window.dispatchEvent(new Event('afterprint'));
    expect(root.querySelector('.found li')).to.equal(null);
  });

  it('is empty while it is running', async () => {
    const fixture = setupMessageView();
    fixture.run(part('p', search([], { state: 'running' })));
    const details = fixture.query<HTMLDetailsElement>('.found');
    const toggled = new Promise((resolve) => {
      details.addEventListener('toggle', resolve, { once: true });
    });
    details.open = true;
    await toggled;
    expect(fixture.text('.found-list')).to.equal('');
    expect(fixture.text('.found > summary')).to.equal('Search the web rivers of Europe running');
    fixture.run(part('p', search([result(1)], { state: 'running' })));
    expect(fixture.text('.found-list')).to.contain('Title 1');
  });

  it('truncates a long snippet', async () => {
    const { query } = await setupOpen(search([result(1, { snippet: 'x'.repeat(10_000) })]));
    expect(query('.snippet').textContent).to.have.length(301);
  });

  it('is incomplete when the message ended while it was running', async () => {
    const fixture = setupMessageView();
    fixture.run(part('p', search([], { state: 'running' })));
    expect(fixture.query('.found').dataset['state']).to.equal('running');
    fixture.run(set(null, 'status', 'stopped'));
    expect(fixture.query('.found').dataset['state']).to.equal('incomplete');
    expect(fixture.text('.found > summary')).to.contain('incomplete');
  });

  it('shows that it has failed, and that it has no results', async () => {
    const { text } = await setupOpen(search([], { state: 'failed' }));
    expect(text('.found > summary')).to.contain('failed');
    expect(text('.found-list')).to.equal('No results');
  });
});

describe('passages part', () => {
  it('lists title, source, relevance and text', async () => {
    const { text, items } = await setupOpen(passages([passage(1)]));
    expect(text('.found > summary')).to.equal('Passages 1 passage');
    expect(items()[0]?.textContent.replace(/\s+/g, ' ').trim()).to.equal(
      'Chapter 1 document-1.pdf Relevance: 0.88 Text 1',
    );
  });

  it('uses the source as title when it has none, and omits an unknown relevance', async () => {
    const { text, items } = await setupOpen(
      passages([passage(1, { title: '', score: null })], 'From the handbook'),
    );
    expect(text('.found > summary')).to.equal('From the handbook 1 passage');
    expect(items()[0]?.textContent.replace(/\s+/g, ' ').trim()).to.equal('document-1.pdf Text 1');
  });

  it('gives a passage the direction of its text, which decides on which side it is marked', async () => {
    const { query } = await setupOpen(passages([passage(1), passage(2, { text: 'نص المقطع' })]));
    const quotes = [...query('.found').querySelectorAll('blockquote')];
    const directions = quotes.map((quote) => getComputedStyle(quote).direction);
    expect(directions).to.deep.equal(['ltr', 'rtl']);
  });

  it('shows the rest of a long passage on request', async () => {
    const { query, items } = await setupOpen(passages([passage(1, { text: 'y'.repeat(5000) })]));
    expect(query('.found blockquote').textContent).to.have.length(601);
    const rest = query<HTMLDetailsElement>('.found .whole');
    const toggled = new Promise((resolve) => {
      rest.addEventListener('toggle', resolve, { once: true });
    });
    rest.open = true;
    await toggled;
    expect(items()[0]?.textContent).to.contain('y'.repeat(5000));
  });

  it('prints the full text of a long passage once, without its button and the button for more entries', async () => {
    const { run, root, query } = setupMessageView({ fields: { status: 'complete' } });
    const tree = root.getRootNode() as Document | ShadowRoot;
    const sheet = printStyles.styleSheet as CSSStyleSheet;
    tree.adoptedStyleSheets.push(sheet);
    const text = `${'y '.repeat(2500)}end`;
    run(part('p', passages(many(6, (at) => passage(at, at === 1 ? { text } : {})))));
    await emulateMedia({ media: 'print' });
    try {
      window.dispatchEvent(new Event('beforeprint'));
      const list = query('.found-list');
      expect(list.innerText.includes(text)).to.equal(true);
      expect(list.innerText.split('y y y').length).to.equal(text.split('y y y').length);
      expect(list.innerText).not.to.contain('Show more');
      expect(list.innerText).to.contain('Text 2');
    } finally {
      await emulateMedia({ media: 'screen' });
      window.dispatchEvent(new Event('afterprint'));
      tree.adoptedStyleSheets = tree.adoptedStyleSheets.filter((one) => one !== sheet);
    }
    expect(root.querySelector('.found li')).to.equal(null);
  });

  it('shows that there are no passages', async () => {
    const { text } = await setupOpen(passages([]));
    expect(text('.found-list')).to.equal('No passages found');
    expect(text('.found > summary')).to.equal('Passages');
  });
});
