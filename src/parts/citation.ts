import { html, type TemplateResult } from 'lit';
import { element } from '../internal/element.js';
import type { Mark } from '../model/part.js';
import type { ViewContext } from './part-view.js';
import { renderSaid, setLang } from './said.js';

const marks = new WeakMap<Element, Mark>();

/** The citation that an element in the page stands for. */
export function markOf(node: Element): Mark | undefined {
  return marks.get(node);
}

/** What a text says at a citation, without its brackets. */
export function labelOf({ label }: Mark): string {
  return label.replace(/^\[|\]$/g, '');
}

/** What stands for a citation in a text: a small number, of which the card tells more. */
export function createCitation(mark: Mark, { locale }: ViewContext): HTMLElement {
  const label = labelOf(mark);
  const button = element('button', 'cite', element('bdi', '', label));
  button.type = 'button';
  button.part.add('citation');
  setLang(button, locale.wordsLang);
  const name = locale.text('source', { label });
  button.ariaLabel = mark.title ? locale.text('colon', { name, words: mark.title }) : name;
  marks.set(button, mark);
  return button;
}

/** What a card or a line of the list says about a source. Its title is a link where the address may be followed. */
export function renderSource(mark: Mark, { locale, checkLink }: ViewContext): TemplateResult {
  const link = mark.url ? checkLink(mark.url) : null;
  const host = link?.host ?? '';
  const title = mark.title ?? host;
  const name = title ? renderSaid(title, locale) : html`<bdi>${locale.text('sourceUnnamed')}</bdi>`;
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
    }${host && host !== title ? html` <bdi class="meta">${host}</bdi>` : ''}</span
  >`;
}
