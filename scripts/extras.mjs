/** The optional modules in `src/markdown/extras`, one file each: of the Markdown renderer, of data parts and of tools. */
import { readdirSync } from 'node:fs';

/** Files in the same folder that optional modules import. They are not optional modules. */
const INTERNAL = new Set([
  'code-tokenizer.ts',
  'insert-styles.ts',
  'own-classes.ts',
  'table-text.ts',
]);

export const EXTRAS_FOLDER = new URL('../src/markdown/extras/', import.meta.url).pathname;

/** Names of the optional modules. */
export const extras = readdirSync(EXTRAS_FOLDER)
  .filter((file) => !INTERNAL.has(file))
  .map((file) => file.replace(/\.ts$/, ''));
