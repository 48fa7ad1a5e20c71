import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findChrome, flags, openPage } from '../../scripts/browser.mjs';
import { waitForLoads } from '../helpers/wait-for-loads.js';
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

/** Everything that the library may insert into a page. Anything else is a finding, harmless or not. */
const OURS: Allowed = {
  elements: words(`
    a article aside bdi blockquote br button canvas caption code del details div em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i
    img input label legend li maction math mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover nav ol option p path pre progress section select slot span strong sub summary sup svg table tbody td
    textarea th thead time tr ul`),
  attributes: words(`
    accept alt aria-* autocapitalize autocomplete checked class cols d data-* datetime dir disabled display download enterkeyhint fill for height hidden href id inputmode lang
    max maxlength multiple name novalidate open part placeholder popover rel required role rows scope separator stretchy spellcheck src start stroke style tabindex target
    title translate type value viewBox viewbox width`),
  // Shared by all copies of the library on a page.
  globals: ['Symbol(ubik-elements.tab)'],
};

/** Effects of a hostile page; all lists are empty if there are none. */
export interface Findings extends Testimony {
  /** Requests that the test does not expect, to any origin. */
  readonly requests: readonly string[];
  /** Console errors and uncaught errors; opened windows and pages. */
  readonly noise: readonly string[];
}

/** A page with a witness. */
export interface Stage {
  readonly page: Page;
  /** Returns everything since the page was opened, after all requests have completed. */
  findings(): Promise<Findings>;
}

/** Shared by the tests of a file: one browser, one stub service. */
export interface Theatre {
  readonly stub: StubService;
  /**
   * Opens a page of the stub and waits until its script has run. Frames fire at once, unless `real`. `expected` names
   * the permitted requests; any other is a finding.
   */
  open(path: string, frames?: 'fast' | 'real', expected?: readonly RequestName[]): Promise<Stage>;
}

/** Starts browser and stub before the tests of a file, and stops them afterwards. */
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
        const requests = watchRequests(page, stub.url, stub.requests, expected);
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
  // The test compiler names functions with a helper that a page does not have.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
  await page.goto(url, { waitUntil: 'load' });
  // The driver adds its own names to the page at the first wait.
  await page.waitForFunction(() => true);
  await page.evaluate(() => {
    window.witnessBegins();
  });
  return {
    page,
    findings: async () => {
      await page.evaluate(waitForLoads);
      const seen = await page.evaluate((allowed) => window.witnessTells(allowed), OURS);
      return { ...seen, requests: requests.unknown(), noise };
    },
  };
}

/** Fires a frame after each task instead of sixty a second, because the tests render thousands. */
function hurryFrames(): void {
  const { port1, port2 } = new MessageChannel();
  const waiting: FrameRequestCallback[] = [];
  port1.onmessage = () => waiting.shift()?.(performance.now());
  window.requestAnimationFrame = (callback) => {
    port2.postMessage(null);
    return waiting.push(callback);
  };
}

/** Asserts that there are no findings. */
export function assertInnocent(findings: Findings): void {
  const nothing = { ran: [], reports: [], globals: [], dom: [], requests: [], noise: [] };
  // Requests say more than the errors that follow from them.
  assert.deepEqual(findings.requests, []);
  assert.deepEqual(findings, nothing);
}

/** Records errors and navigation of the page. */
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
