/**
 * Matches, in this order: a quoted string or an expression, which is not changed; a comment; the last semicolon of a block; a delimiter; a
 * colon or an opening parenthesis; the zero before a decimal point; white space that separates nothing; white space. Comments after a
 * delimiter count as white space.
 */
const PIECES =
  /("[^"]*"|'[^']*'|\$\{[^}]*\})|\/\*[^]*?\*\/|;(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?=\})|\s*([{}>;,])(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)*|([:(])\s+|(?<=[\s:,(-])0(?=\.\d)|(\s+(?=[)!]))|\s+/g;

/** Indentation in markup: before a tag, an expression, an attribute or the end of a tag. Lines outside of markup do not begin like this. */
const INDENTATION = /\n +(?=<[a-z/]|\$\{|[@.?]?[\w-]+=["$]|\/?>)/g;

/**
 * Rollup plugin that removes comments and white space from style sheets, and indentation from markup, because minifiers do not change
 * template strings.
 */
export function shrinkStyles() {
  return {
    name: 'shrink-styles',
    /** Applied to sources, because bundling renames `css`. @param {string} code @param {string} id */
    transform(code, id) {
      if (!id.endsWith('.ts')) return null;
      // Not after a backtick, because comments mention `css` in backticks.
      const shrunk = code.replace(/(?<!`)\b(?:css|markdownCss: string = )`[^`]*`/g, keepLines);
      return { code: shrinkMarkup(shrunk), map: null };
    },
  };
}

/** Shrinks a style sheet and appends the removed line ends, so that source maps stay correct. @param {string} sheet */
function keepLines(sheet) {
  const shrunk = shrinkSheet(sheet);
  return shrunk + '\n'.repeat(countLines(sheet) - countLines(shrunk));
}

/** @param {string} text */
const countLines = (text) => text.split('\n').length;

/** Removes comments, superfluous white space, last semicolons and leading zeros from a style sheet. @param {string} sheet */
export const shrinkSheet = (sheet) =>
  sheet.replace(
    PIECES,
    (
      piece,
      /** @type {string | undefined} */ unchanged,
      /** @type {string | undefined} */ delimiter,
      /** @type {string | undefined} */ opening,
      /** @type {string | undefined} */ superfluous,
    ) => unchanged ?? delimiter ?? opening ?? (piece.trim() === '' && !superfluous ? ' ' : ''),
  );

/** Removes the indentation of markup. @param {string} code */
export const shrinkMarkup = (code) => code.replace(INDENTATION, '\n');
