import { expect } from '@open-wc/testing';
import { Chart } from 'chart.js';
import { drawChart, type ChartContent, type ChartStyle } from '../../src/markdown/extras/charts.js';

const STYLE: ChartStyle = {
  text: '#111111',
  muted: '#222222',
  line: '#333333',
  background: '#ffffff',
  colors: ['#aa0000', '#00aa00'],
  fontFamily: 'sans-serif',
  fontSize: 12,
  isRightToLeft: false,
  formatTick: (value) => `${value} t`,
  formatItem: (name, value) => `${name}: ${value}`,
};

const seriesOf = (...names: string[]): ChartContent['series'] =>
  names.map((name) => ({ name, values: [50, 60] }));

/** Draws a chart on a canvas in the page, and returns it with the chart of the library. */
function draw(
  content: Partial<ChartContent> = {},
  style: Partial<ChartStyle> = {},
): {
  readonly chart: Chart;
  readonly drawn: ReturnType<typeof drawChart>;
  readonly canvas: HTMLCanvasElement;
} {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [400, 300];
  document.body.append(canvas);
  const drawn = drawChart(
    canvas,
    { type: 'line', labels: ['a', 'b'], series: seriesOf('one'), ...content },
    { ...STYLE, ...style },
  );
  const chart = Chart.getChart(canvas);
  if (!chart) throw new Error('The canvas has no chart.');
  return { chart, drawn, canvas };
}

/** The properties that distinguish a dataset from the others. */
const looksOf = (chart: Chart, index: number): object => {
  const { backgroundColor, pointStyle, borderDash } = chart.data.datasets[
    index
  ] as unknown as Record<string, unknown>;
  return { backgroundColor, pointStyle, borderDash };
};

const ticksOf = (chart: Chart, axis: 'x' | 'y'): unknown[] =>
  chart.scales[axis]?.ticks.map(({ label }) => label) ?? [];

/** The options of the ticks of the x axis. */
const tickOptionsOf = (chart: Chart): { readonly align?: string; readonly maxRotation?: number } =>
  (chart.scales['x']?.options as { ticks?: object } | undefined)?.ticks ?? {};

/** The text of the tooltip of one value. */
function tooltipOf(chart: Chart, dataset: number, dataIndex: number): unknown {
  const label = chart.options.plugins?.tooltip?.callbacks?.label as (item: object) => unknown;
  const category = chart.data.labels?.[dataIndex];
  return label({ label: category, dataset: chart.data.datasets[dataset], dataIndex });
}

describe('chart on a canvas', () => {
  afterEach(() => {
    for (const canvas of document.querySelectorAll('canvas')) {
      Chart.getChart(canvas)?.destroy();
      canvas.remove();
    }
  });

  it('uses the line, bar or doughnut type of Chart.js', () => {
    const types = (['line', 'column', 'pie', 'ring'] as const).map(
      (type) => (draw({ type }).chart.config as { readonly type?: string }).type,
    );
    expect(types).to.deep.equal(['line', 'bar', 'doughnut', 'doughnut']);
  });

  it('has a hole only as a ring', () => {
    const cutoutOf = (type: ChartContent['type']): unknown =>
      (draw({ type }).chart.options as { readonly cutout?: unknown }).cutout;
    expect([cutoutOf('pie'), cutoutOf('ring')]).to.deep.equal([0, '60%']);
  });

  it('draws without animation in the size of the canvas', () => {
    const { chart } = draw();
    expect([chart.options.animation, chart.options.responsive]).to.deep.equal([false, false]);
    expect([chart.width, chart.height]).to.deep.equal([400, 300]);
  });

  it('formats the values of the axis and shortens labels of more than 24 characters', () => {
    // Small text, so that both labels fit beside each other in every font.
    const { chart } = draw(
      { type: 'column', labels: ['x'.repeat(24), 'y'.repeat(25)] },
      { fontSize: 4 },
    );
    expect(ticksOf(chart, 'x')).to.deep.equal(['x'.repeat(24), `${'y'.repeat(23)}…`]);
    expect(ticksOf(chart, 'y')).to.include('60 t');
  });

  it('starts at zero with columns, not with lines', () => {
    expect(draw({ type: 'column' }).chart.scales['y']?.min).to.equal(0);
    expect(draw({ type: 'line' }).chart.scales['y']?.min).to.be.above(0);
  });

  it('is mirrored in right-to-left text', () => {
    const { chart } = draw({}, { isRightToLeft: true });
    const { x, y } = chart.scales;
    expect([x?.options.reverse, (y?.options as { position?: string }).position]).to.deep.equal([
      true,
      'right',
    ]);
    const { legend, tooltip } = chart.options.plugins ?? {};
    expect([legend?.rtl, legend?.textDirection]).to.deep.equal([true, 'rtl']);
    expect([tooltip?.rtl, tooltip?.textDirection]).to.deep.equal([true, 'rtl']);
    const ticks = tickOptionsOf(chart);
    expect([ticks.align, ticks.maxRotation]).to.deep.equal(['inner', 0]);
    const columns = draw({ type: 'column' }, { isRightToLeft: true }).chart;
    expect(tickOptionsOf(columns).align).to.equal('center');
  });

  it('is not mirrored in left-to-right text', () => {
    const { chart } = draw();
    const { x, y } = chart.scales;
    expect([x?.options.reverse, (y?.options as { position?: string }).position]).to.deep.equal([
      false,
      'left',
    ]);
    expect(chart.options.plugins?.legend?.textDirection).to.equal('ltr');
    expect(tickOptionsOf(chart).maxRotation).to.equal(45);
  });

  it('has a legend for several series and for slices', () => {
    const hasLegend = (content: Partial<ChartContent>): unknown =>
      draw(content).chart.options.plugins?.legend?.display;
    expect(hasLegend({ series: seriesOf('one') })).to.equal(false);
    expect(hasLegend({ series: seriesOf('one', 'two') })).to.equal(true);
    expect(hasLegend({ type: 'pie' })).to.equal(true);
    expect(hasLegend({ type: 'ring' })).to.equal(true);
  });

  it('shows the tooltip of the nearest slice, and of all series at a category', () => {
    const interaction = (type: ChartContent['type']): unknown =>
      draw({ type }).chart.options.interaction;
    expect(interaction('pie')).to.include({ mode: 'nearest', intersect: true });
    expect(interaction('line')).to.include({ mode: 'index', intersect: false });
  });

  it('distinguishes eight series by colour, shape and dashes, and repeats them for further ones', () => {
    const names = Array.from({ length: 9 }, (_, index) => `series ${index}`);
    const { chart } = draw({ series: seriesOf(...names) });
    const looks = names.map((_, index) => looksOf(chart, index));
    expect(looks[0]).to.deep.equal({
      backgroundColor: '#aa0000',
      pointStyle: 'circle',
      borderDash: [],
    });
    expect(looks[1]).to.deep.equal({
      backgroundColor: '#00aa00',
      pointStyle: 'rect',
      borderDash: [6, 3],
    });
    expect(new Set(looks.slice(0, 8).map((look) => JSON.stringify(look))).size).to.equal(8);
    expect(looks[8]).to.deep.equal(looks[0]);
    for (const index of [2, 3, 4, 5, 6, 7]) {
      expect((looks[index] as { borderDash: number[] }).borderDash.length).to.be.above(0);
    }
  });

  it('shows the shapes of series in the legend and the tooltip, half as high as the text', () => {
    const { legend, tooltip } = draw().chart.options.plugins ?? {};
    expect([legend?.labels?.usePointStyle, tooltip?.usePointStyle]).to.deep.equal([true, true]);
    expect(legend?.labels?.boxHeight).to.equal(6);
  });

  it('gives the slices all colours, also while they are hovered', () => {
    const [dataset] = draw({ type: 'pie' }).chart.data.datasets;
    expect(dataset?.backgroundColor).to.deep.equal(STYLE.colors);
    expect(dataset?.hoverBackgroundColor).to.deep.equal(STYLE.colors);
    expect([dataset?.borderColor, dataset?.hoverBorderColor]).to.deep.equal(['#ffffff', '#ffffff']);
  });

  it('has horizontal grid lines only, and a line below the columns', () => {
    const { x, y } = draw({ type: 'column' }).chart.scales;
    const linesOf = (axis: typeof x): unknown[] => {
      const { grid, border } = axis?.options as unknown as Record<
        'grid' | 'border',
        { display?: boolean }
      >;
      return [grid.display, border.display];
    };
    expect(linesOf(x)).to.deep.equal([false, true]);
    expect(linesOf(y)).to.deep.equal([true, false]);
  });

  it('draws shapes on lines of up to sixty points, and on isolated points of longer ones', () => {
    const radiusOf = (count: number, step = 1): unknown => {
      const labels = Array.from({ length: count }, (_, index) => `${index}`);
      const values = labels.map((_, index) => (index % step === 0 ? index : null));
      const { chart } = draw({ labels, series: [{ name: 'a', values }] });
      const [dataset] = chart.data.datasets as { pointRadius?: number | number[] }[];
      return [dataset?.pointRadius].flat().slice(0, 3);
    };
    expect([radiusOf(60), radiusOf(61)]).to.deep.equal([[3], [0, 0, 0]]);
    expect(radiusOf(61, 2)).to.deep.equal([3, 0, 3]);
  });

  it('keeps the gaps of a line, and draws an empty slice as zero', () => {
    const series = [{ name: 'one', values: [null, 2] }];
    expect(draw({ series }).chart.data.datasets[0]?.data).to.deep.equal([null, 2]);
    expect(draw({ type: 'pie', series }).chart.data.datasets[0]?.data).to.deep.equal([0, 2]);
  });

  it('formats the tooltip with the name of the series or slice', () => {
    const series = [{ name: 'one', values: [null, 2] }];
    const line = draw({ series }).chart;
    expect([tooltipOf(line, 0, 0), tooltipOf(line, 0, 1)]).to.deep.equal(['one', 'one: 2']);
    expect(tooltipOf(draw({ type: 'pie', series }).chart, 0, 1)).to.equal('b: 2');
  });

  it('is drawn again in another size', () => {
    const { chart, drawn } = draw();
    drawn.resize(200, 170);
    expect([chart.width, chart.height]).to.deep.equal([200, 170]);
  });

  it('is released with its canvas', () => {
    const { canvas, drawn } = draw();
    drawn.destroy();
    expect(Chart.getChart(canvas)).to.equal(undefined);
  });
});
