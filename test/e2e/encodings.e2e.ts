/** The scripts in pages that are not in UTF-8: a browser decodes a script whose content type has no charset in the encoding of the page. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';

const ENCODINGS = ['windows-1252', 'shift_jis'];

const page = (script: string, chat: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><script defer src="/dist/bundle/${script}"></script>${chat}`;

const CHAT = page('ubik-elements.min.js', '<ubik-chat base-url="/api" lang="en"></ubik-chat>');
const BUBBLE = page(
  'ubik-bubble.min.js',
  '<ubik-chat layout="bubble" base-url="/api" lang="zh"></ubik-chat>',
);

let browser: Browser;
let server: LocalServer;

before(async () => {
  browser = await launchChrome();
  server = await startLocalServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://local');
    const html = new Map([
      ['/chat', CHAT],
      ['/bubble', BUBBLE],
    ]).get(pathname);
    if (html !== undefined) {
      response.writeHead(200, { 'content-type': `text/html; charset=${search.slice(1)}` });
      response.end(html);
    } else if (pathname.startsWith('/dist/bundle/')) {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end(await readFile(pathname.slice(1)));
    } else {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    }
  });
});

after(async () => {
  await browser.close();
  await server.close();
});

for (const encoding of ENCODINGS) {
  test(`script of the chat has its texts in a page with the encoding ${encoding}`, async () => {
    const tab = await openPage(browser);
    await tab.goto(`${server.origin}/chat?${encoding}`);
    const actual = await tab.evaluate(() => document.characterSet.toLowerCase());
    assert.equal(actual, encoding);
    const field = await tab.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
    assert.equal(await field?.evaluate((node) => node.placeholder), 'Write a message…');
    await tab.close();
  });

  test(`script of the bubble has its texts in a page with the encoding ${encoding}`, async () => {
    const tab = await openPage(browser);
    await tab.goto(`${server.origin}/bubble?${encoding}`);
    const launcher = await tab.waitForSelector('ubik-chat >>> .launcher', { visible: true });
    assert.match((await launcher?.evaluate((node) => node.outerHTML)) ?? '', /打开聊天/u);
    await tab.close();
  });
}
