import { html, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from '../parts/base-part-view.js';
import { dataStyles } from './data-styles.js';
import { DataTable } from './data-table.js';
import { QueryDisclosure } from './code-block.js';
import { renderCaption } from './data-caption.js';

/** Renders a table with its title and, in a disclosure, the query that has returned the rows. */
export class TableView extends BasePartView<'table'> {
  static readonly styles = [dataStyles];
  readonly #table = new DataTable(this.context);
  readonly #query = new QueryDisclosure(this.context);

  constructor(part: PartOf<'table'>, scope: MessageScope) {
    super(part, scope, element('figure'));
    this.#query.node.open = scope.isExpanded === true;
    this.renderNow();
  }

  redraw(): void {
    this.#table.redraw();
    this.#query.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#table.dispose();
    this.#query.dispose();
  }

  protected override render(): void {
    const { part } = this;
    const { title, description, total, source } = part;
    this.#table.update({ dataset: part, title, total });
    this.#query.update(source, 'sql');
    render(
      html`${renderCaption(title, description, this.context.locale)} ${this.#table.node}
      ${this.#query.node}`,
      this.node,
    );
  }
}
