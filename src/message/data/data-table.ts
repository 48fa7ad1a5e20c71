import { html, nothing, render } from 'lit';
import { copyWithFeedback } from '../../dom/copy-text.js';
import { element } from '../../dom/element.js';
import type { Frame } from '../../dom/frames.js';
import { saveFile, toFileName } from '../../dom/save-file.js';
import { escapeFormula, toCsvLine } from '../../markdown/extras/table-text.js';
import type { DataCell, DataColumn, Dataset } from '../../model/part.js';
import { createButton, renderIconButton } from '../buttons.js';
import { truncate } from '../../dom/truncate.js';
import { setLang } from '../content-lang.js';
import { renderIcon } from '../icons.js';
import type { ViewContext } from '../part-view.js';
import { createCellFormatter } from './cell-format.js';
import { cellText } from './data-markdown.js';
import { sortRows, type SortDirection } from './sort-rows.js';

/** Maximum numbers of rows and of cells per page, which a browser lays out within a few milliseconds. */
const MAX_ROWS = 100;
const MAX_CELLS = 2000;
/** Maximum number of columns that are shown. Copies have all of them. */
const MAX_COLUMNS = 100;
/** Maximum number of UTF-16 units of a cell that are shown. Copies have all of them. */
const MAX_CELL_LENGTH = 500;
/** The first character of a file, without which spreadsheets read it in the encoding of the system instead of UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The content of a {@link DataTable}. */
export interface TableContent {
  readonly dataset: Dataset;
  /** The accessible name of the table and the name of its file; may be empty. */
  readonly title: string;
  /** Number of rows that the service has; null when unknown. */
  readonly total: number | null;
}

/** The column by which the rows are sorted. */
interface Sorting {
  readonly column: number;
  readonly direction: SortDirection;
}

/** The direction after a click on a column header. After `descending`, which has no entry, the rows return to their original order. */
const NEXT_DIRECTION = new Map<SortDirection | undefined, SortDirection>([
  [undefined, 'ascending'],
  ['ascending', 'descending'],
]);

/**
 * A table in a scrollable box, for any number of rows. It can be sorted by its column headers, is shown in pages of up to 100 rows, and can
 * be copied as tab-separated values and saved as CSV in the shown order. Numbers, dates and booleans are formatted in the language of the
 * interface; copies contain the unformatted values, with spreadsheet formulas escaped.
 */
export class DataTable {
  readonly node = element('div', 'data-table');
  readonly #context: ViewContext;
  readonly #scroller = element('div', 'data-scroller');
  readonly #footer = element('div', 'data-footer');
  readonly #copyButton: HTMLButtonElement;
  /** Whether the Copy button says that the table was copied. */
  #isCopied = false;
  readonly #saveButton: HTMLButtonElement;
  #content: TableContent = { dataset: { columns: [], rows: [] }, title: '', total: null };
  #table = element('table');
  #body = element('tbody');
  #headers: readonly HTMLTableCellElement[] = [];
  #formatters: readonly ((cell: DataCell) => string)[] = [];
  #page = 0;
  #sorting: Sorting | null = null;
  /** Indexes of the rows in the shown order; null for the original order. */
  #order: readonly number[] | null = null;
  /** The sort in progress; null when there is none. */
  #pendingSort: ReturnType<typeof sortRows> | null = null;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#copyButton = createButton('', () => {
      const failure = context.locale.text('copyFailed');
      copyWithFeedback(this.#copyButton, this.#toTsv(), failure, (isCopied) => {
        this.#isCopied = isCopied;
        this.#labelCopyButton();
      });
    });
    this.#saveButton = createButton('', this.#saveCsv);
    this.#scroller.tabIndex = 0;
    this.#scroller.role = 'group';
    this.node.append(this.#scroller, this.#footer);
  }

  /** Shows new content. Does nothing when nothing has changed. New rows in the same columns stay sorted. */
  update(content: TableContent): void {
    const { dataset, title, total } = this.#content;
    const { columns, rows } = content.dataset;
    const isNewTable = columns !== dataset.columns;
    const isSame = rows === dataset.rows && content.title === title && content.total === total;
    if (isSame && !isNewTable) return;
    this.#content = content;
    if (isNewTable) this.#sorting = null;
    if (isNewTable) this.redraw();
    else this.#sort();
  }

  /** Renders everything again, after the language or the columns have changed. */
  redraw(): void {
    const { locale } = this.#context;
    const columns = this.#content.dataset.columns.slice(0, MAX_COLUMNS);
    this.#formatters = columns.map((column) => createCellFormatter(column, locale));
    this.#headers = columns.map((column, index) => this.#createHeader(column, index));
    this.#body = element('tbody');
    const head = element('thead', '', element('tr', '', ...this.#headers));
    this.#table = element('table', '', head, this.#body);
    setLang(this.#table, locale.contentLang);
    setLang(this.#scroller, locale.uiLang);
    this.#scroller.hidden = columns.length === 0;
    this.#scroller.replaceChildren(this.#table);
    this.#saveButton.textContent = locale.text('downloadCsv');
    this.#sort();
  }

  dispose(): void {
    this.#context.frames.cancel(this.#continueSort);
  }

  #createHeader({ name, type }: DataColumn, column: number): HTMLTableCellElement {
    const button = element('button', 'sort', element('bdi', '', truncate(name, MAX_CELL_LENGTH)));
    button.type = 'button';
    button.addEventListener('click', () => {
      const direction = this.#sorting?.column === column ? this.#sorting.direction : undefined;
      const next = NEXT_DIRECTION.get(direction);
      this.#sorting = next ? { column, direction: next } : null;
      this.#page = 0;
      this.#sort();
    });
    const header = element('th', type === 'number' ? 'numeric' : '', button);
    header.scope = 'col';
    return header;
  }

  /** Shows the rows in the order of `#sorting`. Sorting takes as many frames as necessary, during which the rows do not change. */
  #sort(): void {
    const { dataset } = this.#content;
    const sorting = this.#sorting;
    for (const [column, header] of this.#headers.entries()) {
      header.ariaSort = sorting?.column === column ? sorting.direction : null;
    }
    this.#scroller.ariaBusy = sorting && 'true';
    if (sorting) {
      const { column, direction } = sorting;
      this.#pendingSort = sortRows(dataset, column, direction, this.#context.locale.lang);
      this.#context.frames.schedule(this.#continueSort);
    } else {
      this.#pendingSort = null;
      this.#showRows(null);
    }
  }

  readonly #continueSort = (frame: Frame): boolean => {
    do {
      const step = this.#pendingSort?.next();
      if (!step) return false;
      if (step.done) {
        this.#pendingSort = null;
        this.#scroller.ariaBusy = null;
        this.#showRows(step.value);
        return false;
      }
    } while (frame.hasTime());
    return true;
  };

  #showRows(order: readonly number[] | null): void {
    this.#order = order;
    this.#page = Math.min(this.#page, this.#pageCount - 1);
    this.#renderRows();
  }

  #renderRows(): void {
    const { first, last } = this.#range;
    const { rows } = this.#content.dataset;
    const isPaged = this.#pageCount > 1;
    const shown = Array.from({ length: last - first }, (_, index) => {
      const row = rows[this.#rowAt(first + index)] ?? [];
      const node = element('tr');
      for (const [column, format] of this.#formatters.entries()) {
        node.append(this.#createCell(column, row[column] ?? null, format));
      }
      // Row 1 is the header.
      if (isPaged) node.ariaRowIndex = String(first + index + 2);
      return node;
    });
    this.#table.ariaRowCount = isPaged ? String(rows.length + 1) : null;
    this.#body.replaceChildren(...shown);
    this.#renderFooter();
  }

  #createCell(column: number, cell: DataCell, format: (cell: DataCell) => string): HTMLElement {
    if (cell === null) return element('td', 'null', '—');
    const text = element('bdi', '', truncate(format(cell), MAX_CELL_LENGTH));
    const { type } = this.#content.dataset.columns[column] ?? {};
    if (type !== 'number') return element('td', type === 'date' ? 'unbroken' : '', text);
    // In right-to-left text, the sign of a number would move to the other side.
    text.dir = 'ltr';
    return element('td', 'numeric unbroken', text);
  }

  get #rowsPerPage(): number {
    return Math.min(MAX_ROWS, Math.floor(MAX_CELLS / Math.max(1, this.#headers.length)));
  }

  get #pageCount(): number {
    return Math.max(1, Math.ceil(this.#content.dataset.rows.length / this.#rowsPerPage));
  }

  /** Positions of the rows of the current page; `last` is exclusive. */
  get #range(): { readonly first: number; readonly last: number } {
    const first = this.#page * this.#rowsPerPage;
    return { first, last: Math.min(this.#content.dataset.rows.length, first + this.#rowsPerPage) };
  }

  /** Returns the index of the row at a position of the shown order. */
  #rowAt(position: number): number {
    return this.#order?.[position] ?? position;
  }

  #renderFooter(): void {
    const { dataset, title } = this.#content;
    const { text } = this.#context.locale;
    const { columns } = dataset;
    this.#scroller.ariaLabel = title || text('table', { count: columns.length });
    this.#labelCopyButton();
    this.#saveButton.ariaLabel = title ? text('downloadCsvOf', { title }) : null;
    const hiddenColumns =
      columns.length > MAX_COLUMNS
        ? ` · ${text('columnsOf', { count: MAX_COLUMNS, total: columns.length })}`
        : '';
    render(
      html`<span class="meta" role="status">${this.#describeRows()}${hiddenColumns}</span>
        ${this.#pageCount > 1 ? this.#renderPager() : nothing}
        <span class="data-actions">${this.#copyButton}${this.#saveButton}</span>`,
      this.#footer,
    );
  }

  #labelCopyButton(): void {
    const { title } = this.#content;
    const { text } = this.#context.locale;
    const label = text(this.#isCopied ? 'copied' : 'copyData');
    const name = this.#isCopied
      ? text('colon', { name: title, words: label })
      : text('copyDataOf', { title });
    this.#copyButton.textContent = label;
    this.#copyButton.ariaLabel = title ? name : null;
  }

  #describeRows(): string {
    const { text } = this.#context.locale;
    const { dataset, total } = this.#content;
    const count = dataset.rows.length;
    const isPartial = total !== null && total > count;
    const rows = isPartial ? text('rowsOf', { count, total }) : text('rowCount', { count });
    if (this.#pageCount === 1) return rows;
    const { first, last } = this.#range;
    const range = text('rowRange', { first: first + 1, last, count });
    return isPartial ? `${range} · ${rows}` : range;
  }

  #renderPager(): unknown {
    const { text } = this.#context.locale;
    const { title } = this.#content;
    const renderButton = (className: string, label: string, by: number): unknown =>
      renderIconButton({
        className,
        icon: renderIcon('chevron'),
        label: title ? text('colon', { name: title, words: label }) : label,
        disabledReason:
          this.#page + by < 0 || this.#page + by >= this.#pageCount ? text('noMoreRows') : '',
        onClick: () => {
          this.#page += by;
          this.#renderRows();
          this.#scroller.scrollTop = 0;
        },
      });
    return html`<span class="data-pager"
      >${renderButton('previous', text('previousRows'), -1)}${renderButton('next', text('nextRows'), 1)}</span
    >`;
  }

  /** Returns the texts of all rows in the shown order, starting with the names of the columns. */
  #toTexts(): string[][] {
    const { columns, rows } = this.#content.dataset;
    return [
      columns.map(({ name }) => name),
      ...rows.map((_, position) => {
        const row = rows[this.#rowAt(position)] ?? [];
        return columns.map((__, column) => cellText(row[column] ?? null));
      }),
    ];
  }

  #toTsv(): string {
    const write = (text: string): string => escapeFormula(text.replace(/[\t\r\n]+/g, ' '));
    return this.#toTexts()
      .map((texts) => texts.map(write).join('\t'))
      .join('\n');
  }

  readonly #saveCsv = (): void => {
    const { locale } = this.#context;
    const name = toFileName(this.#content.title) || locale.text('dataTable');
    const text = this.#toTexts().map(toCsvLine).join('');
    saveFile(new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv' }), `${name}.csv`);
  };
}
