/**
 * A plug-in of Rollup that takes comments and white space out of Lit's style sheets: minifiers do not look into template strings.
 * It saves 2 kB after gzip.
 */
export function shrinkStyles() {
  return {
    name: 'shrink-styles',
    /** Before the bundle is made: there `css` gets another name. @param {string} code */
    transform(code) {
      return { code: code.replace(/\bcss`[^`]*`/g, shrink), map: null };
    },
  };
}

/** Quoted words and expressions stay as they are. @param {string} sheet */
const shrink = (sheet) =>
  sheet
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(
      /("[^"]*"|'[^']*'|\$\{[^}]*\})|\s*([{};])\s*|\s+/g,
      (_, /** @type {string | undefined} */ kept, /** @type {string | undefined} */ mark) =>
        kept ?? mark ?? ' ',
    );
