import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

/** Answers with a file of the demo; false when there is none. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<boolean>;

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.csv', 'text/csv; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
]);

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types ubik-elements',
].join('; ');

/** Serves `demo/pages` at `/` and `dist` at `/dist/`, and nothing else. */
export function createStaticFiles(root: URL): StaticFiles {
  const pages = fileURLToPath(new URL('demo/pages', root));
  const dist = fileURLToPath(new URL('dist', root));
  return async (request, response, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const name = decodePath(path);
    if (name === null) return false;
    const inDist = name === '/dist' || name.startsWith('/dist/');
    const folder = inDist ? dist : pages;
    const file = await findFile(folder, inDist ? name.slice('/dist'.length) : name);
    if (file === null) return false;
    response.writeHead(200, {
      'content-type': TYPES.get(extname(file.path)) ?? 'application/octet-stream',
      'content-length': file.size,
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    if (request.method === 'HEAD') response.end();
    // A visitor who leaves in the middle of a file is no error.
    else await pipeline(createReadStream(file.path), response).catch(() => undefined);
    return true;
  };
}

function decodePath(path: string): string | null {
  try {
    const name = decodeURIComponent(path);
    return name.includes('\0') || name.includes('\\') ? null : name;
  } catch {
    return null;
  }
}

async function findFile(
  folder: string,
  name: string,
): Promise<{ readonly path: string; readonly size: number } | null> {
  try {
    const wanted = name === '/' || name === '' ? '/index.html' : name;
    const base = await realpath(folder);
    // Links are followed first, so that neither dots nor a link leads out of the folder.
    const path = await realpath(join(base, wanted));
    if (!path.startsWith(base + sep)) return null;
    const info = await stat(path);
    return info.isFile() ? { path, size: info.size } : null;
  } catch {
    return null;
  }
}
