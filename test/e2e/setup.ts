import { after, afterEach, before } from 'node:test';
import { startNetworkProxy, type NetworkProxy } from './network-proxy.js';
import { closeBrowser, openChat, type ChatPage, type Prepare } from './chat-page.js';
import { startDemo, type DemoProcess } from './demo-process.js';
import type { BrowserContext } from 'puppeteer-core';

/** The fixture of end-to-end tests: one server per file, a proxy to it, and pages that are closed after each test. */
export interface E2eFixture {
  readonly demo: DemoProcess;
  readonly proxy: NetworkProxy;
  /** Opens the chat through the proxy, by default for a new visitor. `prepare` receives the empty tab. */
  open(visitor?: BrowserContext, prepare?: Prepare): Promise<ChatPage>;
}

/** Starts server and proxy before the tests of a file, and stops them afterwards. */
export function setupDemo(env: NodeJS.ProcessEnv = {}): () => E2eFixture {
  let fixture: E2eFixture | null = null;
  let pages: ChatPage[] = [];
  before(async () => {
    const demo = await startDemo(env);
    const proxy = await startNetworkProxy(demo.url);
    const open = async (visitor?: BrowserContext, prepare?: Prepare): Promise<ChatPage> => {
      const page = await openChat(proxy.url, visitor, prepare);
      pages.push(page);
      return page;
    };
    fixture = { demo, proxy: proxy, open };
  });
  afterEach(async () => {
    const open = pages;
    pages = [];
    try {
      // Rejects if the browser has crashed.
      for (const page of open) await page.close();
    } finally {
      fixture?.proxy.reconnect();
      await fixture?.demo.control({ reset: true });
    }
  });
  after(async () => {
    try {
      await closeBrowser();
    } finally {
      await fixture?.proxy.close();
      await fixture?.demo.close();
    }
  });
  return () => {
    if (!fixture) throw new Error('The demo runs only inside a test.');
    return fixture;
  };
}
