import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import { html, nothing, type TemplateResult } from 'lit';

/** `lang` in a template, for what people or the agent have written: the language that the page says, where ours is another one. */
export function langOfContent({ contentLang }: Locale): string | typeof nothing {
  return contentLang ?? nothing;
}

/** `lang` in a template, for words of ours amid what others have written. */
export function langOfInterface({ uiLang }: Locale): string | typeof nothing {
  return uiLang ?? nothing;
}

/** A name, or another short text that others have written, in a line of ours. */
export function renderContentText(text: string, locale: Locale): TemplateResult {
  return html`<bdi lang=${langOfContent(locale)}>${text}</bdi>`;
}

/** A text of others as a node that says its language, where it is another one than ours. */
export function createContentText(text: string, { contentLang }: Locale): string | HTMLElement {
  if (contentLang === undefined) return text;
  const node = element('span', '', text);
  node.lang = contentLang;
  return node;
}

/** Says of a box that others have written what is in it: its direction is that of its text, its language that which the page says. */
export function setContentLocale(node: HTMLElement, { contentLang }: Locale): void {
  if (node.dir !== 'auto') node.dir = 'auto';
  setLang(node, contentLang);
}

/** Gives an element a language, or none; nothing is written when it has it. */
export function setLang(node: HTMLElement, lang: string | undefined): void {
  if (lang === undefined) node.removeAttribute('lang');
  else if (node.getAttribute('lang') !== lang) node.lang = lang;
}

/** The beginning of a text, with an ellipsis where something was left out. No character is cut in halves. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/\p{Surrogate}$/u, '')}…`;
}
