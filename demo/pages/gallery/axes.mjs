/**
 * The settings with which a case can be shown. To add a theme, language or width, add it here: the index page, the URLs and
 * the tests use these lists.
 */

/** Colour schemes; `auto` is that of the user's system. */
export const SCHEMES = /** @type {const} */ (['light', 'dark', 'auto']);

/** Directions of the page. */
export const DIRECTIONS = /** @type {const} */ (['ltr', 'rtl']);

/** Languages of the interface, with their direction. */
export const LANGUAGES = /** @type {const} */ ([
  { lang: 'en', dir: 'ltr', name: 'English' },
  { lang: 'fr', dir: 'ltr', name: 'Français' },
  { lang: 'zh', dir: 'ltr', name: '简体中文' },
  { lang: 'ar', dir: 'rtl', name: 'العربية' },
  { lang: 'de', dir: 'ltr', name: 'Deutsch' },
  { lang: 'es', dir: 'ltr', name: 'Español' },
  { lang: 'ja', dir: 'ltr', name: '日本語' },
]);

/**
 * Themes: each is a class of the page whose styles affect the elements; the empty one is no theme. Those of the package are in `ubik-themes.css`,
 * examples of host pages in `themes.css`.
 */
export const THEMES = /** @type {const} */ ([
  '',
  'paper',
  'slate',
  'contrast',
  'own-colours',
  'pink-serif',
  'hostile',
]);

/** Spacing. */
export const DENSITIES = /** @type {const} */ (['comfortable', 'compact']);

/** Widths in px; 0: the width of the case. */
export const WIDTHS = /** @type {const} */ ([0, 320, 390, 768, 1280, 1440]);

/**
 * The settings that apply to all cases on the page.
 *
 * @typedef {object} Look
 * @property {typeof SCHEMES[number]} scheme
 * @property {typeof DIRECTIONS[number]} dir
 * @property {string} lang
 * @property {string} theme
 * @property {typeof DENSITIES[number]} density
 * @property {number} width
 */

/**
 * Reads the settings from the query of a URL. A missing or unknown value is the first of its list; a missing direction is that of the language.
 *
 * @param {URLSearchParams} query
 * @returns {Look}
 */
export function readLook(query) {
  /** @template {string | number} T @param {string} name @param {readonly T[]} known @returns {T} */
  const choose = (name, known) =>
    known.find((one) => String(one) === query.get(name)) ?? /** @type {T} */ (known[0]);
  const lang = choose(
    'lang',
    LANGUAGES.map((language) => language.lang),
  );
  const dirOfLanguage = LANGUAGES.find((language) => language.lang === lang)?.dir ?? 'ltr';
  return {
    scheme: choose('scheme', SCHEMES),
    dir: query.has('dir') ? choose('dir', DIRECTIONS) : dirOfLanguage,
    lang,
    theme: choose('theme', THEMES),
    density: choose('density', DENSITIES),
    width: choose('width', WIDTHS),
  };
}
