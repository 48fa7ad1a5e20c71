import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTokenHandler } from '../../server/index.js';
import { DemoApiClient } from '../demo/test-server.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY, startProxy, startRecordingService } from './start-proxy.js';

const ASSET = '/assets/tools/00000000-0000-4000-8000-000000000001/call_2/file';

/** The response headers that a page receives for a response of the service. */
async function requestHeaders(
  context: TestContext,
  path: string,
  headers: Record<string, string | string[]>,
  status = 200,
): Promise<Headers> {
  const { url } = await startRecordingService(context, (_request, response) => {
    response.writeHead(status, headers).end('x');
  });
  const reply = await new DemoApiClient(await startProxy(context, url), {
    'x-user': 'ann',
  }).request('GET', path);
  return reply.headers;
}

const INERT = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "sandbox; default-src 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
] as const;

/** Content type of the service, content type that the page receives, and whether it is displayed. */
const TYPES: readonly (readonly [sent: string, received: string, displayed: boolean])[] = [
  ['image/png', 'image/png', true],
  ['image/jpeg', 'image/jpeg', true],
  ['image/gif', 'image/gif', true],
  ['image/webp', 'image/webp', true],
  ['image/avif', 'image/avif', true],
  ['application/pdf', 'application/pdf', true],
  ['text/plain', 'text/plain', true],
  ['Text/Plain; Charset="UTF-8"', 'text/plain; charset=UTF-8', true],
  ['text/plain; format=flowed; charset=latin1; x=y', 'text/plain; charset=latin1', true],
  ['text/plain; charset="x y"', 'text/plain', true],
  ['image/png; charset=utf-8', 'image/png', true],
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

for (const [sent, received, displayed] of TYPES) {
  for (const path of [
    ASSET,
    '/documents/00000000-0000-4000-8000-000000000001',
    '/agent-sessions/00000000-0000-4000-8000-000000000001/stream',
  ]) {
    test(`proxy serves the content type "${sent}" as ${received}, ${displayed ? 'displayed' : 'downloaded'}, at ${path}`, async (context) => {
      const headers = await requestHeaders(context, path, {
        'content-type': sent,
        'content-disposition': 'inline; filename="x.html"',
        'content-security-policy': 'script-src *',
      });
      assert.equal(headers.get('content-type'), received);
      assert.equal(headers.get('content-disposition'), displayed ? null : 'attachment');
      for (const [name, value] of INERT) assert.equal(headers.get(name), value);
    });
  }
}

test('proxy sends an error of the service with the same inert headers as a file', async (context) => {
  const headers = await requestHeaders(context, ASSET, { 'content-type': 'text/html' }, 404);
  assert.equal(headers.get('content-type'), 'application/octet-stream');
  for (const [name, value] of INERT) assert.equal(headers.get(name), value);
});

test('proxy forbids caching, whatever headers the service sends', async (context) => {
  for (const [path, type] of [
    [ASSET, 'image/png'],
    ['/agent-sessions', 'application/json'],
  ] as const) {
    const headers = await requestHeaders(context, path, {
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

test('proxy forbids buffering and compression of a stream', async (context) => {
  const headers = await requestHeaders(
    context,
    '/agent-sessions/00000000-0000-4000-8000-000000000001/stream',
    {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'yes',
    },
  );
  assert.equal(headers.get('content-type'), 'text/event-stream');
  assert.equal(headers.get('cache-control'), 'private, no-store, no-transform');
  assert.equal(headers.get('x-accel-buffering'), 'no');
  for (const [name, value] of INERT) assert.equal(headers.get(name), value);
});

test('token route keeps the vary header of the server around it', async (context) => {
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => 'ann',
    mint: () => Promise.resolve('token'),
  });
  const url = await startLocalServerForTest(context, (request, response) => {
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
  test(`proxy masks the API key when the service quotes it ${how}`, async (context) => {
    const { url } = await startRecordingService(context, (_request, response) => {
      const length = Buffer.byteLength(pieces.join(''));
      response.writeHead(403, { 'content-type': 'application/json', 'content-length': length });
      const write = (at: number): void => {
        const piece = pieces[at];
        if (piece === undefined) response.end();
        else response.write(piece, () => write(at + 1));
      };
      write(0);
    });
    const client = new DemoApiClient(await startProxy(context, url), { 'x-user': 'ann' });
    const reply = await client.request(
      'GET',
      '/agent-sessions/00000000-0000-4000-8000-000000000001',
    );
    assert.equal(reply.status, 403);
    assert.equal(reply.text, pieces.join('').replaceAll(KEY, '*'.repeat(KEY.length)));
    assert.doesNotMatch(reply.text, /secret/u);
  });
}

const escapeAll = (text: string, write: (hex: string) => string): string =>
  [...text].map((character) => write(character.charCodeAt(0).toString(16))).join('');

/** A key with characters that every encoding escapes. */
const ESCAPED_KEY = 'sk-"Ab/C\\d+e%f=?~long-enough';

const ENCODINGS: readonly (readonly [name: string, write: (key: string) => string])[] = [
  ['percent-encoded', (key) => encodeURIComponent(key)],
  ['percent-encoded in every character', (key) => escapeAll(key, (hex) => `%${hex}`)],
  ['percent-encoded in upper case', (key) => escapeAll(key, (hex) => `%${hex.toUpperCase()}`)],
  ['percent-encoded in part', (key) => key.replace('-', '%2d').replace('A', '%41')],
  ['percent-encoded twice', (key) => encodeURIComponent(encodeURIComponent(key))],
  ['as a JSON string', (key) => JSON.stringify(key)],
  ['with every slash escaped', (key) => JSON.stringify(key).replaceAll('/', '\\/')],
  ['as JSON escapes', (key) => escapeAll(key, (hex) => `\\u00${hex}`)],
  ['as JSON escapes in upper case', (key) => escapeAll(key, (hex) => `\\u00${hex.toUpperCase()}`)],
  ['as base64', (key) => btoa(key)],
  ['as base64 after one character', (key) => btoa(`:${key}`)],
  ['as base64 between other characters', (key) => btoa(`me:${key}@home`)],
  ['as base64 after a user name', (key) => btoa(`user:${key}`)],
  ['as base64url', (key) => Buffer.from(`u:${key}`).toString('base64url')],
  ['as UTF-16', (key) => `${[...key].join('\0')}\0`],
  ['as hex', (key) => Buffer.from(key).toString('hex')],
  ['as hex in upper case', (key) => Buffer.from(key).toString('hex').toUpperCase()],
];

/** Whether the key can be decoded from a text, except its first and last three characters, which base64 joins with others. */
function containsKey(text: string, key: string): boolean {
  const decoders: readonly ((text: string) => string)[] = [
    (each) => each,
    (each) =>
      each.replaceAll(/%([\da-f]{2})/giu, (_, hex: string) =>
        String.fromCharCode(parseInt(hex, 16)),
      ),
    (each) =>
      each.replaceAll(/\\(?:u00|x)([\da-f]{2})/giu, (_, hex: string) =>
        String.fromCharCode(parseInt(hex, 16)),
      ),
    (each) => each.replaceAll(/\\(.)/gu, '$1'),
    (each) => each.replaceAll('\0', ''),
    (each) => Buffer.from(each, 'base64').toString('latin1'),
    (each) => Buffer.from(each.replaceAll(/[^\da-f]/giu, ''), 'hex').toString('latin1'),
  ];
  const core = key.slice(3, -3);
  return decoders.some(
    (decode) => decode(text).includes(core) || decode(decode(text)).includes(core),
  );
}

for (const key of [KEY, ESCAPED_KEY]) {
  for (const [name, write] of ENCODINGS) {
    test(`proxy masks the key ${key} when the service quotes it ${name}, whole and in pieces`, async (context) => {
      const quoted = write(key);
      assert.ok(containsKey(quoted, key), 'containsKey decodes this encoding');
      const text = `bad key ${quoted} end`;
      for (const size of [text.length, 1, 7]) {
        const { url } = await startRecordingService(context, (_request, response) => {
          response.writeHead(403, { 'content-type': 'text/plain' });
          const writeFrom = (at: number): void => {
            if (at >= text.length) response.end();
            else response.write(text.slice(at, at + size), () => writeFrom(at + size));
          };
          writeFrom(0);
        });
        const proxy = await startProxy(context, url, { apiKey: key });
        const reply = await new DemoApiClient(proxy, { 'x-user': 'ann' }).request(
          'GET',
          '/agent-sessions',
        );
        assert.ok(
          !containsKey(reply.text.slice('bad key '.length, -' end'.length), key),
          reply.text,
        );
        assert.equal(reply.text.length, text.length);
        assert.ok(reply.text.startsWith('bad key ') && reply.text.endsWith(' end'));
      }
    });
  }
}

for (const key of ['the-secret-key%', 'the-secret-key\\', 'the-secret-key%5']) {
  test(`proxy masks the key ${key} at the end of a response, where an escape could begin`, async (context) => {
    const { url } = await startRecordingService(context, (_request, response) => {
      response.writeHead(403, { 'content-type': 'text/plain' });
      response.end(`bad key ${key}`);
    });
    const proxy = await startProxy(context, url, { apiKey: key });
    const reply = await new DemoApiClient(proxy, { 'x-user': 'ann' }).request(
      'GET',
      '/agent-sessions',
    );
    assert.equal(reply.text, `bad key ${'*'.repeat(key.length)}`);
  });
}

test('proxy removes the length of a response without content', async (context) => {
  const headers = await requestHeaders(context, '/agent-sessions', { 'content-length': '5' }, 204);
  assert.equal(headers.get('content-length'), null);
});

test('proxy forwards the length of a response, by which a page shows the progress of a download', async (context) => {
  const headers = await requestHeaders(context, ASSET, { 'content-length': '1' });
  assert.equal(headers.get('content-length'), '1');
});

test('proxy keeps JSON valid when an escaped backslash precedes the quoted key', async (context) => {
  const { url } = await startRecordingService(context, (_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ detail: `C:\\${KEY}` }));
  });
  const client = new DemoApiClient(await startProxy(context, url), { 'x-user': 'ann' });
  const reply = await client.request('GET', '/agent-sessions');
  assert.deepEqual(reply.json, { detail: `C:\\${'*'.repeat(KEY.length)}` });
});

test('proxy forwards text unchanged that only resembles the key', async (context) => {
  const text = `the-secret-kay the-secret- %74%68 ${btoa(KEY).slice(0, 9)} \\u0074 the-secret-ke`;
  const { url } = await startRecordingService(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
  });
  const client = new DemoApiClient(await startProxy(context, url), { 'x-user': 'ann' });
  assert.equal((await client.request('GET', '/agent-sessions')).text, text);
});

test('proxy removes the key from headers of the service', async (context) => {
  // Long enough that its middle is in no other header, such as the time in `date`.
  const digits = '123456789';
  for (const [key, headers] of [
    [KEY, { 'retry-after': KEY }],
    [KEY, { 'retry-after': encodeURIComponent(KEY) }],
    [digits, { 'retry-after': digits }],
    [KEY, { 'content-type': `audio/${KEY}` }],
    [KEY, { 'content-type': `text/plain; charset=${KEY}` }],
    [KEY, { 'content-type': `text/plain; charset=${Buffer.from(KEY).toString('hex')}` }],
  ] as const) {
    const { url } = await startRecordingService(context, (_request, response) => {
      response.writeHead(429, headers).end('x');
    });
    const proxy = await startProxy(context, url, { apiKey: key });
    const reply = await new DemoApiClient(proxy, { 'x-user': 'ann' }).request(
      'GET',
      '/agent-sessions',
    );
    assert.equal(reply.status, 429);
    for (const [name, value] of reply.headers)
      assert.ok(!containsKey(value, key), `${name}: ${value}`);
  }
});

test('proxy forwards Retry-After only as seconds or as an HTTP date', async (context) => {
  for (const [sent, received] of [
    ['7', '7'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    ['soon', null],
    ['-1', null],
    ['1e9', null],
    ['1234567890', null],
    ['7; at http://inside', null],
  ] as const) {
    const headers = await requestHeaders(context, '/agent-sessions', { 'retry-after': sent }, 429);
    assert.equal(headers.get('retry-after'), received, sent);
  }
});

for (const headers of [{ 'content-encoding': 'gzip' }, { 'transfer-encoding': 'gzip, chunked' }]) {
  test(`proxy requests identity encoding and rejects a response with ${JSON.stringify(headers)}`, async (context) => {
    const { url, requests } = await startRecordingService(context, (_request, response) => {
      response.writeHead(200, headers).end(gzipSync(KEY));
    });
    const client = new DemoApiClient(await startProxy(context, url), { 'x-user': 'ann' });
    const reply = await client.request('GET', '/agent-sessions');
    assert.equal(reply.status, 502);
    assert.equal(requests[0]?.headers['accept-encoding'], 'identity');
  });
}
