import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { renderContentText } from '../content-lang.js';
import { createLazyModule } from '../create-lazy-module.js';
import type { ErrorDetails } from '../error-details.js';
import { explainCode } from '../explain-error.js';
import { renderIcon } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from './base-part-view.js';

/** The chunk with the details of errors, loaded with the first error that has any. */
export const lazyErrorDetails = createLazyModule(() => import('../error-details.js'));

/**
 * Renders an error of the agent: what has happened and what the user can do, as far as the service describes it. The service's code, and
 * the details that the host page allows, are in a lazy-loaded disclosure.
 */
export class ErrorView extends BasePartView<'error'> {
  #details: ErrorDetails | null = null;

  constructor(part: PartOf<'error'>, scope: MessageScope) {
    super(part, scope, element('div', 'error'), 'error');
    this.renderNow();
  }

  protected override render(): void {
    const { locale } = this.context;
    const { message, advice } = this.part;
    const reason = message
      ? renderContentText(message, locale)
      : html`<span>${explainCode('run-failed', locale)}</span>`;
    render(
      html`<p>
          ${renderIcon('alert')}<strong>${this.text('errorTitle')}</strong>
          ${reason} ${advice ? renderContentText(advice, locale) : nothing}
        </p>
        ${this.#renderDetails()}`,
      this.node,
    );
  }

  #renderDetails(): unknown {
    const { code, details } = this.part;
    if (!code && !(this.context.errorDetails && details)) return nothing;
    const loaded = lazyErrorDetails.value;
    if (!loaded) {
      // The details are optional; the next error tries to load them again.
      lazyErrorDetails.load().then(this.scheduleRender, () => undefined);
      return nothing;
    }
    this.#details ??= new loaded.ErrorDetails(this.context);
    this.#details.render(this.part, this.scope.message);
    return this.#details.node;
  }
}
