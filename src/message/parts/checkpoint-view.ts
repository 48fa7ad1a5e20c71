import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { renderContentText } from '../content-lang.js';
import { renderIcon } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from './base-part-view.js';

/** Renders a checkpoint as a divider with its name and, if the service can restore it, a button. */
export class CheckpointView extends BasePartView<'checkpoint'> {
  constructor(part: PartOf<'checkpoint'>, scope: MessageScope) {
    super(part, scope, element('div', 'checkpoint'), 'checkpoint');
    this.renderNow();
  }

  protected override render(): void {
    const { name } = this.part;
    const { locale, actions } = this.context;
    render(
      html`<div class="divider">
        ${renderIcon('flag')} <span class="hidden">${this.text('checkpointPlain')}</span>
        ${renderContentText(name, locale)}
        ${actions.restore && name ? this.#renderButton() : nothing}
      </div>`,
      this.node,
    );
  }

  #renderButton(): unknown {
    const label = this.text('restore');
    return html`<button
      class="quiet"
      type="button"
      aria-haspopup="dialog"
      aria-label="${label} ${this.part.name}"
      @click=${this.#handleClick}
    >
      ${label}
    </button>`;
  }

  readonly #handleClick = (): void => {
    const { name, key: part } = this.part;
    this.context.actions.restore?.({ name, message: this.scope.message.key, part });
  };
}
