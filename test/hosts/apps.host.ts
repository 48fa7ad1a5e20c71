/** The apps in `integrations/`, built in production mode from the packed package. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { findFreePort } from '../e2e/demo-process.js';
import type { StubService } from '../helpers/stub-service.js';
import {
  ANSWER_STREAM,
  ask,
  hosts,
  HOSTS_FOLDER,
  launchBrowser,
  openHost,
  readFiles,
  readOutput,
  REQUEST_STREAM,
  startSite,
  STORED_MESSAGES,
  TOOL_STREAM,
  waitForContent,
  waitForText,
} from './host-site.js';

interface App {
  readonly name: string;
  /** Folder in `.cache/hosts`. */
  readonly folder: string;
  /** Query of the URL. */
  readonly query: string;
  /** The file with the label of the button that shows and hides the chat, in an app with the development server of Vite. */
  readonly source?: string;
}

const APPS: readonly App[] = [
  { name: 'React', folder: 'react', query: '', source: 'src/app.tsx' },
  { name: 'Vue', folder: 'vue', query: '', source: 'src/AssistantPage.vue' },
  { name: 'Svelte', folder: 'svelte', query: '', source: 'src/App.svelte' },
  { name: 'Angular without zones', folder: 'angular', query: '' },
  { name: 'Angular with zones', folder: 'angular', query: '?zones' },
];

let browser: Browser;

/** Runs in the page. */
const countQuestions = (): number | undefined =>
  document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('[part~=question]').length;

/**
 * Replaces a file by a longer text in one write. `writeFile` empties it first: a development server that reads it before the text is written
 * builds an empty module, and ignores the second change because it follows within 50 ms.
 */
async function overwrite(file: string, text: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(text, 0);
  } finally {
    await handle.close();
  }
}

/** Starts the development server of an app, which forwards requests to the service. */
async function startVite(
  cwd: string,
  service: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const proxy = { '/api': service, '/agent-token': service };
  const server = JSON.stringify({ host: '127.0.0.1', port: await findFreePort(), proxy });
  const start = `import { createServer } from 'vite';
    const vite = await createServer({ server: ${server} });
    await vite.listen();
    vite.printUrls();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', start], {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await readOutput(child, /http:\/\/127\.0\.0\.1:\d+/);
  return {
    url,
    stop: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}

before(async () => {
  browser = await launchBrowser();
});

after(() => browser.close());

for (const { name, folder, query, source } of APPS.filter((app) => hosts.includes(app.folder))) {
  describe(`${name} app`, () => {
    let site: StubService;

    const sentMessages = (): number =>
      site.requests.filter((request) => /^POST \S+\/messages$/.test(request)).length;
    const loadedThreads = (): number =>
      site.requests.filter((request) => /^GET \S+\/messages(?:\?|$)/.test(request)).length;

    before(async () => {
      site = await startSite(readFiles(join(HOSTS_FOLDER, folder, 'dist')));
    });

    afterEach(async () => {
      site.setResponses({ stream: ANSWER_STREAM, messages: [] });
      for (const page of await browser.pages()) {
        if (page.url().startsWith(site.url)) await page.close();
      }
    });

    after(() => site.close());

    test('shows an answer, and receives events with their details', async () => {
      const { page, warnings, errors } = await openHost(browser, `${site.url}/${query}`);
      await ask(page, 'What is it?');
      await waitForContent(page, '.message strong', 'forty-two');
      await waitForText(page, '#sent', 'What is it?');
      await waitForText(page, '#state', 'complete');
      assert.deepEqual([warnings, errors], [[], []]);
    });

    test('shows an answer in the component that the guide to its framework documents, with the token of the app', async () => {
      const url = `${site.url}/${query}${query === '' ? '?' : '&'}guide`;
      const { page, warnings, errors } = await openHost(browser, url);
      await ask(page, 'What is it?');
      await waitForContent(page, '.message strong', 'forty-two');
      assert.equal(
        await page.evaluate(() => document.querySelector('ubik-chat')?.userKey),
        'user-1',
      );
      assert.ok(site.requests.includes('POST /agent-token'));
      assert.deepEqual([warnings, errors], [[], []]);
    });

    if (folder !== 'angular') {
      test('shows a call of a tool with a component of the app', async () => {
        site.setResponses({ stream: TOOL_STREAM });
        const { page, warnings, errors } = await openHost(browser, `${site.url}/${query}`);
        await ask(page, 'How is the weather?');
        await waitForText(page, 'ubik-chat .weather', 'Vienna: done');
        assert.deepEqual([warnings, errors], [[], []]);
      });
    }

    test('answers a request of the agent in its own form', async () => {
      site.setResponses({ stream: REQUEST_STREAM });
      const { page, errors } = await openHost(browser, `${site.url}/${query}`);
      await ask(page, 'Subscribe me');
      const field = await page.waitForSelector('#request input');
      await waitForText(page, '#state', 'waiting');
      assert.equal(
        await page.evaluate(() =>
          Boolean(
            document
              .querySelector('ubik-chat')
              ?.shadowRoot?.querySelector('[part~=request] :is(input, textarea)'),
          ),
        ),
        false,
        'The chat shows its form too.',
      );
      site.setResponses({ stream: ANSWER_STREAM });
      const sentBefore = sentMessages();
      await field?.type('ada@example.com');
      await page.keyboard.press('Enter');
      await waitForText(page, '#state', 'complete');
      assert.equal(sentMessages(), sentBefore + 1);
      assert.equal(await page.$('#request'), null);
      assert.deepEqual(errors, []);
    });

    test('writes the thread into its URL and opens it after a reload', async () => {
      const { page } = await openHost(browser, `${site.url}/${query}`);
      await ask(page, 'What is it?');
      await page.waitForFunction(() => location.hash === '#/threads/s1');
      await waitForText(page, '#state', 'complete');
      site.setResponses({ messages: STORED_MESSAGES });
      await page.reload();
      await waitForContent(page, '.message', 'A stored answer.');
    });

    test('shows the same chat after it was removed and added again, without another request', async () => {
      const { page, errors } = await openHost(browser, `${site.url}/${query}`);
      await ask(page, 'What is it?');
      await waitForText(page, '#state', 'complete');
      const requestsBefore = [sentMessages(), loadedThreads()];
      await page.click('#toggle');
      await page.waitForFunction(() => !document.querySelector('ubik-chat'));
      await page.click('#toggle');
      await waitForContent(page, '.message strong', 'forty-two');
      assert.equal(await page.evaluate(countQuestions), 1);
      assert.deepEqual([sentMessages(), loadedThreads()], requestsBefore);
      assert.deepEqual(errors, []);
    });

    if (source !== undefined) {
      test('shows the same chat after a hot reload of the component around it', async () => {
        const file = join(HOSTS_FOLDER, folder, source);
        const before = await readFile(file, 'utf8');
        const vite = await startVite(join(HOSTS_FOLDER, folder), site.url);
        try {
          const { page, errors } = await openHost(browser, vite.url);
          await ask(page, 'What is it?');
          await waitForText(page, '#state', 'complete');
          await waitForText(page, '#toggle', 'Hide chat');
          const requestsBefore = [sentMessages(), loadedThreads()];
          await page.evaluate(() => document.documentElement.setAttribute('data-kept', ''));
          await overwrite(file, before.replace('Hide chat', 'Hide the chat'));
          await waitForText(page, '#toggle', 'Hide the chat');
          assert.ok(await page.$('[data-kept]'), 'The page was loaded again.');
          await waitForContent(page, '.message strong', 'forty-two');
          assert.equal(await page.evaluate(countQuestions), 1);
          assert.deepEqual([sentMessages(), loadedThreads()], requestsBefore);
          assert.deepEqual(errors, []);
          await page.close();
        } finally {
          await writeFile(file, before);
          await vite.stop();
        }
      });
    }

    if (folder === 'vue') {
      test('shows the same chat after <KeepAlive> has deactivated and activated it', async () => {
        const { page, errors } = await openHost(browser, `${site.url}/${query}`);
        await ask(page, 'What is it?');
        await waitForText(page, '#state', 'complete');
        const requestsBefore = [sentMessages(), loadedThreads()];
        await page.click('#to-about');
        await page.waitForSelector('#about');
        await page.click('#to-assistant');
        await waitForContent(page, '.message strong', 'forty-two');
        assert.deepEqual([sentMessages(), loadedThreads()], requestsBefore);
        assert.deepEqual(errors, []);
      });
    }
  });
}
