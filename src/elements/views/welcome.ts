import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';

/** Starter questions that are shown at most. */
const STARTERS = 4;

/** What stands in place of messages: a greeting, and questions to begin with. */
export function renderWelcome(
  greeting: string,
  starters: readonly string[],
  locale: Locale,
  send: (text: string) => unknown,
): TemplateResult {
  return html`<slot name="empty"
    ><p class="greeting" dir="auto">${greeting || locale.text('greeting')}</p>
    ${
      starters.length === 0
        ? nothing
        : html`<ul class="starters" aria-label=${locale.text('starters')}>
            ${starters.slice(0, STARTERS).map(
              (text) =>
                html`<li>
                  <button class="starter" type="button" dir="auto" @click=${() => send(text)}>
                    ${text}
                  </button>
                </li>`,
            )}
          </ul>`
    }</slot
  >`;
}
