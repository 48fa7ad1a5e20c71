import { html, nothing, type TemplateResult } from 'lit';
import type { Locale } from '../../locales/locale.js';
import { langOfContent } from '../content-lang.js';

/** Renders the caption of a figure: its title and, below it, a description. Empty texts are omitted. */
export function renderCaption(
  title: string,
  description: string,
  locale: Locale,
): TemplateResult | typeof nothing {
  if (!title && !description) return nothing;
  return html`<figcaption lang=${langOfContent(locale)}>
    ${title && html`<p class="data-title">${title}</p>`}
    ${description && html`<p class="data-description">${description}</p>`}
  </figcaption>`;
}
