import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Where a page finds them. */
export const FONTS = '/fonts/';

/** Font packages and the style sheets of theirs that are used. */
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

/** Every font that the gallery asks for by name comes from a package: what the machine has changes no picture. */
const PINNED = [
  ...SHEETS.map((sheet) => `@import url('${FONTS}${sheet}');`),
  ...['ui-monospace', 'SF Mono', 'Menlo', 'Consolas'].map((name) => toFace(name, MONO)),
  toFace('Georgia', LATIN),
  `:root { font-family: 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans SC Variable'; }`,
].join('\n');

function toFace(name: string, url: string): string {
  return `@font-face { font-family: '${name}'; src: url('${url}') format('woff2'); }`;
}

/** Throws where the packages are not there. */
export function checkFonts(): void {
  createRequire(import.meta.url).resolve('@fontsource/noto-sans/400.css');
}

/** A font, or a sheet of them, by its path in a page. */
export async function readFont(path: string): Promise<{ body: string | Buffer; type: string }> {
  const name = path.slice(FONTS.length);
  const body = name === 'pinned.css' ? PINNED : await readFile(join(MODULES, name));
  return { body, type: extname(name) === '.css' ? 'text/css' : 'font/woff2' };
}
