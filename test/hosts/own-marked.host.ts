/** An app that has `marked` and `dompurify` installed, in the lowest versions that the package supports, and lets the chat use them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { printEvent, type StubService } from '../helpers/stub-service.js';
import {
  ask,
  HOSTS_FOLDER,
  launchBrowser,
  openHost,
  readFiles,
  startSite,
  waitForContent,
} from './host-site.js';

/** The stream of an answer with an alert. */
const ALERT_STREAM = [
  printEvent('agent_processing_started', { task_id: 't1' }),
  printEvent('agent_processing_complete', {
    message_id: 'a1',
    content: 'Yes.\n\n> [!NOTE]\n> Mind the **gap**.',
    result: {},
  }),
];

let browser: Browser;
let site: StubService;

before(async () => {
  browser = await launchBrowser();
  site = await startSite(readFiles(join(HOSTS_FOLDER, 'own-marked/dist')));
  site.setResponses({ stream: ALERT_STREAM });
});

after(async () => {
  await browser.close();
  await site.close();
});

for (const bundler of ['vite', 'webpack']) {
  test(`the app's own copies of marked and DOMPurify render an answer in a page built with ${bundler}`, async () => {
    const { page, warnings, errors } = await openHost(browser, `${site.url}/${bundler}/`);
    await ask(page, 'Is it?');
    await waitForContent(page, '.message .markdown-alert strong', 'gap');
    const used = await page.evaluate('[calls.marked > 0, calls.dompurify > 0]');
    assert.deepEqual([used, warnings, errors], [[true, true], [], []]);
    await page.close();
  });
}
