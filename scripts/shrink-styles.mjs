/** A word in quotes or an expression, which stay; a comment; the last semicolon of a block; a sign; a colon; white space. */
const PIECES =
  /("[^"]*"|'[^']*'|\$\{[^}]*\})|\/\*[^]*?\*\/|;\s*(?=\})|\s*([{}>;,])\s*|(:)\s+|(?<=[\s:,(-])0(?=\.\d)|\s+/g;

/** Indentation in markup: before a tag, an expression, an attribute, the end of a tag. A line that begins so is nowhere else. */
const INDENTATION = /\n +(?=<[a-z/]|\$\{|[@.?]?[a-z-]+=["$]|\/?>)/g;

/**
 * A plug-in of Rollup that takes comments and white space out of our style sheets, and indentation out of our markup: minifiers do
 * not look into template strings.
 */
export function shrinkStyles() {
  return {
    name: 'shrink-styles',
    /** Before the bundle is made: there `css` gets another name. @param {string} code @param {string} id */
    transform(code, id) {
      if (!id.endsWith('.ts')) return null;
      const shrunk = code.replace(/(?<!`)\b(?:css|markdownCss = )`[^`]*`/g, keepLines);
      return { code: shrinkMarkup(shrunk), map: null };
    },
  };
}

/** The lines that are taken out of a sheet follow it, so that source maps stay right. @param {string} sheet */
function keepLines(sheet) {
  const shrunk = shrinkSheet(sheet);
  return shrunk + '\n'.repeat(countLines(sheet) - countLines(shrunk));
}

/** @param {string} text */
const countLines = (text) => text.split('\n').length;

/** The same rules with fewer characters. @param {string} sheet */
export const shrinkSheet = (sheet) =>
  sheet.replace(
    PIECES,
    (
      piece,
      /** @type {string | undefined} */ kept,
      /** @type {string | undefined} */ sign,
      /** @type {string | undefined} */ colon,
    ) => kept ?? sign ?? colon ?? (piece.trim() === '' ? ' ' : ''),
  );

/** The same markup, each line from its first sign on. @param {string} code */
export const shrinkMarkup = (code) => code.replace(INDENTATION, '\n');
