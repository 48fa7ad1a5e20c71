/** Converts the translations of the WordPress plug-in, from its sources and `.po` files, to the files that WordPress reads. */

/** @typedef {ReadonlyMap<string, string>} Catalog translations by the English text */

/** A call of a translation function of WordPress, with its text in single quotes. */
const CALL = /(?:\b(?:__|_e|esc_html__|esc_html_e|esc_attr__|esc_attr_e)\(\s*)'((?:[^'\\]|\\.)*)'/g;
/** The line of the header of the plug-in that WordPress translates. */
const HEADER = /^ \* Description:\s+(.*)$/m;

/**
 * Finds the English texts of a source: the arguments of WordPress's translation functions, and the description of the plug-in.
 *
 * @param {string} source PHP or JavaScript
 */
export function findTexts(source) {
  const texts = [...source.matchAll(CALL)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
  const [, description] = HEADER.exec(source) ?? [];
  return description ? [...texts, description] : texts;
}

/**
 * Returns the texts of `block.json`, by the context under which WordPress looks them up.
 *
 * @param {string} source
 * @returns {Map<string, string>}
 */
export function findBlockTexts(source) {
  const { title, description } = JSON.parse(source);
  return new Map([
    ['block title', title],
    ['block description', description],
  ]);
}

/** @param {string} text @returns {string} */
const unquote = (text) => JSON.parse(text);

/**
 * Reads a `.po` file with one line for each text. The entry with the metadata, whose `msgid` is empty, is omitted.
 *
 * @param {string} source
 * @returns {Map<string, string>}
 */
export function readCatalog(source) {
  const entries = [...source.matchAll(/^msgid (".+")\nmsgstr (".*")$/gm)];
  return new Map(entries.map(([, id = '', text = '']) => [unquote(id), unquote(text)]));
}

/**
 * Compares the texts of the sources with those of a catalogue: returns those without a translation, and those that no source uses.
 *
 * @param {Iterable<string>} texts @param {Catalog} catalog
 */
export function compareCatalog(texts, catalog) {
  const wanted = new Set(texts);
  return {
    missing: [...wanted].filter((text) => !catalog.get(text)),
    unused: [...catalog.keys()].filter((text) => !wanted.has(text)),
  };
}

/** Returns the metadata of a catalogue. @param {string} language */
const describe = (language) =>
  `Project-Id-Version: UBIK Chat\nLanguage: ${language}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n`;

/** Returns the key of a text with a context in a `.mo` file. @param {string} context @param {string} text */
const keyOf = (context, text) => `${context}\u0004${text}`;

/**
 * Returns the content of a `.mo` file (GNU gettext, revision 0).
 *
 * @param {string} language
 * @param {Catalog} catalog
 * @param {ReadonlyMap<string, string>} blockTexts the result of `findBlockTexts`
 */
export function writeMachineCatalog(language, catalog, blockTexts) {
  const entries = new Map([['', describe(language)], ...catalog]);
  for (const [context, text] of blockTexts) {
    entries.set(keyOf(context, text), catalog.get(text) ?? text);
  }
  const sorted = [...entries]
    .map(([id, text]) => ({ id: Buffer.from(id), text: Buffer.from(text) }))
    .sort((one, other) => Buffer.compare(one.id, other.id));
  // Magic number, revision, number of entries, offset of the table of keys, offset of the table of texts, size and offset of a hash table,
  // which is omitted.
  const head = Buffer.alloc(28);
  [0x950412de, 0, sorted.length, 28, 28 + sorted.length * 8, 0, 28 + sorted.length * 16].forEach(
    (value, index) => head.writeUInt32LE(value, index * 4),
  );
  let offset = 28 + sorted.length * 16;
  /** Writes length and offset of each string. Each string is followed by a null byte. @param {readonly Buffer[]} strings */
  const writeTable = (strings) => {
    const table = Buffer.alloc(strings.length * 8);
    strings.forEach(({ length }, index) => {
      table.writeUInt32LE(length, index * 8);
      table.writeUInt32LE(offset, index * 8 + 4);
      offset += length + 1;
    });
    return table;
  };
  const ids = sorted.map(({ id }) => id);
  const texts = sorted.map(({ text }) => text);
  const tables = [writeTable(ids), writeTable(texts)];
  const terminator = Buffer.alloc(1);
  return Buffer.concat([
    head,
    ...tables,
    ...[...ids, ...texts].flatMap((each) => [each, terminator]),
  ]);
}

/**
 * Returns the translations of a script as JSON, as `wp_set_script_translations` reads them.
 *
 * @param {string} language
 * @param {Catalog} catalog
 * @param {readonly string[]} texts texts of the script
 */
export function writeScriptCatalog(language, catalog, texts) {
  const messages = Object.fromEntries(texts.map((text) => [text, [catalog.get(text) ?? text]]));
  const data = {
    domain: 'messages',
    locale_data: { messages: { '': { domain: 'messages', lang: language }, ...messages } },
  };
  return `${JSON.stringify(data)}\n`;
}

/**
 * Returns the template for translators, the content of a `.pot` file.
 *
 * @param {Iterable<string>} texts @param {ReadonlyMap<string, string>} blockTexts
 */
export function writeTemplate(texts, blockTexts) {
  const header = describe('').trimEnd().split('\n');
  const entry = (/** @type {string} */ text) => `msgid ${JSON.stringify(text)}\nmsgstr ""\n`;
  return [
    `msgid ""\nmsgstr ""\n${header.map((line) => JSON.stringify(`${line}\n`)).join('\n')}\n`,
    ...[...blockTexts].map(([context, text]) => `msgctxt "${context}"\n${entry(text)}`),
    ...[...new Set(texts)].sort().map(entry),
  ].join('\n');
}
