import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import { langOfInterface, langOfContent } from '../../message/content-lang.js';

/** Maximum number of starter questions. */
const MAX_STARTERS = 4;

/** Renders the empty state of a thread: a greeting and starter questions. */
export function renderEmptyState(
  greeting: string,
  starters: readonly string[],
  locale: Locale,
  send: (text: string) => unknown,
): TemplateResult {
  const title = greeting || locale.text('greeting');
  const lang = greeting ? langOfContent(locale) : langOfInterface(locale);
  return html`<slot name="empty" lang=${langOfContent(locale)}
    ><p class="greeting" dir="auto" lang=${lang}>${title}</p>
    ${
      starters.length === 0
        ? nothing
        : html`<ul
            class="starters"
            lang=${langOfInterface(locale)}
            aria-label=${locale.text('starters')}
          >
            ${starters.slice(0, MAX_STARTERS).map(
              (text) =>
                html`<li>
                  <button
                    class="starter"
                    type="button"
                    dir="auto"
                    lang=${langOfContent(locale)}
                    @click=${() => send(text)}
                  >
                    ${text}
                  </button>
                </li>`,
            )}
          </ul>`
    }</slot
  >`;
}
