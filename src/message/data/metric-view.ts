import { css, html, render, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import type { DataCell, DataColumn, Dataset, PartOf } from '../../model/part.js';
import { langOfContent } from '../content-lang.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from '../parts/base-part-view.js';
import { createCellFormatter, toNumber } from './cell-format.js';
import { QueryDisclosure } from './code-block.js';
import { renderCaption } from './data-caption.js';
import { dataStyles } from './data-styles.js';
import { DataTable } from './data-table.js';

const metricStyles = css`
  .metric-value {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 calc(0.375 * var(--_ubik-rem));
    font-size: calc(1.75 * var(--_ubik-rem));
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }
  .metric-unit {
    color: var(--_muted);
    font-size: var(--_ubik-rem);
    font-weight: 400;
  }
`;

/** A cell and its column. */
interface Field {
  readonly column: DataColumn;
  readonly cell: DataCell;
}

/** Renders a single value as a large number with its unit, and several values as a table. */
export class MetricView extends BasePartView<'metric'> {
  static readonly styles = [dataStyles, metricStyles];
  readonly #query = new QueryDisclosure(this.context);
  #table: DataTable | null = null;

  constructor(part: PartOf<'metric'>, scope: MessageScope) {
    super(part, scope, element('figure'));
    this.renderNow();
  }

  redraw(): void {
    this.#table?.redraw();
    this.#query.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#table?.dispose();
    this.#query.dispose();
  }

  protected override render(): void {
    const { title, unit, query } = this.part;
    const fields = readSingleValue(this.part);
    const name = title && unit && !fields ? this.text('titleWithUnit', { title, unit }) : title;
    this.#query.update(query, '');
    render(
      html`${renderCaption(name, '', this.context.locale)}
      ${fields ? this.#renderValue(fields) : this.#updateTable(name)} ${this.#query.node}`,
      this.node,
    );
  }

  #updateTable(title: string): Node {
    this.#table ??= new DataTable(this.context);
    this.#table.update({ dataset: this.part, title, total: null });
    return this.#table.node;
  }

  /** Renders the value and, below it, the other fields of its row. */
  #renderValue([value, ...others]: readonly [Field, ...Field[]]): TemplateResult {
    const { unit } = this.part;
    const { locale } = this.context;
    const format = ({ column, cell }: Field): string => createCellFormatter(column, locale)(cell);
    const lang = langOfContent(locale);
    return html`<p class="metric-value" lang=${lang}>
        <bdi>${format(value)}</bdi> ${unit && html`<bdi class="metric-unit">${unit}</bdi>`}
      </p>
      ${others.map(
        (field) =>
          html`<p class="meta" lang=${lang}>
            ${this.text('colon', { name: field.column.name, words: format(field) })}
          </p>`,
      )}`;
  }
}

/** Returns the fields of a single row that contains one number: the number first, then those that are not empty; null for other data. */
function readSingleValue({ columns, rows }: Dataset): readonly [Field, ...Field[]] | null {
  const [row = []] = rows;
  const fields = columns.map((column, at): Field => ({ column, cell: row[at] ?? null }));
  const isValue = ({ column, cell }: Field): boolean =>
    column.type === 'number' && toNumber(cell) !== null;
  const [value, ...otherValues] = fields.filter(isValue);
  if (rows.length !== 1 || !value || otherValues.length > 0) return null;
  return [value, ...fields.filter((field) => field !== value && field.cell !== null)];
}
