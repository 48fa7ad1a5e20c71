import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { checkpointLabel } from '../checkpoint-label.js';
import { renderContentText } from '../content-lang.js';
import { renderIcon } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from './base-part-view.js';

/**
 * Renders a checkpoint and, if the service can restore it, a button. After a step, the style sheet shows it as a flag at the end of the step;
 * elsewhere it is a divider with its name.
 */
export class CheckpointView extends BasePartView<'checkpoint'> {
  constructor(part: PartOf<'checkpoint'>, scope: MessageScope) {
    super(part, scope, element('div', 'checkpoint'), 'checkpoint');
    this.renderNow();
  }

  protected override render(): void {
    const { name, key } = this.part;
    const { locale, actions } = this.context;
    const label = checkpointLabel(this.scope.message.parts, key, locale);
    render(
      html`<div class="divider">
        ${renderIcon('flag')} <span class="hidden">${this.text('checkpointPlain')}</span>
        ${label === name ? renderContentText(name, locale) : html`<bdi>${label}</bdi>`}
        ${actions.restore && name ? this.#renderButton(label) : nothing}
      </div>`,
      this.node,
    );
  }

  #renderButton(label: string): unknown {
    const restore = this.text('restore');
    return html`<button
      class="quiet"
      type="button"
      aria-haspopup="dialog"
      aria-label="${restore} ${label}"
      title=${label}
      @click=${this.#handleClick}
    >
      ${renderIcon('flag')}<span>${restore}</span>
    </button>`;
  }

  readonly #handleClick = (): void => {
    const { name, key: part } = this.part;
    this.context.actions.restore?.({ name, message: this.scope.message.key, part });
  };
}
