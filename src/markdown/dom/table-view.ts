import type { BlockOf, BlockView } from '../parser/block.js';
import { splitRow } from '../parser/table-syntax.js';
import { MAX_SPAN } from '../parser/limits.js';
import { InlineRegion } from './inline-region.js';
import { createElement, type RenderContext } from './render-context.js';

/** Number of rows after which only complete rows are rendered, because browsers lay out the whole table for each append to a cell. */
const MAX_LIVE_ROWS = 50;
/** Number of rows after which the column widths are fixed, so that new rows do not change them. */
const ROWS_BEFORE_FREEZE = 10;
/**
 * Budget of empty cells that pad short rows: a minimum per table, plus some for each character of its rows. Beyond it, a short row ends
 * with one empty cell that spans the remaining columns. Without the budget, a row of two characters could create a cell for each column.
 */
const MIN_PADDING_CELLS = 1000;
const PADDING_CELLS_PER_CHARACTER = 2;

/** The source of a cell that is not wrapped: one short word, or a short text with a digit, such as a date or a number with its unit. */
const SHORT_CELL = /^(?:\S{1,12}|(?=.*\d).{1,20})$/u;

/** A table. Complete rows are never visited again. The column widths are fixed while it grows and released when it is closed. */
export class TableBlockView implements BlockView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #table: BlockOf<'table'>;
  readonly #tableElement: HTMLElement;
  /** Fixes the widths of the columns while the table grows. */
  #columnGroup: HTMLElement | null = null;
  #body: HTMLElement | null = null;
  #rows = 0;
  /** Whether enough rows are rendered to fix the widths of the columns. */
  #isLaidOut = false;
  /** The source of the current row. */
  #row = '';
  /** Whether the maximum length of an incomplete row is rendered. */
  #isPreviewFull = false;
  #cells: InlineRegion[] | null = null;
  /** The current row. */
  #rowElement: Element | null = null;
  /** The cell of the current row that spans the remaining columns; null when each column has its own cell. */
  #fillerCell: HTMLElement | null = null;
  /** The remaining budget of empty cells. */
  #paddingCells = MIN_PADDING_CELLS;

  constructor(context: RenderContext, table: BlockOf<'table'>) {
    const { header } = table;
    this.#context = context;
    this.#table = table;
    const head = createElement(context, 'thead');
    const row = createElement(context, 'tr');
    head.append(row);
    for (const [index, text] of header.entries()) {
      const cell = this.#createCell(row, 'th', index, { scope: 'col' });
      cell.append(text);
      cell.close();
    }
    const { strings } = context;
    this.#tableElement = createElement(context, 'table', { lang: strings.textLang }, head);
    const scroller = {
      class: 'ubik-table',
      tabindex: '0',
      role: 'region',
      lang: strings.lang,
      'aria-label': strings.table(header.length),
    };
    this.element = createElement(context, 'div', scroller, this.#tableElement);
  }

  /** Appends to the current row. A line end, which the parser appends separately, completes it. */
  append(text: string): void {
    // Widths are read before new content is rendered; afterwards reading them would force another layout of all rows.
    if (this.#isLaidOut && this.#columnGroup === null) this.#freezeColumns();
    this.#row += text;
    if (text !== '\n') return;
    const written = this.#renderRow(this.#row, true);
    if (this.#fillerCell === null) this.#paddingCells -= this.#table.alignments.length - written;
    this.#paddingCells += PADDING_CELLS_PER_CHARACTER * this.#row.length;
    this.#rows += 1;
    this.#row = '';
    this.#isPreviewFull = false;
    this.#cells = this.#fillerCell = null;
  }

  render(): void {
    if (this.#row !== '' && this.#rows < MAX_LIVE_ROWS && !this.#isPreviewFull) {
      this.#renderRow(this.#row.slice(0, MAX_SPAN), false);
      this.#isPreviewFull = this.#row.length >= MAX_SPAN;
    }
    this.#isLaidOut = this.#rows >= ROWS_BEFORE_FREEZE;
  }

  close(): void {
    this.#columnGroup?.remove();
    this.element.classList.remove('ubik-fixed-columns');
    // The tools are loaded when the table is hovered or focused.
    this.element.setAttribute('data-ubik-extra', 'tables');
  }

  /** Fixes the widths of the columns. Does nothing for a table without layout. */
  #freezeColumns(): void {
    this.#isLaidOut = false;
    if (!this.#context.document.defaultView) return;
    // `offsetWidth` is rounded, and the errors would add up.
    const widths = [...this.#tableElement.querySelectorAll('th')].map((cell) =>
      Number.parseFloat(getComputedStyle(cell).inlineSize),
    );
    if (!widths.every((width) => width > 0)) return;
    const columns = widths.map((width) =>
      createElement(this.#context, 'col', { width: `${width}` }),
    );
    this.#columnGroup = createElement(this.#context, 'colgroup', {}, ...columns);
    this.#tableElement.prepend(this.#columnGroup);
    this.element.classList.add('ubik-fixed-columns');
  }

  /**
   * Renders the cells of a row. If the row is not `complete`, neither is its last cell. Returns the number of cells in its source, up to the
   * number of columns.
   */
  #renderRow(row: string, complete: boolean): number {
    const texts = splitRow(row);
    const cells = (this.#cells ??= this.#createRow());
    if (this.#fillerCell !== null) this.#addCells(cells, this.#fillerCell, texts.length);
    for (const [index, cell] of cells.entries()) {
      const text = texts[index] ?? '';
      cell.setText(text);
      if (complete || index < texts.length - 1) {
        cell.close();
        if (SHORT_CELL.test(text)) this.#rowElement?.children[index]?.classList.add('ubik-short');
      } else cell.render();
    }
    return Math.min(texts.length, this.#table.alignments.length);
  }

  /** Creates a row. Whether it is padded depends only on the rows before it, so that the result does not depend on the chunks. */
  #createRow(): InlineRegion[] {
    if (this.#body === null)
      this.#tableElement.append((this.#body = createElement(this.#context, 'tbody')));
    const row = createElement(this.#context, 'tr');
    this.#rowElement = row;
    this.#body.append(row);
    const { alignments } = this.#table;
    if (this.#paddingCells >= alignments.length) {
      return alignments.map((_, index) => this.#createCell(row, 'td', index));
    }
    this.#fillerCell = createElement(this.#context, 'td', { colspan: `${alignments.length}` });
    row.append(this.#fillerCell);
    return [];
  }

  /** Adds cells before the filler cell, which spans the remaining columns. */
  #addCells(cells: InlineRegion[], filler: HTMLElement, count: number): void {
    const columns = this.#table.alignments.length;
    const row = filler.parentElement;
    if (row === null) return;
    while (cells.length < Math.min(count, columns)) {
      cells.push(this.#createCell(row, 'td', cells.length));
    }
    // Keeps the filler cell last.
    if (cells.length < columns) row.append(filler);
    else filler.remove();
    filler.setAttribute('colspan', `${columns - cells.length}`);
  }

  #createCell(row: Element, tag: string, column: number, attributes = {}): InlineRegion {
    const align = this.#table.alignments[column] || undefined;
    const cell = createElement(this.#context, tag, { ...attributes, align });
    row.append(cell);
    return new InlineRegion(this.#context, cell, this.#table.start);
  }
}
