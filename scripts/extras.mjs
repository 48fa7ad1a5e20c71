/** The optional parts of the page: one file each. */
import { readdirSync } from 'node:fs';

/** Files that are no part of their own. */
const INNER = new Set(['code-reader.ts', 'dress.ts', 'languages.ts', 'table-text.ts']);

export const EXTRAS_FOLDER = new URL('../src/markdown/extras/', import.meta.url).pathname;

/** Their names. */
export const extras = readdirSync(EXTRAS_FOLDER)
  .filter((file) => !INNER.has(file))
  .map((file) => file.replace(/\.ts$/, ''));
