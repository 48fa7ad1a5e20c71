import { element } from '../dom/element.js';
import type { Locale } from '../locales/locale.js';
import type { Json } from '../model/json.js';
import { setLang } from './content-lang.js';
import { createJsonView, createLazyDetails } from './json-view.js';

/** Free-form data of the service behind a line that opens it; what is inside is made when somebody opens it. */
export function createDataDisclosure(title: string, data: Json, locale: Locale): HTMLElement {
  const line = element('summary', '', title);
  setLang(line, locale.uiLang);
  return createLazyDetails('report', line, () => createJsonView(data, locale));
}
