import { after, afterEach, before } from 'node:test';
import { startNetworkProxy, type NetworkProxy } from './network-proxy.js';
import { closeBrowser, openChat, type ChatPage, type Prepare } from './chat-page.js';
import { startDemo, type DemoProcess } from './demo-process.js';
import type { BrowserContext } from 'puppeteer-core';

/** What an end-to-end test works with: one server for the file, a cable to it, pages that are closed after each test. */
export interface Stage {
  readonly demo: DemoProcess;
  readonly cable: NetworkProxy;
  /** Opens the chat through the cable. Without a visitor it is somebody new. `prepare` is given the empty tab. */
  open(visitor?: BrowserContext, prepare?: Prepare): Promise<ChatPage>;
}

/** Starts server and cable before the tests of a file, and gives everything back after them. */
export function setupStage(env: NodeJS.ProcessEnv = {}): () => Stage {
  let stage: Stage | null = null;
  let pages: ChatPage[] = [];
  before(async () => {
    const demo = await startDemo(env);
    const cable = await startNetworkProxy(demo.url);
    const open = async (visitor?: BrowserContext, prepare?: Prepare): Promise<ChatPage> => {
      const page = await openChat(cable.url, visitor, prepare);
      pages.push(page);
      return page;
    };
    stage = { demo, cable, open };
  });
  afterEach(async () => {
    for (const page of pages) await page.close();
    pages = [];
    stage?.cable.reconnect();
    await stage?.demo.control({ reset: true });
  });
  after(async () => {
    await closeBrowser();
    await stage?.cable.close();
    await stage?.demo.close();
  });
  return () => {
    if (!stage) throw new Error('The stage is there only inside a test.');
    return stage;
  };
}
