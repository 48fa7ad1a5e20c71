import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokenHandler } from '../../server/index.js';
import { Visitor } from '../demo/test-server.js';
import { listening } from './listening.js';
import { KEY, startProxy, startWitness } from './start-proxy.js';

const ASSET = '/assets/tools/1/2/file';

/** What a page gets of an answer of the service. */
async function askFor(
  context: Parameters<typeof startWitness>[0],
  path: string,
  headers: Record<string, string | string[]>,
  status = 200,
): Promise<Headers> {
  const { url } = await startWitness(context, (_request, response) => {
    response.writeHead(status, headers).end('x');
  });
  const reply = await new Visitor(await startProxy(context, url), { 'x-who': 'ann' }).ask(
    'GET',
    path,
  );
  return reply.headers;
}

const INERT = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "sandbox; default-src 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
] as const;

/** What the service says, and what the page is told instead. */
const TYPES: readonly (readonly [said: string, told: string, displayed: boolean])[] = [
  ['image/png', 'image/png', true],
  ['image/jpeg', 'image/jpeg', true],
  ['image/gif', 'image/gif', true],
  ['image/webp', 'image/webp', true],
  ['image/avif', 'image/avif', true],
  ['application/pdf', 'application/pdf', true],
  ['text/plain', 'text/plain', true],
  ['Text/Plain; Charset="UTF-8"', 'text/plain; charset=UTF-8', true],
  ['audio/mpeg', 'audio/mpeg', true],
  ['video/mp4', 'video/mp4', true],
  ['image/svg+xml', 'image/svg+xml', false],
  ['application/json', 'application/json', false],
  ['text/html', 'application/octet-stream', false],
  ['text/html; charset=utf-8', 'application/octet-stream', false],
  ['TEXT/HTML', 'application/octet-stream', false],
  ['application/xhtml+xml', 'application/octet-stream', false],
  ['text/xml', 'application/octet-stream', false],
  ['application/xml', 'application/octet-stream', false],
  ['application/xslt+xml', 'application/octet-stream', false],
  ['text/javascript', 'application/octet-stream', false],
  ['application/javascript', 'application/octet-stream', false],
  ['text/css', 'application/octet-stream', false],
  ['application/wasm', 'application/octet-stream', false],
  ['multipart/x-mixed-replace; boundary=x', 'application/octet-stream', false],
  ['message/rfc822', 'application/octet-stream', false],
  ['image/png, text/html', 'application/octet-stream', false],
  ['image/png text/html', 'application/octet-stream', false],
  ['image/svg', 'application/octet-stream', false],
  ['audio/', 'application/octet-stream', false],
  ['', 'application/octet-stream', false],
];

for (const [said, told, displayed] of TYPES) {
  for (const path of [ASSET, '/documents/1', '/agent-sessions/1/stream']) {
    test(`"${said}" of the service is ${displayed ? 'displayed' : 'downloaded'} as ${told} at ${path}`, async (context) => {
      const headers = await askFor(context, path, {
        'content-type': said,
        'content-disposition': 'inline; filename="x.html"',
        'content-security-policy': 'script-src *',
      });
      assert.equal(headers.get('content-type'), told);
      assert.equal(headers.get('content-disposition'), displayed ? null : 'attachment');
      for (const [name, value] of INERT) assert.equal(headers.get(name), value);
    });
  }
}

test('refusals of the service are as inert as its files', async (context) => {
  const headers = await askFor(context, ASSET, { 'content-type': 'text/html' }, 404);
  assert.equal(headers.get('content-type'), 'application/octet-stream');
  for (const [name, value] of INERT) assert.equal(headers.get(name), value);
});

test('no cache keeps an answer, whatever the service says', async (context) => {
  for (const [path, type] of [
    [ASSET, 'image/png'],
    ['/agent-sessions', 'application/json'],
  ] as const) {
    const headers = await askFor(context, path, {
      'content-type': type,
      'cache-control': 'public, max-age=3600',
      etag: '"1"',
      expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
      vary: '*',
    });
    assert.equal(headers.get('cache-control'), 'private, no-store');
    assert.equal(headers.get('vary'), 'Accept, Accept-Language, Authorization, Cookie');
    assert.deepEqual([headers.get('etag'), headers.get('expires')], [null, null]);
  }
});

test('a stream may be neither collected nor compressed on the way', async (context) => {
  const headers = await askFor(context, '/agent-sessions/1/stream', {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'yes',
  });
  assert.equal(headers.get('content-type'), 'text/event-stream');
  assert.equal(headers.get('cache-control'), 'private, no-store, no-transform');
  assert.equal(headers.get('x-accel-buffering'), 'no');
  for (const [name, value] of INERT) assert.equal(headers.get(name), value);
});

test('what the server of the integrator varies on stays', async (context) => {
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => 'ann',
    mint: () => Promise.resolve('token'),
  });
  const url = await listening(context, (request, response) => {
    response.setHeader('vary', 'Accept-Encoding');
    void handler(request, response);
  });
  const { headers } = await fetch(url, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(
    headers.get('vary'),
    'Accept-Encoding, Accept, Accept-Language, Authorization, Cookie',
  );
  assert.equal(headers.get('cache-control'), 'private, no-store');
});

for (const [how, pieces] of [
  ['whole', [`{"detail":"bad key ${KEY}, ${KEY}"}`]],
  ['in pieces', ['{"detail":"bad key ', ...KEY, ', the-the-', KEY.slice(4), '"}']],
] as const) {
  test(`the account's key is masked when the service quotes it ${how}`, async (context) => {
    const { url } = await startWitness(context, (_request, response) => {
      const length = Buffer.byteLength(pieces.join(''));
      response.writeHead(403, { 'content-type': 'application/json', 'content-length': length });
      const write = (at: number): void => {
        const piece = pieces[at];
        if (piece === undefined) response.end();
        else response.write(piece, () => write(at + 1));
      };
      write(0);
    });
    const visitor = new Visitor(await startProxy(context, url), { 'x-who': 'ann' });
    const reply = await visitor.ask('GET', '/agent-sessions/1');
    assert.equal(reply.status, 403);
    assert.equal(reply.text, pieces.join('').replaceAll(KEY, '*'.repeat(KEY.length)));
    assert.doesNotMatch(reply.text, /secret/u);
  });
}
