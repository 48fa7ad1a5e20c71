/** The optional parts of the page: one file each. */
import { readdirSync } from 'node:fs';

/** Modules that the optional parts share or are made of. */
const INNER = new Set(['code-tokenizer.ts', 'insert-styles.ts', 'table-text.ts']);

export const EXTRAS_FOLDER = new URL('../src/markdown/extras/', import.meta.url).pathname;

/** Names of the optional parts. */
export const extras = readdirSync(EXTRAS_FOLDER)
  .filter((file) => !INNER.has(file))
  .map((file) => file.replace(/\.ts$/, ''));
