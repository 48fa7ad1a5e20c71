import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ServerOptions } from '../../demo/server.js';
import { createStaticFiles } from '../../demo/web/static-files.js';
import { startTestServer } from './test-server.js';

/** Sends a path exactly as it is given; `fetch` would normalize it. */
function askRaw(url: string, path: string, host = 'localhost'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data: Buffer) => {
      text += data.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(text);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

test('demo page has a policy that allows no inline script and no other host', async (context) => {
  const server = await startTestServer(context);
  const response = await fetch(`${server.url}/`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/u);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/u);
  assert.match(policy, /require-trusted-types-for 'script'/u);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/u);
  const page = await response.text();
  assert.match(page, /<ubik-chat/u);
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/u);
  for (const [path, type] of [
    ['/demo.js', /javascript/u],
    ['/demo.css', /css/u],
    ['/icon.svg', /svg/u],
  ] as const) {
    const file = await fetch(server.url + path);
    assert.equal(file.status, 200);
    assert.match(file.headers.get('content-type') ?? '', type);
  }
});

test('demo server compresses text files as the browser accepts it, and sends others as they are', async (context) => {
  const server = await startTestServer(context);
  const read = (headers: Record<string, string>, path = '/demo.js'): Promise<Response> =>
    fetch(server.url + path, { headers });
  const plain = await read({ 'accept-encoding': 'identity' });
  const text = await plain.text();
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(plain.headers.get('content-length'), String(Buffer.byteLength(text)));
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['deflate', null],
  ] as const) {
    const response = await read({ 'accept-encoding': accepted });
    assert.equal(response.headers.get('content-encoding'), encoding, accepted);
    assert.equal(response.headers.get('vary'), 'accept-encoding');
    const length = Number(response.headers.get('content-length'));
    assert.equal(length < Buffer.byteLength(text) / 2, encoding !== null, accepted);
    // `fetch` decodes the body.
    assert.equal(await response.text(), text, accepted);
  }
});

test('demo server sends no second copy of a file that the browser has', async (context) => {
  const server = await startTestServer(context);
  const read = (tag?: string): Promise<Response> =>
    fetch(`${server.url}/demo.css`, tag === undefined ? {} : { headers: { 'if-none-match': tag } });
  const first = await read();
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^W\/"[\w.-]+"$/u);
  assert.equal(first.headers.get('cache-control'), 'no-cache');
  const again = await read(`"other", ${etag}`);
  assert.deepEqual([again.status, await again.text()], [304, '']);
  assert.match(again.headers.get('content-security-policy') ?? '', /default-src 'none'/u);
  assert.equal((await read('"other"')).status, 200);
});

test('demo server lets browsers keep a lazy file of the bundle, whose name contains a hash, and no other file', async (context) => {
  const root = await mkdtemp(join(tmpdir(), 'ubik-files-'));
  context.after(() => rm(root, { recursive: true, force: true }));
  const parts = join(root, 'dist/bundle/parts');
  await mkdir(parts, { recursive: true });
  await mkdir(join(root, 'demo/pages'), { recursive: true });
  const lazy = 'dist/bundle/parts/views-a_B-9xyz.js';
  const others = ['dist/bundle/ubik-elements.min.js', 'dist/bundle/parts/views.js'];
  for (const name of [lazy, ...others]) await writeFile(join(root, name), 'code');
  const files = createStaticFiles(pathToFileURL(`${root}/`));
  const server = createServer((request, response) => {
    void files(request, response, request.url ?? '');
  }).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const readCaching = async (name: string): Promise<string | null> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/${name}`);
    assert.equal(await response.text(), 'code');
    return response.headers.get('cache-control');
  };
  assert.equal(await readCaching(lazy), 'public, max-age=31536000, immutable');
  for (const name of others) assert.equal(await readCaching(name), 'no-cache');
});

test('demo server lists its services in a script for the page', async (context) => {
  const servedBy = async (options: Partial<ServerOptions>): Promise<string> => {
    const server = await startTestServer(context, options);
    return (await fetch(`${server.url}/served.js`)).text();
  };
  assert.match(await servedBy({}), /"services":\["ubik","data-agent"\],"isLocal":true/u);
  const service = { apiKey: 'key', baseUrl: 'http://127.0.0.1:1' };
  assert.match(await servedBy({ service }), /"services":\["ubik"\],"isLocal":false/u);
});

test('demo server serves no file outside of the pages and the built files', async (context) => {
  const server = await startTestServer(context);
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/dist/../package.json',
    '/dist/%2e%2e/package.json',
    '/dist/..%5c..%5cpackage.json',
    '/dist%2f..%2fpackage.json',
    '//etc/passwd',
    '/%00',
    '/%',
    '/demo.js/',
    '/dist',
    '/dist/',
    '/agent/agent.ts',
    '/.data/agent.sqlite',
  ]) {
    const answer = await askRaw(server.url, path);
    assert.match(answer, /^HTTP\/1\.1 404 /u, path);
    assert.doesNotMatch(answer, /ubik-elements"|root:/u);
  }
  assert.equal((await fetch(`${server.url}/`, { method: 'POST' })).status, 404);
});

test('demo server sets the visitor id once, in a cookie that scripts cannot read', async (context) => {
  const server = await startTestServer(context);
  const first = await fetch(`${server.url}/token`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const cookie = first.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^ubik-visitor=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/u);
  const again = await fetch(`${server.url}/token`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie: cookie.split(';', 1)[0] ?? '' },
  });
  assert.equal(again.headers.get('set-cookie'), null);
  const claims = async (response: Response): Promise<Record<string, unknown>> => {
    const { access_token: token } = (await response.json()) as { access_token: string };
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
  };
  const [one, other] = [await claims(first), await claims(again)];
  assert.equal(one['external_user_id'], other['external_user_id']);
  const minutes = (Number(one['exp']) - Date.now() / 1000) / 60;
  assert.ok(minutes > 59 && minutes <= 60);
  const forged = await fetch(`${server.url}/token`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie: 'ubik-visitor=__proto__' },
  });
  assert.match(forged.headers.get('set-cookie') ?? '', /^ubik-visitor=[\w-]{32};/u);
});

test('demo server sets the visitor id with the page, before its first requests', async (context) => {
  const server = await startTestServer(context);
  const page = await fetch(server.url, { headers: { 'sec-fetch-dest': 'document' } });
  const cookie = page.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^ubik-visitor=[\w-]{32};/u);
  const script = await fetch(`${server.url}/demo.js`);
  assert.equal(script.headers.get('set-cookie'), null);
});

test('demo server gives no visitor id to a form of another site, which is sent without the cookie', async (context) => {
  const server = await startTestServer(context);
  for (const path of ['/token', '/', '/gallery.html', '/missing']) {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-dest': 'document',
        origin: 'https://evil.example',
      },
    });
    assert.equal(response.headers.get('set-cookie'), null, path);
    await response.body?.cancel();
  }
});

/** Values of the header `Host`, and whether the server accepts them as its own. */
const HOSTS: readonly (readonly [host: string, own: boolean])[] = [
  ['localhost', true],
  ['localhost:8080', true],
  ['LOCALHOST', true],
  ['chat.localhost:8080', true],
  ['127.0.0.1:8080', true],
  ['192.168.1.7', true],
  ['[::1]:8080', true],
  ['demo.example.com', true],
  ['demo.example.com:443', true],
  ['evil.example', false],
  ['evil.example:8080', false],
  ['localhost.evil.example', false],
  ['demo.example.com.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example/localhost', false],
  ['localhost@evil.example', false],
  ['', false],
];

test('demo server responds to its own host names only', async (context) => {
  const server = await startTestServer(context, { hosts: ['demo.example.com'] });
  for (const [host, own] of HOSTS) {
    for (const path of ['/token', '/', '/api/v1/health', '/demo/controls']) {
      const [status = ''] = (await askRaw(server.url, path, host)).split('\r\n', 1);
      assert.equal(status.includes(' 403 '), !own, `${host}${path}: ${status}`);
    }
  }
});
