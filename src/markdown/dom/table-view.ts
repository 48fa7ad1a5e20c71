import type { Alignment, TableBlock } from '../blocks/block.js';
import { splitRow } from '../blocks/table-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';
import { InlineRegion } from './inline-region.js';
import { make, type RenderContext } from './render-context.js';

/** Beyond so many rows a row is shown when it is complete: a cell that grows makes the browser lay out all of them. */
const LIVE_ROWS = 50;

interface Cell {
  readonly region: InlineRegion;
  text: string;
}

/** A table that grows by rows. Rows that are complete are not looked at again. */
export class TableView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #table: TableBlock;
  readonly #grid: HTMLElement;
  #body: HTMLElement | null = null;
  #rows = 0;
  /** The row that is being written. */
  #row: HTMLElement | null = null;
  #cells: Cell[] = [];

  constructor(context: RenderContext, table: TableBlock) {
    this.#context = context;
    this.#table = table;
    this.element = make(context, 'div', 'ubik-table');
    this.element.setAttribute('tabindex', '0');
    this.element.setAttribute('role', 'region');
    this.element.setAttribute('aria-label', context.strings.table(table.header.length));
    this.#grid = make(context, 'table');
    const head = make(context, 'thead');
    const row = make(context, 'tr');
    for (const [index, text] of table.header.entries()) {
      const cell = this.#makeCell('th', table.alignments[index] ?? null);
      cell.setAttribute('scope', 'col');
      row.append(cell);
      const region = new InlineRegion(context, cell, table.start);
      region.append(text);
      region.close();
    }
    head.append(row);
    this.#grid.append(head);
    this.element.append(this.#grid);
  }

  /** Draws the row that is being written. */
  draw(): void {
    const { row } = this.#table;
    if (row === '' || this.#rows >= LIVE_ROWS || row.length > MAX_SPAN) return;
    this.#fill(row);
    for (const cell of this.#cells) cell.region.draw();
  }

  /** The row is complete. */
  closeRow(): void {
    this.#fill(this.#table.row);
    for (const cell of this.#cells) cell.region.close();
    this.#rows += 1;
    this.#row = null;
    this.#cells = [];
  }

  #fill(row: string): void {
    this.#row ??= this.#openRow();
    const texts = splitRow(row);
    for (const [index, cell] of this.#cells.entries()) {
      const text = texts[index] ?? '';
      if (text === cell.text) continue;
      if (text.startsWith(cell.text)) cell.region.append(text.slice(cell.text.length));
      else cell.region.reset(text);
      cell.text = text;
    }
  }

  #openRow(): HTMLElement {
    if (this.#body === null) {
      this.#body = make(this.#context, 'tbody');
      this.#grid.append(this.#body);
    }
    const row = make(this.#context, 'tr');
    for (const alignment of this.#table.alignments) {
      const element = this.#makeCell('td', alignment);
      row.append(element);
      const region = new InlineRegion(this.#context, element, this.#table.start);
      this.#cells.push({ region, text: '' });
    }
    this.#body.append(row);
    return row;
  }

  #makeCell(tag: string, alignment: Alignment): HTMLElement {
    const cell = make(this.#context, tag);
    if (alignment !== null) cell.setAttribute('align', alignment);
    return cell;
  }
}
