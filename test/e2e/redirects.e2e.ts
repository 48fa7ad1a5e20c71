/** No data follows a redirect: every kind of request with every kind of redirect, in a real browser. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import type { UbikError } from '../../src/errors.js';
import type { createEnvironment } from '../../src/transport/environment.js';
import type { createHttpClient } from '../../src/transport/http.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';

declare global {
  interface Window {
    /** The code of the package under test. */
    network: {
      readonly createEnvironment: typeof createEnvironment;
      readonly createHttpClient: typeof createHttpClient;
    };
  }
}

const STATUSES = [301, 302, 303, 307, 308];
const KINDS = ['upload', 'json', 'request'] as const;
const SECRET = 'secret-of-the-host';

let browser: Browser;
let page: Page;
let service: LocalServer;
let foreign: LocalServer;

/** Allows every origin, as an attacker would, so that only the client can prevent a request. */
function answerOpenly(response: ServerResponse): void {
  response.writeHead(200, {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*, authorization, x-host',
    'access-control-allow-methods': '*',
    'content-type': 'application/json',
  });
  response.end('{"id":"landed"}');
}

async function bundleNetwork(): Promise<string> {
  const contents = [
    "export { createEnvironment } from './src/transport/environment.js';",
    "export { createHttpClient } from './src/transport/http.js';",
  ].join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL('../../', import.meta.url).pathname },
    ...({ bundle: true, write: false, format: 'iife', globalName: 'network' } as const),
  });
  return outputFiles[0]?.text ?? '';
}

before(async () => {
  // First: if the browser does not start, a server that is already running would keep the process alive.
  browser = await launchChrome();
  foreign = await startLocalServer((_request, response) => {
    answerOpenly(response);
  });
  const script = await bundleNetwork();
  service = await startLocalServer((request, response) => {
    const [, status, target] = /^\/redirect\/(\d+)\/(own|foreign)$/.exec(request.url ?? '') ?? [];
    if (status && target) {
      const location = `${target === 'own' ? '' : foreign.origin}/landed`;
      response.writeHead(Number(status), { location }).end();
    } else if (request.url === '/page') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><link rel="icon" href="data:,"><script>${script}</script>`);
    } else answerOpenly(response);
  });
  page = await openPage(browser);
  await page.goto(`${service.origin}/page`);
});

after(async () => {
  await browser.close();
  await service.close();
  await foreign.close();
});

/** Sends a request of a kind. Resolves to the response as JSON, or to the error code. */
function send(kind: (typeof KINDS)[number], path: string): Promise<string> {
  return page.evaluate(
    async (how, where, secret) => {
      const { createEnvironment: environmentOf, createHttpClient: clientOf } = window.network;
      const client = clientOf({
        environment: environmentOf(),
        baseUrl: '/',
        getToken: () => secret,
        headers: { 'x-host': secret },
      });
      const form = new FormData();
      form.set('file', new Blob([secret.repeat(10_000)]), 'secret.txt');
      const call = { method: 'POST', path: where } as const;
      try {
        if (how === 'upload') {
          return JSON.stringify(await client.upload({ ...call, form }, () => undefined));
        }
        if (how === 'json') return JSON.stringify(await client.json({ ...call, json: { secret } }));
        return await (await client.request({ method: 'GET', path: where })).text();
      } catch (error) {
        return (error as UbikError).code;
      }
    },
    kind,
    path,
    SECRET,
  );
}

for (const kind of KINDS) {
  for (const status of STATUSES) {
    for (const target of ['own', 'foreign'] as const) {
      test(`${kind} is not sent to the target of a redirect (${String(status)}, ${target} origin)`, async () => {
        const [before, foreignBefore] = [service.requests.length, foreign.requests.length];
        assert.equal(await send(kind, `/redirect/${String(status)}/${target}`), 'network');
        // The response to a later request arrives after any request that the redirect has caused.
        assert.equal(await send('request', '/after'), '{"id":"landed"}');
        const sent = service.requests.slice(before);
        // The requests that diagnose the failure contain no user data.
        const probes = sent.filter(({ url }) => url === '/');
        for (const { method, headers } of probes) {
          const data = [headers.authorization, headers['x-host'], headers['content-length']];
          assert.deepEqual([method, ...data], ['GET', undefined, undefined, undefined]);
        }
        const others = sent.filter((request) => !probes.includes(request)).map(({ url }) => url);
        assert.deepEqual(others, [`/redirect/${String(status)}/${target}`, '/after']);
        assert.equal(foreign.requests.length, foreignBefore);
      });
    }
  }
}

test('upload reaches a server that does not redirect, complete and with its headers', async () => {
  assert.equal(await send('upload', '/up'), '{"id":"landed"}');
  const { headers } = service.requests.at(-1) ?? assert.fail('nothing was sent');
  assert.deepEqual([headers['x-host'], headers.authorization], [SECRET, `Bearer ${SECRET}`]);
  assert.ok(Number(headers['content-length']) > SECRET.length * 10_000);
});
