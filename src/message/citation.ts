import { html, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import { MARK_START, type Mark, type Part } from '../model/part.js';
import type { ViewContext } from './part-view.js';
import { truncate, langOfInterface, renderContentText, setLang } from './content-lang.js';
import { createJsonView } from './json-view.js';

/** Characters of a label that stand in a text, and of a title that stand on its line. The rest is shown on request. */
const SHOWN_LABEL = 40;
const SHOWN_TITLE = 200;

/** An inline mark: the key of its data between `MARK_START` and `MARK_END`. */
const MARK = /\uE000([^\uE001]*)\uE001/g;

const marks = new WeakMap<Element, Mark>();

/** The citation that an element in the page stands for. */
export function findMark(node: Element): Mark | undefined {
  return marks.get(node);
}

/** What a text says at a citation, without its brackets. */
export function citationLabel({ label }: Mark): string {
  return label.replace(/^\[|\]$/g, '');
}

/** The text of a part with its citations as numbers; empty when it has none. */
export function textWithCitations(part: Part): string {
  const text = part.text?.read() ?? '';
  if (!text.includes(MARK_START)) return text;
  const known = new Map(Object.entries(('marks' in part && part.marks) || {}));
  return text.replace(MARK, (_match, key: string) => {
    const mark = known.get(key);
    return mark ? `[${citationLabel(mark)}]` : '';
  });
}

/** The same, short enough for its place. */
export function shortCitationLabel(mark: Mark): string {
  return truncate(citationLabel(mark), SHOWN_LABEL);
}

/** What stands for a citation in a text: a small number, of which the card tells more. */
export function createCitationButton(mark: Mark, { locale }: ViewContext): HTMLElement {
  const label = shortCitationLabel(mark);
  const button = element('button', 'cite', element('bdi', '', label));
  button.type = 'button';
  button.part.add('citation');
  setLang(button, locale.uiLang);
  const name = locale.text('source', { label });
  button.ariaLabel = mark.title
    ? locale.text('colon', { name, words: truncate(mark.title, SHOWN_TITLE) })
    : name;
  marks.set(button, mark);
  return button;
}

/** What a card or a line of the list says about a source. Its title is a link where the address may be followed. */
export function renderSource(mark: Mark, { locale, checkLink }: ViewContext): TemplateResult {
  const label = citationLabel(mark);
  const link = mark.url ? checkLink(mark.url) : null;
  const host = link?.host ?? '';
  const title = mark.title ?? host;
  const name = title
    ? renderContentText(truncate(title, SHOWN_TITLE), locale)
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
    }${host && host !== title ? html` <bdi class="meta">${host}</bdi>` : ''}${
      label.length > SHOWN_LABEL ? renderWhole(label, SHOWN_LABEL, locale) : ''
    }${title.length > SHOWN_TITLE ? renderWhole(title, SHOWN_TITLE, locale) : ''}</span
  >`;
}

/** A fold with a text of which only the beginning is shown. What is in it is made when somebody looks. */
function renderWhole(text: string, shown: number, locale: Locale): TemplateResult {
  const fill = ({ currentTarget }: Event): void => {
    const fold = currentTarget as HTMLDetailsElement;
    fold.lastElementChild?.replaceChildren(...(fold.open ? [createJsonView(text, locale)] : []));
  };
  const size = locale.size(text.length - shown);
  return html`<details class="whole" @toggle=${fill}>
    <summary lang=${langOfInterface(locale)}>${locale.text('moreText', { size })}</summary>
    <div></div>
  </details>`;
}
