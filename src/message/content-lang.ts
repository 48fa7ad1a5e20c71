import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';

/** The value of `lang` in a template, for a text of the user, the agent or the service amid the interface. */
export function langOfContent({ contentLang }: Locale): string | typeof nothing {
  return contentLang ?? nothing;
}

/** The value of `lang` in a template, for a text of the interface amid content. */
export function langOfInterface({ uiLang }: Locale): string | typeof nothing {
  return uiLang ?? nothing;
}

/** Renders a short text of the content, such as a name, amid the interface. */
export function renderContentText(text: string, locale: Locale): TemplateResult {
  return html`<bdi lang=${langOfContent(locale)}>${text}</bdi>`;
}

/** Creates an element with a `lang` for a text of the content; the text alone when it needs none. */
export function createContentText(text: string, { contentLang }: Locale): string | HTMLElement {
  if (contentLang === undefined) return text;
  const node = element('span', '', text);
  node.lang = contentLang;
  return node;
}

/** Sets the direction and language of an element with content: the direction follows its text. */
export function setContentLocale(node: HTMLElement, { contentLang }: Locale): void {
  if (node.dir !== 'auto') node.dir = 'auto';
  setLang(node, contentLang);
}

/** Sets or removes `lang`. Writes nothing when the value is the same. */
export function setLang(node: HTMLElement, lang: string | undefined): void {
  if (lang === undefined) node.removeAttribute('lang');
  else if (node.getAttribute('lang') !== lang) node.lang = lang;
}

/** Shortens a text to `length` UTF-16 units and an ellipsis, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/\p{Surrogate}$/u, '')}…`;
}
