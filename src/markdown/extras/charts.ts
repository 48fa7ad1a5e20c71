import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartConfiguration,
  type ChartDataset,
  type TooltipItem,
} from 'chart.js';

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  DoughnutController,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

/** The data of a chart. */
export interface ChartContent {
  readonly type: 'line' | 'column' | 'pie' | 'ring';
  /** Categories of all series; slices of a pie or ring. */
  readonly labels: readonly string[];
  /** Values by label; null for a gap. A pie or ring has one series. */
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
}

/** Colours, font, direction and number formats, which a canvas does not inherit. */
export interface ChartStyle {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly background: string;
  /** Colours of the series or slices, in order. */
  readonly colors: readonly string[];
  readonly fontFamily: string;
  /** In px. */
  readonly fontSize: number;
  readonly isRightToLeft: boolean;
  /** Formats a value of the axis. */
  formatTick(value: number): string;
  /** Formats a value with the name of its series or slice. */
  formatItem(name: string, value: number): string;
}

/** A chart on a canvas. */
export interface DrawnChart {
  /** Draws the chart again in another size, in px. */
  resize(width: number, height: number): void;
  /** Releases its listeners, and resets the canvas. */
  destroy(): void;
}

/** Shapes of points and dashes of lines, so that series are distinguishable without colour (WCAG 1.4.1). */
const POINTS = [
  'circle',
  'rect',
  'triangle',
  'rectRot',
  'crossRot',
  'star',
  'cross',
  'dash',
] as const;
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 4], [1, 3], [8, 2]];
/** Maximum number of characters of an axis label. The tooltip shows the whole label. */
const MAX_TICK_LENGTH = 24;
/** Maximum number of points of a line that is drawn with shapes. Of a line with more points, only isolated ones have a shape. */
const MAX_SHAPES = 60;

/** Draws a chart in the size of the canvas, without animation. The canvas must be connected. */
export function drawChart(
  canvas: HTMLCanvasElement,
  content: ChartContent,
  style: ChartStyle,
): DrawnChart {
  const chart = new Chart(canvas, configure(content, style));
  return {
    resize: (width, height) => {
      chart.resize(width, height);
    },
    destroy: () => {
      chart.destroy();
    },
  };
}

function configure(content: ChartContent, style: ChartStyle): ChartConfiguration {
  const isRound = content.type === 'pie' || content.type === 'ring';
  const font = { family: style.fontFamily, size: style.fontSize };
  const bidi = {
    rtl: style.isRightToLeft,
    textDirection: style.isRightToLeft ? 'rtl' : 'ltr',
  };
  return {
    type: isRound ? 'doughnut' : content.type === 'line' ? 'line' : 'bar',
    data: {
      labels: [...content.labels],
      datasets: content.series.map((_, index) =>
        isRound ? createRound(content, style) : createSeries(content, style, index),
      ),
    },
    options: {
      // The view observes the size, because Chart.js does not detect a canvas that is connected later inside a shadow tree (Chart.js issue 10924).
      responsive: false,
      maintainAspectRatio: false,
      animation: false,
      ...(isRound && { cutout: content.type === 'ring' ? '60%' : 0 }),
      color: style.text,
      font,
      interaction: isRound
        ? { mode: 'nearest', intersect: true }
        : { mode: 'index', intersect: false },
      plugins: {
        legend: {
          display: isRound || content.series.length > 1,
          position: 'bottom',
          ...bidi,
          labels: { color: style.text, font, usePointStyle: true, boxHeight: style.fontSize / 2 },
        },
        tooltip: {
          ...bidi,
          backgroundColor: style.background,
          borderColor: style.line,
          borderWidth: 1,
          titleColor: style.text,
          bodyColor: style.text,
          titleFont: font,
          bodyFont: font,
          usePointStyle: true,
          callbacks: { label: (item) => formatTooltip(item, isRound, style) },
        },
      },
      scales: isRound ? {} : createScales(content, style, font),
    },
  };
}

function createScales({ type, labels }: ChartContent, style: ChartStyle, font: object) {
  const ticks = { color: style.muted, font };
  return {
    x: {
      reverse: style.isRightToLeft,
      grid: { display: false },
      border: { color: style.line },
      ticks: {
        ...ticks,
        // Chart.js leaves no room for the last label of a reversed axis.
        ...(style.isRightToLeft
          ? { maxRotation: 0, align: type === 'line' ? ('inner' as const) : ('center' as const) }
          : { maxRotation: 45 }),
        autoSkipPadding: style.fontSize,
        callback: (_value: string | number, index: number) => shortenLabel(labels[index] ?? ''),
      },
    },
    y: {
      position: style.isRightToLeft ? ('right' as const) : ('left' as const),
      // Columns that do not start at zero exaggerate differences.
      beginAtZero: type === 'column',
      grid: { color: style.line },
      border: { display: false },
      ticks: { ...ticks, callback: (value: string | number) => style.formatTick(Number(value)) },
    },
  };
}

function shortenLabel(label: string): string {
  const characters = [...label];
  return characters.length > MAX_TICK_LENGTH
    ? `${characters.slice(0, MAX_TICK_LENGTH - 1).join('')}…`
    : label;
}

function createRound(
  { series: [first] }: ChartContent,
  { colors, background }: ChartStyle,
): ChartDataset<'doughnut'> {
  return {
    data: [...(first?.values ?? [])].map((value) => value ?? 0),
    backgroundColor: [...colors],
    hoverBackgroundColor: [...colors],
    borderColor: background,
    hoverBorderColor: background,
    borderWidth: 2,
  };
}

function createSeries(
  { type, labels, series }: ChartContent,
  { colors, background }: ChartStyle,
  index: number,
): ChartDataset<'line' | 'bar'> {
  const { name, values } = series[index] ?? { name: '', values: [] };
  const color = colors[index % colors.length] ?? '';
  const shared = {
    label: name,
    data: [...values],
    backgroundColor: color,
    // Without this, Chart.js would compute hover colours, but it cannot parse all CSS colours.
    hoverBackgroundColor: color,
    pointStyle: POINTS[index % POINTS.length] ?? 'circle',
  };
  if (type === 'column') {
    return { ...shared, maxBarThickness: 64, borderRadius: 2, borderColor: background };
  }
  return {
    ...shared,
    borderColor: color,
    hoverBorderColor: color,
    borderWidth: 2,
    borderDash: DASHES[index % DASHES.length] ?? [],
    pointBackgroundColor: color,
    pointBorderColor: color,
    // A point between two gaps always has a shape, because no line is drawn to it.
    pointRadius:
      labels.length > MAX_SHAPES ? values.map((_, at) => (isIsolated(values, at) ? 3 : 0)) : 3,
  };
}

function isIsolated(values: readonly (number | null)[], at: number): boolean {
  return [at - 1, at + 1].every((next) => (values[next] ?? null) === null);
}

function formatTooltip(
  { label, dataset, dataIndex }: TooltipItem<'line' | 'bar' | 'doughnut'>,
  isRound: boolean,
  { formatItem }: ChartStyle,
): string {
  const value = dataset.data[dataIndex];
  const name = isRound ? label : (dataset.label ?? '');
  return typeof value === 'number' ? formatItem(name, value) : name;
}
