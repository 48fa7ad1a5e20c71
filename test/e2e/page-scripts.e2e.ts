/** A page may set `getToken` in a script at any position of the document: the chat sends no request before that script has run. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';
import { startStubService, type StubService } from '../helpers/stub-service.js';
import { watchEvents } from './watch-page.js';
import { defineName } from '../helpers/define-name.js';

const CLASSIC = '<script defer src="/dist/bundle/ubik-elements.min.js"></script>';
const MODULE = '<script type="module" src="/dist/bundle/ubik-elements.min.mjs"></script>';
const SET_TOKEN = `document.querySelector('ubik-chat').getToken = () => 'secret';`;
const SET_TOKEN_LATE = `<script type="module">import '/held.js'; ${SET_TOKEN}</script>`;
const CHAT =
  '<ubik-chat base-url="/api" thread-id="s1"><ubik-thread-list slot="start"></ubik-thread-list></ubik-chat>';

const pages = new Map([
  ['/module-setup', `${CLASSIC}${CHAT}<script type="module">${SET_TOKEN}</script>`],
  ['/module-first', `${MODULE}${CHAT}<script type="module">${SET_TOKEN}</script>`],
  ['/module-last', `${CHAT}<script type="module">${SET_TOKEN}</script>${MODULE}`],
  ['/classic-last', `${CHAT}<script>${SET_TOKEN}</script>${CLASSIC}`],
  ['/slow', `${CLASSIC}${CHAT}${SET_TOKEN_LATE}`],
  [
    '/token-first',
    `${CLASSIC}${CHAT}<script>${SET_TOKEN}</script><script type="module" src="/held.js"></script>`,
  ],
  ['/cookies', `${CLASSIC}${CHAT.replace('/api', '/open-api')}`],
]);

let browser: Browser;
let stub: StubService;
let server: LocalServer;
/** The requests to the service, and whether they had the token. */
let requests: { path: string; hasToken: boolean }[] = [];
/** Sends the response for the script `/held.js`. */
let release: () => void;
let held: Promise<void>;

/** Withholds the response for `/held.js` until `release`, and forgets the recorded requests. */
const hold = (): void => {
  requests = [];
  held = new Promise((resolve) => (release = resolve));
};

before(async () => {
  hold();
  browser = await launchChrome();
  stub = await startStubService({ files: new Map() });
  // A service that rejects requests without a token, except below /open-api/.
  server = await startLocalServer(async (request, response) => {
    const { url: path = '/', headers } = request;
    const send = (status: number, type: string, body: string | Uint8Array): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const page = pages.get(path);
    if (page) {
      send(
        200,
        'text/html; charset=utf-8',
        `<!doctype html><link rel="icon" href="data:,">${page}`,
      );
      return;
    }
    if (path === '/held.js') {
      await held;
      send(200, 'text/javascript', '');
      return;
    }
    const isApi = /^\/(?:open-)?api\//.test(path);
    const hasToken = headers.authorization === 'Bearer secret';
    if (isApi) requests.push({ path, hasToken });
    if (path.startsWith('/api/') && !hasToken) send(401, 'application/json', '{"detail":"Who?"}');
    else {
      const answer = await fetch(stub.url + path.replace('/open-api/', '/api/'));
      const type = answer.headers.get('content-type') ?? 'text/plain';
      send(answer.status, type, new Uint8Array(await answer.arrayBuffer()));
    }
  });
});

afterEach(hold);

after(async () => {
  await browser.close();
  await server.close();
  await stub.close();
});

async function open(path: string): Promise<Page> {
  const page = await openPage(browser);
  await defineName(page);
  await page.evaluateOnNewDocument(watchEvents);
  // A script without a response delays the `load` event of the page.
  void page.goto(server.origin + path).catch(() => undefined);
  await page.waitForFunction(
    () =>
      document.readyState !== 'loading' && 'seenEvents' in window && location.protocol === 'http:',
  );
  return page;
}

/** Waits until the thread of the page was loaded, or failed to load. */
const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() =>
    window.seenEvents.some(({ type }) => /^ubik-(?:thread-opened|error|auth-required)$/.test(type)),
  );

const failures = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    window.seenEvents
      .map(({ type }) => type)
      .filter((type) => /^ubik-(?:error|auth-required|diagnostic)$/.test(type)),
  );

const SCRIPTED = ['/module-setup', '/module-first', '/module-last', '/classic-last'] as const;

for (const path of SCRIPTED) {
  test(`page that sets getToken in a separate script sends no request without a token: ${path}`, async () => {
    const page = await open(path);
    await settled(page);
    assert.deepEqual(await failures(page), []);
    assert.ok(requests.length > 0);
    assert.deepEqual(
      requests.filter(({ hasToken }) => !hasToken),
      [],
    );
    await page.close();
  });
}

test('chat waits for a slow module script, and then executes the calls that were made meanwhile', async () => {
  const page = await open('/slow');
  await page.waitForFunction(() =>
    document.querySelector('ubik-chat')?.shadowRoot?.querySelector('textarea'),
  );
  const opened = page.evaluate(async () => {
    const chat = document.querySelector('ubik-chat') as unknown as {
      openThread(id: string): Promise<void>;
      currentThreadId: string | null;
    };
    await chat.openThread('s1');
    return chat.currentThreadId;
  });
  assert.deepEqual(requests, []);
  release();
  assert.equal(await opened, 's1');
  assert.deepEqual(await failures(page), []);
  assert.ok(requests.length > 0 && requests.every(({ hasToken }) => hasToken));
  await page.close();
});

test('chat with getToken does not wait for the other scripts of the page', async () => {
  const page = await open('/token-first');
  await settled(page);
  assert.equal(await page.evaluate(() => document.readyState), 'interactive');
  assert.deepEqual(await failures(page), []);
  release();
  await page.close();
});

test('chat of a page that never sets getToken sends its requests without a token', async () => {
  const page = await open('/cookies');
  await settled(page);
  assert.deepEqual(await failures(page), []);
  assert.ok(requests.length > 0);
  assert.ok(requests.every(({ hasToken }) => !hasToken));
  await page.close();
});
