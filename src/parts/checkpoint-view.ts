import { html, render, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { PartOf } from '../model/part.js';
import { renderForm } from './buttons.js';
import { DrawnView } from './drawn-view.js';
import { renderIcon } from './icons.js';
import type { MessageScope } from './part-view.js';

/** A point to go back to: a hairline with a flag and its name, and, where the service can do it, the way back with a hint. */
export class CheckpointView extends DrawnView<'checkpoint'> {
  #asking = false;

  constructor(part: PartOf<'checkpoint'>, scope: MessageScope) {
    super(part, scope, element('div', 'checkpoint'), 'checkpoint');
    this.node.addEventListener('keydown', this.#handleKey);
    this.draw();
  }

  protected override render(): void {
    const { text } = this;
    const { name } = this.part;
    const button = html`<button
      class="quiet"
      type="button"
      aria-expanded=${this.#asking}
      @click=${this.#handleAsk}
    >
      ${text('goBack')}
    </button>`;
    render(
      html`<div class="divider">
          ${renderIcon('flag')} <span class="hidden">${text('checkpointPlain')}</span>
          <bdi>${name}</bdi> ${this.context.acts.restore && name ? button : ''}
        </div>
        ${this.#asking ? this.#renderQuestion() : ''}`,
      this.node,
    );
  }

  #renderQuestion(): TemplateResult {
    const { text } = this;
    return renderForm(
      {
        name: 'card',
        send: text('goBackNow'),
        leave: text('cancel'),
        onSend: this.#handleSubmit,
        onLeave: this.#handleAsk,
      },
      html`<h3>${text('goBackQuestion')}</h3>
        <p>${text('goBackExplain')}</p>
        <label>${text('goBackHint')}<input dir="auto" autocomplete="off" /></label>`,
    );
  }

  readonly #handleAsk = (): void => {
    this.#asking = !this.#asking;
    this.draw();
    this.node.querySelector<HTMLElement>(this.#asking ? 'input' : 'button')?.focus();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#asking) return;
    event.stopPropagation();
    this.#handleAsk();
  };

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const hint = this.node.querySelector('input')?.value.trim();
    this.#asking = false;
    this.draw();
    this.context.acts.restore?.(this.part.name, hint || null);
  };
}
