import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** The path of the fonts in a page. */
export const FONTS = '/fonts/';

/** Font packages and their style sheets. */
const SHEETS = [
  '@fontsource/noto-sans/400.css',
  '@fontsource/noto-sans/400-italic.css',
  '@fontsource/noto-sans/600.css',
  '@fontsource/noto-sans/700.css',
  '@fontsource/noto-sans-arabic/400.css',
  '@fontsource/noto-sans-arabic/700.css',
  '@fontsource-variable/noto-sans-sc/index.css',
];

const LATIN = `${FONTS}@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2`;
const MONO = `${FONTS}@fontsource/noto-sans-mono/files/noto-sans-mono-latin-400-normal.woff2`;

/** The style sheet that replaces all fonts that the gallery uses by fonts of the packages, so that the fonts of the machine do not affect screenshots. */
const PINNED = [
  ...SHEETS.map((sheet) => `@import url('${FONTS}${sheet}');`),
  ...['ui-monospace', 'SF Mono', 'Menlo', 'Consolas'].map((name) => toFace(name, MONO)),
  toFace('Georgia', LATIN),
  `:root { font-family: 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans SC Variable'; }`,
].join('\n');

function toFace(name: string, url: string): string {
  return `@font-face { font-family: '${name}'; src: url('${url}') format('woff2'); }`;
}

/** Throws when the packages are not installed. */
export function checkFonts(): void {
  createRequire(import.meta.url).resolve('@fontsource/noto-sans/400.css');
}

/** Returns a font or a style sheet, given its path in a page. */
export async function readFont(path: string): Promise<{ body: string | Buffer; type: string }> {
  const name = path.slice(FONTS.length);
  const body = name === 'pinned.css' ? PINNED : await readFile(join(MODULES, name));
  return { body, type: extname(name) === '.css' ? 'text/css' : 'font/woff2' };
}
