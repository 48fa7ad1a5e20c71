import type { BrowserContext, ElementHandle, HTTPRequest, Page } from 'puppeteer-core';
import { openPage } from '../../scripts/browser.mjs';
import { openChat } from '../e2e/chat-page.js';
import { startDemo, type DemoProcess } from '../e2e/demo-process.js';
import { FONTS, readFont } from './fonts.js';
import { openSteadyBrowser, prepare, waitUntilStill } from './steady-browser.js';

/** The viewport and preferences with which a page of the demo is opened. */
export interface DemoLook {
  readonly size: readonly [width: number, height: number];
  readonly scheme?: 'light' | 'dark';
  /** Language of the page, and therefore of the chat. Arabic is right to left. */
  readonly lang?: string;
  readonly forcedColors?: boolean;
  /** Whether the device has touch instead of a pointer. */
  readonly touch?: boolean;
  /** Device pixels per CSS pixel. */
  readonly scale?: number;
}

/** The messages of one visitor to the local agent, in three conversations. */
const CONVERSATIONS: readonly (readonly string[])[] = [
  ['What is 12.5 * (3 + 4)^2?'],
  ['Summarise all documents'],
  [
    'Which countries does the Danube flow through?',
    'Which is the biggest river in Europe?',
    'How does an answer survive a broken network?',
  ],
];

/** The demo with its real agent and conversations of one visitor, in a browser whose screenshots are equal on every machine. */
export class DemoFixture {
  readonly #demo: DemoProcess;
  readonly #visitor: BrowserContext;

  private constructor(demo: DemoProcess, visitor: BrowserContext) {
    this.#demo = demo;
    this.#visitor = visitor;
  }

  /** Starts demo and browser, and creates the conversations. */
  static async open(): Promise<DemoFixture> {
    const browser = await openSteadyBrowser();
    if (!browser) throw new Error('The Chromium of the development packages does not run here.');
    const demo = await startDemo();
    const fixture = new DemoFixture(demo, await browser.createBrowserContext());
    await fixture.#createConversations();
    return fixture;
  }

  /** Opens a page of the demo and waits until it is rendered. */
  async show(path: string, look: DemoLook): Promise<Page> {
    const page = await openPage(this.#visitor);
    await prepare(page);
    await page.setRequestInterception(true);
    page.on('request', (request) => void answer(request));
    const [width, height] = look.size;
    const { touch = false, scale = 1 } = look;
    await page.setViewport({
      width,
      height,
      isMobile: touch,
      hasTouch: touch,
      deviceScaleFactor: scale,
    });
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-reduced-motion', value: 'reduce' },
        { name: 'prefers-color-scheme', value: look.scheme ?? 'light' },
        { name: 'forced-colors', value: look.forcedColors ? 'active' : 'none' },
      ],
    });
    await page.goto(this.#demo.url + path, { waitUntil: 'networkidle0' });
    await page.evaluate((lang) => {
      document.documentElement.lang = lang;
      document.documentElement.dir = lang === 'ar' ? 'rtl' : 'ltr';
      // Pages use system fonts, which differ between machines.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        `body { font-family: 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans SC Variable' !important }`,
      );
      document.adoptedStyleSheets.push(sheet);
    }, look.lang ?? 'en');
    await this.settle(page);
    return page;
  }

  /** Presses the button of a bubble, which is a placeholder until the chat is loaded, and waits for the conversation. */
  async openBubble(page: Page): Promise<void> {
    const launcher = await page.waitForFunction(() => {
      const chat = document.querySelector('ubik-chat')?.shadowRoot;
      const roots = [chat, ...[...(chat?.children ?? [])].map(({ shadowRoot }) => shadowRoot)];
      return roots.map((root) => root?.querySelector('.launcher')).find(Boolean);
    });
    await (launcher.asElement() as ElementHandle<HTMLElement> | null)?.click();
    await page.waitForFunction(() =>
      document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.cite'),
    );
    await this.settle(page);
  }

  /** Waits until no request is pending and the page does not change. */
  async settle(page: Page): Promise<void> {
    await page.waitForNetworkIdle({ idleTime: 100 });
    await page.evaluate(waitUntilStill);
  }

  async close(): Promise<void> {
    await this.#visitor.browser().close();
    await this.#demo.close();
  }

  async #createConversations(): Promise<void> {
    const chat = await openChat(this.#demo.url, this.#visitor);
    let ended = 0;
    for (const questions of CONVERSATIONS) {
      await chat.page.evaluate(() => {
        document.querySelector('ubik-chat')?.startThread();
      });
      for (const question of questions) {
        await chat.ask(question);
        // The agent first asks by which measure.
        if (question.includes('biggest')) {
          await chat.waitForEvent('ubik-run-paused');
          await chat.ask('by discharge');
        }
        await chat.waitForEvent('ubik-run-completed', (ended += 1));
      }
    }
    await chat.page.close();
  }
}

/** Serves fonts from the packages and everything else from the demo. */
async function answer(request: HTTPRequest): Promise<void> {
  const path = new URL(request.url()).pathname;
  if (!path.startsWith(FONTS)) return request.continue();
  const { body, type } = await readFont(path);
  await request.respond({ body, contentType: type });
}
