import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Locale } from '../locales/locale.js';
import type { CitationMark } from '../model/part.js';
import { citationLabel, MAX_LABEL_LENGTH, MAX_TITLE_LENGTH } from './citation.js';
import { truncate } from '../dom/truncate.js';
import { langOfInterface, renderContentText } from './content-lang.js';
import { createJsonView } from './json-view.js';
import type { ViewContext } from './part-view.js';

/** Renders a source for the card and the list. Its title is a link where the URL policy allows it. */
export function renderSource(
  mark: CitationMark,
  { locale, checkLink }: ViewContext,
): TemplateResult {
  const label = citationLabel(mark);
  const link = mark.url ? checkLink(mark.url) : null;
  const host = link?.host ?? '';
  const title = mark.title ?? host;
  const name = title
    ? renderContentText(truncate(title, MAX_TITLE_LENGTH), locale)
    : html`<bdi>${locale.text('sourceUnnamed')}</bdi>`;
  return html`<span class="source"
    >${
      link
        ? html`<a
            class="title"
            href=${link.href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            >${name}</a
          >`
        : html`<span class="title">${name}</span>`
    }${host && host !== title ? html` <bdi class="meta">${host}</bdi>` : ''}${renderFullText(
      label,
      MAX_LABEL_LENGTH,
      locale,
    )}${renderFullText(title, MAX_TITLE_LENGTH, locale)}</span
  >`;
}

/**
 * Renders a disclosure with the full text if it is longer than `length` UTF-16 units; nothing otherwise. The text is rendered while the
 * disclosure is open. A later call with another text renders a new, closed disclosure.
 */
export function renderFullText(text: string, length: number, locale: Locale): unknown {
  if (text.length <= length) return '';
  const fill = ({ currentTarget }: Event): void => {
    const details = currentTarget as HTMLDetailsElement;
    const content = details.open ? [createJsonView(text, locale)] : [];
    details.lastElementChild?.replaceChildren(...content);
  };
  const size = locale.size(text.length - length);
  return keyed(
    text,
    html`<details class="whole" @toggle=${fill}>
      <summary lang=${langOfInterface(locale)}>${locale.text('moreText', { size })}</summary>
      <div></div>
    </details>`,
  );
}
