import { css, html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { isFocusLost } from '../../dom/focusable.js';
import { showModal } from '../../dom/modal.js';
import { isPrinting, onPrintChange } from '../../dom/print.js';
import { chartStrings } from '../../locales/en-chart.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import type * as Charts from '../../markdown/extras/charts.js';
import type { DataColumn, Part, PartOf } from '../../model/part.js';
import { renderContentText, setLang } from '../content-lang.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from '../parts/base-part-view.js';
import { hasNumbers, toChartData, type ChartData, type ChartType } from './chart-data.js';
import { dataStyles } from './data-styles.js';
import { DataTable } from './data-table.js';
import { createCellFormatter } from './cell-format.js';

addDefaultStrings(chartStrings);

/** The chart types, and the data as a table. */
const TYPES = ['line', 'column', 'pie', 'ring', 'table'] as const;
type ShownType = (typeof TYPES)[number];

/** Maximum number of rows in the table for screen readers beside the chart. The table type shows all rows. */
const MAX_HIDDEN_ROWS = 100;

const styles = css`
  .chart {
    position: relative;
    figcaption {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: calc(0.25 * var(--_ubik-rem)) calc(0.5 * var(--_ubik-rem));
      margin-block-end: calc(0.5 * var(--_ubik-rem));
      > .title {
        flex: 1 1 calc(10 * var(--_ubik-rem));
        min-width: 0;
      }
    }
    .chart-tools {
      display: flex;
      align-items: center;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    select {
      min-height: calc(2 * var(--_ubik-rem));
      max-width: 100%;
      padding: 0 calc(0.5 * var(--_ubik-rem));
      border: 1px solid var(--_field-line);
      border-radius: var(--_control-radius);
      background: var(--_background);
      color: var(--_text);
      font: inherit;
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    }
    @media (pointer: coarse) {
      select,
      .quiet {
        min-height: calc(2.75 * var(--_ubik-rem));
      }
      select {
        font-size: 16px;
      }
    }
    .plot {
      position: relative;
      height: calc(20 * var(--_ubik-rem));
      max-height: 80vh;
      > * {
        position: absolute;
        inset: 0;
      }
      > .note {
        align-items: center;
        justify-content: center;
      }
    }
    dialog {
      width: min(calc(72 * var(--_ubik-rem)), 100vw - calc(2 * var(--_ubik-rem)));
      max-width: none;
      max-height: calc(100dvh - calc(2 * var(--_ubik-rem)));
      margin: auto;
      padding: calc(1.25 * var(--_ubik-rem));
      border: var(--_border);
      border-radius: var(--_radius);
      background: var(--_background);
      color: var(--_text);
      overflow: auto;
      overscroll-behavior: contain;
      &::backdrop {
        background: rgb(0 0 0 / 45%);
      }
      .plot {
        height: calc(100dvh - calc(12 * var(--_ubik-rem)));
        min-height: calc(12 * var(--_ubik-rem));
        max-height: none;
      }
    }
    @media print {
      figcaption > :not(.title) {
        display: none;
      }
      break-inside: avoid;
    }
  }
  /* A canvas inherits no CSS colours, so they are read from these hidden elements. The end of a transition reports each change of a colour
     or of the direction. */
  .palette {
    position: absolute;
    visibility: hidden;
    pointer-events: none;
    transition: opacity 1ms;
    &:dir(rtl) {
      opacity: 0;
    }
    i {
      transition: color 1ms;
    }
    &.printed {
      color-scheme: light;
      i {
        transition: none;
      }
    }
    i:nth-child(1) {
      color: var(--_text);
    }
    i:nth-child(2) {
      color: var(--_muted);
    }
    i:nth-child(3) {
      color: var(--_line);
    }
    i:nth-child(4) {
      color: var(--_background);
    }
    i:nth-child(5) {
      color: var(--ubik-chart-1, var(--_accent));
    }
    i:nth-child(6) {
      color: var(--ubik-chart-2, light-dark(#b4530a, #f0a35e));
    }
    i:nth-child(7) {
      color: var(--ubik-chart-3, light-dark(#0f766e, #4fc9bb));
    }
    i:nth-child(8) {
      color: var(--ubik-chart-4, light-dark(#a3328f, #e48fd5));
    }
    i:nth-child(9) {
      color: var(--ubik-chart-5, light-dark(#5c7a12, #b3cf5f));
    }
    i:nth-child(10) {
      color: var(--ubik-chart-6, light-dark(#b3263f, #f28b9b));
    }
    i:nth-child(11) {
      color: var(--ubik-chart-7, light-dark(#1f7fae, #7cc4ec));
    }
    i:nth-child(12) {
      color: var(--ubik-chart-8, light-dark(#6b6f76, #aab0b8));
    }
    @media (forced-colors: active) {
      forced-color-adjust: none;
      i:nth-child(-n + 3) {
        color: CanvasText;
      }
      /* Grid lines are weaker than text and series. */
      i:nth-child(3) {
        color: color-mix(in srgb, CanvasText 30%, Canvas);
      }
      i:nth-child(4) {
        color: Canvas;
      }
      i:nth-child(3n + 5) {
        color: LinkText;
      }
      i:nth-child(3n + 6) {
        color: CanvasText;
      }
      i:nth-child(3n + 7) {
        color: GrayText;
      }
    }
  }
`;

/** Number of colours in the palette: text, muted text, lines, background, and eight for series or slices. */
const PALETTE_SIZE = 12;

/** The inputs of a drawing. It is drawn again when any of them changes. */
interface Drawing {
  readonly part: Part;
  readonly type: ChartType;
  readonly locale: Locale;
  readonly isPrinted: boolean;
  /** The colours, font and direction, as JSON. */
  readonly style: string;
}

/**
 * Renders rows as a chart. The user can choose another type or the table, and enlarge the figure in a dialog. For screen readers, the data
 * is also a table. The library is loaded with the first chart; nothing is drawn until then, and before the plot has a size. If the library
 * cannot be loaded, or there is no number to draw, the table is shown.
 */
export class ChartView extends BasePartView<'chart'> {
  static readonly styles = [dataStyles, styles];
  readonly #figure = element('figure');
  readonly #caption = element('figcaption');
  readonly #canvas = element('canvas');
  readonly #loadingNote = element('p', 'note');
  readonly #plot = element('div', 'plot', this.#canvas, this.#loadingNote);
  readonly #notes = element('div');
  readonly #accessibleTable = element('div', 'hidden');
  readonly #palette = createPalette();
  readonly #resizeObserver = new ResizeObserver(([entry]) => {
    if (entry) this.#handleResize(entry.contentRect);
  });
  readonly #stopPrintListener: () => void;
  /** The type that the user has chosen; null for the type of the part. */
  #chosenType: ShownType | null = null;
  #library: typeof Charts | 'loading' | 'failed' = 'loading';
  #chart: Charts.DrawnChart | null = null;
  #drawing: Drawing | null = null;
  #dataTable: DataTable | null = null;
  #dialog: HTMLDialogElement | null = null;
  /** The size of the plot when it was last displayed. */
  #size = { width: 0, height: 0 };
  /** Whether the plot has a size. */
  #isDisplayed = false;

  constructor(part: PartOf<'chart'>, scope: MessageScope) {
    super(part, scope, element('div', 'chart'));
    this.#figure.append(
      this.#caption,
      this.#plot,
      this.#notes,
      this.#accessibleTable,
      this.#palette,
    );
    this.node.append(this.#figure);
    this.#canvas.role = 'img';
    this.#palette.addEventListener('transitionend', this.scheduleRender);
    this.#stopPrintListener = onPrintChange(this.renderNow);
    this.#resizeObserver.observe(this.#plot);
    this.renderNow();
    void this.#loadLibrary();
  }

  redraw(): void {
    this.#dataTable?.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#dialog?.close();
    this.#resizeObserver.disconnect();
    this.#stopPrintListener();
    this.#removeChart();
    this.#removeDataTable();
  }

  protected override render(): void {
    const { part } = this;
    const type = this.#type;
    const data = toChartData(part, type === 'table' ? part.chartType : type, {
      formatLabel: createCellFormatter(this.#dimension, this.context.locale),
      other: this.text('chartOther'),
    });
    const isTable = type === 'table' || this.#library === 'failed' || !hasNumbers(data);
    const words = part.title || this.text('dataChart');
    if (this.#dialog) this.#dialog.ariaLabel = words;
    render(this.#renderCaption(type), this.#caption);
    render(this.#renderNotes(data, isTable), this.#notes);
    this.#plot.hidden = this.#accessibleTable.hidden = isTable;
    if (isTable) {
      this.#removeChart();
      this.#renderDataTable();
      return;
    }
    this.#removeDataTable();
    const name = this.text('colon', { name: this.text(`chart_${type}`), words });
    this.#canvas.ariaLabel = name;
    this.#loadingNote.hidden = this.#library !== 'loading';
    this.#loadingNote.textContent = this.text('chartLoading');
    this.#draw({ part, type, locale: this.context.locale, isPrinted: isPrinting() }, data);
  }

  async #loadLibrary(): Promise<void> {
    try {
      const loading = this.context.loadExtra?.('charts');
      // The module is part of this library.
      if (loading) this.#library = (await loading) as typeof Charts;
      else this.#library = 'failed';
    } catch {
      // The table shows the data without the library.
      this.#library = 'failed';
    }
    this.scheduleRender();
  }

  get #type(): ShownType {
    return this.#chosenType ?? this.part.chartType;
  }

  get #dimension(): DataColumn {
    const { columns, dimension } = this.part;
    return columns.find(({ name }) => name === dimension) ?? { name: '', type: 'text' };
  }

  #renderCaption(type: ShownType): TemplateResult {
    const { title } = this.part;
    const options = TYPES.map(
      (each) =>
        html`<option value=${each} .selected=${each === type}>
          ${this.text(`chart_${each}`)}
        </option>`,
    );
    return html`<span class="title">
        ${title ? renderContentText(title, this.context.locale) : this.text('dataChart')}
      </span>
      <span class="chart-tools"
        >${
          this.#library === 'failed'
            ? nothing
            : html`<select aria-label=${this.text('chartType')} @change=${this.#handleTypeChange}>
                ${options}
              </select>`
        }
        <button class="quiet" type="button" @click=${this.#handleToggleDialog}>
          ${this.text(this.#dialog ? 'close' : 'chartEnlarge')}
        </button></span
      >`;
  }

  #renderNotes(data: ChartData, isTable: boolean): unknown {
    const notes = isTable ? [this.#explainTable(data)] : this.#listOmissions(data);
    return notes.filter(Boolean).map((note) => html`<p class="note">${note}</p>`);
  }

  /** Returns the reason why the table is shown instead of the chart; empty when the user has chosen it. */
  #explainTable(data: ChartData): string {
    if (this.#library === 'failed') return this.text('chartFailed');
    return hasNumbers(data) ? '' : this.text('chartEmpty');
  }

  #listOmissions({
    labels,
    series,
    pointCount,
    seriesCount,
    omitsNonPositive,
  }: ChartData): readonly string[] {
    // The points of a pie or ring that have no slice of their own are summed up in one.
    const omitsPoints = this.#type === 'line' || this.#type === 'column';
    const [shown, shownSeries] = [labels.length, series.length];
    return [
      omitsPoints && shown < pointCount
        ? this.text('chartPoints', { shown, total: pointCount })
        : '',
      shownSeries < seriesCount
        ? this.text('chartSeries', { shown: shownSeries, total: seriesCount })
        : '',
      omitsNonPositive ? this.text('chartNegative') : '',
    ];
  }

  /** Draws the chart if it has changed and the plot is displayed. */
  #draw(inputs: Omit<Drawing, 'style'>, { labels, series }: ChartData): void {
    if (typeof this.#library === 'string' || !this.#isDisplayed) return;
    const style = this.#readStyle(inputs);
    // JSON omits the formatters, which change only with the locale.
    const drawing = { ...inputs, style: JSON.stringify(style) };
    if (this.#drawing && isSameDrawing(this.#drawing, drawing)) return;
    this.#removeChart();
    this.#renderAccessibleTable();
    this.#drawing = drawing;
    Object.assign(this.#canvas, this.#size);
    this.#chart = this.#library.drawChart(
      this.#canvas,
      { type: inputs.type, labels, series },
      style,
    );
  }

  #removeChart(): void {
    this.#chart?.destroy();
    this.#chart = this.#drawing = null;
  }

  #readStyle({ locale, isPrinted }: Pick<Drawing, 'locale' | 'isPrinted'>): Charts.ChartStyle {
    // Paper is light, whatever the colour scheme, and the print style sheet is not applied yet.
    this.#palette.classList.toggle('printed', isPrinted);
    const [text = '', muted = '', line = '', background = '', ...colors] = [
      ...this.#palette.children,
    ].map((child) => getComputedStyle(child).color);
    const { fontFamily, fontSize, direction } = getComputedStyle(this.node);
    const exact = new Intl.NumberFormat(locale.lang);
    const short = new Intl.NumberFormat(locale.lang, { maximumSignificantDigits: 6 });
    const compact = new Intl.NumberFormat(locale.lang, {
      notation: 'compact',
      maximumSignificantDigits: 5,
    });
    return {
      ...{ text, muted, line, background, colors, fontFamily },
      fontSize: Math.max(12, parseFloat(fontSize) * 0.85),
      isRightToLeft: direction === 'rtl',
      formatTick: (value) => (Math.abs(value) < 10_000 ? short : compact).format(value),
      formatItem: (name, value) => {
        const words = (Math.abs(value) < 1 ? short : exact).format(value);
        return locale.text('colon', { name, words });
      },
    };
  }

  #renderDataTable(): void {
    const { part } = this;
    if (!this.#dataTable) {
      this.#dataTable = new DataTable(this.context);
      this.#notes.after(this.#dataTable.node);
    }
    this.#dataTable.update({ dataset: part, title: part.title, total: null });
  }

  #removeDataTable(): void {
    this.#dataTable?.dispose();
    this.#dataTable?.node.remove();
    this.#dataTable = null;
  }

  /** Renders the first rows as a table for screen readers. */
  #renderAccessibleTable(): void {
    const { columns, rows, title } = this.part;
    const { locale } = this.context;
    const caption = element('caption', '', title || this.text('dataChart'));
    if (rows.length > MAX_HIDDEN_ROWS) {
      const note = element('span', '', this.text('chartRows', { count: MAX_HIDDEN_ROWS }));
      setLang(note, locale.uiLang);
      caption.append(' · ', note);
    }
    const head = columns.map(({ name }) => {
      const cell = element('th', '', name);
      cell.scope = 'col';
      return cell;
    });
    const formatters = columns.map((column) => createCellFormatter(column, locale));
    const body = rows
      .slice(0, MAX_HIDDEN_ROWS)
      .map((row) =>
        formatters.map((format, index) => element('td', '', format(row[index] ?? null))),
      );
    const lines = [head, ...body].map((cells) => element('tr', '', ...cells));
    const table = element('table', '', caption, ...lines);
    setLang(table, locale.contentLang);
    this.#accessibleTable.replaceChildren(table);
  }

  /** Ignores the zero size of a hidden plot. While its message is skipped (`content-visibility`), the observer reports nothing. */
  #handleResize({ width, height }: DOMRectReadOnly): void {
    const wasDisplayed = this.#isDisplayed;
    this.#isDisplayed = width > 0 && height > 0;
    if (!this.#isDisplayed) return;
    this.#size = { width, height };
    this.#chart?.resize(width, height);
    // The theme may have changed while the plot was hidden, when no transition could report it.
    if (!wasDisplayed) this.scheduleRender();
  }

  readonly #handleTypeChange = ({ target }: Event): void => {
    const { value } = target as HTMLSelectElement;
    this.#chosenType = TYPES.find((type) => type === value) ?? null;
    this.renderNow();
  };

  /** Moves the figure into a modal dialog, or back. */
  readonly #handleToggleDialog = (): void => {
    if (this.#dialog) {
      this.#dialog.close();
      return;
    }
    const dialog = element('dialog', '', this.#figure);
    dialog.part.add('dialog');
    this.#dialog = dialog;
    this.node.append(dialog);
    showModal(dialog);
    dialog.addEventListener('close', this.#handleDialogClosed);
    this.#focusToggle();
  };

  readonly #handleDialogClosed = (): void => {
    const hadFocus = isFocusLost(this.node) || this.#dialog?.matches(':focus-within');
    this.node.append(this.#figure);
    this.#dialog?.remove();
    this.#dialog = null;
    if (hadFocus) this.#focusToggle();
    else this.renderNow();
  };

  /** Renders the button and focuses it again, because moving the figure has removed the focus from it. */
  #focusToggle(): void {
    this.renderNow();
    this.#caption.querySelector('button')?.focus();
  }
}

function isSameDrawing(left: Drawing, right: Drawing): boolean {
  return (
    left.part === right.part &&
    left.type === right.type &&
    left.locale === right.locale &&
    left.isPrinted === right.isPrinted &&
    left.style === right.style
  );
}

function createPalette(): HTMLElement {
  const palette = element('div', 'palette');
  for (let index = 0; index < PALETTE_SIZE; index += 1) palette.append(element('i'));
  palette.ariaHidden = 'true';
  return palette;
}
