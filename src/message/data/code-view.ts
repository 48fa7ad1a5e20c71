import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { renderIcon } from '../icons.js';
import { createPayloadView } from '../json-view.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView, memoizeElement } from '../parts/base-part-view.js';
import { CodeBlock } from './code-block.js';
import { dataStyles } from './data-styles.js';

/** Renders code, and what it printed when it was run. */
export class CodeView extends BasePartView<'code'> {
  static readonly styles = [dataStyles];
  readonly #block = new CodeBlock(this.context);
  readonly #createOutput = memoizeElement(this.context, createPayloadView);
  readonly #createError = memoizeElement(this.context, createPayloadView);

  constructor(part: PartOf<'code'>, scope: MessageScope) {
    super(part, scope, element('div', 'data-run'));
    this.renderNow();
  }

  redraw(): void {
    this.#block.redraw();
  }

  override dispose(): void {
    super.dispose();
    this.#block.dispose();
  }

  protected override render(): void {
    const { code, language, output, error } = this.part;
    this.#block.update(code, language, !this.scope.live);
    render(
      html`${this.#block.node}
      ${
        output.trim()
          ? html`<section>
              <h3 class="meta">${this.text('codeOutput')}</h3>
              ${this.#createOutput(output)}
            </section>`
          : nothing
      }
      ${
        error.trim()
          ? html`<section class="failure">
              <h3 class="meta">${renderIcon('alert')}${this.text('codeErrors')}</h3>
              ${this.#createError(error)}
            </section>`
          : nothing
      }`,
      this.node,
    );
  }
}
