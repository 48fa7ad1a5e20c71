import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import type { PartOf } from '../../model/part.js';
import { renderIcon } from '../icons.js';
import { createPayloadView } from '../json-view.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView, memoizeElement } from '../parts/base-part-view.js';
import { CodeBlock } from './code-block.js';
import { dataStyles } from './data-styles.js';

/** Renders code and its output. */
export class CodeView extends BasePartView<'code'> {
  static readonly styles = [dataStyles];
  readonly #block = new CodeBlock(this.context);
  readonly #outputId = this.context.createId();
  readonly #errorId = this.context.createId();
  readonly #createOutput = memoizeElement(this.context, (raw: string, locale) =>
    createLabelledPayload(raw, locale, this.#outputId),
  );
  readonly #createError = memoizeElement(this.context, (raw: string, locale) =>
    createLabelledPayload(raw, locale, this.#errorId),
  );

  constructor(part: PartOf<'code'>, scope: MessageScope) {
    super(part, scope, element('div', 'data-execution'));
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
              <h3 class="meta" id=${this.#outputId}>${this.text('codeOutput')}</h3>
              ${this.#createOutput(output)}
            </section>`
          : nothing
      }
      ${
        error.trim()
          ? html`<section class="failure">
              <h3 class="meta" id=${this.#errorId}>
                ${renderIcon('alert')}${this.text('codeErrors')}
              </h3>
              ${this.#createError(error)}
            </section>`
          : nothing
      }`,
      this.node,
    );
  }
}

/** Creates the view of an output. Its scrollable box is focusable, so it is a region that is named by the heading. */
function createLabelledPayload(raw: string, locale: Locale, headingId: string): HTMLElement {
  const view = createPayloadView(raw, locale);
  const box = view.querySelector('.raw');
  if (box) {
    box.role = 'region';
    box.setAttribute('aria-labelledby', headingId);
  }
  return view;
}
