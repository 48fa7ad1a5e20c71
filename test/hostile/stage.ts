import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findChrome, flags, openPage } from '../../scripts/browser.mjs';
import { letAllBeTold } from '../helpers/let-all-be-told.js';
import { startStubService, type StubService } from '../helpers/stub-service.js';
import type { Allowed, Testimony } from './page-witness.js';
import { bundleWitness, listPages } from './pages.js';
import {
  PAGE_FILES,
  watchRequests,
  type RequestName,
  type RequestWitness,
} from './request-witness.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** All that the product may put into a page. Whatever is not here is a finding, harmless or not. */
const OURS: Allowed = {
  elements: words(`
    a article aside bdi blockquote br button code del details div em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
    img input label legend li maction math mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover nav ol option p path pre progress section select slot span strong sub summary sup svg table tbody td
    textarea th thead time tr ul`),
  attributes: words(`
    accept alt aria-* autocapitalize autocomplete checked class cols d data-* datetime dir disabled display download enterkeyhint fill for height hidden href id inputmode lang
    max maxlength multiple name novalidate open part placeholder popover rel required role rows scope separator stretchy spellcheck src start stroke style tabindex target
    title translate type value viewBox viewbox width`),
  // What all copies of the library on a page share.
  globals: ['Symbol(ubik-elements.tab)'],
};

/** What a hostile page has done: all lists are empty when it has done nothing. */
export interface Findings extends Testimony {
  /** Requests that the test does not know by name, to whatever origin. */
  readonly requests: readonly string[];
  /** Errors on the console and uncaught ones; windows and pages that were opened. */
  readonly noise: readonly string[];
}

/** A page with a witness in it. */
export interface Stage {
  readonly page: Page;
  /** Everything since the page was opened, and what came of it: what was asked for has been answered or refused. */
  findings(): Promise<Findings>;
}

/** What the tests of a file share: one browser, one stub. */
export interface Theatre {
  readonly stub: StubService;
  /**
   * Opens a page of the stub and waits until its script has run. Frames come at once, unless they are to be real. `expected` names
   * the requests that it may make; every other one is a finding.
   */
  open(path: string, frames?: 'fast' | 'real', expected?: readonly RequestName[]): Promise<Stage>;
}

/** Starts browser and stub before the tests of a file, and gives everything back after them. */
export function setupTheatre(): () => Theatre {
  let theatre: (Theatre & { readonly browser: Browser }) | null = null;
  let open: Page[] = [];
  before(async () => {
    const { from: _from, ...chrome } = await findChrome();
    // Nothing leaves this machine, even if an attack succeeds.
    const rules = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
    const browser = await puppeteer.launch({ ...chrome, args: [...flags, rules] });
    const stub = await startStubService({ files: await listPages() });
    const witness = await bundleWitness();
    theatre = {
      browser,
      stub,
      open: async (path, frames = 'fast', expected = PAGE_FILES) => {
        const page = await openPage(browser);
        open.push(page);
        await page.evaluateOnNewDocument(witness);
        if (frames === 'fast') await page.evaluateOnNewDocument(hurryFrames);
        const requests = watchRequests(page, stub.url, stub.asked, expected);
        return openStage(page, `${stub.url}${path}`, requests);
      },
    };
  });
  afterEach(async () => {
    for (const page of open) await page.close();
    open = [];
  });
  after(async () => {
    await theatre?.browser.close();
    await theatre?.stub.close();
  });
  return () => {
    if (!theatre) throw new Error('The stage is there only inside a test.');
    return theatre;
  };
}

async function openStage(page: Page, url: string, requests: RequestWitness): Promise<Stage> {
  const noise = listenForNoise(page, url);
  // The compiler of the tests names functions by a helper that a page does not have.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
  await page.goto(url, { waitUntil: 'load' });
  // The driver brings names of its own into the page with the first thing that it waits for.
  await page.waitForFunction(() => true);
  await page.evaluate(() => {
    window.witnessBegins();
  });
  return {
    page,
    findings: async () => {
      await page.evaluate(letAllBeTold);
      const seen = await page.evaluate((allowed) => window.witnessTells(allowed), OURS);
      return { ...seen, requests: requests.unknown(), noise };
    },
  };
}

/** A frame after each task instead of sixty a second: the tests draw thousands. */
function hurryFrames(): void {
  const { port1, port2 } = new MessageChannel();
  const waiting: FrameRequestCallback[] = [];
  port1.onmessage = () => waiting.shift()?.(performance.now());
  window.requestAnimationFrame = (callback) => {
    port2.postMessage(null);
    return waiting.push(callback);
  };
}

/** Holds that nothing at all was found. */
export function assertInnocent(findings: Findings): void {
  const nothing = { ran: [], reports: [], globals: [], dom: [], requests: [], noise: [] };
  // What was asked for says more than the complaints that follow from it.
  assert.deepEqual(findings.requests, []);
  assert.deepEqual(findings, nothing);
}

/** Records what the page complains of, and where it goes. */
function listenForNoise(page: Page, url: string): readonly string[] {
  const noise: string[] = [];
  page.on('pageerror', (error) => noise.push(`uncaught: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error') noise.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    noise.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => noise.push('a window was opened'));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || frame.url() !== url) noise.push(`went to ${frame.url()}`);
  });
  return noise;
}
