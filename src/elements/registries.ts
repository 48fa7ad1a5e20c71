/** What a page may add to the elements, at the same door as the elements. */
export { registerLocale } from '../locales/locale.js';
export { registerPartRenderer } from '../message/parts/part-renderers.js';
