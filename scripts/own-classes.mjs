/**
 * The names of the classes that the style sheets and the code of the elements select. The sanitizer removes them from the HTML of
 * extensions. In a build, these plugins replace the empty module `src/markdown/extras/own-classes.ts` with one that contains the names, so
 * that no list has to be maintained.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-command.mjs';

/** The module that the plugins replace. */
const MODULE = /\/markdown\/extras\/own-classes\.ts$/;
/** Style sheets, and selectors in calls. */
const SELECTORS =
  /(?:\bcss|css = |CSS = )`([^`]*)`|\b(?:closest|matches|querySelector|querySelectorAll)(?:<\w+>)?\(\s*['`]([^'`]*)['`]/g;
const COMMENT_OR_EXPRESSION = /\/\*[^]*?\*\/|\$\{[^}]*\}/g;

/** Returns the class names that a source selects. @param {string} source */
export const readClasses = (source) =>
  [...source.matchAll(SELECTORS)].flatMap(([, sheet = '', selector = '']) =>
    [
      ...`${sheet}${selector}`.replace(COMMENT_OR_EXPRESSION, '').matchAll(/\.([a-z_-][\w-]*)/gi),
    ].map(([, name = '']) => name.toLowerCase()),
  );

/** Returns the code of the module, without names that begin with `ubik-`, which are removed anyway. */
function createModule() {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    // The document of Mermaid has no styles in common with the elements.
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('mermaid', 'frame')))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
  const names = new Set(sources.flatMap(readClasses).filter((name) => !name.startsWith('ubik-')));
  return `export const OWN_CLASSES = new Set('${[...names].sort().join(' ')}'.split(' '));`;
}

/** Plugin of Rollup. */
export const ownClassesForRollup = {
  name: 'own-classes',
  load: (/** @type {string} */ id) => (MODULE.test(id) ? createModule() : null),
};

/** Plugin of esbuild. @type {import('esbuild').Plugin} */
export const ownClasses = {
  name: 'own-classes',
  setup({ onLoad }) {
    onLoad({ filter: MODULE }, () => ({ contents: createModule() }));
  },
};
