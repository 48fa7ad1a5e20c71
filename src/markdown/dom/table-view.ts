import type { BlockOf, BlockView } from '../blocks/block.js';
import { splitRow } from '../blocks/table-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';
import { InlineRegion } from './inline-region.js';
import { make, type RenderContext } from './render-context.js';

/** Beyond so many rows a row is shown when it is complete: a cell that grows makes the browser lay out all of them. */
const LIVE_ROWS = 50;
/** From so many rows on the columns stay as wide as they are, so that no row that comes moves them. */
const FROZEN_ROWS = 10;

/** A table that grows by rows. Rows that are complete are not looked at again; the columns find their own width when it is closed. */
export class TableView implements BlockView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #table: BlockOf<'table'>;
  readonly #grid: HTMLElement;
  /** Hold the widths of the columns while rows may come. */
  #columns: HTMLElement | null = null;
  #body: HTMLElement | null = null;
  #rows = 0;
  /** Whether enough rows are laid out for the columns to have found their widths. */
  #isLaidOut = false;
  /** The row that is being written, and its cells once it is shown. */
  #row = '';
  /** Whether as much of it is shown as is shown before its end. */
  #isLong = false;
  #cells: readonly InlineRegion[] | null = null;

  constructor(context: RenderContext, table: BlockOf<'table'>) {
    const { header } = table;
    this.#context = context;
    this.#table = table;
    const head = make(context, 'thead');
    const cells = this.#openRow(head, 'th', { scope: 'col' });
    for (const [index, cell] of cells.entries()) {
      cell.append(header[index] ?? '');
      cell.close();
    }
    const { strings } = context;
    this.#grid = make(context, 'table', { lang: strings.textLang }, head);
    const scroller = {
      class: 'ubik-table',
      tabindex: '0',
      role: 'region',
      lang: strings.lang,
      'aria-label': strings.table(header.length),
    };
    this.element = make(context, 'div', scroller, this.#grid);
  }

  /** A row is complete with its line end. */
  append(text: string): void {
    // Widths are read before anything new is drawn: later the browser would have to lay out all rows once more to tell them.
    if (this.#isLaidOut && this.#columns === null) this.#freeze();
    this.#row += text;
    if (text !== '\n') return;
    this.#fill(this.#row, true);
    this.#rows += 1;
    this.#row = '';
    this.#isLong = false;
    this.#cells = null;
  }

  draw(): void {
    if (this.#row !== '' && this.#rows < LIVE_ROWS && !this.#isLong) {
      this.#fill(this.#row.slice(0, MAX_SPAN), false);
      this.#isLong = this.#row.length >= MAX_SPAN;
    }
    this.#isLaidOut = this.#rows >= FROZEN_ROWS;
  }

  close(): void {
    this.#columns?.remove();
    this.element.classList.remove('ubik-held');
    // What a person can do with it is loaded when somebody comes to it.
    this.element.setAttribute('data-ubik-extra', 'tables');
  }

  /** What has no size, such as a table that is not in a page, stays free. */
  #freeze(): void {
    this.#isLaidOut = false;
    const widths = [...this.#grid.querySelectorAll('th')].map((cell) => cell.offsetWidth);
    if (!widths.every((width) => width > 0)) return;
    const columns = widths.map((width) => make(this.#context, 'col', { width: `${width}` }));
    this.#columns = make(this.#context, 'colgroup', {}, ...columns);
    this.#grid.prepend(this.#columns);
    this.element.classList.add('ubik-held');
  }

  /** Draws the cells of the row with the text that has come. What stands before the last of them is complete. */
  #fill(row: string, complete: boolean): void {
    if (this.#body === null) this.#grid.append((this.#body = make(this.#context, 'tbody')));
    this.#cells ??= this.#openRow(this.#body, 'td');
    const texts = splitRow(row);
    for (const [index, cell] of this.#cells.entries()) {
      cell.become(texts[index] ?? '');
      if (complete || index < texts.length - 1) cell.close();
      else cell.draw();
    }
  }

  #openRow(parent: Element, tag: string, attributes = {}): readonly InlineRegion[] {
    const cells = this.#table.alignments.map((align) =>
      make(this.#context, tag, { ...attributes, align: align || undefined }),
    );
    parent.append(make(this.#context, 'tr', {}, ...cells));
    return cells.map((cell) => new InlineRegion(this.#context, cell, this.#table.start));
  }
}
