import { expect } from '@open-wc/testing';
import { Chart } from 'chart.js';
import type { PartFields } from '../../src/model/part.js';
import * as charts from '../../src/markdown/extras/charts.js';
import {
  loadDataView,
  part,
  set,
  setupMessageView,
  type MessageViewOptions,
} from './message-fixture.js';

const COLUMNS = [
  { name: 'month', type: 'text' },
  { name: 'sales', type: 'number' },
] as const;

/** A note below the plot. */
const NOTE = '.chart figure > div:not(.plot) > .note';

const chart = (more: object = {}): PartFields => ({
  kind: 'chart',
  title: 'Sales by month',
  chartType: 'line',
  columns: COLUMNS,
  rows: [
    ['January', 1200],
    ['February', 3400.5],
  ],
  dimension: 'month',
  measures: ['sales'],
  groupBy: null,
  ...more,
});

/** Waits two frames: one in which sizes are observed, and one after that. */
async function nextLayout(): Promise<void> {
  for (let frames = 0; frames < 2; frames += 1) {
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  }
}

/** Renders a chart and its style sheet, and waits until its size is known and the library is loaded. */
async function setupChart(fields = chart(), options: MessageViewOptions = {}) {
  const fixture = setupMessageView({
    fields: { status: 'complete' },
    loadExtra: () => Promise.resolve(charts),
    ...options,
  });
  const root = fixture.root.getRootNode() as ShadowRoot;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:host { --_ubik-rem: 16px; --_text: black; --_muted: gray; --_line: silver; --_background: white; --_accent: blue; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; } [hidden] { display: none !important; }`,
  );
  root.adoptedStyleSheets = [sheet];
  fixture.host.style.display = 'block';
  fixture.run(part('p', fields));
  const whenRendered = async (): Promise<void> => {
    await nextLayout();
    fixture.frames.flush();
  };
  await whenRendered();
  const canvas = fixture.query<HTMLCanvasElement>('.chart canvas');
  return {
    ...fixture,
    canvas,
    whenRendered,
    drawn: () => Chart.getChart(canvas),
    choose: (type: string) => {
      const select = fixture.query<HTMLSelectElement>('.chart select');
      select.value = type;
      select.dispatchEvent(new Event('change'));
    },
    active: () => root.activeElement,
  };
}

/** Whether a canvas has a pixel that is not transparent. */
function hasPixels(canvas: HTMLCanvasElement): boolean {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
  return pixels?.some((value) => value > 0) ?? false;
}

before(() => loadDataView('chart'));

describe('chart part', () => {
  it('draws its rows, with a name and a table for screen readers', async () => {
    const { canvas, drawn, text } = await setupChart();
    expect(drawn()?.data.labels).to.deep.equal(['January', 'February']);
    expect(drawn()?.data.datasets.map(({ data }) => data)).to.deep.equal([[1200, 3400.5]]);
    expect(hasPixels(canvas)).to.equal(true);
    expect([canvas.role, canvas.ariaLabel]).to.deep.equal(['img', 'Line: Sales by month']);
    expect(text('.chart .hidden table')).to.contain('Sales by month').and.to.contain('3400.5');
  });

  it('shows a note and reserves its height until the library is loaded', async () => {
    const { text, drawn, query } = await setupChart(chart(), {
      loadExtra: () => new Promise(() => undefined),
    });
    expect(text('.chart .plot .note')).to.equal('Loading chart…');
    expect(query('.chart .plot').clientHeight).to.equal(320);
    expect(drawn()).to.equal(undefined);
  });

  it('shows the table when the library cannot be loaded', async () => {
    const { query, text } = await setupChart(chart(), {
      loadExtra: () => Promise.reject(new Error('404')),
    });
    expect(query('.chart .plot').hidden).to.equal(true);
    expect(text(NOTE)).to.contain('couldn’t be loaded');
    expect(query('.chart td').textContent).to.contain('January');
  });

  it('shows the table when there is no number', async () => {
    const { query, text } = await setupChart(chart({ measures: ['profit'] }));
    expect(query('.chart .plot').hidden).to.equal(true);
    expect(text(NOTE)).to.contain('no numbers');
  });

  for (const [type, drawnAs] of [
    ['column', 'bar'],
    ['pie', 'doughnut'],
    ['ring', 'doughnut'],
    ['line', 'line'],
  ] as const) {
    it(`is drawn as ${type} when the user chooses it`, async () => {
      const { choose, drawn, canvas } = await setupChart();
      choose(type);
      expect((drawn()?.config as { type?: string } | undefined)?.type).to.equal(drawnAs);
      expect(hasPixels(canvas)).to.equal(true);
    });
  }

  it('shows all rows when the user chooses the table, and the chart again', async () => {
    const { choose, drawn, query, root, whenRendered } = await setupChart();
    choose('table');
    expect(query('.chart .plot').hidden).to.equal(true);
    expect(drawn()).to.equal(undefined);
    expect(query('.chart td').textContent).to.contain('January');
    choose('column');
    await whenRendered();
    expect(drawn()?.data.labels).to.deep.equal(['January', 'February']);
    expect(root.querySelectorAll('.chart table')).to.have.length(1);
  });

  it('shows how many points of a long line are drawn', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [`d${at}`, at % 10]);
    const { text, drawn, root } = await setupChart(chart({ rows }));
    expect(text(NOTE)).to.match(/^Showing 2,000 of 10,000 points/);
    expect(drawn()?.data.labels).to.have.length(2000);
    expect(root.querySelectorAll('.chart .hidden tr')).to.have.length(101);
  });

  it('is enlarged in a dialog, and keeps the focus on its button', async () => {
    const { query, root, active, drawn, whenRendered } = await setupChart();
    query('.chart figcaption button').click();
    const dialog = query<HTMLDialogElement>('.chart dialog');
    await whenRendered();
    expect(dialog.open).to.equal(true);
    expect(dialog.contains(drawn()?.canvas ?? null)).to.equal(true);
    expect(active()?.textContent.trim()).to.equal('Close');
    const closed = new Promise((resolve) => {
      dialog.addEventListener('close', resolve);
    });
    (active() as HTMLElement).click();
    await closed;
    expect(root.querySelector('.chart dialog')).to.equal(null);
    expect(active()?.textContent.trim()).to.equal('Enlarge');
  });

  it('is drawn again when its rows, its language or the theme change', async () => {
    const { drawn, run, host, whenRendered, query } = await setupChart();
    const first = drawn();
    run(set('p', 'chartType', 'column'));
    const second = drawn();
    expect(second).not.to.equal(first);
    const ended = new Promise((resolve) => {
      query('.palette').addEventListener('transitionend', resolve, { once: true });
    });
    host.style.setProperty('--_accent', 'red');
    await ended;
    await whenRendered();
    expect(drawn()).not.to.equal(second);
    expect(drawn()?.data.datasets[0]?.backgroundColor).to.equal('rgb(255, 0, 0)');
  });

  it('is drawn again synchronously before and after the page is printed', async () => {
    const { drawn } = await setupChart();
    const onScreen = drawn();
    window.dispatchEvent(new Event('beforeprint'));
    const printed = drawn();
    expect(printed).not.to.equal(undefined);
    expect(printed).not.to.equal(onScreen);
    window.dispatchEvent(new Event('afterprint'));
    expect(drawn()).not.to.equal(printed);
  });

  it('is drawn again in another size', async () => {
    const { drawn, host, whenRendered, query } = await setupChart();
    const before = drawn()?.width ?? 0;
    host.style.width = '300px';
    await whenRendered();
    expect(drawn()?.width).to.be.lessThan(before).and.to.equal(query('.plot').clientWidth);
  });

  it('releases its canvas when it is removed', async () => {
    const { drawn, remove } = await setupChart();
    remove();
    expect(drawn()).to.equal(undefined);
  });

  it('is drawn from right to left', async () => {
    const { drawn } = await setupChart(chart({ title: 'مبيعات' }), { lang: 'ar', dir: 'rtl' });
    expect(drawn()?.options.plugins?.tooltip?.rtl).to.equal(true);
    expect(drawn()?.options.scales?.['x']?.reverse).to.equal(true);
  });
});
