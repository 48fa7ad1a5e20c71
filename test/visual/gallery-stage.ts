import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { findPackedChrome, flags } from '../../scripts/browser.mjs';
import { serveGallery, type GalleryServer } from './gallery-server.js';

/** How a page of cases is opened: what stands in the address, besides the cases, and what the system says. */
export interface View {
  readonly look?: Readonly<Record<string, string>>;
  readonly forcedColors?: boolean;
  /** 1320 × 900 by default. */
  readonly size?: readonly [width: number, height: number];
}

/** What the gallery has. */
export interface CaseNote {
  readonly name: string;
  readonly group: string;
  readonly alone: string | null;
}

/** Switches that make a picture the same on every machine. */
const STEADY = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-font-subpixel-positioning',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  '--hide-scrollbars',
  '--lang=en-US',
];

/** What the machine has of fonts is not seen: glyphs that no font of the packages has come from the one beside the browser. */
async function writeFontRules(browser: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'ubik-fonts-')), 'fonts.conf');
  const folders = `<dir>${join(browser, 'fonts')}</dir><cachedir>${dirname(file)}</cachedir>`;
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>`);
  return file;
}

/** The gallery in the browser of the package. */
export class Gallery {
  readonly #browser: Browser;
  readonly #server: GalleryServer;
  readonly #page: Page;
  readonly #session: CDPSession;
  /** Scripts on their way; fonts are known to the page. */
  readonly #coming = new Set<string>();
  #asked = 0;
  /** What went wrong in the page. */
  readonly complaints: string[] = [];

  private constructor(browser: Browser, server: GalleryServer, page: Page, session: CDPSession) {
    this.#browser = browser;
    this.#server = server;
    this.#page = page;
    this.#session = session;
    // Told in the order in which the page answers: a file that was asked for before an answer is known when it comes.
    page.on('request', (request) => {
      if (request.resourceType() === 'script') this.#coming.add(request.url());
      this.#asked += 1;
    });
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      page.on(end, (request) => this.#coming.delete(request.url()));
    }
    page.on('pageerror', (error) => this.complaints.push(`uncaught: ${String(error)}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(`console: ${message.text()}`);
    });
  }

  /** Opens it; null where the browser of the package does not run. */
  static async open(): Promise<Gallery | null> {
    const chrome = await findPackedChrome();
    if (!chrome) return null;
    const { from: _from, env, ...launch } = chrome;
    const browser = await puppeteer.launch({
      ...launch,
      env: {
        ...env,
        TZ: 'UTC',
        FONTCONFIG_FILE: await writeFontRules(dirname(chrome.executablePath)),
      },
      args: [...flags, ...STEADY],
    });
    const page = await browser.newPage();
    // The compiler of the tests names functions by a helper that a page does not have.
    await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
    await page.evaluateOnNewDocument(addFonts);
    return new Gallery(browser, await serveGallery(), page, await page.createCDPSession());
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

  /** All themes, that of no theme included. */
  async listThemes(): Promise<readonly string[]> {
    await this.#page.goto(`${this.#server.url}/gallery.html?case=chat-plain`);
    return this.#page.evaluate(async () => {
      const address = '/gallery/axes.mjs';
      const { THEMES } = (await import(address)) as { THEMES: readonly string[] };
      return THEMES;
    });
  }

  /** Shows cases, and waits until all of it is there. */
  async show(names: readonly string[], view: View = {}): Promise<void> {
    const [width, height] = view.size ?? [1320, 900];
    const features = [
      { name: 'prefers-reduced-motion', value: 'reduce' },
      { name: 'forced-colors', value: view.forcedColors ? 'active' : 'none' },
    ];
    await this.#session.send('Emulation.setEmulatedMedia', { features });
    await this.#page.setViewport({ width, height });
    this.#coming.clear();
    const query = new URLSearchParams({ case: names.join(','), ...view.look });
    await this.#page.goto(`${this.#server.url}/gallery.html?${query.toString()}`);
    await this.#page.waitForSelector('html[data-made]');
    await this.#settle();
  }

  /** A picture of one case that is shown; of all that can be seen, without a name. */
  async photograph(name?: string): Promise<string> {
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

  /** Makes the window as high as all cases together, so that each can be seen. */
  async unroll(): Promise<void> {
    const width = this.#page.viewport()?.width ?? 1320;
    const height = await this.#page.evaluate(() => document.documentElement.scrollHeight);
    await this.#page.setViewport({ width, height: Math.max(900, height) });
    await this.#settle();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.close();
  }

  /** Files that are fetched later, fonts, and the frames in which they are drawn. */
  async #settle(): Promise<void> {
    let asked = -1;
    while (asked !== this.#asked || this.#coming.size > 0 || this.#server.open > 0) {
      asked = this.#asked;
      await this.#page.evaluate(standStill);
      await this.#page.evaluate(allDrawn);
    }
  }
}

function addFonts(): void {
  const link = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: '/fonts/pinned.css',
  });
  new MutationObserver((_, observer) => {
    if (!document.head) return;
    observer.disconnect();
    document.head.prepend(link);
  }).observe(document, { childList: true, subtree: true });
}

/** Resolves when a few frames have passed in which nothing was changed, and all fonts are there. */
async function standStill(): Promise<void> {
  let changes = 0;
  const observer = new MutationObserver(() => (changes += 1));
  const rules = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document, rules);
  for (const { shadowRoot } of document.querySelectorAll('*')) {
    if (shadowRoot) observer.observe(shadowRoot, rules);
  }
  for (let quiet = 0; quiet < 4;) {
    const before = changes;
    await new Promise(requestAnimationFrame);
    quiet = changes === before ? quiet + 1 : 0;
  }
  observer.disconnect();
  await document.fonts.ready;
}

/** Resolves when nothing that can be seen is left out of drawing for being far away (`content-visibility: auto`). */
async function allDrawn(): Promise<void> {
  const roots = [...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot);
  // What comes a moment later, so as not to flicker, is there.
  for (const motion of roots.flatMap((root) => root?.getAnimations() ?? [])) {
    if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
  }
  const late = roots.flatMap((root) =>
    [...(root?.querySelectorAll('*') ?? [])].filter(
      (one) => getComputedStyle(one).contentVisibility === 'auto',
    ),
  );
  const isMissing = (one: Element): boolean => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const root = one.getRootNode() as ShadowRoot;
    const hit = root.elementFromPoint(left + width / 2, top + height / 2);
    const inside = one.firstElementChild;
    return one.contains(hit) && inside?.checkVisibility({ contentVisibilityAuto: true }) === false;
  };
  while (late.some(isMissing)) await new Promise(requestAnimationFrame);
}

/** Opens the gallery before the tests of a suite and closes it after them; none where the browser of the package does not run. */
export function setupGallery(): () => Gallery | null {
  let gallery: Gallery | null = null;
  before(async () => {
    gallery = await Gallery.open();
  });
  after(() => gallery?.close());
  return () => gallery;
}
