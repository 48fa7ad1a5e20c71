import { after, before } from 'node:test';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { openCachingPage } from '../../scripts/browser.mjs';
import { serveGallery, type GalleryServer } from './gallery-server.js';
import { openSteadyBrowser, prepare, waitUntilDrawn, waitUntilStill } from './steady-browser.js';

/** Parameters of the URL that determine how cases are shown. */
export type Look = Readonly<Record<string, string>>;

/** How a page of cases is opened: parameters of the URL besides the cases, preferences of the system, and the size of the window. */
export interface View {
  readonly look?: Look;
  readonly forcedColors?: boolean;
  /** 1320 × 900 by default. */
  readonly size?: readonly [width: number, height: number];
}

/** A case of the gallery. */
export interface CaseNote {
  readonly name: string;
  readonly group: string;
  /** Why the case needs a separate page (`modal`, `offline`); null if it can share one. */
  readonly alone: string | null;
}

/** The gallery in the Chromium of the development packages. */
export class Gallery {
  readonly #browser: Browser;
  readonly #server: GalleryServer;
  readonly #page: Page;
  readonly #session: CDPSession;
  /** URLs of the pending scripts. The page itself knows its pending fonts. */
  readonly #pendingScripts = new Set<string>();
  #requestCount = 0;
  /** Uncaught errors and console errors of the page. */
  readonly errors: string[] = [];

  private constructor(browser: Browser, server: GalleryServer, page: Page, session: CDPSession) {
    this.#browser = browser;
    this.#server = server;
    this.#page = page;
    this.#session = session;
    // Events arrive in order: a file that was requested before a response is known when the response arrives.
    page.on('request', (request) => {
      if (request.resourceType() === 'script') this.#pendingScripts.add(request.url());
      this.#requestCount += 1;
    });
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      page.on(end, (request) => this.#pendingScripts.delete(request.url()));
    }
    page.on('pageerror', (error) => this.errors.push(`uncaught: ${String(error)}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(`console: ${message.text()}`);
    });
  }

  /** Opens the gallery; null where the Chromium of the development packages does not run. */
  static async open(): Promise<Gallery | null> {
    const server = await serveGallery();
    const browser = await openSteadyBrowser();
    if (!browser) {
      await server.close();
      return null;
    }
    const page = await openCachingPage(browser);
    await prepare(page);
    return new Gallery(browser, server, page, await page.createCDPSession());
  }

  get page(): Page {
    return this.#page;
  }

  /** All cases. */
  async list(): Promise<CaseNote[]> {
    await this.#page.goto(`${this.#server.url}/icon.svg`);
    await this.#page.goto(`${this.#server.url}/gallery.html?case=chat-plain`);
    return this.#page.evaluate(async () => {
      const address = '/gallery/cases.mjs';
      const { GROUPS } = (await import(address)) as {
        GROUPS: { title: string; cases: { name: string; alone?: string }[] }[];
      };
      return GROUPS.flatMap(({ title, cases }) =>
        cases.map(({ name, alone }) => ({ name, group: title, alone: alone ?? null })),
      );
    });
  }

  /** All themes; an empty string stands for no theme. */
  async listThemes(): Promise<readonly string[]> {
    await this.#page.goto(`${this.#server.url}/gallery.html?case=chat-plain`);
    return this.#page.evaluate(async () => {
      const address = '/gallery/axes.mjs';
      const { THEMES } = (await import(address)) as { THEMES: readonly string[] };
      return THEMES;
    });
  }

  /** Shows cases and waits until they are rendered completely. */
  async show(names: readonly string[], view: View = {}): Promise<void> {
    const [width, height] = view.size ?? [1320, 900];
    const features = [
      { name: 'prefers-reduced-motion', value: 'reduce' },
      { name: 'forced-colors', value: view.forcedColors ? 'active' : 'none' },
    ];
    await this.#session.send('Emulation.setEmulatedMedia', { features });
    await this.#page.setViewport({ width, height });
    this.#pendingScripts.clear();
    const query = new URLSearchParams({ case: names.join(','), ...view.look });
    await this.#page.goto(`${this.#server.url}/gallery.html?${query.toString()}`);
    await this.#page.waitForSelector('html[data-made]');
    await this.#settle();
  }

  /** Switches the page to another colour scheme, theme or direction. Omitted values are reset. */
  async switchTo({ scheme = 'light', dir = 'ltr', theme = '' }: Look): Promise<void> {
    await this.#page.evaluate(
      (...[to, side, name]) => {
        const root = document.documentElement;
        root.dataset['scheme'] = to;
        root.dir = side;
        root.className = name ? `theme-${name} ubik-theme-${name}` : '';
      },
      scheme,
      dir,
      theme,
    );
    await this.#settle();
  }

  /** Takes a screenshot of one shown case, or of the whole window without a name. */
  async takeScreenshot(name?: string): Promise<string> {
    const box = await this.#page.$(`[data-case="${name ?? ''}"]`);
    if (!box) return this.#page.screenshot({ encoding: 'base64' });
    const bounds = await box.boundingBox();
    if (!bounds) throw new Error(`${name ?? ''} is not drawn.`);
    return this.#page.screenshot({
      encoding: 'base64',
      clip: bounds,
      captureBeyondViewport: false,
    });
  }

  /** Resizes the window to the height of all cases, so that all are visible. */
  async fitWindowToCases(): Promise<void> {
    const width = this.#page.viewport()?.width ?? 1320;
    const height = await this.#page.evaluate(() => document.documentElement.scrollHeight);
    await this.#page.setViewport({ width, height: Math.max(900, height) });
    await this.#settle();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.close();
  }

  /** Waits for lazy files, fonts, and the frames in which they are rendered: until a whole round has caused no request. */
  async #settle(): Promise<void> {
    let requestCount = -1;
    while (
      requestCount !== this.#requestCount ||
      this.#pendingScripts.size > 0 ||
      this.#server.open > 0
    ) {
      requestCount = this.#requestCount;
      await this.#page.evaluate(waitUntilStill);
      await this.#page.evaluate(waitUntilDrawn);
    }
  }
}

/** Opens the gallery before the tests of a suite and closes it afterwards; null where the Chromium of the development packages does not run. */
export function setupGallery(): () => Gallery | null {
  let gallery: Gallery | null = null;
  before(async () => {
    gallery = await Gallery.open();
  });
  after(() => gallery?.close());
  return () => gallery;
}
