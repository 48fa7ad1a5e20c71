import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Sends a file of the demo. Resolves to false when there is none. */
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

/** Types of files that are compressed already. */
const COMPRESSED_TYPES: ReadonlySet<string | undefined> = new Set(['image/png', 'font/woff2']);

/** Names of files whose content never changes, because changed content gets another name. */
const HASHED_NAME = /^\/dist\/bundle\/parts\/[\w-]+-[\w-]{8}\.js$/u;

/** The encodings that the server offers, best first. Fast levels, because a file is compressed when it is first requested. */
const ENCODINGS = new Map<string, (content: Buffer) => Promise<Buffer>>([
  [
    'br',
    (content) =>
      promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ],
  ['gzip', promisify<Buffer, Buffer>(gzip)],
]);

/**
 * Serves `demo/pages` at `/` and `dist` at `/dist/`, and nothing else: compressed, if the browser accepts that, and with an `ETag`, so that
 * a browser that has the file gets no second copy.
 */
export function createStaticFiles(root: URL): StaticFiles {
  const pages = fileURLToPath(new URL('demo/pages', root));
  const dist = fileURLToPath(new URL('dist', root));
  /** Compressed files by encoding, tag and path. */
  const compressed = new Map<string, Promise<Buffer>>();
  const compress = (file: FoundFile, encoding: string): Promise<Buffer> | undefined => {
    const run = ENCODINGS.get(encoding);
    const key = `${encoding} ${file.tag} ${file.path}`;
    const known = compressed.get(key);
    if (known || !run) return known;
    const result = readFile(file.path).then(run);
    compressed.set(key, result);
    // A file that could not be read is read again when it is requested again.
    result.catch(() => compressed.delete(key));
    return result;
  };
  return async (request, response, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const name = decodePath(path);
    if (name === null) return false;
    const inDist = name === '/dist' || name.startsWith('/dist/');
    const folder = inDist ? dist : pages;
    const file = await findFile(folder, inDist ? name.slice('/dist'.length) : name);
    if (file === null) return false;
    const type = TYPES.get(extname(file.path)) ?? 'application/octet-stream';
    const encoding = COMPRESSED_TYPES.has(type) ? undefined : chooseEncoding(request);
    const etag = `W/"${file.tag}"`;
    const headers = {
      'cache-control': HASHED_NAME.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag,
      vary: 'accept-encoding',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    };
    if (isKnown(request, etag)) {
      response.writeHead(304, headers).end();
      return true;
    }
    const content = encoding === undefined ? undefined : await compress(file, encoding);
    response.writeHead(200, {
      ...headers,
      'content-type': type,
      'content-length': content?.length ?? file.size,
      ...(content && encoding !== undefined ? { 'content-encoding': encoding } : {}),
    });
    if (request.method === 'HEAD') response.end();
    else if (content) response.end(content);
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

/** Returns the best encoding that a browser accepts; undefined when it accepts none. */
function chooseEncoding({ headers }: IncomingMessage): string | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/u.test(one))
    .map((one) => one.split(';', 1)[0]?.trim().toLowerCase());
  return [...ENCODINGS.keys()].find((name) => accepted.includes(name));
}

/** Whether the browser has the file with this tag. */
function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim());
  return known?.includes(etag) ?? false;
}

/** A file that is served. */
interface FoundFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Identifies the content: changes when the file is written again. */
  readonly tag: string;
}

async function findFile(folder: string, name: string): Promise<FoundFile | null> {
  try {
    const wanted = name === '/' || name === '' ? '/index.html' : name;
    const base = await realpath(folder);
    // Links are followed first, so that neither dots nor a link leads out of the folder.
    const path = await realpath(join(base, wanted));
    if (!path.startsWith(base + sep)) return null;
    const info = await stat(path);
    const tag = `${info.size.toString(36)}-${info.mtimeMs.toString(36)}`;
    return info.isFile() ? { path, size: info.size, tag } : null;
  } catch {
    return null;
  }
}
