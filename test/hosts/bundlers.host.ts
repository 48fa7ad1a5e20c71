/** One page built with each bundler, and one without a bundler: the package with its lazy-loaded files. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import type { StubService } from '../helpers/stub-service.js';
import {
  ANSWER_STREAM,
  ask,
  HOSTS_FOLDER,
  launchBrowser,
  openHost,
  readFiles,
  startSite,
  TOOL_STREAM,
  waitForContent,
  waitForText,
} from './host-site.js';

const BUNDLERS = ['vite', 'webpack', 'rollup', 'esbuild', 'parcel', 'import-map'];

let browser: Browser;
let site: StubService;

before(async () => {
  browser = await launchBrowser();
  site = await startSite(readFiles(join(HOSTS_FOLDER, 'bundlers/dist')));
});

after(async () => {
  await browser.close();
  await site.close();
});

test('the pages are built without marked and dompurify, which are optional', () => {
  const optional = ['marked', 'dompurify'];
  const folder = join(HOSTS_FOLDER, 'bundlers/node_modules');
  assert.deepEqual(
    optional.filter((name) => existsSync(join(folder, name))),
    [],
  );
});

for (const bundler of BUNDLERS) {
  test(`the package shows an answer with highlighted code in a page built with ${bundler}`, async () => {
    const { page, warnings, errors } = await openHost(browser, `${site.url}/${bundler}/`);
    await ask(page, 'What is it?');
    await waitForContent(page, '.message strong', 'forty-two');
    // The highlighter is an optional part, which is loaded with the first code block.
    await waitForContent(page, '.message pre span', 'let');
    assert.deepEqual([warnings, errors], [[], []]);
    await page.close();
  });
}

for (const bundler of BUNDLERS) {
  test(`a renderer with Lit shows a call of a tool in a page built with ${bundler}`, async () => {
    site.setResponses({ stream: TOOL_STREAM });
    try {
      const { page, warnings, errors } = await openHost(browser, `${site.url}/${bundler}/`);
      await ask(page, 'How is the weather?');
      await waitForText(page, 'ubik-chat .weather', 'Vienna: done');
      assert.deepEqual([warnings, errors], [[], []]);
      await page.close();
    } finally {
      site.setResponses({ stream: ANSWER_STREAM });
    }
  });
}
