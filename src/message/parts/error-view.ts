import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { renderContentText } from '../content-lang.js';
import { renderIcon } from '../icons.js';
import { createPayloadView } from '../json-view.js';
import type { MessageScope } from '../part-view.js';
import { BasePartView } from './base-part-view.js';

/** Renders an error of the agent with its message; with its technical details only when the host page allows them. */
export class ErrorView extends BasePartView<'error'> {
  constructor(part: PartOf<'error'>, scope: MessageScope) {
    super(part, scope, element('div', 'error'), 'error');
    this.renderNow();
  }

  protected override render(): void {
    const { locale, errorDetails } = this.context;
    const { message, details } = this.part;
    render(
      html`<p>
          ${renderIcon('alert')}<strong>${this.text('errorTitle')}</strong>
          ${renderContentText(message, locale)}
        </p>
        ${
          errorDetails && details
            ? html`<details>
                <summary>${this.text('errorDetails')}</summary>
                ${createPayloadView(details, locale)}
              </details>`
            : nothing
        }`,
      this.node,
    );
  }
}
