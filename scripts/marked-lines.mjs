/** Generated lines of a document, between `<!-- NAME: … -->` and `<!-- /NAME -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-command.mjs';

/**
 * Returns the lines between the markers, trimmed. Throws when the markers are missing.
 *
 * @param {string} file path relative to the root of the repository
 * @param {string} name
 */
export function readMarked(file, name) {
  return find(file, name).lines.trim();
}

/** Replaces the lines between the markers. @param {string} file @param {string} name @param {string} lines */
export function writeMarked(file, name, lines) {
  const { before, after } = find(file, name);
  writeFileSync(join(ROOT, file), `${before}\n\n${lines.trim()}\n\n${after}`);
}

/** @param {string} file @param {string} name */
function find(file, name) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const marked = new RegExp(`(<!-- ${name}: [^>]*-->)(.*?)(<!-- /${name} -->)`, 's').exec(text);
  if (!marked) throw new Error(`${file} has no markers <!-- ${name}: … --> and <!-- /${name} -->.`);
  const [whole, opening = '', lines = '', closing = ''] = marked;
  const start = marked.index;
  return {
    before: text.slice(0, start) + opening,
    lines,
    after: closing + text.slice(start + whole.length),
  };
}
