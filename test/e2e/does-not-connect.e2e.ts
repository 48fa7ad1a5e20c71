/** A chat whose service cannot be reached explains why: in the console for the developer, and in one sentence for the user. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome } from '../../scripts/browser.mjs';
import { Deferred } from '../helpers/deferred.js';
import { openObservedPage } from '../helpers/observed-page.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';
import { startStubService, type StubFile, type StubService } from '../helpers/stub-service.js';
import { watchEvents } from './watch-page.js';
import { onlyExhaustive } from '../helpers/sample.js';

const SCRIPT = '/dist/bundle/ubik-elements.min.js';
/** Sets the token of the chat before it. */
const SET_TOKEN = `<script>document.currentScript.previousElementSibling.getToken = () => 'secret';</script>`;
const NOT_ALLOWED = 'This page is not allowed to connect to the service.';
const WRONG_SERVICE = 'wasn’t found at this address';
/** The text for an origin that cannot be reached, or that may not allow the page. */
const unreachable = (origin: string): string =>
  `No connection to ${origin}. Either the network is down, or`;
const BUNDLE = new URL('../../dist/bundle/', import.meta.url);

let browser: Browser;
/** The origin of the pages. */
let site: StubService;
/** Another origin, without CORS. It answers diagnoses when `diagnosesReleased` resolves. */
let closed: LocalServer;
let diagnosesReleased = Promise.resolve();
/** Another origin, with CORS for every page. */
let open: LocalServer;
/** Another origin, which redirects. */
let redirecting: LocalServer;
/** Another origin, which allows simple requests but no headers. */
let strict: LocalServer;
/** An address on which no server listens. */
let unusedOrigin: string;
let folder: string;

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': '*',
};

const chat = (baseUrl: string): string =>
  `<ubik-chat base-url="${baseUrl}"></ubik-chat>${SET_TOKEN}`;

function page(baseUrl: string, { before = '', script = SCRIPT } = {}): string {
  return `<!doctype html>${before}<link rel="icon" href="data:,"><script defer src="${script}"></script>${chat(baseUrl)}`;
}

before(async () => {
  // First: if the browser does not start, a server that is already running would keep the process alive.
  browser = await launchChrome();
  closed = await startLocalServer(async ({ method }, response) => {
    if (method === 'GET') await diagnosesReleased;
    response.writeHead(404).end();
  });
  open = await startLocalServer(async ({ url = '' }, response) => {
    const script = /^\/(?:parts\/)?[\w.-]+\.m?js$/.test(url)
      ? await readBuilt(url.slice(1))
      : undefined;
    response.writeHead(script ? 200 : 404, { ...OPEN, 'content-type': 'text/javascript' });
    response.end(script);
  });
  redirecting = await startLocalServer(({ method }, response) => {
    const status = method === 'OPTIONS' ? 204 : 308;
    response.writeHead(status, { ...OPEN, location: `${open.origin}/api` }).end();
  });
  strict = await startLocalServer((_request, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  const gone = await startLocalServer(() => undefined);
  unusedOrigin = gone.origin;
  await gone.close();
  const policy = `<meta http-equiv="Content-Security-Policy" content="connect-src 'self'">`;
  const pages: [string, string][] = [
    ['/wrong-address', page('/nowhere')],
    ['/cors', page(`${closed.origin}/api`)],
    ['/two-chats', page(`${closed.origin}/twice`) + chat(`${closed.origin}/twice`)],
    ['/policy', page(`${open.origin}/api`, { before: policy })],
    ['/deserted', page(unusedOrigin)],
    ['/preflight', page(`${strict.origin}/api`)],
    ['/redirect', page(`${redirecting.origin}/api`)],
  ];
  site = await startStubService({
    files: new Map(
      pages.map(([path, body]): [string, StubFile] => [
        path,
        { type: 'text/html; charset=utf-8', headers: { 'set-cookie': 'who=ann; Path=/' }, body },
      ]),
    ),
  });
  folder = await mkdtemp(join(tmpdir(), 'ubik-file-page-'));
  await cp(BUNDLE, join(folder, 'bundle'), { recursive: true });
  const script = `${open.origin}/ubik-elements.min.js`;
  const files: [string, string][] = [
    ['closed.html', page(`${closed.origin}/file`, { script })],
    ['relative.html', page('/api', { script })],
    ['beside.html', page(`${open.origin}/api`, { script: 'bundle/ubik-elements.min.js' })],
  ];
  for (const [name, body] of files) await writeFile(join(folder, name), body);
});

after(async () => {
  await browser.close();
  for (const server of [closed, open, redirecting, strict, site]) await server.close();
  await rm(folder, { recursive: true });
});

async function readBuilt(name: string): Promise<Uint8Array | undefined> {
  const answer = await fetch(`${site.url}/dist/bundle/${name}`);
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
}

interface Visit {
  readonly tab: Page;
  /** The console messages of the library. */
  readonly warnings: string[];
  /** Uncaught errors. */
  readonly errors: string[];
}

async function visit(address: string): Promise<Visit> {
  const { page: tab, warnings, errors } = await openObservedPage(browser);
  await tab.evaluateOnNewDocument(watchEvents);
  await tab.goto(address);
  return { tab, warnings, errors };
}

const onSite = (path: string): Promise<Visit> => visit(site.url + path);
const onDisk = (name: string): Promise<Visit> => visit(pathToFileURL(join(folder, name)).href);

/** Sends a message and waits until the chat has dispatched `ubik-error` a number of times. */
async function ask({ tab }: Visit, failures = 1): Promise<void> {
  const box = await tab.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
  await box?.focus();
  await tab.keyboard.type('Hello?');
  await tab.keyboard.press('Enter');
  await tab.waitForFunction(
    (wanted) => window.seenEvents.filter(({ type }) => type === 'ubik-error').length >= wanted,
    {},
    failures,
  );
}

/** Waits until all chats of the page show a text. */
const shows = (tab: Page, text: string): Promise<unknown> =>
  tab.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('ubik-chat')].every((chat) =>
        chat.shadowRoot?.textContent.includes(wanted),
      ),
    {},
    text,
  );

/** Returns the codes of the `ubik-error` events so far, each once. */
const codes = (tab: Page): Promise<unknown[]> =>
  tab.evaluate(() => [
    ...new Set(
      window.seenEvents
        .filter(({ type }) => type === 'ubik-error')
        .map(({ detail }) => (detail as { code: string }).code),
    ),
  ]);

/** Returns the only console message that contains a text: the library writes each message once. Asserts that the page threw no errors. */
function findWarning({ warnings, errors }: Visit, text: string): string {
  assert.deepEqual(errors, []);
  const found = warnings.filter((warning) => warning.includes(text));
  assert.equal(found.length, 1, `${text}: ${warnings.join('\n')}`);
  return found[0] ?? '';
}

test('a new chat reports a wrong base URL after a 404, not a missing conversation', async () => {
  const seen = await onSite('/wrong-address');
  await ask(seen);
  await shows(seen.tab, WRONG_SERVICE);
  const text = await seen.tab.evaluate(
    () => document.querySelector('ubik-chat')?.shadowRoot?.textContent,
  );
  assert.doesNotMatch(text ?? '', /doesn’t exist/);
  assert.deepEqual(await codes(seen.tab), ['not-an-api']);
  assert.match(findWarning(seen, `${site.url}/nowhere`), /base URL/);
  await seen.tab.close();
});

test('a service without CORS is distinguished from an unreachable one, by requests without user data', async () => {
  const seen = await onSite('/cors');
  await ask(seen);
  await shows(seen.tab, NOT_ALLOWED);
  await ask(seen, 2);
  assert.deepEqual(await codes(seen.tab), ['blocked']);
  const warning = findWarning(seen, closed.origin);
  assert.ok(warning.includes('CORS') && warning.includes(site.url), warning);
  const requests = closed.requests.filter(({ url }) => url?.startsWith('/api'));
  const probes = requests.filter(({ method }) => method !== 'OPTIONS');
  // Each of the two questions is diagnosed, with two requests, because the network may have changed meanwhile.
  assert.deepEqual(
    probes.map(({ method, url }) => `${method ?? ''} ${url ?? ''}`),
    Array(4).fill('GET /api'),
  );
  for (const { headers } of probes) {
    for (const name of ['authorization', 'cookie', 'content-length', 'referer']) {
      assert.equal(headers[name], undefined, name);
    }
  }
  await seen.tab.close();
});

test(
  'two chats that cannot reach the same service at the same time share one diagnosis',
  onlyExhaustive,
  async () => {
    const seen = await onSite('/two-chats');
    const { tab } = seen;
    await tab.waitForFunction(
      () =>
        [...document.querySelectorAll('ubik-chat')].filter((chat) =>
          chat.shadowRoot?.querySelector('.field textarea'),
        ).length === 2,
    );
    const fields = await tab.$$('ubik-chat >>> .field textarea');
    assert.equal(fields.length, 2);
    for (const field of fields) await field.type('Hello?');
    const failed = { count: 0, second: new Deferred<void>() };
    tab.on('requestfailed', (request) => {
      if (request.method() !== 'POST') return;
      failed.count += 1;
      if (failed.count === 2) failed.second.resolve();
    });
    const release = new Deferred<void>();
    diagnosesReleased = release.promise;
    for (const field of fields) await field.press('Enter');
    try {
      await failed.second.promise;
      // The second chat has handled its failed request when the page runs another task.
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    } finally {
      release.resolve();
    }
    await shows(tab, NOT_ALLOWED);
    const probes = closed.requests.filter(
      ({ method, url }) => method === 'GET' && url?.startsWith('/twice'),
    );
    assert.equal(probes.length, 2);
    findWarning(seen, closed.origin);
    await seen.tab.close();
  },
);

test('a Content-Security-Policy that forbids the service is reported with its directive', async () => {
  const [before, seen] = [open.requests.length, await onSite('/policy')];
  await ask(seen);
  await shows(seen.tab, NOT_ALLOWED);
  assert.deepEqual(await codes(seen.tab), ['blocked']);
  const warning = findWarning(seen, open.origin);
  assert.match(warning, /connect-src/);
  assert.equal(open.requests.length, before);
  await seen.tab.close();
});

test('an address without a server is reported as unreachable', async () => {
  const seen = await onSite('/deserted');
  await ask(seen);
  await shows(seen.tab, unreachable(unusedOrigin));
  assert.deepEqual(await codes(seen.tab), ['network']);
  findWarning(seen, unusedOrigin);
  await seen.tab.close();
});

test('a service that refuses the headers of requests is reported with both possible causes', async () => {
  const seen = await onSite('/preflight');
  await ask(seen);
  await shows(seen.tab, unreachable(strict.origin));
  assert.deepEqual(await codes(seen.tab), ['network']);
  assert.match(findWarning(seen, strict.origin), /CORS.*authorization/);
  await seen.tab.close();
});

test('an address that redirects is reported, and nothing is sent to its target', async () => {
  const seen = await onSite('/redirect');
  const before = open.requests.length;
  await ask(seen);
  await shows(seen.tab, WRONG_SERVICE);
  assert.deepEqual(await codes(seen.tab), ['not-an-api']);
  assert.match(findWarning(seen, redirecting.origin), /redirect/);
  for (const { method, headers } of open.requests.slice(before)) {
    assert.deepEqual(
      [method, headers.authorization, headers.cookie],
      ['GET', undefined, undefined],
    );
  }
  await seen.tab.close();
});

test('page that is opened as a file reports that the service does not allow its origin', async () => {
  const seen = await onDisk('closed.html');
  await ask(seen);
  await shows(seen.tab, NOT_ALLOWED);
  assert.match(findWarning(seen, closed.origin), /opened as a file.*web server/);
  await seen.tab.close();
});

test('page that is opened as a file reports that its base URL needs a host', async () => {
  const seen = await onDisk('relative.html');
  await ask(seen);
  assert.match(findWarning(seen, 'base URL'), /opened as a file.*web server/);
  await seen.tab.close();
});

test(
  'page that is opened as a file with the script beside it reports why its files do not load',
  onlyExhaustive,
  async () => {
    const seen = await onDisk('beside.html');
    const box = await seen.tab.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
    await box?.focus();
    await seen.tab.keyboard.type('Hello?');
    await seen.tab.keyboard.press('Enter');
    await shows(seen.tab, 'Part of this chat could not be loaded.');
    assert.match(seen.warnings.join('\n'), /opened as a file.*web server/);
    await seen.tab.close();
  },
);
