import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStaticFiles } from '../../demo/web/static-files.js';

const ROOT = new URL('../../', import.meta.url);
const MODULES = fileURLToPath(new URL('node_modules/', ROOT));
const FONTS = '/fonts/';

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

/** A server of the gallery with fonts of its own. */
export interface GalleryServer {
  readonly url: string;
  /** Requests that have not been answered. */
  readonly open: number;
  close(): Promise<void>;
}

/** Serves the demo's pages and the built files, under the policy of the demo, and the fonts of the packages. No agent, no data. */
export async function serveGallery(): Promise<GalleryServer> {
  createRequire(import.meta.url).resolve('@fontsource/noto-sans/400.css');
  const files = createStaticFiles(ROOT);
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const answer = path.startsWith(FONTS)
      ? readFont(path.slice(FONTS.length)).then((body) => {
          response.writeHead(200, {
            'content-type': extname(path) === '.css' ? 'text/css' : 'font/woff2',
            'cache-control': 'max-age=3600',
          });
          response.end(body);
          return true;
        })
      : files(request, response, path);
    answer
      .catch(() => false)
      .then((isAnswered) => {
        if (!isAnswered) response.writeHead(404).end();
      })
      .catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get open() {
      return open;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

async function readFont(name: string): Promise<string | Buffer> {
  if (name === 'pinned.css') return PINNED;
  return readFile(join(MODULES, name));
}
