/**
 * In what ways a case can be shown. One more theme, language or width is one more line here; the index, the addresses and the tests
 * take it from here.
 */

/** Light and dark; `auto` is what the person's system says. */
export const SCHEMES = /** @type {const} */ (['light', 'dark', 'auto']);

/** Direction of the page. */
export const DIRECTIONS = /** @type {const} */ (['ltr', 'rtl']);

/** Languages of the interface with the direction in which they are read. */
export const LANGUAGES = /** @type {const} */ ([
  { lang: 'en', dir: 'ltr', name: 'English' },
  { lang: 'fr', dir: 'ltr', name: 'Français' },
  { lang: 'zh', dir: 'ltr', name: '简体中文' },
  { lang: 'ar', dir: 'rtl', name: 'العربية' },
  { lang: 'de', dir: 'ltr', name: 'Deutsch' },
  { lang: 'es', dir: 'ltr', name: 'Español' },
  { lang: 'ja', dir: 'ltr', name: '日本語' },
]);

/** Looks: a class on the page, which sets the public properties of the elements; those of the package, see `ubik-themes.css`, and what pages do, see `themes.css`. */
export const THEMES = /** @type {const} */ ([
  '',
  'paper',
  'slate',
  'contrast',
  'own-colours',
  'pink-serif',
  'hostile',
]);

/** Room between things. */
export const DENSITIES = /** @type {const} */ (['comfortable', 'compact']);

/** Widths in px; 0: as wide as the case wants to be. */
export const WIDTHS = /** @type {const} */ ([0, 320, 390, 768, 1280, 1440]);

/**
 * How everything on the page is shown.
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
 * Reads a look from an address; what is not said, or is not known, is the first of its kind. A language brings its direction.
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
  const natural = LANGUAGES.find((language) => language.lang === lang)?.dir ?? 'ltr';
  return {
    scheme: choose('scheme', SCHEMES),
    dir: query.has('dir') ? choose('dir', DIRECTIONS) : natural,
    lang,
    theme: choose('theme', THEMES),
    density: choose('density', DENSITIES),
    width: choose('width', WIDTHS),
  };
}
