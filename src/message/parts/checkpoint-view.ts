import { html, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { BasePartView } from './base-part-view.js';
import { renderIcon } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { renderContentText } from '../content-lang.js';

/** A point to go back to: a hairline with a flag and its name, and, where the service can do it, the way back. */
export class CheckpointView extends BasePartView<'checkpoint'> {
  constructor(part: PartOf<'checkpoint'>, scope: MessageScope) {
    super(part, scope, element('div', 'checkpoint'), 'checkpoint');
    this.renderNow();
  }

  protected override render(): void {
    const { text } = this;
    const { name } = this.part;
    const button = html`<button
      class="quiet"
      type="button"
      aria-haspopup="dialog"
      aria-label="${text('restore')} ${name}"
      @click=${this.#handleClick}
    >
      ${text('restore')}
    </button>`;
    render(
      html`<div class="divider">
        ${renderIcon('flag')} <span class="hidden">${text('checkpointPlain')}</span>
        ${renderContentText(name, this.context.locale)}
        ${this.context.actions.restore && name ? button : ''}
      </div>`,
      this.node,
    );
  }

  readonly #handleClick = (): void => {
    const { name, key: part } = this.part;
    this.context.actions.restore?.({ name, message: this.scope.message.key, part });
  };
}
