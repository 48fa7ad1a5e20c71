/** The attribute `debug` on real pages: it says what prevents the chat from working, and never shows the token. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { VERSION } from '../../src/elements/define-element.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';
import { startStubService, type StubFile, type StubService } from '../helpers/stub-service.js';
import { defineName } from '../helpers/define-name.js';

const SECRET = 'secret-token-5f3a';

const CHAT = `<ubik-chat debug base-url="BASE?key=${SECRET}#${SECRET}" thread-id="s1"></ubik-chat>`;

const page = (base: string, getToken = `() => '${SECRET}'`, policy = ''): StubFile => ({
  type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': policy },
  body: `<!doctype html><html lang="en"><link rel="icon" href="data:,">
<script defer src="/dist/bundle/ubik-elements.min.js"></script>
${base ? CHAT.replace('BASE', base) : '<ubik-chat debug></ubik-chat>'}
<script>
  navigator.clipboard.writeText = async (text) => { window.copied = text; };
  document.querySelector('ubik-chat').getToken = ${getToken};
</script>`,
});

let browser: Browser;
let stub: StubService;
/** Services on another origin: `/closed` without CORS, `/denied` rejects every token. */
let other: LocalServer;

before(async () => {
  browser = await launchChrome();
  other = await startLocalServer((request, response) => {
    if (request.url?.startsWith('/denied')) {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*, authorization');
    }
    response.writeHead(request.method === 'OPTIONS' ? 204 : 401).end();
  });
  stub = await startStubService({
    files: new Map([
      ['/works', page('/api')],
      ['/closed', page(`${other.origin}/closed`)],
      ['/denied', page(`${other.origin}/denied`)],
      ['/blocked', page(`${other.origin}/denied`, undefined, "connect-src 'none'")],
      ['/throws', page('/api', `() => { throw new Error('${SECRET}'); }`)],
      ['/malformed', page('/api', `() => '${SECRET} ${SECRET}'`)],
    ]),
  });
});

after(async () => {
  await browser.close();
  await stub.close();
  await other.close();
});

/**
 * Opens a page, waits until the panel contains a text, and returns the panel's text and the copied report. Asserts that the token is neither
 * in them nor anywhere else in the chat.
 */
async function open(
  path: string,
  expected: string,
): Promise<{ tab: Page; panel: string; report: string }> {
  const tab = await openPage(browser);
  await defineName(tab);
  await tab.goto(stub.url + path);
  await tab.waitForFunction(
    (text) =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector('.debug')
        ?.textContent.includes(text),
    {},
    expected,
  );
  const button = await tab.waitForSelector('ubik-chat >>> .debug button', { visible: true });
  await button?.evaluate((element) => {
    (element as HTMLElement).click();
  });
  const { panel, report, everything } = await tab.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    return {
      panel: root?.querySelector('.debug')?.textContent ?? '',
      report: (window as unknown as { copied: string }).copied,
      everything: root?.innerHTML ?? '',
    };
  });
  for (const text of [panel, report, everything]) assert.equal(text.includes(SECRET), false, text);
  return { tab, panel, report };
}

test('debug panel reports version, service and an accepted token, and copies its report', async () => {
  const { tab, panel, report } = await open('/works', 'Accepted by the service');
  for (const text of [panel, report]) {
    assert.ok(text.includes(`ubik-elements ${VERSION}`), text);
    assert.ok(text.includes(`${stub.url}/api`), text);
    assert.ok(text.includes('Not needed: same origin'), text);
    assert.ok(text.includes('No problem found'), text);
  }
  await tab.close();
});

test('debug panel reports that the service rejects the token', async () => {
  const { tab, panel } = await open('/denied', 'Rejected by the service');
  assert.match(panel, /unauthorized/);
  await tab.close();
});

test('debug panel reports that the service does not allow the origin', async () => {
  const { tab, panel } = await open('/closed', 'blocked');
  assert.match(panel, /\(CORS\)/);
  await tab.close();
});

test('debug panel reports the directive that forbids requests to the service', async () => {
  const { tab, panel } = await open('/blocked', 'connect-src blocks');
  assert.ok(panel.includes(`connect-src blocks ${other.origin}/denied`), panel);
  await tab.close();
});

for (const path of ['/throws', '/malformed']) {
  test(`debug panel reports that getToken fails, without what it has thrown or returned: ${path}`, async () => {
    const { tab } = await open(path, 'getToken failed');
    await tab.close();
  });
}

test('debug panel is not loaded without the attribute, and is removed with it', async () => {
  const { tab } = await open('/works', 'Accepted by the service');
  await tab.evaluate(async () => {
    const chat = document.querySelector('ubik-chat');
    chat?.removeAttribute('debug');
    await chat?.updateComplete;
  });
  assert.equal(await tab.$('ubik-chat >>> .debug'), null);
  const loaded = await tab.evaluate(
    () =>
      performance.getEntriesByType('resource').filter(({ name }) => /parts\/debug-/.test(name))
        .length,
  );
  assert.equal(loaded, 1);
  await tab.close();
  stub.setResponses({
    files: new Map([
      ['/plain', { ...page('/api'), body: String(page('/api').body).replace(' debug', '') }],
    ]),
  });
  const plain = await openPage(browser);
  await plain.goto(`${stub.url}/plain`);
  await plain.waitForSelector('ubik-chat >>> textarea', { visible: true });
  const files = await plain.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /debug/.test(name)),
  );
  assert.deepEqual(files, []);
  await plain.close();
});
