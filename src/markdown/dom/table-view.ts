import type { BlockOf, BlockView } from '../parser/block.js';
import { splitRow } from '../parser/table-syntax.js';
import { MAX_SPAN } from '../parser/limits.js';
import { InlineRegion } from './inline-region.js';
import { createElement, type RenderContext } from './render-context.js';

/** Beyond so many rows a row is shown when it is complete: a cell that grows makes the browser lay out all of them. */
const MAX_LIVE_ROWS = 50;
/** From so many rows on the columns stay as wide as they are, so that no row that comes moves them. */
const ROWS_BEFORE_FREEZE = 10;
/**
 * Empty cells that may be added to short rows: at least so many in a table, and so many for each character of its rows. Behind them a
 * short row ends with one empty cell that spans the other columns: else two characters could make a cell for each column.
 */
const MIN_PADDING_CELLS = 1000;
const PADDING_CELLS_PER_CHARACTER = 2;

/** A table that grows by rows. Rows that are complete are not looked at again; the columns find their own width when it is closed. */
export class TableView implements BlockView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #table: BlockOf<'table'>;
  readonly #tableElement: HTMLElement;
  /** Hold the widths of the columns while rows may come. */
  #columnGroup: HTMLElement | null = null;
  #body: HTMLElement | null = null;
  #rows = 0;
  /** Whether enough rows are laid out for the columns to have found their widths. */
  #isLaidOut = false;
  /** The row that is being written, and its cells once it is shown. */
  #row = '';
  /** Whether as much of it is shown as is shown before its end. */
  #isPreviewFull = false;
  #cells: InlineRegion[] | null = null;
  /** The empty cell at the end of a short row; null when each column has a cell of its own. */
  #fillerCell: HTMLElement | null = null;
  /** How many empty cells may still be added to short rows. */
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

  /** A row is complete with its line end. */
  append(text: string): void {
    // Widths are read before anything new is drawn: later the browser would have to lay out all rows once more to tell them.
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

  draw(): void {
    if (this.#row !== '' && this.#rows < MAX_LIVE_ROWS && !this.#isPreviewFull) {
      this.#renderRow(this.#row.slice(0, MAX_SPAN), false);
      this.#isPreviewFull = this.#row.length >= MAX_SPAN;
    }
    this.#isLaidOut = this.#rows >= ROWS_BEFORE_FREEZE;
  }

  close(): void {
    this.#columnGroup?.remove();
    this.element.classList.remove('ubik-held');
    // What a person can do with it is loaded when somebody comes to it.
    this.element.setAttribute('data-ubik-extra', 'tables');
  }

  /** What has no size, such as a table that is not in a page, stays free. */
  #freezeColumns(): void {
    this.#isLaidOut = false;
    // Not `offsetWidth`: what it rounds would add up from column to column.
    const widths = [...this.#tableElement.querySelectorAll('th')].map((cell) =>
      Number.parseFloat(getComputedStyle(cell).inlineSize),
    );
    if (!widths.every((width) => width > 0)) return;
    const columns = widths.map((width) =>
      createElement(this.#context, 'col', { width: `${width}` }),
    );
    this.#columnGroup = createElement(this.#context, 'colgroup', {}, ...columns);
    this.#tableElement.prepend(this.#columnGroup);
    this.element.classList.add('ubik-held');
  }

  /** Draws the cells of the row with the text that has come, and returns how many there are. What stands before the last is complete. */
  #renderRow(row: string, complete: boolean): number {
    const texts = splitRow(row);
    const cells = (this.#cells ??= this.#createRow());
    if (this.#fillerCell !== null) this.#addCells(cells, this.#fillerCell, texts.length);
    for (const [index, cell] of cells.entries()) {
      cell.setText(texts[index] ?? '');
      if (complete || index < texts.length - 1) cell.close();
      else cell.draw();
    }
    return Math.min(texts.length, this.#table.alignments.length);
  }

  /** Begins a row. What it may come to is decided by the rows before it, so that it is the same however it grows. */
  #createRow(): InlineRegion[] {
    if (this.#body === null)
      this.#tableElement.append((this.#body = createElement(this.#context, 'tbody')));
    const row = createElement(this.#context, 'tr');
    this.#body.append(row);
    const { alignments } = this.#table;
    if (this.#paddingCells >= alignments.length) {
      return alignments.map((_, index) => this.#createCell(row, 'td', index));
    }
    this.#fillerCell = createElement(this.#context, 'td', { colspan: `${alignments.length}` });
    row.append(this.#fillerCell);
    return [];
  }

  /** Gives a row so many cells before its rest, which spans the columns that are left. */
  #addCells(cells: InlineRegion[], rest: HTMLElement, count: number): void {
    const columns = this.#table.alignments.length;
    const row = rest.parentElement;
    if (row === null) return;
    while (cells.length < Math.min(count, columns)) {
      cells.push(this.#createCell(row, 'td', cells.length));
    }
    // It moves behind the new cells.
    if (cells.length < columns) row.append(rest);
    else rest.remove();
    rest.setAttribute('colspan', `${columns - cells.length}`);
  }

  #createCell(row: Element, tag: string, column: number, attributes = {}): InlineRegion {
    const align = this.#table.alignments[column] || undefined;
    const cell = createElement(this.#context, tag, { ...attributes, align });
    row.append(cell);
    return new InlineRegion(this.#context, cell, this.#table.start);
  }
}
