/** Several chats in one page, each with a separate `getToken` function, as an app renders them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openPage } from '../../scripts/browser.mjs';
import type { StreamController, UbikChat } from '../../src/index.js';
import { openVisitor } from './chat-page.js';
import { setupDemo } from './setup.js';
import { defineName } from '../helpers/define-name.js';

const getFixture = setupDemo();
const QUESTIONS = [
  'Which countries does the Danube flow through?',
  'Which countries does the Rhine flow through?',
] as const;

/** Opens a page of the demo's origin with these chats, each with a separate `getToken` function. */
async function openPageOf(chats: string): Promise<Page> {
  const visitor = await openVisitor();
  const page = await openPage(visitor);
  await defineName(page);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/several.html') return void request.continue();
    void request.respond({
      contentType: 'text/html',
      body: `<!doctype html><link rel="icon" href="data:,">
<script defer src="/dist/bundle/ubik-elements.min.js"></script>
${chats}
<script type="module">
  for (const chat of document.querySelectorAll('ubik-chat')) {
    chat.userKey = 'visitor';
    chat.getToken = async () => {
      const response = await fetch('/token', { method: 'POST' });
      return (await response.json()).access_token;
    };
  }
</script>`,
    });
  });
  await page.goto(`${getFixture().proxy.url}/several.html`);
  return page;
}

/** Returns the messages that a chat shows, once they contain a text. */
async function shows(page: Page, at: number, text: string): Promise<string> {
  const shown = await page.waitForFunction(
    (index, wanted) => {
      const chat = document.querySelectorAll('ubik-chat')[index]?.shadowRoot;
      const all = chat?.querySelector('.scroller')?.textContent ?? '';
      return all.includes(wanted) && all;
    },
    {},
    at,
    text,
  );
  return shown.jsonValue() as Promise<string>;
}

/** Sends a message in one chat, once it shows no run in progress, and waits until the run has ended. */
async function ask(page: Page, at: number, text: string): Promise<void> {
  await waitUntilIdle(page, at);
  const isSent = await page.evaluate(
    (index, question) => document.querySelectorAll('ubik-chat')[index]?.send(question) ?? false,
    at,
    text,
  );
  assert.ok(isSent, `"${text}" was not sent.`);
  await waitUntilIdle(page, at);
}

/** Waits until a chat shows no run in progress. */
async function waitUntilIdle(page: Page, at: number): Promise<void> {
  await page.waitForFunction(
    (index) => {
      const chat = document.querySelectorAll('ubik-chat')[index];
      let controller: StreamController | undefined;
      // The context protocol, with which elements inside a chat request its controller.
      const request = Object.assign(new Event('context-request', { cancelable: true }), {
        context: 'ubik-controller',
        callback: (provided: StreamController) => (controller = provided),
      });
      chat?.dispatchEvent(request);
      const { thread } = controller ?? {};
      return !thread || ['idle', 'complete'].includes(thread.run.state);
    },
    {},
    at,
  );
}

const threadsOf = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('ubik-chat')].map((chat) => chat.currentThreadId),
  );

const BASE = 'base-url="/api/v1" style="height: 20rem"';

test('two chats without an id each show their conversation after a reload', async () => {
  const page = await openPageOf(`<ubik-chat ${BASE}></ubik-chat><ubik-chat ${BASE}></ubik-chat>`);
  for (const at of [0, 1] as const) await ask(page, at, QUESTIONS[at]);
  const before = await threadsOf(page);
  assert.notEqual(before[0], before[1]);
  await page.reload();
  for (const at of [0, 1] as const) {
    const shown = await shows(page, at, QUESTIONS[at]);
    assert.ok(!shown.includes(QUESTIONS[1 - at] ?? ''));
  }
  assert.deepEqual(await threadsOf(page), before);
});

test('two chats of one user that show one thread stay in sync, however they opened it', async () => {
  const page = await openPageOf(
    `<ubik-chat id="left" ${BASE}></ubik-chat><ubik-chat id="right" ${BASE}></ubik-chat>`,
  );
  await ask(page, 0, QUESTIONS[0]);
  const [thread] = await threadsOf(page);
  await page.evaluate(
    (id) => document.querySelector<UbikChat>('#right')?.openThread(id),
    thread ?? '',
  );
  await ask(page, 0, QUESTIONS[1]);
  await shows(page, 1, QUESTIONS[1]);
  await ask(page, 1, 'Which countries does the Elbe flow through?');
  await shows(page, 0, 'Which countries does the Elbe flow through?');
  assert.deepEqual(await threadsOf(page), [thread, thread]);
});
