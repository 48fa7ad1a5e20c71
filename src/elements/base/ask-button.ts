import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectedHost } from './connected-host.js';
import { ConnectedElements } from './connected-elements.js';

/** Renders the button of an empty panel that focuses the message field; nothing when no connected element has a message field. */
export function renderAskButton({
  controller,
  context,
}: ConnectedHost): TemplateResult | typeof nothing {
  const elements = controller ? ConnectedElements.of(controller).elements : [];
  const composer = [...elements].find((element) => element.matches('ubik-chat, ubik-composer'));
  if (!composer) return nothing;
  return html`<button
    class="quiet ask"
    type="button"
    @click=${() => {
      composer.focus();
    }}
  >
    ${context.locale.text('askQuestion')}
  </button>`;
}
