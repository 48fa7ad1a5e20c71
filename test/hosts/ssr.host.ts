/** Apps that a server renders: the chat, and a transcript that the element replaces. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { findFreePort } from '../e2e/demo-process.js';
import { startStubService, type StubService } from '../helpers/stub-service.js';
import {
  ANSWER_STREAM,
  ask,
  CORS,
  hosts,
  HOSTS_FOLDER,
  launchBrowser,
  openHost,
  readOutput,
  STORED_MESSAGES,
  waitForContent,
} from './host-site.js';

interface ServerApp {
  readonly name: string;
  /** Folder in `.cache/hosts`. */
  readonly folder: string;
  /** Arguments of Node that start the server. */
  readonly command: readonly string[];
  /** Printed when the server accepts requests. */
  readonly ready: RegExp;
}

const APPS: readonly ServerApp[] = [
  {
    name: 'Next',
    folder: 'next',
    command: ['node_modules/next/dist/bin/next', 'start'],
    ready: /Ready in/,
  },
  { name: 'SvelteKit', folder: 'sveltekit', command: ['build'], ready: /Listening on/ },
];

let browser: Browser;
let stub: StubService;

before(async () => {
  browser = await launchBrowser();
  stub = await startStubService({
    files: new Map(),
    stream: ANSWER_STREAM,
    messages: STORED_MESSAGES,
    headers: CORS,
  });
});

after(async () => {
  await browser.close();
  await stub.close();
});

/** Starts the server of an app and waits until it accepts requests. Fails with its output when it ends before. */
async function startServer(app: ServerApp): Promise<{ server: ChildProcess; url: string }> {
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, app.command, {
    cwd: join(HOSTS_FOLDER, app.folder),
    env: {
      ...process.env,
      ...{ PORT: port, HOST: '127.0.0.1', HOSTNAME: '127.0.0.1', ORIGIN: url },
      ...{ SERVICE_URL: stub.url, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await readOutput(server, app.ready);
  return { server, url };
}

for (const app of APPS.filter(({ folder }) => hosts.includes(folder))) {
  describe(`${app.name} app`, () => {
    let server: ChildProcess;
    let url: string;

    before(async () => {
      ({ server, url } = await startServer(app));
    });

    after(async () => {
      server.removeAllListeners('exit');
      server.kill();
      await once(server, 'close');
    });

    test('renders the chat on the server, without functions as attributes', async () => {
      const html = await (await fetch(url)).text();
      assert.match(html, new RegExp(`<ubik-chat[^>]* base-url="${stub.url}/api/v1"`));
      assert.doesNotMatch(/<ubik-chat[^>]*>/.exec(html)?.[0] ?? '', /token/i);
    });

    test('shows an answer in the chat that the server has rendered', async () => {
      const { page, warnings, errors } = await openHost(browser, url);
      await ask(page, 'What is it?');
      await waitForContent(page, '.message strong', 'forty-two');
      assert.deepEqual([warnings, errors], [[], []]);
      await page.close();
    });

    test('renders a transcript on the server, which the element replaces', async () => {
      const html = await (await fetch(`${url}/transcript`)).text();
      assert.match(html, /<ubik-transcript id="conversation"><template shadowrootmode="open">/);
      assert.match(html, /A stored answer\./);
      const { page, warnings, errors } = await openHost(browser, `${url}/transcript`);
      await page.waitForFunction(() => {
        const root = document.querySelector('ubik-transcript')?.shadowRoot;
        return (
          !root?.querySelector('[data-static]') &&
          root?.querySelector('.message.assistant .text')?.textContent.includes('A stored answer.')
        );
      });
      assert.deepEqual([warnings, errors], [[], []]);
      await page.close();
    });
  });
}
