import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { launchChrome } from '../scripts/browser.mjs';
import type { StubFile } from '../test/helpers/stub-service.js';

const PAGES = new URL('../demo/pages/', import.meta.url);
const SCRIPTS = ['token.js', 'services.js', 'demo.js', 'data-agent.js'];

/** Reads the demo page, its style sheet and its scripts except `header.js`, `served.js` and that of the package, for a stub of the service. */
export async function readDemoPages(): Promise<Map<string, StubFile>> {
  const read = (name: string): Promise<string> => readFile(new URL(name, PAGES), 'utf8');
  const readScript = async (name: string): Promise<[string, StubFile]> => [
    `/${name}`,
    { type: 'text/javascript', body: await read(name) },
  ];
  return new Map([
    ['/', { type: 'text/html', body: await read('index.html') }],
    ['/demo.css', { type: 'text/css', body: await read('demo.css') }],
    ...(await Promise.all(SCRIPTS.map(readScript))),
    ['/icon.svg', { type: 'image/svg+xml', body: await read('icon.svg') }],
    [
      '/token',
      { type: 'application/json', body: '{"access_token":"bench","token_type":"bearer"}' },
    ],
  ]);
}

/** Starts a browser with an empty page of the size of a window. The caller has to close `page.browser()`. */
export async function openWindow(): Promise<Page> {
  const browser = await launchChrome();
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 800 });
  return page;
}

/** Opens the demo page in a fresh browser. Resolves when the work after loading has ended, which is not measured. */
export async function openDemoPage(url: string): Promise<Page> {
  const page = await openWindow();
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForSelector('ubik-chat >>> textarea');
  await page.waitForNetworkIdle({ idleTime: 300 });
  return page;
}
