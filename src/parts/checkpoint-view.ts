import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { PartOf } from '../model/part.js';
import { DrawnView } from './drawn-view.js';
import { renderIcon } from './icons.js';
import type { MessageScope } from './part-view.js';

/** A point to go back to: a hairline with a flag and its name, and, where the service can do it, the way back with a hint. */
export class CheckpointView extends DrawnView<'checkpoint'> {
  #asking = false;

  constructor(part: PartOf<'checkpoint'>, scope: MessageScope) {
    super(part, scope, element('div', 'checkpoint'), 'checkpoint');
    this.draw();
  }

  protected override render(): void {
    const { acts, locale } = this.scope.context;
    const { name } = this.part;
    render(
      html`<div class="divider">
          ${renderIcon('flag')}
          <span class="hidden">${locale.text('checkpointPlain')}</span>
          <bdi>${name}</bdi>
          ${
            acts.restore && name
              ? html`<button
                  class="quiet"
                  type="button"
                  aria-expanded=${this.#asking}
                  @click=${this.#handleAsk}
                >
                  ${locale.text('goBack')}
                </button>`
              : nothing
          }
        </div>
        ${this.#asking ? this.#renderQuestion() : nothing}`,
      this.node,
    );
  }

  #renderQuestion(): TemplateResult {
    const { locale } = this.scope.context;
    return html`<form class="card" @submit=${this.#handleSubmit} @keydown=${this.#handleKey}>
      <h3>${locale.text('goBackQuestion')}</h3>
      <p>${locale.text('goBackExplain')}</p>
      <label>${locale.text('goBackHint')}<input name="hint" dir="auto" autocomplete="off" /></label>
      <div class="buttons">
        <button class="primary">${locale.text('goBackNow')}</button>
        <button class="quiet" type="button" @click=${this.#handleAsk}>
          ${locale.text('cancel')}
        </button>
      </div>
    </form>`;
  }

  readonly #handleAsk = (): void => {
    this.#asking = !this.#asking;
    this.draw();
    this.node.querySelector<HTMLElement>(this.#asking ? 'input' : 'button')?.focus();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    this.#handleAsk();
  };

  readonly #handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const hint = this.node.querySelector('input')?.value.trim();
    this.#asking = false;
    this.draw();
    this.scope.context.acts.restore?.(this.part.name, hint || null);
  };
}
