import { html, nothing, render } from 'lit';
import type { Onboarding } from '../../backends/backend.js';
import type { Locale } from '../../locales/locale.js';

/** Starter questions that are shown at most. */
const STARTERS = 4;

/** Draws what stands in place of messages: a greeting, and questions to begin with. */
export function drawEmpty(
  container: HTMLElement,
  welcome: Onboarding,
  locale: Locale,
  send: (text: string) => void,
): void {
  const starters = welcome.starters.slice(0, STARTERS);
  render(
    html`<p class="greeting" dir="auto">${welcome.greeting ?? locale.text('greeting')}</p>
      ${
        starters.length === 0
          ? nothing
          : html`<ul class="starters" aria-label=${locale.text('starters')}>
              ${starters.map(
                (text) =>
                  html`<li>
                    <button class="starter" type="button" dir="auto" @click=${() => send(text)}>
                      ${text}
                    </button>
                  </li>`,
              )}
            </ul>`
      }`,
    container,
  );
}
