import { expect } from '@open-wc/testing';
import { Chart } from 'chart.js';
import { findLocale } from '../../src/locales/locale.js';
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
    const { canvas, drawn, text, query, root, choose } = await setupChart();
    expect(drawn()?.data.labels).to.deep.equal(['January', 'February']);
    expect(drawn()?.data.datasets.map(({ data }) => data)).to.deep.equal([[1200, 3400.5]]);
    expect(hasPixels(canvas)).to.equal(true);
    expect([canvas.role, canvas.ariaLabel]).to.deep.equal(['img', 'Line: Sales by month']);
    expect(text('.chart .hidden table')).to.contain('Sales by month').and.to.contain('3400.5');
    expect(root.querySelectorAll('.chart .hidden th[scope=col]')).to.have.length(2);
    expect(text('.chart .title')).to.equal('Sales by month');
    expect(query<HTMLSelectElement>('.chart select').value).to.equal('line');
    expect([query('.plot .note').hidden, root.querySelector(NOTE)]).to.deep.equal([true, null]);
    const { clientWidth, clientHeight } = query('.plot');
    expect([drawn()?.width, drawn()?.height]).to.deep.equal([clientWidth, clientHeight]);
    const before = drawn();
    choose('line');
    expect(drawn(), 'the same type').to.equal(before);
  });

  it('is named by its kind without a title', async () => {
    const { canvas, text, query } = await setupChart(chart({ title: '' }));
    expect(text('.chart .title')).to.equal('Chart');
    expect(canvas.ariaLabel).to.equal('Line: Chart');
    expect(text('.chart .hidden caption')).to.equal('Chart');
    query('.chart figcaption button').click();
    const dialog = query<HTMLDialogElement>('.chart dialog');
    expect([dialog.ariaLabel, dialog.part.value]).to.deep.equal(['Chart', 'dialog']);
    dialog.close();
  });

  it('says what its type does not show', async () => {
    const rows = [...Array(12).keys()].map((at) => [`c${at}`, at - 1]);
    const measures = Array.from({ length: 10 }, (_, at) => `m${at}`);
    const { choose, text, root, run } = await setupChart(chart({ rows }));
    expect(root.querySelector(NOTE)).to.equal(null);
    choose('pie');
    expect(root.querySelectorAll(NOTE)).to.have.length(1);
    expect(text(NOTE)).to.equal('Values of zero or less aren’t shown in this chart type.');
    choose('column');
    expect(root.querySelector(NOTE)).to.equal(null);
    const columns = [COLUMNS[0], ...measures.map((name) => ({ name, type: 'number' }))];
    const wide = [['January', ...measures.map((_, at) => at)]];
    run(part('p', chart({ columns, measures, rows: wide })));
    expect(text(NOTE)).to.equal('Showing 8 of 10 series. The table has all of them.');
    run(part('p', chart({ rows: [...Array(101).keys()].map((at) => [`c${at}`, at]) })));
    expect(text(NOTE)).to.contain('Showing 100 of 101 points');
  });

  it('formats values in the language, short on the axis from 10,000 on', async () => {
    const { drawn, run } = await setupChart(chart({ rows: [['January', 123_456.75]] }));
    const axis = drawn()?.scales['y']?.options as
      | { ticks: { callback(value: number): string } }
      | undefined;
    const ticks = [9999, -9999, 10_000, -20_000, 0.1234567].map((value) =>
      axis?.ticks.callback(value),
    );
    expect(ticks).to.deep.equal(['9,999', '-9,999', '10K', '-20K', '0.123457']);
    const label = (): unknown => {
      const item = { label: 'January', dataset: drawn()?.data.datasets[0], dataIndex: 0 };
      const format = drawn()?.options.plugins?.tooltip?.callbacks?.label as (of: object) => unknown;
      return format(item);
    };
    expect(label()).to.equal('sales: 123,456.75');
    for (const [value, shown] of [
      [0.0004, '0.0004'],
      [100 / 3, '33.333'],
      [1_234_567_890_123_456, '1,234,567,890,123,456'],
    ] as const) {
      run(part('p', chart({ rows: [['January', value]] })));
      expect(label()).to.equal(`sales: ${shown}`);
    }
  });

  it('has text that is smaller than that of the message, but never below 12 pixels', async () => {
    for (const [size, drawnSize] of [
      ['40px', 34],
      ['10px', 12],
    ] as const) {
      const { drawn, host, run } = await setupChart();
      host.style.fontSize = size;
      run(part('p', chart({ rows: [['March', 1]] })));
      expect((drawn()?.options.font as { size?: number }).size).to.equal(drawnSize);
    }
  });

  it('has a colour for each of eight slices', async () => {
    const rows = [...Array(20).keys()].map((at) => [`c${at}`, at + 1]);
    const { drawn, root } = await setupChart(chart({ chartType: 'pie', rows }));
    const colors = drawn()?.data.datasets[0]?.backgroundColor as string[];
    expect([colors.length, new Set(colors).size]).to.deep.equal([8, 8]);
    expect(drawn()?.data.labels).to.have.length(8);
    expect(root.querySelector(NOTE), 'no sample of points').to.equal(null);
  });

  it('has at most 100 rows in the table for screen readers, and says so', async () => {
    const rowsOf = (count: number) => [...Array(count).keys()].map((at) => [`c${at}`, at]);
    const { text, root, run } = await setupChart(chart({ rows: rowsOf(100) }));
    expect(text('.chart .hidden caption')).to.equal('Sales by month');
    run(part('p', chart({ rows: [...rowsOf(99), ['short'], ['late', 1]] })));
    expect(text('.chart .hidden caption')).to.equal('Sales by month · First 100 rows');
    const last = [...root.querySelectorAll('.chart .hidden tr')].at(-1);
    expect([...(last?.children ?? [])].map(({ textContent }) => textContent)).to.deep.equal([
      'short',
      '',
    ]);
  });

  it('shows a note and reserves the height of the chart until the library is loaded', async () => {
    const { text, drawn, query } = await setupChart(chart(), {
      loadExtra: () => new Promise(() => undefined),
    });
    expect(text('.chart .plot .note')).to.equal('Loading chart…');
    expect(query('.chart .plot .note').hidden).to.equal(false);
    expect(query('.chart .plot').clientHeight).to.equal(320);
    expect(drawn()).to.equal(undefined);
  });

  it('shows the table when the library cannot be loaded', async () => {
    const { query, root, text } = await setupChart(chart(), {
      loadExtra: () => Promise.reject(new Error('404')),
    });
    expect(query('.chart .plot').hidden).to.equal(true);
    expect(text(NOTE)).to.contain('couldn’t be loaded');
    expect(query('.chart td').textContent).to.contain('January');
    expect(root.querySelector('.chart select')).to.equal(null);
    expect(query('.chart .data-scroller').ariaLabel).to.equal('Sales by month');
  });

  it('shows the table where no library can be loaded', async () => {
    const { run, frames, query, text, remove } = setupMessageView({
      fields: { status: 'complete' },
    });
    run(part('p', chart()));
    await nextLayout();
    frames.flush();
    expect(text(NOTE)).to.contain('couldn’t be loaded');
    expect(query('.chart td').textContent).to.contain('January');
    remove();
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
      const chartType = type === 'line' ? 'column' : 'line';
      const { choose, drawn, canvas } = await setupChart(chart({ chartType }));
      choose(type);
      expect((drawn()?.config as { type?: string } | undefined)?.type).to.equal(drawnAs);
      expect(hasPixels(canvas)).to.equal(true);
    });
  }

  it('shows all rows when the user chooses the table, and the chart again', async () => {
    const { choose, drawn, query, root, run, frames, whenRendered } = await setupChart();
    choose('table');
    expect(query('.chart .plot').hidden).to.equal(true);
    expect(root.querySelector(NOTE)).to.equal(null);
    run(part('p', chart({ rows: [...Array(5000).keys()].map((at) => ['January', at]) })));
    expect(root.querySelectorAll('.chart .data-table')).to.have.length(1);
    query('.chart .sort').click();
    frames.frame(1);
    expect(query('.chart .data-scroller').ariaBusy).to.equal('true');
    run(part('p', chart()));
    query('.chart .sort').click();
    choose('line');
    expect(frames.scheduledCount, 'the sort is cancelled').to.equal(0);
    choose('table');
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
    query('.chart figcaption button').focus();
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
    expect(query('.chart > figure').contains(drawn()?.canvas ?? null)).to.equal(true);
    expect(active()?.textContent.trim()).to.equal('Enlarge');
  });

  it('does not take the focus from where the page moves it while its dialog closes', async () => {
    const { query, host } = await setupChart();
    query('.chart figcaption button').click();
    const dialog = query<HTMLDialogElement>('.chart dialog');
    const closed = new Promise((resolve) => {
      dialog.addEventListener('close', resolve);
    });
    const launcher = document.createElement('button');
    host.after(launcher);
    dialog.close();
    launcher.focus();
    await closed;
    expect(document.activeElement).to.equal(launcher);
    expect(query('.chart figcaption button').textContent.trim()).to.equal('Enlarge');
    launcher.remove();
  });

  it('is drawn again when its type, its rows, its language or the theme change', async () => {
    const { drawn, run, host, whenRendered, query, view, context, frames } = await setupChart();
    const first = drawn();
    run(set('p', 'chartType', 'column'));
    expect(drawn()).not.to.equal(first);
    run(part('p', chart({ chartType: 'column', rows: [['March', 7]] })));
    const second = drawn();
    expect(second?.data.labels).to.deep.equal(['March']);
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    const third = drawn();
    expect(third).not.to.equal(second);
    expect(query('.chart .hidden table').lang).to.equal('it');
    // The palette, hidden elements in the colours of the chart, reports a change of them by the end of a transition.
    const ended = new Promise((resolve) => {
      query('.palette').addEventListener('transitionend', resolve, { once: true });
    });
    host.style.setProperty('--_accent', 'red');
    await ended;
    await whenRendered();
    expect(drawn()).not.to.equal(third);
    expect(drawn()?.data.datasets[0]?.backgroundColor).to.equal('rgb(255, 0, 0)');
  });

  it('has the colours of a theme that has changed while it was hidden', async () => {
    const { drawn, host, whenRendered } = await setupChart();
    host.style.display = 'none';
    await whenRendered();
    host.style.setProperty('--_accent', 'red');
    host.style.display = 'block';
    await whenRendered();
    expect(drawn()?.data.datasets[0]?.backgroundColor).to.equal('rgb(255, 0, 0)');
  });

  it('is not drawn while it is hidden', async () => {
    const { drawn, host, run, whenRendered } = await setupChart();
    host.style.display = 'none';
    await whenRendered();
    const before = drawn();
    run(part('p', chart({ rows: [['March', 7]] })));
    expect(drawn()).to.equal(before);
    host.style.display = 'block';
    await whenRendered();
    expect(drawn()?.data.labels).to.deep.equal(['March']);
  });

  it('is drawn again synchronously before and after the page is printed', async () => {
    const { drawn, host } = await setupChart();
    const onScreen = drawn();
    host.style.colorScheme = 'dark';
    host.style.setProperty('--_text', 'light-dark(rgb(200, 0, 0), rgb(0, 0, 200))');
    window.dispatchEvent(new Event('beforeprint'));
    const printed = drawn();
    expect(printed).not.to.equal(undefined);
    expect(printed).not.to.equal(onScreen);
    expect(printed?.options.color, 'light, as paper is').to.equal('rgb(200, 0, 0)');
    window.dispatchEvent(new Event('afterprint'));
    expect(drawn()).not.to.equal(printed);
  });

  it('is drawn again in another size', async () => {
    const { drawn, host, whenRendered, query } = await setupChart();
    const before = drawn()?.width ?? 0;
    host.style.width = '300px';
    await whenRendered();
    expect(drawn()?.width).to.be.lessThan(before).and.to.equal(query('.plot').clientWidth);
    const shown = drawn();
    for (const property of ['width', 'height'] as const) {
      query('.plot').style[property] = '0px';
      await whenRendered();
      query('.plot').style[property] = '';
    }
    expect(drawn()).to.equal(shown);
    expect(query('.plot').clientWidth).to.be.greaterThan(0);
    expect(drawn()?.width).to.equal(query('.plot').clientWidth);
  });

  it('releases its canvas when it is removed', async () => {
    const { drawn, query, view, host, frames } = await setupChart();
    query('.chart figcaption button').click();
    const dialog = query<HTMLDialogElement>('.chart dialog');
    view.dispose();
    expect([drawn(), dialog.open]).to.deep.equal([undefined, false]);
    query('.plot').style.width = '100px';
    await nextLayout();
    expect(frames.scheduledCount).to.equal(0);
    host.remove();
  });

  it('is drawn when the library is loaded after its size is known', async () => {
    let load: (library: unknown) => void = () => undefined;
    const loading = new Promise((resolve) => (load = resolve));
    const { drawn, whenRendered } = await setupChart(chart(), { loadExtra: () => loading });
    await whenRendered();
    load(charts);
    await whenRendered();
    expect(drawn()?.data.labels).to.deep.equal(['January', 'February']);
  });

  it('formats its labels by the type of their column', async () => {
    const { drawn } = await setupChart(
      chart({
        columns: [{ name: 'month', type: 'date' }, COLUMNS[1]],
        rows: [['2024-03-01', 1]],
      }),
    );
    expect(drawn()?.data.labels).to.deep.equal(['Mar 1, 2024']);
  });

  it('has the language of the content in its table, too', async () => {
    const { choose, context, view, frames, query } = await setupChart();
    choose('table');
    context.locale = findLocale('en', 'it');
    view.redraw();
    frames.flush();
    expect(query('.chart .data-scroller table').lang).to.equal('it');
  });

  it('is not drawn when the library is loaded after it was removed', async () => {
    let load: (library: unknown) => void = () => undefined;
    const loading = new Promise((resolve) => (load = resolve));
    const { drawn, view, whenRendered } = await setupChart(chart(), { loadExtra: () => loading });
    view.dispose();
    load(charts);
    await whenRendered();
    expect(drawn()).to.equal(undefined);
  });

  it('is drawn from right to left', async () => {
    const { drawn, host, view, frames } = await setupChart(chart({ title: 'مبيعات' }), {
      lang: 'ar',
      dir: 'rtl',
    });
    expect(drawn()?.options.plugins?.tooltip?.rtl).to.equal(true);
    expect(drawn()?.options.scales?.['x']?.reverse).to.equal(true);
    host.dir = 'ltr';
    view.redraw();
    frames.flush();
    expect(drawn()?.options.plugins?.tooltip?.rtl, 'another direction').to.equal(false);
  });

  it('follows a direction that the page changes without the language', async () => {
    const { drawn, host, query, whenRendered } = await setupChart();
    for (const dir of ['rtl', 'ltr']) {
      const ended = new Promise((resolve) => {
        query('.palette').addEventListener('transitionend', resolve, { once: true });
      });
      host.dir = dir;
      await ended;
      await whenRendered();
      expect(drawn()?.options.plugins?.tooltip?.rtl).to.equal(dir === 'rtl');
    }
  });
});
