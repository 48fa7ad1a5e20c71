import { expect } from '@open-wc/testing';

import { messageMarkdown } from '../../src/message/message-formats.js';
import { findLocale } from '../../src/locales/locale.js';
import type { MetricFields } from '../../src/model/part.js';
import { loadDataView, part, set, setupMessageView } from './message-fixture.js';

const METRIC: MetricFields = {
  ...{ kind: 'metric', title: 'Level of the Danube', unit: 'm', query: '' },
  columns: [
    { name: 'station', type: 'text' },
    { name: 'level', type: 'number' },
  ],
  rows: [['Vienna', '3.20']],
};

/** A complete message with a metric. */
function setupMetric(fields: Partial<MetricFields> = {}) {
  const fixture = setupMessageView({ fields: { status: 'complete' } });
  fixture.run(part('d', { ...METRIC, ...fields }));
  const { root } = fixture;
  return {
    ...fixture,
    texts: (selector: string): string[] =>
      [...root.querySelectorAll(selector)].map(({ textContent }) =>
        textContent.replace(/\s+/g, ' ').trim(),
      ),
  };
}

describe('metric part', () => {
  before(() => loadDataView('metric'));

  it('shows one value as a large number with its unit, and the rest of its row below', () => {
    const { texts, root, remove } = setupMetric();
    expect(texts('figcaption')).to.deep.equal(['Level of the Danube']);
    expect(texts('.metric-value')).to.deep.equal(['3.20 m']);
    expect(texts('figure > .meta')).to.deep.equal(['station: Vienna']);
    expect(root.querySelector('table')).to.equal(null);
    remove();
  });

  it('omits missing fields below the value, a missing unit, and a missing title', () => {
    const columns = [...METRIC.columns, { name: 'day', type: 'date' as const }];
    const { texts, run, root, remove } = setupMetric({ columns, rows: [[null, 3]], unit: '' });
    expect(texts('.metric-value')).to.deep.equal(['3']);
    expect(root.querySelector('.metric-unit, figure > .meta')).to.equal(null);
    run(part('d', { ...METRIC, title: '', rows: [] }));
    expect(root.querySelector('figcaption, .metric-value')).to.equal(null);
    expect(root.querySelectorAll('table')).to.have.length(1);
    run(part('d', { ...METRIC, unit: '', rows: [['Linz']] }));
    expect(texts('figcaption')).to.deep.equal(['Level of the Danube']);
    expect(texts('td')).to.deep.equal(['Linz', '—']);
    remove();
  });

  it('is rendered again in another language', () => {
    const { query, context, view, frames, remove } = setupMetric({ query: 'avg(level)', rows: [] });
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    expect([query('figcaption').lang, query('table').lang]).to.deep.equal(['it', 'it']);
    expect(query('summary').lang).to.equal('en');
    remove();
  });

  it('stops sorting when it is removed', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ['Vienna', at]);
    const { query, frames, remove } = setupMetric({ rows });
    query('.sort').click();
    frames.frame(1);
    remove();
    expect(frames.scheduledCount).to.equal(0);
  });

  it('shows several rows as a table with the unit in its title, and a single row as a number again', () => {
    const { texts, run, root, remove } = setupMetric({
      rows: [
        ['Vienna', 3.2],
        ['Linz', 4],
      ],
    });
    expect(texts('td')).to.deep.equal(['Vienna', '3.2', 'Linz', '4']);
    expect(texts('figcaption')).to.deep.equal(['Level of the Danube (m)']);
    run(part('d', { ...METRIC, rows: [['Linz', 4]] }));
    expect(root.querySelector('table')).to.equal(null);
    expect(texts('.metric-value')).to.deep.equal(['4 m']);
    remove();
  });

  it('shows several numbers of one row as a table', () => {
    const columns = [...METRIC.columns, { name: 'discharge', type: 'number' as const }];
    const { texts, root, remove } = setupMetric({ columns, rows: [['Vienna', 3.2, 1900]] });
    expect(texts('td')).to.deep.equal(['Vienna', '3.2', '1900']);
    expect(root.querySelector('.metric-value')).to.equal(null);
    remove();
  });

  it('shows a value that is not a number as a table', () => {
    const { texts, remove } = setupMetric({ rows: [['Vienna', 'n/a']] });
    expect(texts('td')).to.deep.equal(['Vienna', 'n/a']);
    remove();
  });

  it('shows its query in a disclosure, whose code is created when it is opened', async () => {
    const { query, run, root, frames, remove } = setupMetric();
    const details = query<HTMLDetailsElement>('details');
    expect(details.hidden).to.equal(true);
    run(set('d', 'query', 'avg(level)'));
    expect(details.hidden).to.equal(false);
    expect(root.querySelector('code')).to.equal(null);
    const toggled = new Promise((resolve) => details.addEventListener('toggle', resolve));
    details.open = true;
    await toggled;
    frames.flush();
    expect(query('code').textContent.trim()).to.equal('avg(level)');
    remove();
  });

  it('is exported as its title, unit and a table', () => {
    const { message, remove } = setupMetric();
    expect(messageMarkdown(message())).to.equal(
      'Level of the Danube · m\n\n| station | level |\n| --- | --: |\n| Vienna | 3.20 |',
    );
    remove();
  });
});
