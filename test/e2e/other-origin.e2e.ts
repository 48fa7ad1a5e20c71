/** The script of a page can come from another origin, such as a CDN; then its lazy files come from there, too. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome } from '../../scripts/browser.mjs';
import { openObservedPage } from '../helpers/observed-page.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';
import { printEvent, startStubService, type StubService } from '../helpers/stub-service.js';

const BUNDLE = new URL('../../dist/bundle/', import.meta.url);
const CHAT = '<ubik-chat base-url="/api"></ubik-chat>';
const ANSWER = '**Forty-two**\n\n```js\nlet a;\n```';
const SCRIPT = 'ubik-elements.min.js';

/** Whether the CDN allows CORS. Without it, browsers load classic scripts from the CDN, but no modules. */
type CorsMode = 'cors' | 'no-cors';

let browser: Browser;
let stub: StubService;
const cdns = new Map<CorsMode, LocalServer>();

/** Serves the folder of the bundle on a separate port. */
async function startCdn(mode: CorsMode): Promise<void> {
  const server = await startLocalServer(async (request, response) => {
    const name = (request.url ?? '').slice(1).split('?', 1)[0] ?? '';
    const body = await readFile(new URL(name, BUNDLE)).catch(() => null);
    response.writeHead(body ? 200 : 404, {
      'content-type': 'text/javascript',
      ...(mode === 'cors' && { 'access-control-allow-origin': '*' }),
    });
    response.end(body);
  });
  cdns.set(mode, server);
}

/** A page whose script comes from another origin, after the HTML in `before`. */
function page(mode: CorsMode, file: string, { before = '', chat = CHAT } = {}): string {
  const type = file.endsWith('.mjs') ? 'type="module"' : 'defer';
  const src = `${cdns.get(mode)?.origin ?? ''}/${file}`;
  return `<!doctype html><link rel="icon" href="data:,">${before}<script ${type} src="${src}"></script>${chat}`;
}

before(async () => {
  browser = await launchChrome();
  await Promise.all([startCdn('cors'), startCdn('no-cors')]);
  const clobber = ['img', 'form'].map((tag) => `<${tag} name="currentScript"></${tag}>`).join('');
  const pages: [string, string][] = [
    ['/classic', page('cors', SCRIPT)],
    ['/module', page('cors', 'ubik-elements.min.mjs')],
    ['/clobbered', page('cors', SCRIPT, { before: clobber })],
    [
      '/bubble',
      page('cors', 'ubik-bubble.min.js', {
        before: clobber,
        chat: CHAT.replace(' ', ' layout="bubble" open '),
      }),
    ],
    ['/refused', page('no-cors', SCRIPT)],
    [
      '/refused-bubble',
      page('no-cors', 'ubik-bubble.min.js?ver=2', {
        chat: CHAT.replace(' ', ' layout="bubble" open '),
      }),
    ],
  ];
  stub = await startStubService({
    files: new Map(pages.map(([path, body]) => [path, { type: 'text/html; charset=utf-8', body }])),
    stream: [
      printEvent('agent_processing_started', { task_id: 't1' }),
      printEvent('agent_processing_complete', { message_id: 'm1', content: ANSWER, result: {} }),
    ],
  });
});

after(async () => {
  await browser.close();
  await stub.close();
  for (const server of cdns.values()) await server.close();
});

/** Opens a page and records thrown errors and the console messages of the chat. */
async function open(path: string): Promise<{ tab: Page; warnings: string[]; errors: string[] }> {
  const { page: tab, warnings, errors } = await openObservedPage(browser);
  await tab.goto(`${stub.url}${path}`);
  return { tab, warnings, errors };
}

/** Sends a message. */
async function ask(tab: Page): Promise<void> {
  const box = await tab.waitForSelector('ubik-chat >>> textarea', { visible: true });
  await box?.focus();
  await tab.keyboard.type('What is it?');
  await tab.keyboard.press('Enter');
}

/** Waits until an element of the chat matches a selector and contains a text. */
const shows = (tab: Page, selector: string, text: string): Promise<unknown> =>
  tab.waitForFunction(
    (wanted, words) => {
      const root = document.querySelector('ubik-chat')?.shadowRoot;
      const roots = [root, ...[...(root?.children ?? [])].map(({ shadowRoot }) => shadowRoot)];
      return roots.some((one) => one?.querySelector(wanted)?.textContent.includes(words));
    },
    {},
    selector,
    text,
  );

for (const [path, how] of [
  ['/classic', 'as a classic script without crossorigin'],
  ['/module', 'as a module'],
  ['/clobbered', 'with elements of the page named "currentScript"'],
  ['/bubble', 'as a bubble, with elements of the page named "currentScript"'],
] as const) {
  test(`script of another origin loads its lazy files from there ${how}`, async () => {
    const { tab, warnings, errors } = await open(path);
    await ask(tab);
    await shows(tab, '.message.assistant strong', 'Forty-two');
    await shows(tab, '.ubik-hl-keyword', 'let');
    assert.deepEqual([warnings, errors], [[], []]);
    await tab.close();
  });
}

test('lazy file that cannot be loaded is reported once in the console, and the user is not told to check the network', async () => {
  const { tab, warnings, errors } = await open('/refused');
  await ask(tab);
  await shows(tab, '.error-text', 'Part of this chat could not be loaded.');
  await tab.keyboard.press('Enter');
  const text = await tab.evaluate(
    () => document.querySelector('ubik-chat')?.shadowRoot?.textContent,
  );
  assert.doesNotMatch(text ?? '', /network/i);
  // Sending loads the code of runs and of the backend concurrently; the first failure is shown.
  const folder = `${cdns.get('no-cors')?.origin ?? ''}/parts/`;
  const named = ['run-', 'ubik-'].some((file) =>
    warnings.some((warning) => warning.includes(folder + file)),
  );
  assert.ok(named, warnings.join('\n'));
  assert.equal(new Set(warnings).size, warnings.length);
  assert.deepEqual(errors, []);
  await tab.close();
});

test('bubble whose chat cannot be loaded reports the address in the console', async () => {
  const { tab, warnings, errors } = await open('/refused-bubble');
  await shows(tab, '.window', 'could not be loaded');
  const address = `${cdns.get('no-cors')?.origin ?? ''}/ubik-elements.min.mjs`;
  assert.equal(warnings.filter((warning) => warning.includes(address)).length, 1);
  assert.deepEqual(errors, []);
  await tab.close();
});

test('bubble requests the chat with its own query, by which a site distinguishes versions, also when it tries again', async () => {
  const { tab } = await open('/refused-bubble');
  await shows(tab, '.window', 'could not be loaded');
  // A browser does not request a module again that has failed, so each attempt has another address.
  const again = tab.waitForRequest((request) => request.url().endsWith('.mjs?ver=2&2'));
  await (await tab.waitForSelector('ubik-chat >>> .launcher'))?.click();
  await again;
  const urls = cdns.get('no-cors')?.requests.map(({ url }) => url) ?? [];
  assert.ok(urls.includes('/ubik-elements.min.mjs?ver=2'));
  await tab.close();
});
