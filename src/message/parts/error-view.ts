import { html, render } from 'lit';
import { element } from '../../dom/element.js';
import type { PartOf } from '../../model/part.js';
import { BasePartView } from './base-part-view.js';
import { renderIcon } from '../icons.js';
import type { MessageScope } from '../part-view.js';
import { renderContentText } from '../content-lang.js';
import { createPayloadView } from '../json-view.js';

/** The agent failed: what happened, in its words; technical details only where the host allows them. */
export class ErrorView extends BasePartView<'error'> {
  constructor(part: PartOf<'error'>, scope: MessageScope) {
    super(part, scope, element('div', 'error'), 'error');
    this.renderNow();
  }

  protected override render(): void {
    const { locale, errorDetails } = this.context;
    const { message, details } = this.part;
    const more = () =>
      html`<details>
        <summary>${this.text('errorDetails')}</summary>
        ${createPayloadView(details ?? '', locale)}
      </details>`;
    render(
      html`<p>
          ${renderIcon('alert')}<strong>${this.text('errorTitle')}</strong>
          ${renderContentText(message, locale)}
        </p>
        ${errorDetails && details ? more() : ''}`,
      this.node,
    );
  }
}
