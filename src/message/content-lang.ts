import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';

/** Returns the `lang` for a text of the user, the agent or the service inside the interface. */
export function langOfContent({ contentLang }: Locale): string | typeof nothing {
  return contentLang ?? nothing;
}

/** Returns the `lang` for a text of the interface inside content. */
export function langOfInterface({ uiLang }: Locale): string | typeof nothing {
  return uiLang ?? nothing;
}

/** Renders a short text of the content, such as a name, inside the interface. */
export function renderContentText(text: string, locale: Locale): TemplateResult {
  return html`<bdi lang=${langOfContent(locale)}>${text}</bdi>`;
}

/** Creates an element with a `lang` for a text of the content; returns the text itself when it needs no `lang`. */
export function createContentText(text: string, { contentLang }: Locale): string | HTMLElement {
  if (contentLang === undefined) return text;
  const node = element('span', '', text);
  node.lang = contentLang;
  return node;
}

/** Sets the direction and language of an element with content. The direction depends on its text. */
export function setContentLocale(node: HTMLElement, { contentLang }: Locale): void {
  if (node.dir !== 'auto') node.dir = 'auto';
  setLang(node, contentLang);
}

/** Sets or removes `lang`. Writes nothing when the value does not change. */
export function setLang(node: HTMLElement, lang: string | undefined): void {
  if (lang === undefined) node.removeAttribute('lang');
  else if (node.getAttribute('lang') !== lang) node.lang = lang;
}
